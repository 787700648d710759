"""kill-cycles [CYCLES]: `kill -9` of commands at random moments, on each kind of store.

In each cycle commands import and rate until one is killed. Then every acknowledged commit must be there exactly once,
and items and batches must be whole.
"""
import random
import tempfile
import threading
import time

from commands import Book
from items import FINDINGS
from served import SEED, Failure, caught, program, script
from stores import STORES

CYCLES_OF_A_STORE = 20
LONGEST = {"sqlite": 30, "file": 12}
"""The maximum time until a kill, as a multiple of the time of a store's first command: enough for some commands on a
busy machine."""
LIAR = """[[ -e $0.begun ]] || {{ touch "$0.begun"; exec "{program}" "$@"; }}
case "$1" in
import) printf '{{"inserted":%d,"updated":0}}\\n' "$(wc -l)" ;;
rate) echo "$2 is rated $3 of 5" ;;
*) exec "{program}" "$@" ;;
esac"""
"""A program that, after the first command, acknowledges writes that it does not store."""


class Cycles:
    def __init__(self, program, folder, kind):
        self.program, self.folder, self.kind = program, tempfile.mkdtemp(dir=folder), kind
        self.chance = random.Random(SEED)
        self.acknowledged, self.stores, self.killed, self.book, self.longest = 0, 0, 0, None, 0

    def run(self, cycles, what=None):
        """Runs cycles; if `what` names a damage, it is planted once."""
        began = time.monotonic()
        try:
            for number in range(cycles):
                if number % CYCLES_OF_A_STORE == 0:
                    self.new_book()
                self.cycle()
                self.book.judge()
                if what and self.book.store.plant(what):
                    # The program accepts the log with the damage, so that the judge does not find an invalid log.
                    self.book.run("list").must_work("a list")
                    self.book.judge()
            self.close()
        except Failure as failure:
            raise Failure(f"{failure} (after {self.killed} kills, {self.kind}, seed {SEED})") from failure
        return (f"{self.kind}: {self.killed} cycles, {self.acknowledged} acknowledged, 0 lost, 0 doubled, 0 torn, "
                f"seed {SEED}, {time.monotonic() - began:.1f} s")

    def new_book(self):
        self.close()
        self.stores += 1
        durability = self.chance.choice(["full", "full", "normal", "off"])
        self.book = Book(self.program, STORES[self.kind](f"{self.folder}/{self.stores}.store"), durability)
        began = time.monotonic()
        self.book.take(["seed"]).must_work("the first import")
        self.longest = LONGEST[self.kind] * (time.monotonic() - began)

    def close(self):
        """After the last kill, the store opens and lists as many items as the judge found."""
        if self.book is None:
            return
        self.acknowledged += self.book.acknowledged
        listed = self.book.run("list")
        if listed.status != 0 or listed.output.count("\n") != len(self.book.known):
            raise Failure(f"lost: list ends with {listed.status}: {listed.errors}")
        self.book.store.remove()
        self.book = None

    def cycle(self):
        """Runs commands until one is killed."""
        book, done = self.book, threading.Event()

        def kill():
            # Between two commands there is no process; then the next one is killed.
            while not done.is_set():
                process = book.process
                if process is not None and process.poll() is None:
                    process.kill()
                time.sleep(0.0005)

        timer = threading.Timer(self.chance.uniform(0, self.longest), kill)
        timer.start()
        while (answer := self.command()).status == 0:
            pass
        done.set()
        timer.join()
        if answer.status != -9:
            raise Failure(f"typed: exit status {answer.status} though nobody interfered: {answer.errors}")
        self.killed += 1

    def command(self):
        book, known = self.book, self.book.known
        kind = self.chance.choice(["import", "import", "again", "rate"])
        if kind == "rate" and known:
            return book.rate(self.chance.choice(known), self.chance.randint(1, 5))
        size = self.chance.choice([1, 20, 60, 120])
        if kind == "again" and known:
            return book.take(self.chance.sample(known, min(size, len(known))))
        first = len(book.items)
        return book.take([f"k{number}" for number in range(first, first + size)])


def main(cycles="50"):
    killed = program()
    with tempfile.TemporaryDirectory() as folder:
        for kind in STORES:
            for what in STORES[kind].plants & {"lost", "torn", "doubled"}:
                caught(f"{FINDINGS.get(what, what)}: ", lambda: Cycles(killed, folder, kind).run(10, what))
            caught("lost: ", lambda: Cycles(script(folder, LIAR.format(program=killed)), folder, kind).run(10))
        for kind in STORES:
            print(f"proof: kill -9, {Cycles(killed, folder, kind).run(int(cycles))}", flush=True)
