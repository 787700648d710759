"""A backup as a database in memory, read as Infrastructure/Kit/Backup/FORMAT.md says, without the program."""
from filelog import Log, Record
from logcontent import require


def checksum(data):
    """The checksum of the bytes of a root."""
    total = 0
    words = [int.from_bytes(data[place:place + 8].ljust(8, b"\0"), "big") for place in range(0, len(data), 8)]
    for word in words + [len(data)]:
        total = (total ^ word) * 0x2360ED051FC65DA44385DF649FCCF645 % 2 ** 128
        total ^= total >> 64
    return total


class Backup(Log):
    """The content of a backup; raises `Damage` for any file that is not a complete one."""

    def __init__(self, data):
        self.records, self.entities, self.roots, self.salt, self.commit = [], {}, {}, None, 0
        self.sums, self.last, self.time = {}, (0, b""), None
        end = 0
        while end < len(data):
            require(self.time is None, f"bytes after the end, from byte {end} on")
            record = Record(data, end)
            require(record.number == len(self.records) and self.salt in (None, record.salt),
                    f"another number or salt at byte {end}")
            require(record.kind in ("RB" if self.records else "H"), f"the kind {record.kind} at byte {end}")
            self.salt = record.salt
            {"H": self.head, "R": self.state, "B": self.finish}[record.kind](record.content)
            require(record.content.is_at_end, f"more than is said at byte {end}")
            self.records.append(record)
            end = record.end
        require(self.time is not None, "the end is missing")

    def state(self, content):
        while not content.is_at_end:
            index = content.index(self.declared)
            begin, entity = content.offset, self.declared[index]
            version, found = content.count(), content.object(entity)
            require((index, found.id) > self.last, f"{entity.name} {found.id.hex()} is not in order")
            self.last = (index, found.id)
            self.insert(entity, version, found)
            count, total = self.sums.get(entity.name, (0, 0))
            self.sums[entity.name] = (count + 1, (total + checksum(content.data[begin:content.offset])) % 2 ** 128)

    def finish(self, content):
        self.time = content.number(8)
        for entity in self.declared:
            says = (content.count(), content.number(16))
            require(says == self.sums.setdefault(entity.name, (0, 0)), f"another number or digest of {entity.name}")

    @property
    def digests(self):
        """The number of roots and the digest of each entity."""
        return {name: (count, f"{total:032x}") for name, (count, total) in self.sums.items()}
