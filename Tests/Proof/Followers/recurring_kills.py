"""recurring-kills [KILLS] [TICKS] [MILLISECONDS]: `kill -9` of processes with recurring work, at random moments during its ticks.

There are four works with a tick each 100 milliseconds, or as many as given: they store or call, and do the last missed tick
("once") or none ("skip"). Each leaves a line with its tick: storing work in the store, calling work in a file.

- Of no storing work, and of none that skips, a tick has two lines.
- Each tick that was reported as done, or that is the stored one of work which does not skip, has a line.
- A new process begins with the last tick that was due, or a later one; work that skips, with none that is too late.
- Slow work in the store, with one tick for each 100 of the others, which is later than any takeover or restart, has each tick
  exactly once, also those at which no process ran.

On SQLite and file stores, one process is killed, and starts again after a pause; on PostgreSQL, either of two, or the server, and
a process that has the leases is stopped for longer than them, three times.
"""
import collections
import concurrent.futures
import pathlib
import sqlite3
import subprocess
import tempfile
import time

from follower_load import HAS_SERVER, Run, build
from postgres import Database
from served import Failure, caught

SLOW = 100
"""The interval of the slow work, in those of the others, as in Load/RecurringLoad.swift."""


class Ticks(Run):
    STATES = ("recurring_state", 5)

    def __init__(self, program, store, folder, ticks, milliseconds, *others):
        self.interval, self.slow = milliseconds * 1000, milliseconds * 1000 * SLOW
        # At least the ticks, up to one of the slow work.
        self.end = -(-int(time.time() * 1e6 + ticks * self.interval) // self.slow) * self.slow
        self.file, self.passed = pathlib.Path(tempfile.mkstemp(dir=folder)[1]), collections.defaultdict(set)
        super().__init__(program, store, ["ticks", self.end, milliseconds, self.file], *others)

    def hear(self, kind, *words):
        if kind == "done" or kind == "state" and not words[0].endswith("skip"):
            self.passed[words[0]].add(int(words[1]))

    def pause(self, kills):
        """The time before one of the remaining kills, which are spread over the time that a stop shortens."""
        return self.chance.uniform(0.05, 1.5) * max(0, self.end / 1e6 - time.time()) / kills

    def victim(self, number):
        """Rarely the server, because no work is done until it has started again."""
        return len(self.loads) if self.server and number % 10 == 5 else self.chance.randrange(len(self.loads))

    def kill(self, victim):
        super().kill(victim)
        if self.server:
            return
        # No process runs at several ticks, and now and then at one of the slow work.
        until_slow = (self.slow - time.time() * 1e6 % self.slow) / 1e6
        time.sleep(until_slow + 0.2 if until_slow < 1 else self.chance.uniform(0, 0.4))

    def judge(self):
        """Compares lines with ticks.

        Returns: the numbers of ticks that were done, for each work.
        """
        answer = subprocess.run([self.program, self.store, "ticks"], stdout=subprocess.PIPE, text=True, check=True)
        ticks, lives = collections.defaultdict(list), collections.defaultdict(list)
        for line in answer.stdout.splitlines() + self.file.read_text().splitlines():
            kind, work, tick, *began = line.split()
            if kind == "state":
                self.hear(kind, work, tick)
            else:
                ticks[work].append(int(tick))
                lives[work, int(began[0])].append(int(tick))
        for work, found in ticks.items():
            doubled = len(found) - len(set(found))
            if doubled and work != "calling-once":
                raise Failure(f"doubled: {doubled} ticks of {work}")
            if missing := {tick for tick in self.passed[work] if tick >= min(found)} - set(found):
                raise Failure(f"lost: {len(missing)} ticks of {work} that are done")
        for (work, began), found in lives.items():
            interval, tolerance = (self.slow if work == "slow" else self.interval), self.interval // 2
            if min(found) <= began - (tolerance if work.endswith("skip") else interval):
                raise Failure(f"typed: {work} does not begin with the last missed tick")
        if missing := set(range(min(ticks["slow"]), self.end + 1, self.slow)) - set(ticks["slow"]):
            raise Failure(f"lost: {len(missing)} ticks of slow work")
        late = sum(min(found) <= began for (work, began), found in lives.items() if work == "slow")
        slow = ticks.pop("slow")
        return ", ".join(
            f"{work} {len(set(found))} of {(self.end - min(found)) // self.interval + 1} ticks, "
            f"{len(found) - len(set(found))} doubled" for work, found in sorted(ticks.items())
        ) + f", slow {len(slow)} of {len(slow)}, {late} of them late"


def main(kills="20", ticks="300", milliseconds="100"):
    load, kills, sizes = build(), int(kills), (int(ticks), int(milliseconds))
    with tempfile.TemporaryDirectory() as folder:
        plant(load, folder)
        runs = [Ticks(load, store, folder, *sizes) for store in (f"sqlite:{folder}/ticks.sqlite", f"file:{folder}/log")]
        prove(runs, kills)
        if not HAS_SERVER:
            return print("no PostgreSQL server is installed", flush=True)
        with Database() as server:
            server.create("store")
            prove([Ticks(load, server.location("store"), folder, *sizes, 2, server)], kills)


def prove(runs, kills):
    """Proves several runs at the same time, because their processes mostly sleep."""
    with concurrent.futures.ThreadPoolExecutor() as pool:
        for result in pool.map(lambda run: run.proof(kills), runs):
            print(f"proof: recurring-kills, {result}", flush=True)


def plant(load, folder):
    """Lost, doubled and late ticks are found."""
    path = f"{folder}/planted.sqlite"
    run = Ticks(load, f"sqlite:{path}", folder, 150, 20)
    run.proof(2)
    lines = run.file.read_text().splitlines(True)
    once, skip = ([line for line in lines if line.startswith(f"line calling-{missed} ")][-1] for missed in ("once", "skip"))

    def judge_with(lines):
        run.file.write_text("".join(lines))
        run.judge()

    def judge_after(statement):
        with sqlite3.connect(path) as database:
            database.execute(statement)
        database.close()
        judge_with(lines)

    caught("lost: 1 ticks of calling-once ", lambda: judge_with(line for line in lines if line != once))
    caught("doubled: 1 ticks of calling-skip", lambda: judge_with([*lines, skip]))
    caught("typed: calling-skip ", lambda: judge_with([line.replace(skip, f"{skip[:-1]}9\n") for line in lines]))
    caught("lost: 1 ticks of slow", lambda: judge_after(
        "DELETE FROM beat WHERE line = (SELECT max(line) FROM beat WHERE line LIKE 'line slow%')"))
    caught("doubled: 1 ", lambda: judge_after(
        "INSERT INTO beat SELECT randomblob(16), version, line FROM beat WHERE line LIKE '%storing%' LIMIT 1"))
