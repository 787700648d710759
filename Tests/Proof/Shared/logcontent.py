"""The contents of a log's records, and the declarations of its head; see docs/file-store.md."""
import struct
from dataclasses import dataclass, field


class Damage(Exception):
    """Damage that neither a writer of a log nor a crash can have left."""


def number(data):
    return int.from_bytes(data, "big")


@dataclass
class Entity:
    """A root or an owned entity; columns and lists are numbered by their order."""

    name: str
    owner: str | None
    columns: list = field(default_factory=list)
    links: list = field(default_factory=list)
    owned: list = field(default_factory=list)


class Declared:
    """The entities of a head, whose members are entity, kind, name and declaration."""

    def __init__(self, members):
        self.members, self.entities = members, {}
        for name, kind, member, declaration in members:
            if kind == "entity":
                owner = member.removeprefix("in ") if member.startswith("in ") else None
                self.entities[name] = Entity(name, owner)
                if owner is not None:
                    self.entity(owner).owned.append(self.entities[name])
            elif kind == "column":
                self.entity(name).columns.append((member, declaration))
            elif kind == "links":
                self.entity(name).links.append((member, declaration.removeprefix("-> ").split(",")[0]))
        self.roots = [entity for entity in self.entities.values() if entity.owner is None]

    def entity(self, name):
        if name not in self.entities:
            raise Damage(f"{name} is not declared")
        return self.entities[name]


@dataclass
class Object:
    """A root or an owned object. Each list of links has ids, each list of owned objects has objects."""

    id: bytes
    values: list
    links: list
    owned: list


class Content:
    """The bytes of a record, read from start to end."""

    def __init__(self, data):
        self.data, self.offset = data, 0

    @property
    def is_at_end(self):
        return self.offset == len(self.data)

    def bytes(self, count):
        end = self.offset + count
        if end > len(self.data):
            raise Damage("the content ends too early")
        taken, self.offset = self.data[self.offset:end], end
        return taken

    def number(self, count):
        return number(self.bytes(count))

    def count(self):
        value, shift = 0, 0
        while True:
            (byte,) = self.bytes(1)
            value |= (byte & 127) << shift
            shift += 7
            if value >> 64:
                raise Damage("a count of more than 64 bits")
            if byte < 128:
                return value

    def text(self):
        try:
            return self.bytes(self.count()).decode()
        except UnicodeDecodeError as error:
            raise Damage("a text that is no UTF-8") from error

    def id(self):
        return self.bytes(16)

    def value(self):
        (kind,) = self.bytes(1)
        if kind == 0:
            return None
        if kind == 1:
            count = self.count()
            return count >> 1 ^ -(count & 1)
        if kind == 2:
            return struct.unpack(">d", self.bytes(8))[0]
        if kind == 3:
            return self.text()
        if kind == 4:
            return self.bytes(self.count())
        if kind == 5:
            return self.id()
        raise Damage(f"a value of kind {kind}")

    def place(self, sequence):
        """The index of an element of a sequence."""
        index = self.count()
        if index >= len(sequence):
            raise Damage(f"number {index} of {len(sequence)}")
        return index

    def one_of(self, sequence):
        return sequence[self.place(sequence)]

    def object(self, entity):
        return Object(
            self.id(), [self.value() for _ in entity.columns],
            [[self.id() for _ in range(self.count())] for _ in entity.links],
            [[self.object(part) for _ in range(self.count())] for part in entity.owned])

    # -- changes

    def change(self, entity, found):
        for _ in range(self.count()):
            index = self.place(found.values)
            found.values[index] = self.value()
        for _ in range(self.count()):
            self._change_links(self.one_of(found.links))
        places = [{part.id: (at, part) for at, part in enumerate(parts)} for parts in found.owned]
        for _ in range(self.count()):
            index = self.place(places)
            self._change_owned(entity.owned[index], places[index])
        for index, parts in enumerate(places):
            ordered = sorted(parts.values(), key=lambda place: place[0])
            if [at for at, _ in ordered] != list(range(len(ordered))):
                raise Damage(f"the places of {entity.owned[index].name} have a gap, or one is taken twice")
            found.owned[index] = [part for _, part in ordered]

    def _change_links(self, links):
        length = self.count()
        changed = {self.count(): self.id() for _ in range(self.count())}
        after = dict(enumerate(links[:length])) | changed
        if sorted(after) != list(range(length)):
            raise Damage("the places of links have a gap")
        links[:] = [after[at] for at in range(length)]

    def _change_owned(self, entity, parts):
        """Parts that are not named keep their positions."""
        id, kind = self.id(), self.count()
        if (id in parts) == (kind == 1):
            raise Damage(f"{entity.name} {id.hex()}: {kind}, though it is there: {id in parts}")
        if kind == 0:
            del parts[id]
        elif kind == 1:
            at, new = self.count(), self.object(entity)
            if new.id != id:
                raise Damage(f"{entity.name} {id.hex()} is announced, and {new.id.hex()} follows")
            parts[id] = (at, new)
        elif kind in (2, 3):
            at = self.count() if kind == 3 else parts[id][0]
            self.change(entity, parts[id][1])
            parts[id] = (at, parts[id][1])
        else:
            raise Damage(f"a change {kind} of {entity.name}")
