"""converted-searches OLD [RECIPES [SEARCHES [NEW]]]: a store that an earlier program filled is searched alike after its conversion.

OLD is a program of an earlier commit; NEW is that of this checkout, which is built, or the one at a path. OLD imports recipes,
some with odd Unicode, into a SQLite store. `migrate` of NEW converts two copies: one at once, and one that is killed
(`kill -9`) at 20 random moments before; both must be equal. A transfer copies one into a file store. Then OLD and NEW must
answer the same random searches alike, page by page: OLD from its store, and NEW from the converted one and from the file
store. By default, there are 2,000 recipes and 10,000 searches, of one to three words, words and prefixes.

A recipe that only one store has must be found.
"""
import json
import pathlib
import random
import re
import shutil
import sqlite3
import subprocess
import tempfile
import time
import urllib.parse

from cookbook_attacks import Cookbook, recipes
from equal_programs import WORDS
from served import SEED, Connection, Failure, Server, caught, program

KILLS = 20
VARYING = re.compile('"(next|requestId)":"[^"]+"')
"""What is the service's own in a response."""


def odd_recipes(chance, count):
    """The recipes of the loads, some with odd words, and all words of them."""
    lines, words = [], set(WORDS)
    for line in recipes(count):
        recipe = json.loads(line)
        if chance.random() < 0.2:
            # Recipes with NUL are refused.
            recipe["description"] = " ".join(chance.choices(WORDS, k=chance.randrange(1, 9))).replace("\0", "")
        words.update(re.findall(r"\w+", f"{recipe['name']} {recipe.get('recipeIngredient', '')}"))
        lines.append(json.dumps(recipe))
    return lines, sorted(words)


def migrate(new, database, seconds=None):
    """Migrates, and kills the process after some seconds, if it still runs then.

    Returns: the seconds it took.
    """
    began = time.monotonic()
    process = subprocess.Popen([new, "migrate", "--store", f"sqlite:{database}"],
                               stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    try:
        _, errors = process.communicate(timeout=seconds)
        if process.returncode:
            raise Failure(f"typed: migrate ended with {process.returncode}: {errors}")
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
    return time.monotonic() - began


def rows(database):
    """The rows of all tables of entities, without the internal ones of indexes."""
    with sqlite3.connect(database) as connection:
        names = [name for name, in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
                 if not re.match("larder_|sqlite_|.*_index", name)]
        return {name: sorted(connection.execute(f'SELECT * FROM "{name}"'), key=repr) for name in names}


def convert(new, old, folder, chance):
    """Converts copies of the old database, and checks that they are equal.

    Returns: the seconds of a conversion, and the path of a copy.
    """
    once, killed = folder / "once.sqlite", folder / "killed.sqlite"
    shutil.copy(old, once)
    shutil.copy(old, killed)
    seconds = migrate(new, once)
    for _ in range(KILLS):
        migrate(new, killed, chance.random() * seconds)
    migrate(new, killed)
    if rows(once) != rows(killed):
        raise Failure("torn: the conversion after kills has other rows than the one without")
    return seconds, killed


def searched(connections, words, chance):
    """Sends a search for random words, and the requests for the next two pages, to all services.

    Returns: the number of recipes that were found.
    """
    parts = [chance.choice(words) for _ in range(chance.choice([1, 1, 2, 3]))]
    parts = [part[:chance.randrange(1, len(part) + 1)] + "*" if part and chance.random() < 0.3 else part for part in parts]
    paths = [f"/v1/recipes?limit={chance.randrange(1, 30)}&search={urllib.parse.quote(' '.join(parts))}"] * len(connections)
    found = 0
    for _ in range(3):
        answers = [connection.request("GET", path) for connection, path in zip(connections, paths)]
        shown = [(answer.status, VARYING.sub("varies", answer.body.decode())) for answer in answers]
        for other in shown[1:]:
            if other != shown[0]:
                raise Failure(f"typed: {paths[0]} ({parts}) was answered with {shown[0]} and with {other}")
        found += shown[0][1].count('"createdAt"')
        links = [re.match('<([^>]+)>; rel="next"', answer.fields.get("Link", "")) for answer in answers]
        if not all(links):
            break
        paths = [link[1] for link in links]
    return found


def main(old, count="2000", searches="10000", new=None):
    new = new or program("larder")
    chance = random.Random(SEED)
    with tempfile.TemporaryDirectory() as place:
        folder = pathlib.Path(place)
        lines, words = odd_recipes(chance, int(count))
        (folder / "recipes.jsonl").write_text("\n".join(lines))
        store = folder / "old.sqlite"
        Cookbook.command(old, f"sqlite:{store}", "import", str(folder / "recipes.jsonl"))
        seconds, converted = convert(new, store, folder, chance)
        subprocess.run([new, "transfer", "--from", f"sqlite:{converted}", "--to", f"file:{folder}/files"], check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        with Server(old, f"sqlite:{store}", "full", folder / "old.log") as first, \
                Server(new, f"sqlite:{converted}", "full", folder / "new.log") as second, \
                Server(new, f"file:{folder}/files", "full", folder / "files.log") as third:
            connections = [Connection(server) for server in (first, second, third)]
            found = sum(searched(connections, words, chance) for _ in range(int(searches)))
            connections[1].expect(201, "POST", "/v1/recipes", json.dumps({"name": "Planted"}).encode())
            caught("typed: .*Planted", lambda: searched(connections, ["Planted"], random.Random(0)))
    print(f"proof: converted-searches: {count} recipes were converted in {seconds:.1f} s, and once with {KILLS} kills; "
          f"{searches} searches found {found} recipes alike in three stores, seed {SEED}")
