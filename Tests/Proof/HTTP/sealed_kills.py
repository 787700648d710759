"""sealed-kills [CYCLES [sqlite]]: `kill -9` of a server with a store that a passphrase seals, while eight clients write.

The store is a file store, or a database with SQLCipher. After each kill, no file of the store may contain a name of an item. Each
acknowledged write must be there, as in http-cycles; the judge reads a plain copy, which the program makes of a file store and the
shell of SQLCipher of a database. Neither the shell of SQLite nor the program with another passphrase may read the database.
"""
import contextlib
import os
import pathlib
import shutil
import subprocess
import tempfile

from http_cycles import Cycles
from served import Failure, caught, program
from stores import Database, Folder

PASSPHRASE = "PROOF_PASSPHRASE"
WORDS = "correct horse battery staple"


def run(*command, data=None, **variables):
    return subprocess.run(command, input=data, capture_output=True, text=True, check=False, env=os.environ | variables)


class Sealed:
    """A store that the program reads with its passphrase."""

    def __init__(self, path, program):
        super().__init__(path)
        self.program = program


class SealedFolder(Sealed, Folder):
    @contextlib.contextmanager
    def reader(self):
        """A connection to the content of a plain copy."""
        with tempfile.TemporaryDirectory() as folder:
            copy = Folder(shutil.copytree(self.path, f"{folder}/copy"))
            # The first command removes a torn end.
            for command in (["list"], ["passphrase", "--remove"]):
                done = run(self.program, *command, "--store", str(copy))
                if done.returncode != 0:
                    raise Failure(f"torn: {command[0]} ends with {done.returncode}: {done.stderr}")
            with copy.reader() as reader:
                yield reader

    def files(self):
        return pathlib.Path(self.path).iterdir()

    def check(self):
        """Nothing: no other program reads the log."""


class SealedDatabase(Sealed, Database):
    @contextlib.contextmanager
    def reader(self):
        with tempfile.TemporaryDirectory() as folder:
            for file in self.files():
                shutil.copy(file, folder)
            done = run("sqlcipher", "-bail", f"{folder}/{pathlib.Path(self.path).name}", data=(
                f"PRAGMA key = '{WORDS}'; ATTACH DATABASE '{folder}/plain' AS plain KEY '';\n"
                "SELECT sqlcipher_export('plain'); DETACH DATABASE plain;\n"))
            if done.returncode != 0:
                raise Failure(f"torn: sqlcipher ends with {done.returncode}: {done.stderr}")
            with Database(f"{folder}/plain").reader() as reader:
                yield reader

    def files(self):
        path = pathlib.Path(self.path)
        return path.parent.glob(f"{path.name}*")

    def check(self):
        for shell in (["sqlite3"], ["sqlcipher"]):
            if run(*shell, self.path, "SELECT count(*) FROM item").returncode == 0:
                raise Failure(f"plain: {shell[0]} reads the database without the passphrase")
        other = run(self.program, "list", "--store", str(self), **{PASSPHRASE: "another"})
        if other.returncode == 0 or "passphrase" not in other.stderr:
            raise Failure(f"typed: another passphrase is answered with {other.returncode}: {other.stderr}")


SEALED = {store.kind: store for store in (SealedFolder, SealedDatabase)}


class Kills(Cycles):
    searched = 0

    def make_store(self):
        return SEALED[self.kind](f"{self.folder}/{self.stores}.store", self.program)

    def fail_over(self):
        names = [f"{mark} r".encode() for mark in self.ledger.items]
        for file in self.ledger.store.files():
            data = file.read_bytes()
            self.searched += len(data)
            if found := [name for name in names if name in data]:
                raise Failure(f"plain: {file.name} contains {found[0].decode()}")
        self.ledger.store.check()


def main(cycles="20", kind="file"):
    # Each library of SQLite has its own build.
    options = ["--traits", "default,SQLCipher", "--scratch-path", ".build/sqlcipher"] if kind == "sqlite" else []
    served = program("ProofProgram", *options)
    with tempfile.TemporaryDirectory() as folder:
        os.environ.pop(PASSPHRASE, None)
        plain = Kills(served, folder, kind)
        caught("plain: ", lambda: plain.run(2, lambda _: plain.kill()))
        os.environ[PASSPHRASE] = WORDS
        kills = Kills(served, folder, kind)
        what, took = kills.run(int(cycles), lambda _: kills.kill())
        print(f"proof: kill -9 of a server, sealed {what}, {kills.acknowledged} writes acknowledged, 0 lost, 0 doubled, 0 torn, "
              f"0 names in {kills.searched} bytes, {took}", flush=True)
