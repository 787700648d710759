"""faults [--all]: makes the kernel fail the writes and syncs of commands, and checks the messages and the store.

`strace` fails the n-th call of a kind on the store's files, once or permanently, or kills the program there. The
command must fail with a message, or succeed as without the fault; all acknowledged writes are there; the next command
works. A full and a read-only device are real ones (tmpfs), where mounting is permitted. With --all, every n is tried.
"""
import contextlib
import itertools
import pathlib
import subprocess
import tempfile
import time

from commands import Book
from served import Failure, caught, program, script
from stores import STORES

KILL = "SIGKILL"
FAULTS = [("pwrite64", "EIO"), ("pwrite64", "ENOSPC"), ("pwrite64", KILL), ("fdatasync", "EIO"), ("fsync", "EIO"),
          ("pread64", "EIO")]
BEGINNINGS = ["mkdir", "openat", "pwrite64", "ftruncate", "fdatasync", "fsync", "rename", "unlink"]
"""The calls at which a program that creates a store is killed: each of the first."""
FEW = {
    "sqlite": {"": [1, 2, 4, 8, 16, 32, 64], "pread64": [4, 32, 96], KILL: list(range(3, 400, 24))},
    "file": {"": [1, 2], KILL: [1, 3]},
}
"""The calls that fail without --all; a checkpoint is late, and only a kill during it leaves a partial file."""
# SQLite reports an internal file that cannot grow as a general failure, so only data files can be full.
DATA = {"sqlite": ["", "-wal", "-journal", ".new"], "file": ["/larder.log", "/larder.new", "/larder.closed"]}
FILES = {"sqlite": DATA["sqlite"] + ["-shm", ".lock"], "file": DATA["file"] + [""]}
"""The suffixes that turn the path of a store into the paths of its files."""
OPERATIONS = {"sqlite": ["import", "again", "rate"], "file": ["import", "rate"]}
UNAVAILABLE, OUTPUT_FAILED = 69, 74
"""Exit statuses."""


def marks(first, end):
    return [f"k{number}" for number in range(first, end)]


def expect_typed(answer, what, error=None, word=""):
    """A failed command must print a message with the word, and exit with the status of an unavailable store."""
    permitted = (0, UNAVAILABLE, -9) if error == KILL else (0, UNAVAILABLE)
    is_said = answer.errors.startswith("proof: ") and word in answer.errors
    if answer.status not in permitted or answer.status == UNAVAILABLE and not is_said:
        raise Failure(f"typed: {what} ended with {answer.status} and says '{answer.errors[-300:]}'")


class Injection:
    def __init__(self, program, folder, kind, tries_all=False):
        self.program, self.folder, self.kind, self.tries_all = program, tempfile.mkdtemp(dir=folder), kind, tries_all
        self.runs = self.injected = self.failed = self.acknowledged = self.in_doubt = self.stores = 0

    def new_book(self):
        self.stores += 1
        return Book(self.program, STORES[self.kind](f"{self.folder}/{self.stores}.store"))

    def all(self):
        began, tries = time.monotonic(), range(1, 100 if self.tries_all else 9)
        book = self.new_book()
        with open("/dev/full", "w", encoding="ascii") as full:
            book.take(["k0"]).must_work("the first import")
            done = subprocess.run(book.arguments("list"), stdout=full, stderr=subprocess.DEVNULL, check=False)
        if done.returncode != OUTPUT_FAILED:
            raise Failure(f"typed: a list that cannot be printed ends with {done.returncode}")
        for operation, (call, error) in itertools.product(OPERATIONS[self.kind], FAULTS):
            book, before = self.new_book(), self.injected
            book.take(marks(0, 60)).must_work("the first import")
            for when in self.moments(call, error):
                if not self.one(book, operation, call, error, when):
                    break
            # A folder is synced only when the store is created.
            if self.injected == before and call != "fsync":
                raise Failure(f"typed: {call} was never called by {operation}, so that nothing was proven")
            self.acknowledged += book.acknowledged
        for call, error in FAULTS:
            self.creation(call, error, self.moments(call, error)[::1 if self.tries_all else 2])
        for call in BEGINNINGS:
            self.creation(call, KILL, tries)
        with device(self.folder) as path:
            if path:
                book = Book(self.program, STORES[self.kind](f"{path}/full.store"))
                full_device(book, path)
                read_only_device(book, path)
        if self.failed < self.runs // 4 or not self.in_doubt:
            raise Failure(f"typed: {self.failed} of {self.runs} commands said that they failed, {self.in_doubt} in doubt")
        return (f"{self.kind}: {self.injected} calls failed in {self.runs} commands, {self.failed} of which said so, "
                f"{self.acknowledged} acknowledged, 0 lost, {time.monotonic() - began:.1f} s")

    def moments(self, call, error):
        """`3` is the third call, `3+` the third and all later calls; a killed program makes no more calls."""
        few = FEW[self.kind].get(error) or FEW[self.kind].get(call) or FEW[self.kind][""]
        numbers = range(1, 1000) if self.tries_all else few
        return [f"{n}{forever}" for n in numbers for forever in ([""] if error == KILL else ["", "+"])]

    def through(self, path, call, error, when):
        endings = (DATA if error == "ENOSPC" else FILES)[self.kind]
        paths = itertools.chain(*(("-P", f"{path}{ending}") for ending in endings))
        what = "signal" if error == KILL else "error"
        return ["strace", "-f", "-qq", "-o", f"{self.folder}/log", *paths, "-P", self.folder, "-e", f"trace={call}",
                "-e", f"inject={call}:{what}={error}:when={when}"]

    def faulty(self, book, call, error, when, command):
        """Runs a command with failing calls; `command` gets the words that precede it.

        Returns: what was done, and whether a call failed.
        """
        what = f"{call} failing by {error} at {when}"
        answer = command(self.through(book.store.path, call, error, when))
        log = pathlib.Path(f"{self.folder}/log").read_text(errors="replace")
        count = log.count("(INJECTED)") + ("killed by SIGKILL" in log)
        expect_typed(answer, what, error, "Make room" if error == "ENOSPC" else "")
        self.runs, self.injected, self.failed = self.runs + 1, self.injected + count, self.failed + (answer.status != 0)
        self.in_doubt += call == "fdatasync" and "may or may not be stored" in answer.errors
        return what, count > 0

    def one(self, book, operation, *fault):
        """`False` if the command made fewer calls."""
        known = len(book.items)
        what, has_failed = self.faulty(book, *fault, {
            "rate": lambda through: book.rate("k7", 1 + self.runs % 5, through),
            "import": lambda through: book.take(marks(known, known + 55), through),
            "again": lambda through: book.take(marks(0, 55), through)}[operation])
        try:
            book.judge()
            book.rate("k9", 1 + (self.runs + 2) % 5).must_work("a rating")
            book.judge()
        except Failure as failure:
            raise Failure(f"{failure} (after {operation} with {what})") from failure
        return has_failed

    def creation(self, call, error, moments):
        """After a failed creation the store can be created."""
        for when in moments:
            book = self.new_book()
            what, has_failed = self.faulty(book, call, error, when, lambda through: book.take(["k1"], through))
            if not has_failed:
                return
            # A program that is killed immediately leaves nothing to judge.
            if book.store.is_there:
                book.run("list").must_work(f"a list after {what}")
                book.judge()
            book.take(["k1", "k2"]).must_work(f"an import after {what}")
            book.run("list").must_work(f"a list of what came after {what}")
            book.judge()
            self.acknowledged += book.acknowledged


@contextlib.contextmanager
def device(folder):
    """A small file system in memory; `None` if mounting is not permitted."""
    path = pathlib.Path(folder, "device")
    path.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", path]
    if (done := subprocess.run(mount, capture_output=True, text=True, check=False)).returncode != 0:
        print(f"not run: a full device, a read-only one: {done.stderr.strip() or 'mounting is not allowed'}")
        yield None
        return
    try:
        yield path
    finally:
        subprocess.run(["umount", path], check=True)


def remount(path, options):
    subprocess.run(["mount", "-o", f"remount,{options}", path], check=True)


def full_device(book, path):
    is_file = book.store.kind == "file"
    size = 300 if is_file else 100
    for first in range(0, 100_000, size):
        answer = book.take(marks(first, first + size))
        expect_typed(answer, "an import on a full device", word="Make room")
        if answer.status != 0:
            break
        book.judge()
    else:
        raise Failure("typed: the device was never full")
    answer = book.run("list")
    # Without space for the marker of a clean close, a file store has none for the log that opening writes.
    expect_typed(answer, "a list on a full device", word="Make room")
    if not is_file:
        answer.must_work("a list on a full device")
        book.judge()
    remount(path, "size=64m")
    book.judge()
    book.take(marks(first, first + size)).must_work("an import after room was made")
    book.judge()
    print(f"a full device: {book.acknowledged} acknowledged before and after, 0 lost")


def read_only_device(book, path):
    """Runs with a log that a killed program left, and without."""
    for leave in (leave_log, lambda book: book.rate("k9", 1 + book.items["k9"].fact.rating % 4).must_work("a rating")):
        leave(book)
        remount(path, "ro")
        try:
            shown, rated = book.run("list"), book.rate("k9", 5)
        finally:
            remount(path, "rw")
        for answer in (shown, rated):
            expect_typed(answer, "a command on a read-only device", word="right to write")
        # A database can be read without write permission; a file store needs the lock of its only process.
        if (shown.status == 0) != (book.store.kind == "sqlite") or rated.status == 0:
            raise Failure(f"typed: on a read-only device a list ended with {shown.status}, a rating with {rated.status}")
        book.judge()
    print("a read-only device, after a kill and after a clean end: read, or refused in words, nothing lost")


def leave_log(book):
    """Kills an import during a write to the log; the commits before stay in the log."""
    first, when = len(book.items), 300 if book.store.kind == "sqlite" else 3
    through = ["strace", "-f", "-qq", "-o", "/dev/null", "-P", str(book.store.written), "-e", "trace=pwrite64",
               "-e", f"inject=pwrite64:signal={KILL}:when={when}"]
    if book.take(marks(first, first + 500), through).status != -9 or not book.store.written.stat().st_size:
        raise Failure("typed: no log was left, so that nothing was proven")


FAULTY = """input=$(cat); folder=$(mktemp -d); status=0
"{program}" "$@" <<< "$input" > $folder/printed 2> $folder/errors || status=$?
if [[ $status -ne 0 ]]; then
    {action}
fi
cat $folder/errors >&2
cat $folder/printed || exit 74
rm -r $folder
exit $status"""
"""A program that does something wrong when it fails. Output is held back: an import that fails late has already reported
its first batches, and a planted report would be a second one."""


def main(*arguments):
    failing = program()
    with tempfile.TemporaryDirectory() as folder:
        for kind in STORES:
            for finding, action in [
                ("typed: .* ended with -11", "[[ $1 == list ]] || kill -SEGV $$"),
                ("typed: .* says ''", ": > $folder/errors"),
                ("lost: ", """[[ $1 == list ]] || { printf '{"inserted":%d,"updated":0}\\n' "$(wc -l <<< "$input")"; exit 0; }"""),
            ]:
                faulty = script(folder, FAULTY.replace("{program}", failing).replace("{action}", action))
                caught(finding, lambda: Injection(faulty, folder, kind).all())
            print(f"proof: faults, {Injection(failing, folder, kind, '--all' in arguments).all()}", flush=True)
