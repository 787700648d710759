"""sealed-kills [CYCLES]: `kill -9` of a server with a file store that a passphrase seals, while eight clients write.

After each kill, no file of the store may contain a name of an item. Each acknowledged write must be there, as in http-cycles; the
judge reads a copy whose seal was removed.
"""
import contextlib
import os
import pathlib
import shutil
import subprocess
import tempfile

from http_cycles import Cycles
from served import Failure, caught, program
from stores import Folder

PASSPHRASE = "PROOF_PASSPHRASE"


class Sealed(Folder):
    def __init__(self, path, program):
        super().__init__(path)
        self.program = program

    @contextlib.contextmanager
    def reader(self):
        """A connection to the content of a plain copy."""
        with tempfile.TemporaryDirectory() as folder:
            copy = Folder(shutil.copytree(self.path, f"{folder}/copy"))
            # The first command removes a torn end.
            for command in (["list"], ["passphrase", "--remove"]):
                done = subprocess.run([self.program, *command, "--store", str(copy)], capture_output=True, text=True, check=False)
                if done.returncode != 0:
                    raise Failure(f"torn: {command[0]} ends with {done.returncode}: {done.stderr}")
            with copy.reader() as reader:
                yield reader


class Kills(Cycles):
    searched = 0

    def make_store(self):
        return Sealed(f"{self.folder}/{self.stores}.store", self.program)

    def fail_over(self):
        names = [f"{mark} r".encode() for mark in self.ledger.items]
        for file in pathlib.Path(self.ledger.store.path).iterdir():
            data = file.read_bytes()
            self.searched += len(data)
            if found := [name for name in names if name in data]:
                raise Failure(f"plain: {file.name} contains {found[0].decode()}")


def main(cycles="20"):
    served = program()
    with tempfile.TemporaryDirectory() as folder:
        os.environ.pop(PASSPHRASE, None)
        plain = Kills(served, folder, "file")
        caught("plain: ", lambda: plain.run(2, lambda _: plain.kill()))
        os.environ[PASSPHRASE] = "correct horse battery staple"
        kills = Kills(served, folder, "file")
        what, took = kills.run(int(cycles), lambda _: kills.kill())
        print(f"proof: kill -9 of a server, sealed {what}, {kills.acknowledged} writes acknowledged, 0 lost, 0 doubled, 0 torn, "
              f"0 names in {kills.searched} bytes, {took}", flush=True)
