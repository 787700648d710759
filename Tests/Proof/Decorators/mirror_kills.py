"""mirror-kills [CYCLES]: `kill -9` of a process with a mirrored store; its primary is removed, and the mirror promoted.

With one required mirror, the promoted mirror must have each acknowledged commit. With none, it must have exactly the
commits up to its position in the journal of the primary. In the next cycle, it is the primary of a new mirror, so that
SQLite and file stores are primaries in turn. The stores are also used under a sealed store.
"""
import pathlib
import random
import shutil
import tempfile
import time

from decorator_load import Incomplete, Load, after, build, must_detect
from served import SEED, Failure, caught

CYCLES_OF_A_STORE = 20
LONGEST = 1.0
"""The maximum seconds of load in a cycle."""


class Cycles:
    def __init__(self, program, folder, options, is_required):
        """Judges mirrors as required ones, or as asynchronous ones."""
        self.program, self.options, self.is_required = program, options, is_required
        self.folder, self.chance = pathlib.Path(tempfile.mkdtemp(dir=folder)), random.Random(SEED)
        self.acknowledged, self.behind, self.incomplete, self.members = 0, 0, 0, 0
        self.primary, self.mirror, self.killed = None, None, None

    def run(self, cycles):
        began = time.monotonic()
        try:
            for number in range(cycles):
                if number % CYCLES_OF_A_STORE == 0:
                    self.end()
                self.cycle()
            self.end()
        except Failure as failure:
            raise Failure(f"{failure} ({' '.join(self.options)}, cycle {number + 1}, seed {SEED})") from failure
        lost = "0 lost" if self.is_required else (
            f"0 lost before the position of a mirror, {self.behind} later ones lost, as documented, "
            f"{self.incomplete} mirrors between two positions refused")
        return (f"{' '.join(self.options) or 'asynchronous'}: {cycles} mirrors promoted, {self.acknowledged} commits "
                f"acknowledged, {lost}, seed {SEED}, {time.monotonic() - began:.1f} s")

    def cycle(self):
        load = self.start()
        self.acknowledged += load.kill(after(self.chance, LONGEST))
        self.remove(self.primary)
        self.primary, self.killed = self.mirror, load

    def end(self):
        """Judges the last mirror."""
        if self.killed:
            self.start().kill(0)
            self.remove(self.primary)
            self.remove(self.mirror)
        self.primary, self.killed = None, None

    def start(self):
        """Promotes and judges the mirror of the killed process, and starts a load on it and a new mirror."""
        promotes = ["--promote"] if self.killed else []
        self.primary = self.primary or self.new("sqlite")
        self.mirror = self.new("file" if self.primary.startswith("sqlite") else "sqlite")
        try:
            load = Load(self.program, *self.options, *promotes, self.primary, self.mirror)
        except Incomplete:
            if self.is_required:
                raise Failure("lost: a required mirror cannot be promoted") from None
            self.incomplete += 1
            self.primary, self.killed = None, None
            return self.start()
        try:
            self.judge(load.content)
        except Failure:
            load.kill(0)
            raise
        return load

    def judge(self, content):
        content.judge()
        if not self.killed:
            return
        stored, before = self.killed.stored, self.killed.content
        position = None if self.is_required else content.promoted
        if any(stored.values()):
            must_detect(content, stored, before, position)
        content.judge_acknowledged(stored, before, position)
        self.behind += sum(position > content.promoted for numbers in stored.values() for position in numbers.values())

    def new(self, kind):
        self.members += 1
        return f"{kind}:{self.folder}/{self.members}/store"

    @staticmethod
    def remove(location):
        shutil.rmtree(pathlib.Path(location.split(":")[1]).parent)


def main(cycles="20"):
    program = build()
    with tempfile.TemporaryDirectory() as folder:
        # Acknowledged before the mirror has it, and a mirror that does not delete.
        caught("lost: commit", lambda: Cycles(program, folder, [], True).run(20))
        caught("torn: task", lambda: Cycles(program, folder, ["--required", "--forgetful"], True).run(20))
        for options in (["--required"], [], ["--sealed", "--required"]):
            print(f"proof: mirror-kills, {Cycles(program, folder, options, '--required' in options).run(int(cycles))}", flush=True)
