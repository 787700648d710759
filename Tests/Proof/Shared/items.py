"""Items of known content, their acknowledged writes, and the judge, which reads the store without the program.

An item is written by one client, so it must be found exactly in its acknowledged state, or in the state after the one
unanswered request. Shared items are replaced by all clients, each time at a known version.
"""
import threading
import uuid
import zlib
from collections import Counter
from dataclasses import dataclass, replace

from served import Failure


@dataclass(frozen=True)
class Fact:
    """The state of a stored item."""

    version: int
    revision: str
    rating: int = 0
    uses: int = 0


def changed(fact, **values):
    """The state after a change, which raises the version unless all values stay equal."""
    new = replace(fact, **values)
    return new if new == fact else replace(new, version=fact.version + 1)


def content(mark, revision, **members):
    """An item whose values all contain its mark and revision, so that a mixture is detected."""
    name = f"{mark} r{revision}"
    return {"code": mark, "name": name, "summary": f"of {name}", "parts": [{"text": text} for text in parts(name)], **members}


def parts(name):
    return [f"part {i} of {name}" for i in range(1 + zlib.crc32(name.encode()) % 5)]


def keywords(name):
    """The names of the labels of an imported item."""
    return ["all", f"group {zlib.crc32(name.encode()) % 7}", f"turn {name[-1]}"]


class Item:
    """The state, `None` while the item does not exist, and the possible states after an unanswered request."""

    def __init__(self, mark, fact=None):
        self.mark, self.id, self.fact, self.pending = mark, None, fact, []


class Shared:
    """An item of all clients: the acknowledged revisions, and those that may have been written."""

    def __init__(self, mark, id):
        self.mark, self.id, self.acknowledged, self.possible = mark, id, {1: "0"}, {}


class Ledger:
    """The required contents of a store."""

    def __init__(self, store, has_labels=False):
        self.store, self.has_labels, self.items, self.shared, self.batches = store, has_labels, {}, {}, []
        self.events, self.possible_events, self.keyed, self.lock = set(), 0, 0, threading.Lock()

    def judge(self, counts_answers=False):
        """Fails unless the store contains all acknowledged writes. The contents found are required from now on."""
        with self.store.reader() as reader:
            self._judge(reader, self._found(reader))
            (count,) = reader.execute("SELECT count(*) FROM stored_answer").fetchone()
        if counts_answers and count != self.keyed:
            raise Failure(f"torn: {count} responses are stored for {self.keyed} requests with a key")

    def _judge(self, reader, found):
        for mark, item in self.items.items():
            id, fact = found.pop(mark, (None, None))
            if fact != item.fact and fact not in item.pending:
                kind = "lost" if not fact or item.fact and fact.version < item.fact.version else "torn"
                raise Failure(f"{kind}: {mark} is {fact}, not {item.fact} or one of {item.pending}")
            if item.id and fact and id != item.id:
                raise Failure(f"torn: {mark} has become another")
            item.id, item.fact, item.pending = id or item.id, fact, []
        for mark, shared in self.shared.items():
            self._judge_shared(shared, found.pop(mark, (None, None))[1])
        if found:
            raise Failure(f"torn: nobody sent {sorted(found)[:3]}")
        for batch in self.batches:
            if len({item.fact is not None and item.fact.revision == after.revision for item, after in batch}) > 1:
                raise Failure(f"torn: half a batch is there: {batch[0][0].mark} and after")
        events = {str(uuid.UUID(bytes=id)) for (id,) in reader.execute("SELECT id FROM event")}
        if not self.events <= events:
            raise Failure(f"lost: {len(self.events - events)} events")
        if len(events - self.events) > self.possible_events:
            raise Failure(f"doubled: {len(events - self.events)} events of {self.possible_events} requests")
        self.events, self.possible_events, self.batches = events, 0, []

    @staticmethod
    def _judge_shared(shared, fact):
        newest = max(shared.acknowledged)
        if not fact or fact.version < newest:
            raise Failure(f"lost: {shared.mark} is {fact}, and version {newest} was acknowledged")
        known = shared.acknowledged.get(fact.version)
        if fact.revision != known if known else fact.revision not in shared.possible.get(fact.version, []):
            raise Failure(f"torn: {shared.mark} is {fact}, not {known or shared.possible}")
        shared.acknowledged[fact.version], shared.possible = fact.revision, {}

    def _found(self, reader):
        """Id and state of each item by its mark; fails if an item is not whole."""
        texts, labels, found = {}, {}, {}
        for owner, text in reader.execute("SELECT item, text FROM part ORDER BY item, position"):
            texts.setdefault(owner, []).append(text)
        sql = "SELECT item, name FROM item_labels JOIN label ON label.id = item_labels.label ORDER BY item, position"
        for owner, name in reader.execute(sql):
            labels.setdefault(owner, []).append(name)
        events = Counter(item for (item,) in reader.execute("SELECT item_id FROM event"))
        for id, version, name, summary, rating, uses in reader.execute("SELECT id, version, name, summary, rating, uses FROM item"):
            mark, revision = name.rsplit(" r", 1)
            if mark in found:
                raise Failure(f"doubled: {mark}")
            wanted = keywords(name) if self.has_labels else []
            if summary != f"of {name}" or texts.get(id, []) != parts(name) or labels.get(id, []) != wanted:
                raise Failure(f"torn: {mark} is a mixture")
            if events[id] != uses:
                raise Failure(f"torn: {mark} counts {uses} uses, and there are {events[id]} events")
            found[mark] = (str(uuid.UUID(bytes=id)), Fact(version, revision, rating, uses))
        return found


FINDINGS = {"older": "lost", "half": "torn", "forgotten": "doubled"}
"""The name of the judge's finding, if it differs."""
