"""Recipes of known content, what a store acknowledged of them, and the judge who looks whether it kept its word.

The judge reads the store without the program, so that a mistake of the program's reader hides nothing.
"""
import json
import subprocess

from stores import Failure

PATIENCE = 120
"""Seconds that a command may take, under `strace` on a busy machine too; what takes longer hangs."""

BATCH = 50
"""How many recipes of an import share a commit: a batch is there whole or not at all."""


def steps(number, revision):
    return [f"step {i} of {number} in r{revision}" for i in range(2 + (number + revision) % 4)]


def ingredients(number, revision):
    return [f"ingredient {i} of {number} in r{revision}" for i in range(1 + (number * revision) % 5)]


def tags(number, revision):
    return ["all", f"group {number % 7}", f"turn {revision % 3}"]


def document(number, revision):
    """A recipe in which everything names its number and its revision, so that a mixture is recognised."""
    return {
        "@type": "Recipe", "identifier": f"k{number}", "name": f"Recipe {number} r{revision}",
        "description": f"Of revision {revision}", "keywords": tags(number, revision),
        "recipeIngredient": ingredients(number, revision), "recipeInstructions": steps(number, revision),
    }


class Answer:
    """How a command ended. What it printed counts as acknowledged even if it was killed on its way out."""

    def __init__(self, status, output, errors):
        self.status, self.output, self.errors = status, output, errors


class Book:
    """A store, with what it has to have: for each recipe the revisions and ratings that it may be found in."""

    def __init__(self, larder, store, durability="full"):
        self.larder, self.store, self.durability = larder, store, durability
        self.recipes, self.tag, self.acknowledged = {}, None, 0
        self.batches = []
        self.process = None

    # -- commands

    def run(self, *words, through=(), data=None):
        """Runs a command of `larder`; `through` stands before it, as `strace` does."""
        command = [*through, self.larder, *words, "--store", str(self.store), "--durability", self.durability]
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        try:
            output, errors = self.process.communicate(data, PATIENCE)
        except subprocess.TimeoutExpired as error:
            self.process.kill()
            self.process.communicate()
            raise Failure(f"unanswered: {' '.join(words)} ran for {PATIENCE} s") from error
        return Answer(self.process.returncode, output, errors)

    def take(self, numbers, through=()):
        """Imports the next revision of recipes, new ones in their first."""
        wanted = {n: max(self.recipes.get(n, ({0}, {0}))[0]) + 1 for n in numbers}
        for number, revision in wanted.items():
            revisions, ratings = self.recipes.get(number, ({0}, {0}))
            self.recipes[number] = (revisions | {revision}, ratings)
        chunks = [numbers[i:i + BATCH] for i in range(0, len(numbers), BATCH)]
        self.batches = [{n: wanted[n] for n in chunk} for chunk in chunks]
        lines = "".join(json.dumps(document(n, r)) + "\n" for n, r in wanted.items())
        answer = self.run("import", "-", "--json", through=through, data=lines)
        if answer.output.endswith("}\n"):
            report = json.loads(answer.output)
            taken = report["inserted"] + report["updated"]
            # An import that ended early tells of the batches before; they are acknowledged as well.
            if taken != len(numbers) and (answer.status == 0 or taken % BATCH):
                raise Failure(f"typed: {len(numbers)} recipes imported, and the report is {answer.output}")
            for number in numbers[:taken]:
                self.recipes[number] = ({wanted[number]}, self.recipes[number][1])
            self.acknowledged += taken
        return answer

    def rate(self, number, rating, through=()):
        revisions, ratings = self.recipes[number]
        self.recipes[number] = (revisions, ratings | {rating})
        answer = self.run("rate", f"k{number}", str(rating), through=through)
        if f"is rated {rating} of 5\n" in answer.output:
            self.recipes[number] = (revisions, {rating})
            self.acknowledged += 1
        return answer

    def rename(self, name, through=()):
        """Renames the one tag that no import names."""
        old = min(self.tag)
        self.tag = {old, name}
        answer = self.run("tags", "rename", old, name, through=through)
        if answer.output.endswith(f"is now {name}\n"):
            self.tag = {name}
            self.acknowledged += 1
        return answer

    def begin(self):
        """The recipe that carries the tag which is renamed."""
        line = {"@type": "Recipe", "identifier": "seed", "name": "Seed", "keywords": ["name 0"]}
        answer = self.run("import", "-", data=json.dumps(line))
        if answer.status != 0:
            raise Failure(f"typed: the first import ended with {answer.status}: {answer.errors}")
        self.tag = {"name 0"}

    # -- the judge

    def judge(self):
        """Fails unless the store has what it acknowledged. What is found is what it must have from now on."""
        with self.store.reader() as reader:
            self._compare(self._recipes(reader))
            self._judge_tags(reader)

    def _compare(self, found):
        for number, (revisions, ratings) in self.recipes.items():
            revision, rating = found.pop(number, (0, 0))
            if revision not in revisions:
                raise Failure(f"lost: k{number} is in revision {revision}, not in one of {sorted(revisions)}")
            if rating not in ratings:
                raise Failure(f"lost: k{number} is rated {rating}, not one of {sorted(ratings)}")
            self.recipes[number] = ({revision}, {rating})
        if found:
            raise Failure(f"torn: nobody sent {sorted(found)[:3]}")
        for batch in self.batches:
            if len({self.recipes[n][0] == {r} for n, r in batch.items()}) > 1:
                raise Failure(f"torn: half a batch is there: {sorted(batch)[:3]} and after")
        self.batches = []

    def _recipes(self, reader):
        """Number, revision and rating of each recipe, all of which are whole."""
        parts = {}
        for kind in ("step", "ingredient"):
            for owner, text in reader.execute(f"SELECT recipe, text FROM {kind} ORDER BY recipe, position"):
                parts.setdefault((kind, owner), []).append(text)
        sql = "SELECT recipe, name FROM recipe_tags JOIN tag ON tag.id = recipe_tags.tag ORDER BY recipe, position"
        for owner, name in reader.execute(sql):
            parts.setdefault(("tag", owner), []).append(name)
        found = {}
        sql = "SELECT id, source_identifier, name, summary, rating FROM recipe WHERE source_identifier <> 'seed'"
        for key, identifier, name, summary, rating in reader.execute(sql):
            number, revision = int(identifier[1:]), int(name.rsplit(" r", 1)[1])
            self._add(
                found, number, revision, rating, name == f"Recipe {number} r{revision}"
                and summary == f"Of revision {revision}"
                and parts.get(("step", key), []) == steps(number, revision)
                and parts.get(("ingredient", key), []) == ingredients(number, revision)
                and parts.get(("tag", key), []) == tags(number, revision))
        return found

    @staticmethod
    def _add(found, number, revision, rating, is_whole):
        if number in found:
            raise Failure(f"doubled: k{number}")
        if not is_whole:
            raise Failure(f"torn: k{number} is a mixture")
        found[number] = (revision, rating)

    def _judge_tags(self, reader):
        names = [name for (name,) in reader.execute("SELECT name FROM tag")]
        sql = "SELECT tag.name FROM tag JOIN recipe_tags ON tag = tag.id JOIN recipe ON recipe = recipe.id " \
            "WHERE source_identifier = 'seed'"
        self._compare_tags(names, {name for (name,) in reader.execute(sql)})

    def _compare_tags(self, names, held):
        if len(names) != len(set(names)):
            raise Failure(f"doubled: a tag of {sorted(names)}")
        if self.tag is not None:
            if len(held) != 1 or not held <= self.tag:
                raise Failure(f"lost: the tag is {sorted(held)}, not one of {sorted(self.tag)}")
            self.tag = held
