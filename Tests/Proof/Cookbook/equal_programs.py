"""equal-programs OLD [REQUESTS [NEW]]: two programs of the sample answer random requests alike, and store the same.

OLD is a program of an earlier commit; NEW is that of this checkout, which is built, or the one at a path. Both get the same
requests in the same order: recipes and tags are created, replaced, patched, rated, deleted and created again, with current
and former entity tags, odd Unicode, and values that are refused; and they are read, listed, filtered and searched. Status,
JSON and versions of the responses must be equal, then all tables of entities, apart from the words of searches. Ids are
compared by the order of their first occurrence, and times are not compared. By default, there are 2,000 requests.

A tag that only one program has must be found, in a response and in the tables.
"""
import itertools
import json
import pathlib
import random
import re
import sqlite3
import tempfile

from cookbook_attacks import Cookbook
from served import SEED, Connection, Failure, caught, program

ID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
CURSOR = re.compile('"(next|previous)":"[^"]+"')
TIME = re.compile(r"\d{4}-\d\d-\d\dT[0-9:.]+Z")
WORDS = ["Onion", "ONION", "soup", "Crème", "cre\u0301me", "Straße", "ﬁsh", "İzmir", "ığdır", "日本料理", "한국", "क्षत्रिय", "👩‍🍳", "e\u0301\u0323",
         "zero\u200bwidth", "soft\u00adhyphen", "a\u0000b", "\u202eright", "١٢٣", "Æble", "", " ", "x" * 60]
TEXTS = {"name", "summary", "author", "yield"}


class Side:
    """One program, with the ids in its responses by the order of their occurrence."""

    def __init__(self, larder, folder):
        self.database = folder / "store.sqlite"
        self.service = Cookbook(str(larder), folder, 0, users=[])
        self.connection = Connection(self.service)
        self.numbers, self.ids, self.tags, self.next = {}, [], {}, None

    def named(self, match):
        id = match[0]
        if id not in self.numbers:
            self.numbers[id] = len(self.ids)
            self.ids.append(id)
        return f"id-{self.numbers[id]}."

    def real(self, text):
        return re.sub(r"id-(\d+)\.", lambda match: self.ids[int(match[1])], text)

    def send(self, method, path, body=None, is_current=True):
        """Sends a request whose ids are numbers.

        Returns: what must be equal in both programs.
        """
        place = path.partition("?")[0]
        fields = {"Content-Type": "application/merge-patch+json"} if method == "PATCH" else {}
        if method in ("PUT", "PATCH", "DELETE"):
            tags = self.tags.get(place, [])
            fields["If-Match"] = (tags[-1] if is_current else tags[0]) if tags else "*"
        if path == "next":
            path, self.next = self.next, None
        text = None if body is None else self.real(json.dumps(body)).encode()
        answer = self.connection.request(method, self.real(path), text, fields)
        if link := re.match('<([^>]+)>; rel="next"', answer.fields.get("Link", "")):
            self.next = link[1]
        version = None
        if tag := answer.fields.get("ETag") if "?" not in path else None:
            version = int(tag.strip('"').split("-")[1])
            self.tags.setdefault(place, []).append(tag)
        shown = CURSOR.sub(r'"\1":"cursor"', TIME.sub("time", ID.sub(self.named, answer.body.decode())))
        return answer.status, version, shown, ID.sub(self.named, answer.fields.get("Location", "")), self.next is not None

    def tables(self):
        """The rows of each table of entities, in the order of their ids, which is that of their creation."""
        with sqlite3.connect(self.database) as database:
            names = [row[0] for row in database.execute("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")]
            names = [name for name in names if not name.startswith(("larder_", "sqlite_", "recipe_words"))]
            rows = {name: database.execute(f'SELECT * FROM "{name}" ORDER BY 1, 2').fetchall() for name in names}
            columns = {name: [row[1] for row in database.execute(f'PRAGMA table_info("{name}")')] for name in names}
        places = {}
        for name in names:
            if columns[name][0] == "id":
                places |= {row[0]: f"{name} {number}" for number, row in enumerate(rows[name])}
        return {name: [{column: places.get(value, value) for column, value in zip(columns[name], row)
                        if not re.search("_at$|digest|token", column)} for row in rows[name]]
                for name in names if name not in ("stored_answer", "access_token")}


def text(chance):
    return " ".join(chance.choice(WORDS) for _ in range(chance.choice([1, 2, 3, 12])))


def recipe(chance, tags, old=None):
    """Some members of a recipe; a list may keep parts of the old one."""
    value = {"name": text(chance)}
    for member in TEXTS:
        if chance.random() < 0.4:
            value[member] = chance.choice([text(chance), None])
    for member, most in {"preparationMinutes": 90, "cookingMinutes": 90, "rating": 6, "difficulty": 6}.items():
        if chance.random() < 0.4:
            value[member] = chance.choice([chance.randrange(most), None, -1 if chance.random() < 0.1 else 1])
    if chance.random() < 0.3:
        value["sourceIdentifier"] = f"source {chance.randrange(20)}"
    for member in ("steps", "ingredients"):
        parts = list((old or {}).get(member, []))
        chance.shuffle(parts)
        parts = parts[:chance.randrange(4)] + [{"text": text(chance)} for _ in range(chance.randrange(3))]
        if chance.random() < 0.7:
            value[member] = parts
    if tags and chance.random() < 0.5:
        value["tags"] = [{"id": tag} for tag in chance.sample(tags, min(len(tags), chance.randrange(4)))]
    return value


def requests(chance, count):
    """Random requests; receives the status and the JSON of each response."""
    recipes, tags, gone = {}, {}, []
    for _ in range(count):
        kinds = {"recipe": 3, "tag": 1}
        if recipes:
            kinds |= {"put": 6, "patch": 4, "same": 1, "rate": 3, "delete": 1, "get": 2, "list": 3}
        if gone:
            kinds["missing"] = 0.3
        if tags:
            kinds |= {"rename": 1, "delete tag": 0.5}
        kind = chance.choices(list(kinds), kinds.values())[0]
        path = chance.choice(sorted(recipes)) if recipes else None
        tag = chance.choice(sorted(tags)) if tags else None
        is_current = chance.random() < 0.9
        match kind:
            case "recipe": request = "POST", "/v1/recipes", recipe(chance, sorted(tags.values()))
            case "tag": request = "POST", "/v1/tags", {"name": text(chance)}
            case "put": request = "PUT", path, recipes[path] | recipe(chance, sorted(tags.values()), recipes[path])
            case "same": request = "PUT", path, recipes[path]
            case "patch": request = "PATCH", path, recipe(chance, sorted(tags.values()), recipes[path])
            case "rate": request = "POST", f"{path}/rate", {"rating": chance.randrange(-1, 8)}
            case "delete": request = "DELETE", path, None
            case "get": request = "GET", path, None
            case "missing": request = chance.choice(["GET", "DELETE"]), chance.choice(gone), None
            case "rename": request = "PUT", tag, {"name": text(chance)}
            case "delete tag": request = "DELETE", tag, None
            case "list":
                filters = ["", "&sort=rating", "&under=60", "&search=onion", "&search=cre*", "&search=soup%20fish", "&name=o"]
                request = "GET", f"/v1/recipes?limit={chance.randrange(1, 8)}{chance.choice(filters)}", None
        answer = yield *request, is_current
        if answer[0] in (200, 201) and kind != "list" and answer[2]:
            value = json.loads(answer[2])
            if kind == "tag":
                tags[answer[3]] = value["id"]
            elif "steps" in value:
                recipes[answer[3] or path] = value
        if kind == "delete" and answer[0] == 204:
            del recipes[path]
            gone.append(path)
        if kind == "delete tag" and answer[0] == 204:
            del tags[tag]
        if answer[4]:
            yield "GET", "next", None, True


def both(sides, request):
    """Sends a request to both.

    Returns: the response.
    """
    answers = [side.send(*request) for side in sides]
    if answers[0] != answers[1]:
        raise Failure(f"typed: {request} was answered with {answers[0]} and with {answers[1]}")
    return answers[0]


def compare(sides, count):
    """Sends the requests to both.

    Returns: the number of responses by status.
    """
    counts, source, answer = {}, requests(random.Random(SEED), count), None
    while True:
        try:
            answer = both(sides, source.send(answer))
        except StopIteration:
            return counts
        counts[answer[0]] = counts.get(answer[0], 0) + 1


def compare_tables(sides):
    """Returns: the number of rows."""
    old, new = (side.tables() for side in sides)
    if old.keys() != new.keys():
        raise Failure(f"typed: the tables are {sorted(old)} and {sorted(new)}")
    for name in old:
        for number, rows in enumerate(itertools.zip_longest(old[name], new[name])):
            if rows[0] != rows[1]:
                raise Failure(f"torn: row {number} of {name} is {rows[0]} and {rows[1]}")
    return sum(map(len, old.values()))


def main(old, count="2000", new=None):
    new = new or program("larder")
    with tempfile.TemporaryDirectory() as folder:
        folders = [pathlib.Path(folder, name) for name in ("old", "new")]
        for place in folders:
            place.mkdir()
        sides = [Side(larder, place) for larder, place in zip((old, new), folders)]
        with sides[0].service, sides[1].service:
            counts, rows = compare(sides, int(count)), compare_tables(sides)
            sides[1].send("POST", "/v1/tags", {"name": "Planted"})
            caught("typed: .*Planted", lambda: both(sides, ("GET", "/v1/tags?name=planted")))
            caught("torn: .*Planted", lambda: compare_tables(sides))
    shown = ", ".join(f"{number} of {status}" for status, number in sorted(counts.items()))
    print(f"proof: equal-programs: {sum(counts.values())} responses ({shown}) and {rows} rows are equal, seed {SEED}")
