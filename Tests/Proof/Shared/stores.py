"""The durable stores, read and damaged without the program.

A database is opened with SQLite's own library. A log is read by a reader implemented from its page, and converted to a
database in memory, so that both kinds have the same judge.
"""
import contextlib
import pathlib
import shutil
import sqlite3

import logreader
import logtables
import logwriter
from served import Failure


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
            with contextlib.closing(self._opened()) as reader:
                reader.execute("BEGIN")
                for pragma in ("integrity_check", "foreign_key_check"):
                    found = reader.execute(f"PRAGMA {pragma}").fetchall()
                    if found not in ([("ok",)], []):
                        raise Failure(f"torn: {pragma} says {found[:3]}")
                yield reader
        except (sqlite3.Error, logreader.Damage) as error:
            raise Failure(f"torn: the store cannot be read: {error}") from error


class Database(Store):
    """A SQLite store. `written` is the file that commits are appended to, `is_closed` whether it was closed cleanly."""

    kind = "sqlite"
    written = property(lambda self: pathlib.Path(f"{self.path}-wal"))
    is_there = property(lambda self: pathlib.Path(self.path).exists())
    is_closed = property(lambda self: not self.written.exists())

    def remove(self):
        for file in pathlib.Path(self.path).parent.glob(f"{pathlib.Path(self.path).name}*"):
            file.unlink()

    def _opened(self):
        return sqlite3.connect(f"file:{self.path}?mode=ro", uri=True)

    @contextlib.contextmanager
    def writer(self):
        """A connection that damages the store."""
        with contextlib.closing(sqlite3.connect(self.path)) as writer:
            yield writer
            writer.commit()


class Folder(Store):
    """A file store."""

    kind = "file"
    written = property(lambda self: pathlib.Path(self.path, "larder.log"))
    is_there = property(lambda self: self.written.exists())
    is_closed = property(lambda self: logreader.read(self.path).is_closed)

    def remove(self):
        shutil.rmtree(self.path)

    def _opened(self):
        return logtables.opened(self.path)

    @contextlib.contextmanager
    def writer(self):
        log = logreader.read(self.path)
        with contextlib.closing(logtables.database(log)) as writer:
            yield writer
            logwriter.write(self.path, log, writer)


STORES = {store.kind: store for store in (Database, Folder)}
