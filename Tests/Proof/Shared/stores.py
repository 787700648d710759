"""The durable stores, read and damaged without the program.

A database is opened with SQLite's own library, and a log with the reader of its page, so that both have the same judge.
"""
import contextlib
import pathlib
import shutil
import sqlite3

import filelog
from served import Failure

PLANTS = {
    "lost": ["DELETE FROM part WHERE item = :id", "DELETE FROM item_labels WHERE item = :id",
             "UPDATE event SET item_id = NULL WHERE item_id = :id", "DELETE FROM item WHERE id = :id"],
    "older": ["UPDATE item SET version = version - 1 WHERE id = :id AND version > 1"],
    "torn": ["DELETE FROM part WHERE item = :id AND position = (SELECT max(position) FROM part WHERE item = :id)"],
    "half": ["UPDATE event SET item_id = NULL WHERE item_id = :id"],
    # The greatest id, so that the copy is read second.
    "doubled": ["CREATE TEMP TABLE twin AS SELECT * FROM item WHERE id = :id",
                f"UPDATE twin SET code = NULL, id = X'{'FF' * 16}'", "INSERT INTO item SELECT * FROM twin"],
    "forgotten": ["DELETE FROM stored_answer"],
}
"""Damage that the judge must find, as SQL statements on the item with the most uses."""


class Store:
    """A store at a path; its text is the value of `--store`."""

    def __init__(self, path):
        self.path = path

    def __str__(self):
        return f"{self.kind}:{self.path}"

    @contextlib.contextmanager
    def reader(self):
        """A connection to an intact store."""
        try:
            with contextlib.closing(self.opened()) as reader:
                reader.execute("BEGIN")
                for pragma in ("integrity_check", "foreign_key_check"):
                    found = reader.execute(f"PRAGMA {pragma}").fetchall()
                    if found not in ([("ok",)], []):
                        raise Failure(f"torn: {pragma} says {found[:3]}")
                yield reader
        except (sqlite3.Error, filelog.Damage) as error:
            raise Failure(f"torn: the store cannot be read: {error}") from error


class Database(Store):
    """A SQLite store. `written` is the file that commits are appended to, `is_closed` whether it was closed cleanly."""

    kind, plants = "sqlite", PLANTS.keys()
    written = property(lambda self: pathlib.Path(f"{self.path}-wal"))
    is_there = property(lambda self: pathlib.Path(self.path).exists())
    is_closed = property(lambda self: not self.written.exists())

    def remove(self):
        for file in pathlib.Path(self.path).parent.glob(f"{pathlib.Path(self.path).name}*"):
            file.unlink()

    def opened(self):
        return sqlite3.connect(f"file:{self.path}?mode=ro", uri=True)

    def plant(self, what):
        """Damages the store; `False` while there is nothing to damage."""
        with contextlib.closing(sqlite3.connect(self.path)) as writer:
            (id,) = writer.execute("SELECT id FROM item ORDER BY uses DESC, version DESC, id").fetchone() or (None,)
            statements = [(one, {"id": id} if ":id" in one else {}) for one in PLANTS[what]]
            count = [writer.execute(*statement).rowcount for statement in statements][-1]
            writer.commit()
            return count > 0


class Folder(Store):
    """A file store."""

    kind, plants = "file", {"lost"}
    written = property(lambda self: pathlib.Path(self.path, "larder.log"))
    is_there = property(lambda self: self.written.exists())
    is_closed = property(lambda self: filelog.read(self.path).is_closed)

    def remove(self):
        shutil.rmtree(self.path)

    def opened(self):
        return filelog.read(self.path).database()

    def plant(self, _):
        """Removes the commits after the snapshot; `False` if there are none."""
        commits = [record for record in filelog.read(self.path).records if record.kind == "C"]
        if commits:
            data = self.written.read_bytes()
            self.written.write_bytes(data[:commits[0].offset])
            pathlib.Path(self.path, "larder.closed").unlink(missing_ok=True)
        return bool(commits)


STORES = {store.kind: store for store in (Database, Folder)}
