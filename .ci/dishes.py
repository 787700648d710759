"""Recipes that clients write over HTTP, what was acknowledged of them, and the judge who looks whether it is there.

A client's own recipes are written by nobody else, so that each must be found exactly as it was acknowledged, or as the
one request that was not answered would have left it. Shared recipes are replaced by all, each time at a known version.
The judge reads the store without the program.
"""
import json
import threading
import uuid
import zlib
from collections import Counter
from dataclasses import dataclass, replace

from stores import Failure


@dataclass(frozen=True)
class Fact:
    """What is known of a stored recipe."""

    version: int
    revision: str
    rating: int = 0
    sessions: int = 0


def body(mark, revision, rating, completed):
    """A recipe in which everything names its mark and revision, so that a mixture is recognised."""
    return json.dumps({
        "name": f"{mark} r{revision}", "summary": f"of {mark} r{revision}", "rating": rating, "completed": completed,
        "steps": [{"text": text} for text in parts("step", mark, revision)],
        "ingredients": [{"text": text} for text in parts("ingredient", mark, revision)],
    }).encode()


def parts(kind, mark, revision):
    count = 1 + zlib.crc32(f"{kind} {mark} {revision}".encode()) % 5
    return [f"{kind} {i} of {mark} r{revision}" for i in range(count)]


class Dish:
    """A recipe of one client: its state, `None` while it is not there, and what an unanswered request makes of it."""

    def __init__(self, mark):
        self.mark, self.id, self.fact, self.pending = mark, None, None, []


class Shared:
    """A recipe of all clients: who was acknowledged which version, and who may have written one."""

    def __init__(self, mark, id):
        self.mark, self.id, self.acknowledged, self.possible = mark, id, {1: "0"}, {}


class Ledger:
    """Everything that a store has to have."""

    def __init__(self, store):
        self.store, self.dishes, self.shared, self.sessions, self.keyed = store, {}, {}, set(), 0
        self.possible_sessions, self.fingerprint, self.lock = 0, None, threading.Lock()

    def add_keyed(self):
        with self.lock:
            self.keyed += 1

    def judge(self):
        """Fails unless the store has what was acknowledged. What is found is what it must have from now on."""
        with self.store.reader() as reader:
            self._judge(reader)

    def _judge(self, reader):
        found = self._found(reader)
        for mark, dish in self.dishes.items():
            id, fact = found.pop(mark, (None, None))
            if fact != dish.fact and fact not in dish.pending:
                kind = "lost" if not fact or dish.fact and fact.version < dish.fact.version else "torn"
                raise Failure(f"{kind}: {mark} is {fact}, not {dish.fact} or one of {dish.pending}")
            if dish.id is None:
                dish.id = id
            elif fact and id != dish.id:
                raise Failure(f"torn: {mark} has become another")
            dish.fact, dish.pending = fact, []
        for mark, shared in self.shared.items():
            self._judge_shared(shared, found.pop(mark, (None, None))[1])
        if found:
            raise Failure(f"torn: nobody sent {sorted(found)[:3]}")
        sessions = {str(uuid.UUID(bytes=id)) for (id,) in reader.execute("SELECT id FROM cooking_session")}
        if not self.sessions <= sessions:
            raise Failure(f"lost: {len(self.sessions - sessions)} cooking sessions")
        if len(sessions - self.sessions) > self.possible_sessions:
            raise Failure(f"doubled: {len(sessions - self.sessions)} sessions of {self.possible_sessions} requests")
        self.sessions, self.possible_sessions = sessions, 0

    def _judge_shared(self, shared, fact):
        newest = max(shared.acknowledged)
        if not fact or fact.version < newest:
            raise Failure(f"lost: {shared.mark} is {fact}, and version {newest} was acknowledged")
        known = shared.acknowledged.get(fact.version)
        if fact.revision != known if known else fact.revision not in shared.possible.get(fact.version, []):
            raise Failure(f"torn: {shared.mark} is {fact}, not {known or shared.possible}")
        shared.acknowledged[fact.version], shared.possible = fact.revision, {}

    def judge_answers(self):
        """Fails unless an answer is kept for each request with a key; all have been answered now."""
        with self.store.reader() as reader:
            (count,) = reader.execute("SELECT count(*) FROM stored_answer").fetchone()
        if count != self.keyed:
            raise Failure(f"torn: {count} answers are kept for {self.keyed} requests with a key")

    @staticmethod
    def _found(reader):
        """Id and state of each recipe by its mark; all are whole."""
        lists = {}
        for kind in ("step", "ingredient"):
            for owner, text in reader.execute(f"SELECT recipe, text FROM {kind} ORDER BY recipe, position"):
                lists.setdefault((kind, owner), []).append(text)
        sessions = Counter(id for (id,) in reader.execute("SELECT recipe_id FROM cooking_session"))
        history = Counter(id for (id,) in reader.execute("SELECT recipe FROM cookbook_history"))
        found = {}
        sql = "SELECT id, version, name, summary, rating, completed FROM recipe"
        for id, version, name, summary, rating, completed in reader.execute(sql):
            mark, revision = name.rsplit(" r", 1)
            if mark in found:
                raise Failure(f"doubled: {mark}")
            is_whole = summary == f"of {name}" and all(
                lists.get((kind, id), []) == parts(kind, mark, revision) for kind in ("step", "ingredient"))
            if not is_whole:
                raise Failure(f"torn: {mark} is a mixture")
            if sessions[id] != history[id] or (sessions[id] > 0) != bool(completed):
                raise Failure(
                    f"torn: {mark} was cooked {sessions[id]} times, {history[id]} times in a history, done: {completed}")
            found[mark] = (str(uuid.UUID(bytes=id)), Fact(version, revision, rating, sessions[id]))
        return found


def changed(fact, **values):
    """A state after a change that raises the version, or the same state where nothing changes."""
    new = replace(fact, **values)
    return new if new == fact else replace(new, version=fact.version + 1)
