"""The stores that outlive a process, for those who judge and damage them: neither asks the program what is there.

A database is read with SQLite's own library. A log is read by a reader that was written from its page, and then asked with
SQLite's library, too, so that both have the same judges.
"""
import contextlib
import os
import pathlib
import shutil
import sqlite3

import logreader
import logtables
import logwriter


class Failure(Exception):
    """The program broke its word; begins with the kind: lost, doubled, torn, unanswered or typed."""


class Store:
    """A store at a path; as a text what `--store` takes."""

    def __init__(self, path):
        self.path = path

    def __str__(self):
        return f"{self.kind}:{self.path}"

    @contextlib.contextmanager
    def reader(self):
        """What a judge asks; it has been looked at as a whole."""
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
    """A store in SQLite."""

    kind = "sqlite"

    @property
    def written(self):
        """The file to which commits are added."""
        return pathlib.Path(f"{self.path}-wal")

    @property
    def is_there(self):
        return pathlib.Path(self.path).exists()

    @property
    def is_closed(self):
        """Whether who wrote last has left everything in order."""
        return not self.written.exists()

    def remove(self):
        for file in pathlib.Path(self.path).parent.glob(f"{pathlib.Path(self.path).name}*"):
            file.unlink()

    def _opened(self):
        return sqlite3.connect(f"file:{self.path}?mode=ro", uri=True)

    @contextlib.contextmanager
    def writer(self):
        """Lets somebody damage what is stored."""
        with contextlib.closing(sqlite3.connect(self.path)) as writer:
            yield writer
            writer.commit()


class Folder(Store):
    """A store of files."""

    kind = "file"

    @property
    def written(self):
        return pathlib.Path(self.path, "larder.log")

    @property
    def marker(self):
        return pathlib.Path(self.path, "larder.closed")

    @property
    def is_there(self):
        return self.written.exists()

    @property
    def is_closed(self):
        return logreader.read(self.path).is_closed

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

    def cut_to_beginning(self):
        """Makes the log what it was when it began: a head, perhaps roots, an end. `False` if nothing came after that."""
        begin = next((record.offset for record in logreader.read(self.path).records if record.kind == "C"), None)
        if begin is None:
            return False
        os.truncate(self.written, begin)
        self.marker.unlink(missing_ok=True)
        return True


STORES = {store.kind: store for store in (Database, Folder)}
