"""The inverse of the reader: writes a valid log with the contents of a database, so that any damage can be planted."""
import os
import pathlib
import struct

from logreader import MAGIC, crc32c


def write(folder, log, made):
    """Replaces a log, as a compaction would; `made` is the result of `logtables` for the old log."""
    roots = [_root(index, entity, made) for index, entity in enumerate(log.declared.roots)]
    members = b"".join(_text(text) for member in log.declared.members for text in member)
    head = struct.pack(">IQ", 1, log.commit) + _count(len(log.declared.members)) + members
    contents = [(b"H", head), (b"R", b"".join(b"".join(found) for found in roots)), (b"E", _count(sum(map(len, roots))))]
    salt = os.urandom(8)
    data = b"".join(_record(kind, number, salt, content) for number, (kind, content) in enumerate(contents))
    pathlib.Path(folder, "larder.log").write_bytes(data)
    pathlib.Path(folder, "larder.closed").unlink(missing_ok=True)


def _record(kind, number, salt, content):
    begin, end = MAGIC + kind + struct.pack(">I", len(content)), struct.pack(">Q", number) + salt + content
    return begin + struct.pack(">I", crc32c(begin, end)) + end


def _root(index, entity, made):
    rows = made.execute(f'SELECT * FROM "{entity.name}" ORDER BY id')
    return [_count(index) + _count(row[1]) + _object(entity, row[0], row[2:], made) for row in rows]


def _object(entity, id, values, made):
    kinds = [declaration.startswith("id") for _, declaration in entity.columns]
    parts = [id, *map(_value, values, kinds)]
    for name, _ in entity.links:
        rows = made.execute(f'SELECT * FROM "{entity.name}_{name}" WHERE "{entity.name}" = ? ORDER BY position', [id]).fetchall()
        parts += [_count(len(rows)), *(row[2] for row in rows)]
    for part in entity.owned:
        rows = made.execute(f'SELECT * FROM "{part.name}" WHERE "{entity.name}" = ? ORDER BY position', [id]).fetchall()
        parts += [_count(len(rows)), *(_object(part, row[0], row[3:], made) for row in rows)]
    return b"".join(parts)


def _value(value, is_id):
    if value is None:
        return b"\0"
    if isinstance(value, int):
        return b"\1" + _count(value << 1 if value >= 0 else ~(value << 1))
    if isinstance(value, float):
        return b"\2" + struct.pack(">d", value)
    if isinstance(value, str):
        return b"\3" + _text(value)
    return b"\5" + value if is_id else b"\4" + _count(len(value)) + value


def _text(text):
    return _count(len(text.encode())) + text.encode()


def _count(value):
    groups = bytearray()
    while value > 127:
        groups.append(value & 127 | 128)
        value >>= 7
    return bytes([*groups, value])
