"""Commands of the program on a store, and the writes that they acknowledged."""
import json
import subprocess

from items import Item, Fact, Ledger, changed, content, keywords
from served import PATIENCE, Failure

BATCH = 50
"""The number of items of an import per commit."""


class Answer:
    """The result of a command. Its output counts as acknowledgement even if it was killed while exiting."""

    def __init__(self, status, output, errors):
        self.status, self.output, self.errors = status, output, errors

    def must_work(self, what):
        if self.status != 0:
            raise Failure(f"typed: {what} ended with {self.status}: {self.errors}")


class Book(Ledger):
    """A store with the writes that commands acknowledged."""

    def __init__(self, program, store, durability="full"):
        super().__init__(store, has_labels=True)
        self.program, self.durability, self.acknowledged, self.process = program, durability, 0, None

    @property
    def known(self):
        """The marks of the items that exist."""
        return [mark for mark, item in self.items.items() if item.fact]

    def arguments(self, *words):
        return [self.program, *words, "--store", str(self.store), "--durability", self.durability]

    def run(self, *words, through=(), data=None):
        """Runs a command; `through` precedes it, as `strace` does."""
        self.process = subprocess.Popen(
            [*through, *self.arguments(*words)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            text=True)
        try:
            output, errors = self.process.communicate(data, PATIENCE)
        except subprocess.TimeoutExpired as error:
            self.process.kill()
            self.process.communicate()
            raise Failure(f"unanswered: {' '.join(words)} ran for {PATIENCE} s") from error
        return Answer(self.process.returncode, output, errors)

    def take(self, marks, through=()):
        """Imports the next revision of existing items, and the first revision of new ones."""
        lines, wanted = [], []
        for mark in marks:
            item = self.items.setdefault(mark, Item(mark))
            revision = str(int(item.fact.revision) + 1 if item.fact else 1)
            after = changed(item.fact, revision=revision) if item.fact else Fact(1, revision)
            item.pending.append(after)
            wanted.append((item, after))
            document = content(mark, revision)
            lines.append(json.dumps(document | {"keywords": keywords(document["name"])}) + "\n")
        self.batches = [wanted[i:i + BATCH] for i in range(0, len(wanted), BATCH)]
        answer = self.run("import", "-", through=through, data="".join(lines))
        if answer.output.endswith("}\n"):
            report = json.loads(answer.output)
            taken = report["inserted"] + report["updated"]
            # An import that ends early reports the batches before; they are acknowledged, too.
            if taken != len(marks) and (answer.status == 0 or taken % BATCH):
                raise Failure(f"typed: {len(marks)} items imported, and the report is {answer.output}")
            self.acknowledge(wanted[:taken])
        return answer

    def rate(self, mark, rating, through=()):
        item = self.items[mark]
        after = changed(item.fact, rating=rating)
        item.pending.append(after)
        answer = self.run("rate", mark, str(rating), through=through)
        if f"is rated {rating} of 5\n" in answer.output:
            self.acknowledge([(item, after)])
        return answer

    def acknowledge(self, pairs):
        for item, after in pairs:
            item.fact, item.pending = after, []
        self.acknowledged += len(pairs)
