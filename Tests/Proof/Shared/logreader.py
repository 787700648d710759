"""Reads the log of a file store, implemented from docs/file-store.md alone.

So the guarantees of the store are checked without its own reader. Where the page calls a record bad, this reader checks
whether a crash can have left it, as the page defines, and raises if not. Uniqueness is left to the judges.
"""
import pathlib

from logcontent import Content, Damage, Declared, number

FRAME, MARKER, LIMIT = 28, 40, 128 << 20
MAGIC, MARKER_MAGIC = b"Lrd", b"Lrdm"


def _table():
    for index in range(256):
        for _ in range(8):
            # The Castagnoli polynomial, bit-reversed.
            index = index >> 1 ^ (0x82F63B78 if index & 1 else 0)
        yield index


TABLE = tuple(_table())


def crc32c(*parts):
    crc = 0xFFFFFFFF
    for part in parts:
        for byte in part:
            crc = TABLE[(crc ^ byte) & 255] ^ crc >> 8
    return crc ^ 0xFFFFFFFF


def remove(entity, found, names, target):
    """Removes a target from the member at the end of a path of lists; returns whether it was found. Lists have no
    names, so a member is identified by its depth and name: all references to a deleted target are removed anyway."""
    if len(names) > 1:
        pairs = [(part, owned) for part, parts in zip(entity.owned, found.owned, strict=True) for owned in parts]
        return any([remove(part, owned, names[1:], target) for part, owned in pairs])
    was_there = False
    for (name, _), ids in zip(entity.links, found.links, strict=True):
        if name == names[0] and target in ids:
            ids[:] = [id for id in ids if id != target]
            was_there = True
    for at, (name, _) in enumerate(entity.columns):
        if name == names[0] and found.values[at] == target:
            found.values[at] = None
            was_there = True
    return was_there


# The position of each kind of operation in a commit.
ORDER = {1: 1, 2: 2, 3: 3, 5: 3, 4: 4}


class Record:
    """The record in the frame at an offset; raises if there is no frame with a correct checksum."""

    def __init__(self, data, offset):
        self.offset, frame = offset, data[offset:offset + FRAME]
        if len(frame) < FRAME or frame[:3] != MAGIC:
            raise Damage(f"no record begins at byte {offset}")
        length = number(frame[4:8])
        self.end = offset + FRAME + length
        if length > LIMIT or self.end > len(data):
            raise Damage(f"the record at byte {offset} is cut short")
        self.content = data[offset + FRAME:self.end]
        if crc32c(frame[:8], frame[12:], self.content) != number(frame[8:12]):
            raise Damage(f"the checksum at byte {offset} is wrong")
        self.kind, self.number, self.salt = chr(frame[3]), number(frame[12:20]), frame[20:28]


class Log:
    """The contents of a log: the state after its last whole record, and the dropped bytes after it."""

    def __init__(self, data, marker=None):
        self.records, self.roots, self.declared, self.salt = [], {}, None, None
        self.commit, self.dropped, offset = 0, 0, 0
        while offset < len(data):
            try:
                record = Record(data, offset)
                if record.number != len(self.records) or self.salt not in (None, record.salt):
                    raise Damage(f"the record at byte {offset} has another number or salt")
            except Damage as damage:
                self._must_be_torn(data, offset, damage)
                self.dropped = len(data) - offset
                break
            self._replay(record)
            self.records.append(record)
            offset = record.end
        if not self._has_begun:
            raise Damage(f"the log has no end of its roots, from byte {offset} on")
        # A truncated marker is ignored: writing it may have failed.
        self.is_closed = marker is not None and len(marker) == MARKER and marker[:4] == MARKER_MAGIC \
            and crc32c(marker[:36]) == number(marker[36:])
        if self.is_closed:
            self._must_be_as_closed(marker, offset)

    @property
    def _has_begun(self):
        """After the end of the roots only commits are allowed."""
        return bool(self.records) and self.records[-1].kind in "EC"

    def _must_be_torn(self, data, offset, damage):
        """No whole record with the same salt and an equal or later number may follow; the bad record is not whole."""
        place = data.find(MAGIC, offset)
        while place >= 0:
            try:
                record = Record(data, place)
            except Damage:
                pass
            else:
                if record.salt == self.salt and (place == offset or record.number >= len(self.records)):
                    raise Damage(f"{damage}, and a whole record stands at byte {place}")
            place = data.find(MAGIC, place + 1)

    def _must_be_as_closed(self, marker, length):
        says = (number(marker[4:12]), number(marker[12:20]), number(marker[20:28]), marker[28:36])
        if self.dropped or says != (length, len(self.records), self.commit, self.salt):
            raise Damage(f"the marker says {says}, and the log ends at {length} with commit {self.commit}")

    # -- the content of a record

    def _replay(self, record):
        wanted = "C" if self._has_begun else "RE" if self.records else "H"
        if record.kind not in wanted:
            raise Damage(f"a record of kind {record.kind} at byte {record.offset}")
        content = Content(record.content)
        try:
            {"H": self._head, "R": self._state, "E": self._end, "C": self._commits}[record.kind](content, record)
        except Damage as damage:
            raise Damage(f"in the record at byte {record.offset}: {damage}") from damage
        if not content.is_at_end:
            raise Damage(f"more than is said stands in the record at byte {record.offset}")

    def _head(self, content, record):
        version = content.number(4)
        if version not in (1, 2):
            raise Damage(f"format {version}")
        self.salt, self.commit = record.salt, content.number(8)
        members = [tuple(content.text() for _ in range(4)) for _ in range(content.count())]
        self.declared = Declared(members)
        # Earlier versions recorded no defaults.
        for _ in range(0 if content.is_at_end else content.count()):
            content.place(members)
            content.value()

    def _state(self, content, _):
        while not content.is_at_end:
            entity = content.one_of(self.declared.roots)
            version = content.count()
            self._insert(entity, content.object(entity), version)

    def _end(self, content, _):
        count = content.count()
        if count != len(self.roots):
            raise Damage(f"{len(self.roots)} roots, and the end says {count}")

    def _commits(self, content, _):
        first = content.number(8)
        if first != self.commit + 1:
            raise Damage(f"commit {first} follows commit {self.commit}")
        if content.is_at_end:
            raise Damage("no commit at all")
        while not content.is_at_end:
            before, self.written = 0, set()
            for _ in range(content.count()):
                kind = content.count()
                # Order: updates, deletions, inserts or, since format 2, restores (5), then removals of references (4).
                if kind not in ORDER or ORDER[kind] < before:
                    raise Damage(f"an operation {kind} after one of place {before}")
                before = ORDER[kind]
                self._operate(kind, content)
            self.commit += 1

    def _operate(self, kind, content):
        entity = content.one_of(self.declared.roots)
        if kind in (3, 5):
            version = 1 if kind == 3 else content.count()
            found = content.object(entity)
            self._insert(entity, found, version)
            self.written.add((entity.name, found.id))
            return
        if kind == 4:
            self._remove(entity, [content.text() for _ in range(content.count())], content.id())
            return
        key, expected = (entity.name, content.id()), content.count() or None
        version, found = self.roots.get(key, (None, None))
        if version != expected or kind == 1 and version is None:
            raise Damage(f"{key[0]} {key[1].hex()} is in version {version}, not {expected}")
        if kind == 2:
            self.roots.pop(key, None)
        else:
            content.change(entity, found)
            self.roots[key] = (version + 1, found)
            self.written.add(key)

    def _remove(self, entity, names, target):
        """Removes a target from all roots of an entity; a root's version rises by one in a commit."""
        for key, (version, found) in list(self.roots.items()):
            if key[0] == entity.name and remove(entity, found, names, target) and key not in self.written:
                self.roots[key] = (version + 1, found)
                self.written.add(key)

    def _insert(self, entity, found, version):
        if (entity.name, found.id) in self.roots:
            raise Damage(f"{entity.name} {found.id.hex()} is there twice")
        self.roots[entity.name, found.id] = (version, found)


def read(folder):
    """The log in a folder, checked against the marker if there is one."""
    log, marker = pathlib.Path(folder, "larder.log"), pathlib.Path(folder, "larder.closed")

    def bytes_of(file):
        return file.read_bytes() if file.exists() else None

    # A running program may remove the marker and write, or close, between two reads.
    closed, data = bytes_of(marker), bytes_of(log)
    while closed != (again := bytes_of(marker)):
        closed, data = again, bytes_of(log)
    if data is None:
        raise Damage("there is no log")
    return Log(data, closed)
