"""http-cycles [CYCLES [CYCLES-ON-FILES]]: `kill -9` and SIGTERM of a server while eight clients write.

After `kill -9` the server starts on the same store: each acknowledged write must be there once, whole, and in the
acknowledged version; an unanswered request with an idempotency key is sent again and must be executed exactly once.
After SIGTERM, the server must answer completely every request that it has started. A request may remain unanswered only
if no byte of a response arrived, its id is not in the log, it left nothing in the store, and its connection was new or
idle for longer than the server waits. It must be unready or refuse immediately, notify streams, finish an upload, and
exit with 0 in under 5 s.
"""
import random
import signal
import tempfile
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

from guests import Upload, open_stream, read_to_shutdown, watch
from items import FINDINGS, Fact, Item, Ledger
from served import SEED, Connection, Failure, Server, caught, program, script
from stores import STORES
from writers import Writer, body, share

CLIENTS = 8
CYCLES_OF_A_STORE = 10
LONGEST = 1.5
"""The maximum seconds of writing in a cycle."""
SLOWEST_EXIT = 5.0
IDLE = 0.2
"""The minimum seconds for which the stopping server keeps a connection without a request; it guarantees 0.25."""


class Cycles:
    def __init__(self, program, folder, kind):
        self.program, self.folder, self.kind = program, tempfile.mkdtemp(dir=folder), kind
        self.chance = random.Random(SEED)
        self.stores, self.server, self.ledger, self.writers = 0, None, None, []
        self.acknowledged, self.answered, self.again = 0, 0, 0
        self.unread, self.ready, self.slowest, self.uploads, self.told = 0, Counter(), 0.0, 0, 0

    def run(self, cycles, cycle):
        """Runs cycles, with a new store at intervals."""
        number, began = 0, time.monotonic()
        try:
            for number in range(cycles):
                if number % CYCLES_OF_A_STORE == 0:
                    self.new_store()
                cycle(number)
        except Failure as failure:
            raise Failure(f"{failure} (cycle {number + 1}, {self.kind}, seed {SEED})") from failure
        finally:
            self.end()
        return f"{self.kind}, {CLIENTS} clients: {cycles} cycles", f"seed {SEED}, {time.monotonic() - began:.1f} s"

    def new_store(self):
        self.end()
        self.stores += 1
        self.ledger = Ledger(self.make_store())
        self.durability = self.chance.choice(["full", "full", "normal", "off"])
        self.writers = [Writer(n, self.ledger, random.Random(self.chance.random())) for n in range(CLIENTS)]
        self.start()
        share(self.server, self.ledger)

    def make_store(self):
        return STORES[self.kind](f"{self.folder}/{self.stores}.store")

    def fail_over(self):
        """Called after a kill; replaces nothing."""

    def start(self):
        self.server = Server(self.program, self.ledger.store, self.durability, f"{self.folder}/log")

    def end(self):
        if self.server is None:
            return
        self.server.process.kill()
        self.server.process.wait()
        self.server = None
        self.acknowledged += sum(writer.acknowledged for writer in self.writers)
        self.answered += sum(writer.answered for writer in self.writers)
        self.ledger.store.remove()

    def writing(self, then, thinking=0):
        """Lets all clients write for a while, and calls `then`, which ends the server and so the clients."""
        with ThreadPoolExecutor() as pool:
            running = [pool.submit(writer.run, self.server, thinks=number < thinking)
                       for number, writer in enumerate(self.writers)]
            time.sleep(self.chance.uniform(0.05, LONGEST))
            result = then()
        for client in running:
            client.result()
        return result

    def kill(self, what=None):
        """A cycle with `kill -9`. The damage `what` is planted, if possible, before the server starts again."""
        self.writing(lambda: self.server.end(signal.SIGKILL))
        for writer in self.writers:
            writer.note_unanswered()
        self.fail_over()
        before = {writer: writer.unanswered and writer.unanswered.item.fact for writer in self.writers}
        self.ledger.judge()
        if what and (what != "forgotten" or any(writer.last_keyed for writer in self.writers)):
            self.ledger.store.plant(what)
        # The server accepts the log with the damage, so that the judge finds the damage and not an invalid log.
        self.start()
        self.ledger.judge()
        for writer in self.writers:
            if writer.unanswered:
                writer.keep(writer.unanswered.item)
            self.again += writer.send_again(self.server, before[writer])
        self.ledger.judge(counts_answers=True)
        connection = Connection(self.server)
        for writer in self.writers:
            for item in writer.items:
                writer.look(connection, item)
        connection.close()

    def stop(self, number):
        """A cycle with SIGTERM."""
        stream = open_stream(self.server)
        upload = self.begin_upload() if number % 5 == 0 else None
        with ThreadPoolExecutor() as pool:
            told = pool.submit(read_to_shutdown, stream)

            def terminate():
                finished = pool.submit(upload.finish if upload else lambda: None)
                return finished, pool.submit(watch, self.server), self.server.end(signal.SIGTERM)

            finished, ready, (status, seconds) = self.writing(terminate, thinking=2)
            self.slowest = max(self.slowest, seconds)
            if status != 0 or seconds >= SLOWEST_EXIT:
                raise Failure(f"typed: exit status {status} after {seconds:.1f} s")
            self.ready += ready.result()
            told.result()
            finished.result()
        self.told += 1
        for writer in self.writers:
            if writer.unread:
                self.check_unread(writer, *writer.unread)
        for shared in self.ledger.shared.values():
            shared.possible = {}
        if not self.ledger.store.is_closed:
            raise Failure("typed: the store was not closed")
        self.ledger.judge()
        self.start()

    def begin_upload(self):
        self.uploads += 1
        item = Item(f"upload-{self.uploads}", Fact(1, "1"))
        self.ledger.items[item.mark] = item
        return Upload(self.server, body(item.mark, "1"))

    def check_unread(self, writer, id, error):
        """A request without a response must be one that the server has not read."""
        if error.has_begun or not error.is_fresh and error.idle < IDLE or id in self.server.logged_ids():
            raise Failure(f"unanswered: {id}: {error}")
        self.unread += 1
        writer.unanswered = None


def main(cycles="10", cycles_on_files="3"):
    served = program()
    with tempfile.TemporaryDirectory() as folder:
        for kind in STORES:
            for what in STORES[kind].plants:
                damaged = Cycles(served, folder, kind)
                caught(f"{FINDINGS.get(what, what)}: ",
                       lambda: damaged.run(CYCLES_OF_A_STORE, lambda _: damaged.kill(what)))
        for kind, action in [("unanswered", "kill -9 $pid; exit 0"),
                             ("typed", "kill -TERM $pid; while kill -0 $pid 2> /dev/null; do sleep 0.05; done; exit 3")]:
            faulty = script(folder, f'"{served}" "$@" &\npid=$!\ntrap \'{action}\' TERM\nwait "$pid"')
            stops = Cycles(faulty, folder, "sqlite")
            caught(f"{kind}: ", lambda: stops.run(5, stops.stop))
        for kind, count in [("sqlite", int(cycles)), ("file", int(cycles_on_files))]:
            kills = Cycles(served, folder, kind)
            what, took = kills.run(count, lambda _: kills.kill())
            print(f"proof: kill -9 of a server, {what}, {kills.acknowledged} writes acknowledged, {kills.again} sent again "
                  f"under their keys, 0 lost, 0 doubled, 0 torn, {took}", flush=True)
        stops = Cycles(served, folder, "sqlite")
        what, took = stops.run(int(cycles), stops.stop)
        print(f"proof: SIGTERM of a server, {what}, {stops.answered} requests answered, 0 begun and not answered, "
              f"{stops.unread} never read; {stops.told} streams told, {stops.uploads} uploads ended, ready: 503 "
              f"{stops.ready[503]} times, refused {stops.ready[0]}; slowest exit {stops.slowest:.2f} s, {took}")
