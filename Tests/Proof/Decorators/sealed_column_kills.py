"""sealed-column-kills [CYCLES]: `kill -9` of a process with sealed columns, which also writes backups.

After each kill, no file may contain the canary text that all sealed values contain: database, WAL, log, backup and
temporary files. The next process must find each acknowledged commit, and decrypt it.
"""
import collections
import pathlib
import random
import re
import shutil
import tempfile
import time

from decorator_load import Load, after, build, must_detect
from served import SEED, Failure, caught

CYCLES_OF_A_STORE = 25
LONGEST = 0.6
"""The maximum seconds of load in a cycle."""
KINDS = {"sqlite": ["sqlite:{0}/store"], "file": ["file:{0}/store"], "mirrored": ["--required", "sqlite:{0}/one", "file:{0}/two"]}
LEAKS = {"sqlite": "-wal", "file": "larder.log", "mirrored": "-wal.*larder.log"}
"""The files in which an unsealed store must be detected."""


class Cycles:
    def __init__(self, program, folder, kind, *options):
        self.program, self.folder, self.kind, self.options = program, folder, kind, options
        self.chance, self.acknowledged, self.files = random.Random(SEED), 0, collections.Counter()
        self.place, self.killed, self.has_judged = None, None, False

    def run(self, cycles):
        began = time.monotonic()
        try:
            for number in range(cycles):
                if number % CYCLES_OF_A_STORE == 0:
                    self.end()
                    self.place = pathlib.Path(tempfile.mkdtemp(dir=self.folder))
                self.cycle()
            self.end()
        except Failure as failure:
            raise Failure(f"{failure} ({self.kind}, cycle {number + 1}, seed {SEED})") from failure
        kinds = ", ".join(f"{count} {name}" for name, count in sorted(self.files.items()))
        return (f"{self.kind}: {cycles} cycles, 0 canaries in {self.files.total()} files ({kinds}), {self.acknowledged} "
                f"commits acknowledged, 0 lost, seed {SEED}, {time.monotonic() - began:.1f} s")

    def cycle(self):
        load = self.start()
        self.acknowledged += load.kill(after(self.chance, LONGEST))
        self.killed = load
        self.search()

    def end(self):
        """Judges the content after the last kill."""
        if self.killed:
            self.start().kill(0)
            self.search()
            shutil.rmtree(self.place)
        self.killed = None

    def start(self):
        words = [word.format(self.place) for word in KINDS[self.kind]]
        temporary = self.place / "temporary"
        temporary.mkdir(exist_ok=True)
        load = Load(self.program, *self.options, "--backups", *words,
                    environment={"TMPDIR": str(temporary), "SQLITE_TMPDIR": str(temporary)})
        try:
            load.content.judge()
            if self.killed:
                self.judge(load.content, self.killed)
        except Failure:
            load.kill(0)
            raise
        return load

    def judge(self, content, killed):
        if any(killed.stored.values()) and not self.has_judged:
            must_detect(content, killed.stored, killed.content)
            self.has_judged = True
        content.judge_acknowledged(killed.stored, killed.content)

    def search(self):
        """Searches all files, and removes the incomplete backups."""
        found, leaking = 0, set()
        for file in self.place.rglob("*"):
            if not file.is_file():
                continue
            data = file.read_bytes()
            if b"canary" in data:
                leaking.add(self.name(file))
            found += b"plain-text" in data
            self.files[self.name(file)] += bool(data)
            if file.suffix == ".new" and ".backup." in file.name:
                file.unlink()
        if leaking:
            raise Failure(f"leaked: {', '.join(sorted(leaking))}")
        # The search finds the texts of a column that is not sealed.
        if not found and any(self.killed.stored.values()):
            raise Failure("typed: no file contains the text of the column that is not sealed")

    @staticmethod
    def name(file):
        """The kind of a file: its name without the store's and random parts."""
        name = re.sub(r"^(store|one|two)\b\.?", "", re.sub(r"[0-9a-f]{8,}", "*", file.name))
        return name or "database"


def main(cycles="100"):
    program = build()
    with tempfile.TemporaryDirectory() as folder:
        for kind in KINDS:
            caught(f"leaked: .*{LEAKS[kind]}", lambda: Cycles(program, folder, kind).run(5))
        for kind in KINDS:
            print(f"proof: sealed-kills, {Cycles(program, folder, kind, '--sealed').run(int(cycles))}", flush=True)
