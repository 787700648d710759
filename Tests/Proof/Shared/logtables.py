"""The contents of a log as a database in memory, with the tables that SQLite has for the same schema.

So one judge checks both kinds of stores, and SQLite itself checks types, missing values and references.
"""
import sqlite3

import logreader

TYPES = {
    "text": "TEXT", "day": "TEXT", "integer": "INTEGER", "boolean": "INTEGER", "timestamp": "INTEGER", "real": "REAL",
    "blob": "BLOB", "id": "BLOB"}


def opened(folder):
    """The store in a folder, as a database for a judge."""
    return database(logreader.read(folder))


def database(log):
    made = sqlite3.connect(":memory:", check_same_thread=False)
    for entity in log.declared.entities.values():
        _make(made, entity)
    for (name, _), (version, found) in log.roots.items():
        _add(made, log.declared.entity(name), found, [version])
    made.commit()
    return made


def link_column(entity, target):
    """The target column of a list of links; an entity with links to itself needs two names."""
    return f"linked_{target}" if target == entity.name else target


def _make(made, entity):
    key = '"id" BLOB NOT NULL PRIMARY KEY'
    place = ['"version" INTEGER NOT NULL'] if entity.owner is None else [
        _reference(entity.owner, entity.owner), '"position" INTEGER NOT NULL']
    columns = [_column(*column) for column in entity.columns]
    made.execute(f'CREATE TABLE "{entity.name}" ({", ".join([key, *place, *columns])}) STRICT, WITHOUT ROWID')
    for name, target in entity.links:
        owner, linked = _reference(entity.name, entity.name), _reference(link_column(entity, target), target)
        made.execute(
            f'CREATE TABLE "{entity.name}_{name}" ({owner}, "position" INTEGER NOT NULL, {linked}, '
            f'PRIMARY KEY ("{entity.name}", "position")) STRICT, WITHOUT ROWID')


def _column(name, declaration):
    kind, _, rest = declaration.partition(" ")
    words = f'"{name}" {TYPES.get(kind.removesuffix("?"), "ANY")}{"" if kind.endswith("?") else " NOT NULL"}'
    target = rest.removeprefix("-> ").partition(",")[0] if rest.startswith("-> ") else None
    return f'{words} REFERENCES "{target}" ("id")' if target else words


def _reference(name, target):
    return f'"{name}" BLOB NOT NULL REFERENCES "{target}" ("id")'


def _add(made, entity, found, place):
    row = [found.id, *place, *found.values]
    made.execute(f'INSERT INTO "{entity.name}" VALUES ({", ".join("?" * len(row))})', row)
    for (name, _), ids in zip(entity.links, found.links, strict=True):
        rows = [(found.id, at, id) for at, id in enumerate(ids)]
        made.executemany(f'INSERT INTO "{entity.name}_{name}" VALUES (?, ?, ?)', rows)
    for part, parts in zip(entity.owned, found.owned, strict=True):
        for at, owned in enumerate(parts):
            _add(made, part, owned, [found.id, at])
