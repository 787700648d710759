"""mirror-promotions [CYCLES]: `kill -9` of a server with a mirrored store while eight clients write, and promotion of its mirror.

The mirror must have a commit before it is acknowledged. The primary is removed after the kill. The promoted mirror must contain
each acknowledged write, once, whole, and in the acknowledged version; an unanswered request with an idempotency key is sent again
and must be executed exactly once. The promoted store gets an empty mirror for the next cycle.
"""
import subprocess
import tempfile

from http_cycles import CLIENTS, CYCLES_OF_A_STORE, Cycles
from served import Failure, caught, program
from stores import STORES


class Mirrored:
    """A primary and its mirror. The primary is read and damaged."""

    def __init__(self, primary, mirror):
        self.primary, self.mirror = primary, mirror
        self.reader, self.plant = primary.reader, primary.plant

    def __str__(self):
        return f"mirrored({self.primary}, {self.mirror}, required=1)"

    def remove(self):
        self.primary.remove()
        self.mirror.remove()


class Promotions(Cycles):
    """`kinds` are those of the first primary and of its mirror, and of later ones in turn."""

    def __init__(self, program, folder, *kinds):
        super().__init__(program, folder, " and ".join(kinds))
        self.kinds, self.members, self.promoted = kinds, 0, 0

    def make_store(self):
        return Mirrored(self.make_member(self.kinds[0]), self.make_member(self.kinds[1]))

    def make_member(self, kind):
        self.members += 1
        return STORES[kind](f"{self.folder}/{self.members}.member")

    def fail_over(self):
        old = self.ledger.store
        old.primary.remove()
        done = subprocess.run([self.program, "promote", str(old.mirror), "--store", str(old)],
                              capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise Failure(f"typed: the promotion ends with {done.returncode}: {done.stderr}")
        self.ledger.store = Mirrored(old.mirror, self.make_member(old.primary.kind))
        self.promoted += 1


def main(cycles="20"):
    served = program()
    with tempfile.TemporaryDirectory() as folder:
        damaged = Promotions(served, folder, "file", "sqlite")
        caught("lost: ", lambda: damaged.run(CYCLES_OF_A_STORE, lambda _: damaged.kill("lost")))
        for kinds in [("sqlite", "file"), ("file", "sqlite")]:
            kills = Promotions(served, folder, *kinds)
            _, took = kills.run(int(cycles) // 2, lambda _: kills.kill())
            print(f"proof: kill -9 of a server with a mirrored store, {kills.kind}, {CLIENTS} clients: {kills.promoted} mirrors "
                  f"promoted, {kills.acknowledged} writes acknowledged, {kills.again} sent again under their keys, 0 lost, 0 doubled, "
                  f"0 torn, {took}", flush=True)
