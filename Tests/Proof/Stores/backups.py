"""backups: Python code that knows only the format reads the backups of each kind of store, and restores equal them.

The format is that of Infrastructure/Kit/Backup/FORMAT.md.

Each backup must contain exactly the rows of its store, as the judge of the stores reads them, and the printed counts and
digests must be those of the file.
"""
import json
import pathlib
import tempfile

from backupfile import Backup
from commands import Book
from logcontent import Damage
from served import Failure, program
from stores import STORES


def rows(reader):
    """The rows of all tables but the program's record."""
    names = [name for (name,) in reader.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
    return {name: sorted(reader.execute(f'SELECT * FROM "{name}"').fetchall(), key=repr)
            for name in names if not name.startswith("larder_")}


def content(store):
    with store.reader() as reader:
        return rows(reader)


def must_be_refused(book, file, what):
    try:
        Backup(file.read_bytes())
    except (Damage, UnicodeDecodeError, KeyError):
        pass
    else:
        raise Failure(f"undetected: the reader accepts {what}")
    if book.run("restore", str(file), "--verify").status == 0:
        raise Failure(f"undetected: the program accepts {what}")


def run(program, kind, folder):
    book = Book(program, STORES[kind](f"{folder}/store"))
    book.take([f"item-{number}" for number in range(200)]).must_work("the first import")
    book.take([f"item-{number}" for number in range(0, 300, 3)]).must_work("the second import")
    file = folder / "backup"
    answer = book.run("backup", str(file), "--json")
    answer.must_work("a backup")
    data = file.read_bytes()
    damaged = folder / "damaged"
    for place in (0, len(data) // 2, len(data) - 1):
        damaged.write_bytes(data[:place] + bytes([data[place] ^ 1]) + data[place + 1:])
        must_be_refused(book, damaged, f"a changed byte {place}")
        damaged.write_bytes(data[:place])
        must_be_refused(book, damaged, f"a file of {place} bytes")
    backup = Backup(data)
    printed = json.loads(answer.output)
    if {one["entity"]: (one["count"], one["digest"]) for one in printed} != backup.digests:
        raise Failure(f"unequal: the program prints {printed}, and the file has {backup.digests}")
    expected = content(book.store)
    if rows(backup.database()) != expected or not expected["item"]:
        raise Failure(f"unequal: the backup of a {kind} store has other rows than the store")
    for other in STORES:
        restored = Book(program, STORES[other](f"{folder}/restored-{other}"))
        restored.run("restore", str(file)).must_work("a restore")
        if content(restored.store) != expected:
            raise Failure(f"unequal: the {other} store restored from a {kind} store has other rows")
        restored.run("verify").must_work("verify")
    return f"{kind}: {sum(map(len, expected.values()))} rows in {len(data)} bytes"


def main():
    made = program()
    with tempfile.TemporaryDirectory() as folder:
        results = []
        for kind in STORES:
            place = pathlib.Path(folder, kind)
            place.mkdir()
            results.append(run(made, kind, place))
        print(f"proof: backups: {'; '.join(results)}; read and restored into {len(STORES)} kinds of stores")
