"""follower-kills [KILLS] [NOTES]: `kill -9` of processes that create notes, with a follower and an outbox, while 8 tasks each commit.

The follower stores an echo of each note in the same store: after the kills, each note must have exactly one. The outbox prints
an event for each note: each must be printed, at least once. On SQLite and file stores, one process is killed; on PostgreSQL,
either of two processes, or the server, and a process that has the leases is stopped for longer than them, three times.
"""
import sqlite3
import subprocess
import tempfile

from follower_load import HAS_SERVER, Run, build
from postgres import Database
from served import Failure, caught

TASKS = 8
LONGEST = 0.8
"""The maximum seconds between two kills."""


class Notes(Run):
    STATES = ("follower_state", 2)

    def __init__(self, program, store, notes, *others):
        super().__init__(program, store, [notes, TASKS], *others)
        self.events = []

    def hear(self, kind, *words):
        if kind == "event":
            self.events.append(words[0])

    def pause(self, _):
        return self.chance.uniform(0.05, LONGEST)

    def judge(self):
        """Compares notes, echoes and events.

        Returns: their numbers.
        """
        answer = subprocess.run([self.program, self.store], stdout=subprocess.PIPE, text=True, check=True)
        notes, unheard, further = map(int, answer.stdout.split())
        if unheard:
            raise Failure(f"lost: {unheard} of {notes} notes have no echo")
        if further:
            raise Failure(f"doubled: {further} echoes of {notes} notes")
        if len(set(self.events)) != notes:
            raise Failure(f"lost: events of {notes - len(set(self.events))} of {notes} notes")
        return f"{notes} notes, 0 echoes lost, 0 doubled, {len(self.events)} events for them"


def main(kills="10", notes="5000"):
    load, kills, notes = build(), int(kills), int(notes)
    with tempfile.TemporaryDirectory() as folder:
        plant(load, f"{folder}/planted.sqlite")
        for store in (f"sqlite:{folder}/notes.sqlite", f"file:{folder}/log"):
            print(f"proof: follower-kills, {Notes(load, store, notes).proof(kills)}", flush=True)
    if not HAS_SERVER:
        return print("no PostgreSQL server is installed", flush=True)
    with Database() as server:
        server.create("store")
        run = Notes(load, server.location("store"), notes, 2, server)
        print(f"proof: follower-kills, {run.proof(kills)}", flush=True)


def plant(load, path):
    """A lost event, a doubled echo, and a lost one are found."""
    run = Notes(load, f"sqlite:{path}", 500)
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
