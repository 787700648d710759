"""The log of a file store as a database in memory, read as Infrastructure/Kit/File/FORMAT.md says, without its reader.

What the page calls a bad record must be one that a crash can have left; otherwise the reader raises `Damage`. The
database has the tables of a SQLite store with the same schema. So one judge checks both kinds of stores, and SQLite
itself checks types, missing values, and references.
"""
import pathlib
import sqlite3
import struct

from logcontent import Content, Damage, Entity, require

FRAME = struct.Struct(">3scIIQ8s")
"""Magic, kind, length of the content, checksum, number, salt."""
MARKER = struct.Struct(">4sQQQ8sI")
"""Magic, length of the log, number of records, number of the last commit, salt, checksum."""
LIMIT = 128 << 20
UPDATE, DELETION, INSERTION, REMOVAL, RESTORATION = 1, 2, 3, 4, 5
KINDS = (1, 2, 3)
"""Created, updated and deleted, in a retained commit; with 0x80 if an owner follows."""
PLACES = {UPDATE: 1, DELETION: 2, INSERTION: 3, RESTORATION: 3, REMOVAL: 4}
"""The places of the operations in a commit."""
TYPES = {"text": "TEXT", "day": "TEXT", "integer": "INTEGER", "boolean": "INTEGER", "timestamp": "INTEGER",
         "real": "REAL", "blob": "BLOB", "id": "BLOB"}


def _remainder(byte):
    for _ in range(8):
        byte = byte >> 1 ^ (0x82F63B78 if byte & 1 else 0)  # The Castagnoli polynomial, bit-reversed.
    return byte


REMAINDERS = [_remainder(byte) for byte in range(256)]


def crc32c(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc = REMAINDERS[(crc ^ byte) & 255] ^ crc >> 8
    return crc ^ 0xFFFFFFFF


class Record:
    """The record at an offset; raises unless its checksum is correct."""

    def __init__(self, data, offset):
        require(data.startswith(b"Lrd", offset) and offset + FRAME.size <= len(data), f"no record at byte {offset}")
        _, kind, length, checksum, self.number, self.salt = FRAME.unpack_from(data, offset)
        self.offset, self.end, self.kind = offset, offset + FRAME.size + length, kind.decode("latin-1")
        require(length <= LIMIT and self.end <= len(data), f"the record at byte {offset} is cut short")
        right = crc32c(data[offset:offset + 8] + data[offset + 12:self.end])
        require(right == checksum, f"the checksum at byte {offset} is wrong")
        self.content = Content(data[offset + FRAME.size:self.end])


class Log:
    """The state after the last whole record of a log; `roots` are versions and objects."""

    def __init__(self, data, marker):
        self.records, self.entities, self.roots, self.salt, self.commit = [], {}, {}, None, 0
        end = 0
        while end < len(data):
            try:
                record = Record(data, end)
                require(record.number == len(self.records) and self.salt in (None, record.salt),
                        f"another number or salt at byte {end}")
            except Damage as damage:
                self.must_be_torn(data, end, damage)
                break
            self.replay(record)
            self.records.append(record)
            end = record.end
        require(self.has_begun, f"the log has no end of its roots, from byte {end} on")
        # A truncated marker is ignored: writing it may have failed.
        *says, checksum = MARKER.unpack(marker) if len(marker) == MARKER.size else (None,)
        self.is_closed = checksum == crc32c(marker[:36])
        if self.is_closed:
            found = [b"Lrdm", len(data), len(self.records), self.commit, self.salt]
            require(end == len(data) and says == found, f"the marker says {says}, not {found}")

    @property
    def has_begun(self):
        """After the end of the roots only commits are allowed."""
        return bool(self.records) and self.records[-1].kind in "EC"

    def must_be_torn(self, data, offset, damage):
        """No whole record with the same salt and an equal or later number may follow; the bad record is not whole."""
        place = data.find(b"Lrd", offset)
        while place >= 0:
            try:
                record = Record(data, place)
                is_later = record.salt == self.salt and (place == offset or record.number >= len(self.records))
            except Damage:
                is_later = False
            require(not is_later, f"{damage}, and a whole record stands at byte {place}")
            place = data.find(b"Lrd", place + 1)

    def replay(self, record):
        permitted = "C" if self.has_begun else "JRE" if self.records else "H"
        try:
            require(record.kind in permitted, f"the kind {record.kind}")
            self.salt = record.salt
            {"H": self.head, "J": self.retained, "R": self.state, "E": self.end, "C": self.commits}[record.kind](record.content)
            require(record.content.is_at_end, "more than is said")
        except (Damage, UnicodeDecodeError, KeyError) as damage:
            raise Damage(f"in the record at byte {record.offset}: {damage}") from damage

    def head(self, content):
        format, self.commit, self.lifetime = content.number(4), content.number(8), content.number(8)
        require(format == 5, f"format {format}")
        content.number(8)  # The time since which the journal is complete.
        for values in content.counted(lambda: [content.value() for _ in range(11)]):
            name, kind, member, owner, type, is_nullable, _, target, _, _, _ = values
            if kind == "entity":
                self.entities[name] = Entity(name, owner)
                if owner:
                    self.entities[owner].owned.append(self.entities[name])
            elif kind == "column":
                self.entities[name].columns.append((member, (type, is_nullable, target)))
            elif kind == "links":
                self.entities[name].links.append((member, target))
        # Version, step, checksum, the lowest permitted version, time and summary of each change.
        require(content.counted(lambda: [content.value() for _ in range(6)]), "no history")
        self.declared = [entity for entity in self.entities.values() if entity.owner is None]

    def entity(self, content):
        return self.declared[content.index(self.declared)]

    def insert(self, entity, version, found):
        require((entity.name, found.id) not in self.roots, f"{entity.name} {found.id.hex()} is there twice")
        self.roots[entity.name, found.id] = (version, found)

    def state(self, content):
        while not content.is_at_end:
            entity = self.entity(content)
            self.insert(entity, content.count(), content.object(entity))

    def retained(self, content):
        """Commits before the log: position, id, time, and the names and versions of their roots."""
        require(self.lifetime, "retained commits of no lifetime")
        while not content.is_at_end:
            position, _, _ = content.number(8), content.id(), content.number(8)
            require(position <= self.commit, f"commit {position} after {self.commit}")
            size = content.count()
            end = content.offset + size
            names = content.counted(content.text)
            for _ in range(content.count()):
                require(content.count() < len(names), "a name that is not there")
                kind, _, _ = content.number(1), content.count(), content.id()
                require(kind & 0x7F in KINDS, f"the kind {kind}")
                if kind & 0x80:
                    content.id()
            for _ in range(content.count()):
                content.text(), content.counted(content.text), content.text(), content.id()
            require(content.offset == end, "another size than is said")

    def end(self, content):
        count = content.count()
        require(count == len(self.roots), f"{len(self.roots)} roots, and the end says {count}")

    def commits(self, content):
        first, _ = content.number(8), content.number(8)  # The time is in the journal.
        require(first == self.commit + 1 and not content.is_at_end, f"commit {first} follows commit {self.commit}")
        while not content.is_at_end:
            content.id()
            before, written = 0, set()
            for _ in range(content.count()):
                kind = content.count()
                require(PLACES.get(kind, 0) >= max(before, 1), f"operation {kind} after one of place {before}")
                before = PLACES[kind]
                self.operate(kind, content, written)
            self.commit += 1

    def operate(self, kind, content, written):
        """Applies an operation of a commit, which has written the given roots until now."""
        entity = self.entity(content)
        if kind in (INSERTION, RESTORATION):
            version = 1 if kind == INSERTION else content.count()
            found = content.object(entity)
            self.insert(entity, version, found)
            written.add((entity.name, found.id))
        elif kind == REMOVAL:
            names, target = content.counted(content.text), content.id()
            for key, (version, found) in list(self.roots.items()):
                if key[0] == entity.name and remove(entity, found, names, target) and key not in written:
                    # The version rises by one in a commit.
                    self.roots[key] = (version + 1, found)
                    written.add(key)
        else:
            key, expected = (entity.name, content.id()), content.count() or None
            if content.number(1):
                content.id()  # The owner.
            version, found = self.roots.pop(key, (None, None))
            require(version == expected and (version or kind == DELETION), f"{key}: version {version}, not {expected}")
            if kind == UPDATE:
                content.change(entity, found)
                self.roots[key] = (version + 1, found)
                written.add(key)

    def database(self):
        made = sqlite3.connect(":memory:", check_same_thread=False)
        for entity in self.entities.values():
            for table in tables(entity):
                made.execute(f"CREATE TABLE {table} STRICT, WITHOUT ROWID")
        for (name, _), (version, found) in self.roots.items():
            add(made, self.entities[name], found, [version])
        made.commit()
        return made


def remove(entity, found, names, target):
    """Removes a target from the member at the end of a path of lists; returns whether it was found. Lists have no
    names, so a member is identified by its depth and name: all references to a deleted target are removed anyway."""
    if len(names) > 1:
        pairs = [(part, owned) for part, parts in zip(entity.owned, found.owned, strict=True) for owned in parts]
        return any([remove(part, owned, names[1:], target) for part, owned in pairs])
    before = (found.values, found.links)
    found.links = [[id for id in ids if name != names[0] or id != target]
                   for (name, _), ids in zip(entity.links, found.links, strict=True)]
    found.values = [None if name == names[0] and value == target else value
                    for (name, _), value in zip(entity.columns, found.values, strict=True)]
    return before != (found.values, found.links)


def tables(entity):
    """The tables of an entity and of its lists of links, as SQLite declares them."""
    def reference(name, target):
        return f'"{name}" BLOB NOT NULL REFERENCES "{target}" ("id")'

    def column(name, declaration):
        type, is_nullable, target = declaration
        return (f'"{name}" {TYPES[type]}' + ("" if is_nullable else " NOT NULL")
                + (f' REFERENCES "{target}" ("id")' if target else ""))

    position = '"position" INTEGER NOT NULL'
    place = [reference(entity.owner, entity.owner), position] if entity.owner else ['"version" INTEGER NOT NULL']
    columns = ['"id" BLOB NOT NULL PRIMARY KEY', *place, *(column(*one) for one in entity.columns)]
    yield f'"{entity.name}" ({", ".join(columns)})'
    for name, target in entity.links:
        # An entity with links to itself needs two names.
        linked = reference(f"linked_{target}" if target == entity.name else target, target)
        yield (f'"{entity.name}_{name}" ({reference(entity.name, entity.name)}, {position}, {linked}, '
               f'PRIMARY KEY ("{entity.name}", "position"))')


def add(made, entity, found, place):
    row = [found.id, *place, *found.values]
    made.execute(f'INSERT INTO "{entity.name}" VALUES ({", ".join("?" * len(row))})', row)
    for (name, _), ids in zip(entity.links, found.links, strict=True):
        rows = [(found.id, at, id) for at, id in enumerate(ids)]
        made.executemany(f'INSERT INTO "{entity.name}_{name}" VALUES (?, ?, ?)', rows)
    for part, parts in zip(entity.owned, found.owned, strict=True):
        for at, owned in enumerate(parts):
            add(made, part, owned, [found.id, at])


def read(folder):
    """The log in a folder, checked against the marker if there is one."""
    def bytes_of(name):
        file = pathlib.Path(folder, name)
        return file.read_bytes() if file.exists() else b""

    # A running program may remove the marker and write, or close, between two reads.
    marker, log = bytes_of("larder.closed"), bytes_of("larder.log")
    while marker != (again := bytes_of("larder.closed")):
        marker, log = again, bytes_of("larder.log")
    return Log(log, marker)
