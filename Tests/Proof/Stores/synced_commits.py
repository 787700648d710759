"""synced-commits: at durability `full`, a trace of system calls shows each commit synced before it is acknowledged.

At `off` commits are not synced, and the judge must report it. A commit in the write-ahead log is a frame header
that states the size of the database (the SQLite file format, section 4.1). Between the last write of a commit and the
end of a sync there must be no write to the same log, no output, and no exit of the program.
"""
import json
import pathlib
import re
import subprocess
import tempfile

from items import content, keywords
from served import Failure, caught, program

SYNCS = ("fdatasync", "fsync")
LINE = re.compile(r"^(\d+) +(?:<\.\.\. (\w+) resumed>|(\w+)\((\d+)<([^>]*)>(?:, \"([^\"]*)\"(?:\.\.\.)?, (\d+))?)"
                  r"(?:.* = (-?\d+))?")
"""Thread, resumed call, or call, descriptor, path, first bytes and size of the data; result."""


def unescaped(text):
    return bytes.fromhex((text or "").replace("\\x", ""))


class Judge:
    """Reads a trace: `strace -f -y -xx -s 32 -e trace=pwrite64,write,writev,fdatasync,fsync`."""

    def __init__(self, folders):
        self.pending, self.syncing, self.commits, self.said, self.folders = set(), {}, 0, 0, set(folders)

    def must_be_clear(self, event, paths):
        if self.pending & set(paths):
            raise Failure(f"unsynced: commit {self.commits} was not synced before {event}")

    def read(self, lines):
        for line in filter(None, map(LINE.match, lines)):
            self.judge(*line.groups())
        self.must_be_clear("the program's end", self.pending)
        if not self.commits or not self.said:
            raise Failure(f"typed: nothing to judge: {self.commits} commits, {self.said} lines of output")
        if self.folders:
            raise Failure(f"unsynced: {sorted(self.folders)}")

    def judge(self, thread, resumed, name, descriptor, path, data, size, result):
        path = unescaped(path).decode()
        if name in SYNCS:
            self.syncing[thread] = path
        if (name or resumed) in SYNCS:
            if result == "0":
                path = self.syncing.pop(thread)
                self.pending.discard(path)
                self.folders.discard(path)
        elif path.endswith("-wal") and size == "24":
            self.must_be_clear("the next write to the log", [path])
            if int.from_bytes(unescaped(data)[4:8], "big"):
                self.commits += 1
                self.pending.add(path)
        elif path.endswith("-wal") and size == "32":
            self.must_be_clear("the log was reset", [path])
        elif descriptor in ("1", "2"):
            self.said += 1
            self.must_be_clear("it was acknowledged", self.pending)


def run(program, folder, durability, *words, made=()):
    """Runs a command and judges its trace; folders that it creates must be synced, too.

    Returns: the number of commits.
    """
    trace, judge = pathlib.Path(folder, "trace"), Judge(made)
    subprocess.run(
        [*"strace -f -y -xx -s 32 -e trace=pwrite64,write,writev,fdatasync,fsync -o".split(), trace, program, *words,
         "--store", f"sqlite:{folder}/{durability}/new/store", "--durability", durability],
        check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    with open(trace, encoding="ascii", errors="replace") as lines:
        judge.read(lines)
    return judge.commits


def main():
    traced = program()
    with tempfile.TemporaryDirectory() as folder:
        items = pathlib.Path(folder, "items.jsonl")
        documents = [content(f"k{number}", 1, keywords=keywords(f"{number} r1")) for number in range(120)]
        items.write_text("".join(json.dumps(document) + "\n" for document in documents))
        for words in (["import", str(items)], ["rate", "k7", "4"]):
            caught("unsynced: ", lambda: run(traced, folder, "off", *words))
        counts = [run(traced, folder, "full", "import", str(items), made=[folder, f"{folder}/full"]),
                  run(traced, folder, "full", "rate", "k7", "4"),
                  # The thousands of commits of the contract, many of which share a sync.
                  run(traced, folder, "full", "check")]
    print(f"proof: synced commits: {sum(counts)} commits, each synced before it was acknowledged")
