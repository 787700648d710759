"""follower-kills [KILLS] [NOTES]: `kill -9` of processes that create notes, with a follower and an outbox, while 8 tasks each commit.

The follower stores an echo of each note in the same store: after the kills, each note must have exactly one. The outbox prints
an event for each note: each must be printed, at least once. On SQLite and file stores, one process is killed; on PostgreSQL,
either of two processes, or the server, and one process is also stopped for longer than its lease.
"""
import os
import random
import signal
import sqlite3
import subprocess
import tempfile
import threading
import time

from postgres import PROGRAMS, Database
from served import PATIENCE, SEED, Failure, caught, program

TASKS = 8
LONGEST = 0.8
"""The maximum seconds between two kills."""
STOP = 20
"""The seconds of a stop, which is longer than the lease of 15 seconds."""


class Load:
    """A process that creates notes."""

    def __init__(self, run):
        self.run, self.problem = run, None
        self.process = subprocess.Popen(
            [run.program, run.store, str(run.notes), str(TASKS)], stdout=subprocess.PIPE, text=True)
        self.reader = threading.Thread(target=self.read)
        self.reader.start()

    def read(self):
        for line in self.process.stdout:
            words = line.split()
            if words[0] == "event":
                self.run.events.append(words[1])
            elif words[0].startswith(("failed", "setAside", "stopped")):
                self.problem = line.strip()

    def kill(self):
        self.process.kill()
        self.end()

    def end(self):
        self.process.wait()
        self.reader.join()
        if self.problem:
            raise Failure(f"typed: {self.problem}")


class Run:
    def __init__(self, program, store, notes, processes=1, server=None):
        self.program, self.store, self.notes, self.processes, self.server = program, store, notes, processes, server
        self.chance, self.events = random.Random(SEED), []

    def proof(self, kills):
        began, loads = time.monotonic(), [None] * self.processes
        for number in range(kills):
            loads = [load if load and load.process.poll() is None else self.renewed(load) for load in loads]
            time.sleep(self.chance.uniform(0.05, LONGEST))
            victim = self.chance.randrange(self.processes + (1 if self.server else 0))
            if victim == self.processes:
                self.server.kill()
                self.server.start()
            else:
                loads[victim].kill()
                loads[victim] = None
            if self.server and number == kills // 2 and loads[0]:
                loads[0].process.send_signal(signal.SIGSTOP)
                time.sleep(STOP)
                loads[0].process.send_signal(signal.SIGCONT)
        loads = [load if load and load.process.poll() is None else self.renewed(load) for load in loads]
        for load in loads:
            try:
                load.process.wait(PATIENCE * 10)
            except subprocess.TimeoutExpired as error:
                load.process.kill()
                raise Failure("unanswered: the followers do not reach the end") from error
            load.end()
            if load.process.returncode:
                raise Failure(f"typed: a process ended with {load.process.returncode}")
        notes = self.judge()
        return (f"{self.store.split(':')[0]}: {notes} notes, {kills} kills, 0 echoes lost, 0 doubled, "
                f"{len(self.events)} events for them, seed {SEED}, {time.monotonic() - began:.0f} s")

    def renewed(self, old):
        if old:
            old.end()
        return Load(self)

    def judge(self):
        """Compares notes, echoes and events.

        Returns: the number of notes.
        """
        answer = subprocess.run([self.program, self.store], stdout=subprocess.PIPE, text=True, check=True)
        notes, unheard, further = map(int, answer.stdout.split())
        if unheard:
            raise Failure(f"lost: {unheard} of {notes} notes have no echo")
        if further:
            raise Failure(f"doubled: {further} echoes of {notes} notes")
        if len(set(self.events)) != notes:
            raise Failure(f"lost: events of {notes - len(set(self.events))} of {notes} notes")
        return notes


def main(kills="10", notes="5000"):
    os.environ |= {"LARDER_CORE": "1", "LARDER_PROOF": "1"}
    has_server = (PROGRAMS / "initdb").exists()
    options = ["--traits", "Postgres", "--scratch-path", ".build/postgres"] if has_server else []
    load = program("FollowerLoad", *options)
    kills, notes = int(kills), int(notes)
    with tempfile.TemporaryDirectory() as folder:
        plant(load, f"{folder}/planted.sqlite")
        for store in (f"sqlite:{folder}/notes.sqlite", f"file:{folder}/log"):
            print(f"proof: follower-kills, {Run(load, store, notes).proof(kills)}", flush=True)
    if not has_server:
        return print("no PostgreSQL server is installed", flush=True)
    with Database() as server:
        server.create("notes")
        run = Run(load, server.location("notes"), notes, 2, server)
        print(f"proof: follower-kills, {run.proof(kills)}", flush=True)


def plant(load, path):
    """A lost event, a doubled echo, and a lost one are found."""
    run = Run(load, f"sqlite:{path}", 500)
    run.proof(2)

    def judge_after(statement):
        with sqlite3.connect(path) as database:
            database.execute(statement)
        database.close()
        run.judge()

    events, run.events = run.events, [event for event in run.events if event != run.events[0]]
    caught("lost: events of 1 ", run.judge)
    run.events = events
    caught("doubled: 1 ", lambda: judge_after(
        "INSERT INTO echo SELECT randomblob(16), version, note FROM echo ORDER BY id LIMIT 1"))
    caught("lost: 1 ", lambda: judge_after("DELETE FROM echo WHERE note = (SELECT note FROM echo ORDER BY id LIMIT 1)"))
