"""transfer-live [ROUNDS]: `transfer --live` of the store of a server to which eight clients write all the time.

The transfer is killed at random moments and repeated. After a stop of the server, the transfer without --live is killed
and repeated, too. At the end, source and target have equal rows, and each acknowledged write is there once, also when
`transfer` compares the digests.
"""
import os
import pathlib
import random
import shutil
import signal
import subprocess
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor

from backups import content
from items import Ledger
from postgres import stores_with_postgres
from served import PATIENCE, SEED, Failure, Server, caught, program
from writers import Writer, share

CLIENTS = 8
PAUSE = 0.5
"""The maximum seconds of writing before and after a transfer."""


class Round:
    def __init__(self, program, folder, kinds, chance):
        """The kinds make the stores of source and target at a path."""
        self.program, self.chance, self.folder = program, chance, pathlib.Path(tempfile.mkdtemp(dir=folder))
        self.source, self.target = (kind(f"{self.folder}/{number}") for number, kind in enumerate(kinds))
        self.ledger, self.kills, self.acknowledged, self.copied = Ledger(self.source), 0, 0, 0

    def run(self, damage=None):
        """Transfers under load; then plants a damage in the target if it is named."""
        writers = [Writer(n, self.ledger, random.Random(self.chance.random())) for n in range(CLIENTS)]
        with Server(self.program, self.source, "normal", f"{self.folder}/log") as server, ThreadPoolExecutor() as pool:
            share(server, self.ledger)
            running = [pool.submit(writer.run, server) for writer in writers]
            try:
                time.sleep(self.chance.uniform(0, PAUSE))
                self.transfer(server)
                self.copied = sum(writer.acknowledged for writer in writers)
                time.sleep(self.chance.uniform(0.1, PAUSE))
            finally:
                server.end(signal.SIGTERM)
            for client in running:
                client.result()
        self.acknowledged = sum(writer.acknowledged for writer in writers)
        if self.acknowledged == self.copied:
            raise Failure("typed: no client has written after the copy")
        for writer in writers:
            writer.note_unanswered()
        # From here on, exactly the content found is required.
        self.ledger.judge()
        self.transfer()
        if damage and not self.target.plant(damage):
            raise Failure(f"typed: {damage} was not planted")
        if content(self.target) != content(self.source):
            raise Failure(f"unequal: {self.target} has other rows than {self.source}")
        self.ledger.store = self.target
        self.ledger.judge()
        shutil.rmtree(self.folder)

    def transfer(self, server=None):
        """Repeats a transfer, with a server a live one, until it ends; it is killed before a limit that grows."""
        words = ["--live"] if server else []
        if server and self.source.kind == "file":
            words += ["--service", server.url]
        if {self.source.kind, self.target.kind} == {"postgres"}:
            words += ["--copy", f"{self.folder}/copy.transfer"]
        longest, began = 0.4, time.monotonic()
        while time.monotonic() - began < PATIENCE:
            command = [self.program, "transfer", "--from", str(self.source), "--to", str(self.target), *words]
            process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                                       env=os.environ | {"PROOF_SERVICE_TOKEN": server.token if server else ""})
            try:
                _, errors = process.communicate(timeout=self.chance.uniform(0, longest))
            except subprocess.TimeoutExpired:
                process.kill()
                process.communicate()
                self.kills += 1
                longest *= 1.15
                continue
            if process.returncode == 0:
                return
            if "is busy" not in errors:
                raise Failure(f"typed: a transfer ended with {process.returncode}: {errors}")
            time.sleep(0.05)
        raise Failure(f"unanswered: no transfer has ended in {PATIENCE} s")


def main(rounds="18"):
    chance = random.Random(SEED)
    with tempfile.TemporaryDirectory() as folder, stores_with_postgres() as stores:
        made = program("ProofProgram", *(["--traits", "default,Postgres"] if "postgres" in stores else []))
        for damage in ("lost", "older", "doubled"):
            caught("unequal|torn", lambda: Round(made, folder, (stores["file"], stores["sqlite"]), chance).run(damage))
        pairs = [(one, other) for one in stores for other in stores]
        began, done = time.monotonic(), []
        for number in range(int(rounds)):
            pair = pairs[number % len(pairs)]
            try:
                done.append(Round(made, folder, [stores[kind] for kind in pair], chance))
                done[-1].run()
            except Failure as failure:
                raise Failure(f"{failure} (from {' to '.join(pair)}, round {number + 1}, seed {SEED})") from failure
        print(f"proof: transfer-live: {len(done)} rounds between {len(pairs)} pairs of {', '.join(stores)}, "
              f"{sum(one.kills for one in done)} kills, {sum(one.acknowledged for one in done)} writes acknowledged, "
              f"{sum(one.acknowledged - one.copied for one in done)} of them after a copy, 0 lost, 0 doubled, all equal, "
              f"seed {SEED}, {time.monotonic() - began:.1f} s")
