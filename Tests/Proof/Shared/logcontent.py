"""The content of a log's records, as Infrastructure/Kit/File/FORMAT.md says."""
import struct
from dataclasses import dataclass, field


class Damage(Exception):
    """Damage that neither a writer of a log nor a crash can have left."""


def require(holds, problem):
    if not holds:
        raise Damage(problem)


@dataclass
class Entity:
    """A root or an owned entity, with its columns and lists in the order in which they are declared."""

    name: str
    owner: str | None
    columns: list = field(default_factory=list)
    links: list = field(default_factory=list)
    owned: list = field(default_factory=list)


@dataclass
class Object:
    """A root or an owned object. Each list of links has ids, each list of owned objects has objects."""

    id: bytes
    values: list
    links: list
    owned: list


class Content:
    """The content of a record, read from start to end."""

    def __init__(self, data):
        self.data, self.offset = data, 0

    @property
    def is_at_end(self):
        return self.offset == len(self.data)

    def bytes(self, count):
        begin, self.offset = self.offset, self.offset + count
        require(self.offset <= len(self.data), "the content ends too early")
        return self.data[begin:self.offset]

    def number(self, count):
        return int.from_bytes(self.bytes(count), "big")

    def count(self):
        value, shift, byte = 0, 0, 128
        while byte & 128:
            byte = self.number(1)
            value, shift = value | (byte & 127) << shift, shift + 7
            require(value < 1 << 64, "a count of more than 64 bits")
        return value

    def counted(self, read):
        """A list, preceded by its count."""
        return [read() for _ in range(self.count())]

    def text(self):
        return self.bytes(self.count()).decode()

    def id(self):
        return self.bytes(16)

    def value(self):
        kind = self.number(1)
        require(kind <= 5, f"a value of kind {kind}")
        return [lambda: None, self.integer, lambda: struct.unpack(">d", self.bytes(8))[0], self.text,
                lambda: self.bytes(self.count()), self.id][kind]()

    def integer(self):
        count = self.count()
        return count >> 1 ^ -(count & 1)

    def index(self, sequence):
        index = self.count()
        require(index < len(sequence), f"number {index} of {len(sequence)}")
        return index

    def object(self, entity):
        return Object(self.id(), [self.value() for _ in entity.columns], [self.counted(self.id) for _ in entity.links],
                      [self.counted(lambda part=part: self.object(part)) for part in entity.owned])

    def change(self, entity, found):
        """Applies changes to an object."""
        for _ in range(self.count()):
            index = self.index(found.values)
            found.values[index] = self.value()
        for _ in range(self.count()):
            links, length = found.links[self.index(found.links)], self.count()
            places = dict(enumerate(links[:length])) | dict(self.counted(lambda: (self.count(), self.id())))
            links[:] = in_order(places, length)
        # The place of each owned object; those that are not listed keep theirs.
        owned = [{part.id: (place, part) for place, part in enumerate(parts)} for parts in found.owned]
        for _ in range(self.count()):
            index = self.index(owned)
            self.change_owned(entity.owned[index], owned[index])
        found.owned = [in_order(dict(parts.values()), len(parts)) for parts in owned]

    def change_owned(self, entity, parts):
        id, kind = self.id(), self.count()
        require(kind <= 3 and (id in parts) == (kind != 1), f"{entity.name} {id.hex()}: change {kind}")
        place, part = parts.pop(id, (None, None))
        if kind in (1, 3):
            place = self.count()
        if kind == 1:
            part = self.object(entity)
            require(part.id == id, f"{entity.name} {id.hex()} is announced, and {part.id.hex()} follows")
        elif kind > 1:
            self.change(entity, part)
        if kind != 0:
            parts[id] = (place, part)


def in_order(places, length):
    """The elements in the order of their places, which must be 0 to the length."""
    require(sorted(places) == list(range(length)), "the places of a list have a gap, or one is taken twice")
    return [places[place] for place in range(length)]
