"""transfer-kills [ROUNDS]: `kill -9` of transfers at random moments, between each two kinds of durable stores.

In each round, a transfer is killed and repeated until it ends; between two attempts, commands sometimes change the
source, and some attempts only fill the target (--live). At the end, the target has the rows of the source, as the judge
of the stores reads them, and no file of the transfer is left.
"""
import pathlib
import random
import re
import shutil
import subprocess
import tempfile
import time

from backups import content
from commands import Book
from postgres import stores_with_postgres
from served import SEED, Failure, caught, program

KILLS = 100
"""The minimum number of kills, after which the rounds end."""


class Round:
    def __init__(self, program, folder, kinds, chance):
        """The kinds make the stores of source and target at a path."""
        self.program, self.chance = program, chance
        self.folder = pathlib.Path(tempfile.mkdtemp(dir=folder))
        self.source = Book(program, kinds[0](f"{self.folder}/source"), "off")
        self.target = Book(program, kinds[1](f"{self.folder}/target"), "off")
        self.kills, self.marks = 0, [f"item-{number}" for number in range(600)]

    def run(self, longest=None, damage=None):
        """Transfers, with kills before `longest` seconds if given; then plants a damage in the target if it is named.

        Returns: the seconds of the last attempt.
        """
        for marks in (self.marks, self.marks[::2]):
            self.source.take(marks).must_work("an import")
        begins = True
        while longest:
            # Without its file, the killed transfer may have ended, and --live, which does not compare, would be refused.
            words = ["--live"] if (begins or self.has_file) and self.chance.random() < 0.3 else []
            begins = False
            if self.transfer(words, self.chance.random() * longest) and not words:
                break
            # On a busy machine, an attempt may take longer than the first one.
            longest *= 1.15
            # Without its file, the killed transfer had ended: a changed source then differs from the target.
            if self.has_file and self.chance.random() < 0.4:
                self.source.take(self.chance.sample(self.marks, 40)).must_work("an import")
        began = time.monotonic()
        # After a transfer that has ended, a repetition finds equal stores.
        self.transfer([])
        duration = time.monotonic() - began
        if damage and not self.target.store.plant(damage):
            raise Failure(f"typed: {damage} was not planted")
        self.judge()
        shutil.rmtree(self.folder)
        return duration

    @property
    def has_file(self):
        """Whether the file of the transfer is there."""
        return any(re.search(r"\.transfer(\.[0-9a-f]{16})?$", file.name) for file in self.folder.iterdir())

    def transfer(self, words, limit=None):
        """Runs a transfer until a limit in seconds, when it is killed.

        Returns: whether it ended before.
        """
        if {self.source.store.kind, self.target.store.kind} == {"postgres"}:
            words = [*words, "--copy", f"{self.folder}/copy.transfer"]
        command = [self.program, "transfer", "--from", str(self.source.store), "--to", str(self.target.store), *words]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        try:
            _, errors = process.communicate(timeout=limit)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            self.kills += 1
            return False
        if process.returncode != 0:
            raise Failure(f"typed: a transfer ended with {process.returncode}: {errors}")
        return True

    def judge(self):
        expected = content(self.source.store)
        if content(self.target.store) != expected or not expected["item"]:
            raise Failure(f"unequal: the target {self.target.store} has other rows than {self.source.store}")
        if self.has_file:
            raise Failure("grown: the file of the transfer remains")


def run(program, folder, stores, rounds):
    chance, kills, began, longest = random.Random(SEED), 0, time.monotonic(), {}
    pairs = [(one, other) for one in stores for other in stores]
    number = 0
    while number < rounds or kills < KILLS:
        pair = pairs[number % len(pairs)]
        kinds = [stores[kind] for kind in pair]
        try:
            if pair not in longest:
                longest[pair] = 1.2 * Round(program, folder, kinds, chance).run()
            work = Round(program, folder, kinds, chance)
            work.run(longest[pair])
        except Failure as failure:
            raise Failure(f"{failure} (from {' to '.join(pair)}, round {number + 1}, seed {SEED})") from failure
        kills += work.kills
        number += 1
    return (f"{number} rounds between {len(pairs)} pairs of {', '.join(stores)}, {kills} kills, all equal, seed {SEED}, "
            f"{time.monotonic() - began:.1f} s")


def main(rounds="18"):
    with tempfile.TemporaryDirectory() as folder, stores_with_postgres() as stores:
        made = program("ProofProgram", *(["--traits", "default,Postgres"] if "postgres" in stores else []))
        for kind in stores.values():
            for damage in ("lost", "older", "torn"):
                work = Round(made, folder, (kind, stores["sqlite"]), random.Random(SEED))
                caught("unequal|torn", lambda: work.run(damage=damage))
        print(f"proof: transfer-kills: {run(made, folder, stores, int(rounds))}")
