"""postgres-processes [ROUNDS [costs]]: two service processes on one PostgreSQL server, which ends under load in three ways.

Eight clients create items through both processes. A request that is refused or not answered is sent again under its
idempotency key, to any process. During an outage, responses must be 503 with `Retry-After`. Afterwards, each item must
be there once. A client of the change stream, which changes the process after every few events, must get each item once,
in the same order as a client that stays. The first operator is registered once, when both processes start together.
A process whose store is replaced by a restore ends.
With `costs`, the CPU time of a request is compared, in a release build, with one process, with two, and with two that have
a database each. The latter share nothing of ours, but cost more than one, too: each gets half of the requests, so that its
threads sleep and are woken more often, and both share the caches of the processors.
"""
import http.client
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import uuid
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

from postgres import PROGRAMS, Database
from served import SEED, Connection, Failure, Refused, Server, Unanswered, caught, program

CLIENTS = 8
LONGEST_RECOVERY = 2.0
"""The maximum seconds from the start of the database server to the first acknowledged write."""
CPU_RATIO = 1.15
"""The maximum CPU time of a request with two processes on one database, relative to two with a database each."""
ENDS = {"stop fast": lambda database: database.stop("fast"), "stop immediate": lambda database: database.stop("immediate"),
        "kill -9": Database.kill}


class Load:
    """Clients that create items, until they are stopped."""

    def __init__(self, servers):
        self.servers, self.stopped = servers, threading.Event()
        self.acknowledged, self.refused, self.again = {}, 0, 0
        self.lock, self.last = threading.Lock(), 0.0

    def client(self, number):
        chance = random.Random(f"{SEED} {number}")
        connections = [Connection(server) for server in self.servers]
        made = 0
        while not self.stopped.is_set():
            made += 1
            self.create(f"{number}-{made}", connections, chance)

    def create(self, name, connections, chance):
        key, body = {"Idempotency-Key": str(uuid.uuid4())}, json.dumps({"name": name, "parts": []}).encode()
        for attempt in range(10_000):
            try:
                answer = chance.choice(connections).request("POST", "/v1/items", body, key)
            except (Unanswered, Refused) as error:
                raise Failure(f"unanswered: {name}: {error}") from error
            if answer.status == 201:
                with self.lock:
                    self.acknowledged[name] = answer.json["id"]
                    self.again += attempt > 0
                    self.last = time.monotonic()
                return
            if answer.status != 503 or "Retry-After" not in answer.fields:
                raise Failure(f"typed: an outage is answered with {answer.status} {dict(answer.fields)} {answer.body[:200]}")
            self.refused += 1
            time.sleep(0.02)
        raise Failure(f"unanswered: {name} was refused to the end")


class Follower:
    """A client of the change stream, which changes the process after a number of events."""

    def __init__(self, servers, events):
        self.servers, self.events, self.names, self.tokens = servers, events, [], []
        self.stopped, self.position = threading.Event(), None

    def run(self):
        turn = 0
        while not self.stopped.is_set():
            self.read(self.servers[turn % len(self.servers)])
            turn += 1

    def read(self, server):
        client = http.client.HTTPConnection(*server.address, timeout=0.5)
        fields = server.fields | ({"Last-Event-ID": self.position} if self.position else {})
        try:
            client.request("GET", "/v1/changes", headers=fields)
            answer, event, read = client.getresponse(), {}, 0
            if answer.status == 503:
                time.sleep(0.02)
            while answer.status == 200 and read < self.events and not self.stopped.is_set():
                line = answer.readline().decode()
                # An event that the end of the stream has cut is discarded, as browsers do.
                if not line.endswith("\n"):
                    break
                if line := line.rstrip("\n"):
                    name, _, value = line.partition(": ")
                    event[name] = value
                    continue
                read += self.take(event)
                event = {}
        except (TimeoutError, OSError, http.client.HTTPException):
            pass
        finally:
            client.close()

    def take(self, event):
        if "id" not in event:
            return 0
        self.position = event["id"]
        # A heartbeat has only an id.
        if event.get("event") == "reset":
            raise Failure(f"lost: the stream was reset: {event}")
        if event.get("event") != "change":
            return 0
        self.tokens.append(int(event["id"].split("-")[1]))
        self.names += [change["id"] for change in json.loads(event["data"])["changes"] if change["entity"] == "item"]
        return 1


def judge(database, name, load, followers):
    """Compares the table and the streams with the acknowledged items."""
    found = dict.fromkeys(load.acknowledged, 0)
    for text, count in database.query(name, "SELECT name, count(*) FROM item GROUP BY name"):
        found[text] = int(count)
    if lost := [text for text in load.acknowledged if found[text] == 0]:
        raise Failure(f"lost: {len(lost)} items, such as {lost[0]}")
    if doubled := [text for text, count in found.items() if count > 1]:
        raise Failure(f"doubled: {len(doubled)} items, such as {doubled[0]}")
    wanted = set(load.acknowledged.values())
    for follower in followers:
        if len(follower.names) != len(set(follower.names)) or follower.tokens != sorted(follower.tokens):
            raise Failure("doubled: a stream repeated a change, or was not in order")
        if missing := wanted - set(follower.names):
            raise Failure(f"lost: {len(missing)} of {len(wanted)} changes in a stream")
    if any(follower.names != followers[0].names for follower in followers):
        raise Failure("lost: the streams differ in their order")


def outages(database, served, folder, rounds):
    """Ends the database server in each way, for a number of rounds."""
    database.create("outages")
    servers = together(database, served, folder, "outages")
    with servers[0], servers[1]:
        load, followers = Load(servers), [Follower(servers, 7), Follower(servers[:1], sys.maxsize)]
        connection = Connection(servers[0])
        for follower in followers:
            follower.position = start(connection)
        slowest = {}
        with ThreadPoolExecutor() as pool:
            running = [pool.submit(load.client, number) for number in range(CLIENTS)]
            reading = [pool.submit(follower.run) for follower in followers]
            try:
                for what, end in ENDS.items():
                    for _ in range(rounds):
                        time.sleep(0.3)
                        end(database)
                        time.sleep(0.1)
                        database.start()
                        slowest[what] = max(slowest.get(what, 0), recovery(load, running))
            finally:
                time.sleep(0.3)
                load.stopped.set()
                for client in running:
                    client.result()
                settle(load, followers, reading)
        judge(database, "outages", load, followers)
        database.query("outages", "DELETE FROM item WHERE id = (SELECT id FROM item LIMIT 1)")
        caught("lost: ", lambda: judge(database, "outages", load, followers))
        database.query("outages", "UPDATE item SET name = (SELECT min(name) FROM item)")
        caught("lost: |doubled: ", lambda: judge(database, "outages", load, followers))
    if max(slowest.values()) > LONGEST_RECOVERY:
        raise Failure(f"unanswered: the slowest recovery took {slowest}")
    shown = ", ".join(f"{what} {seconds:.2f} s" for what, seconds in slowest.items())
    return (f"{3 * rounds} outages, {len(load.acknowledged)} items acknowledged by 2 processes, {load.refused} times 503, "
            f"{load.again} sent again, 0 lost, 0 doubled, 2 streams complete and in one order, slowest recovery: {shown}")


def start(connection):
    """The position of the stream now."""
    client = http.client.HTTPConnection(*connection.server.address, timeout=10)
    client.request("GET", "/v1/changes", headers=connection.server.fields)
    answer = client.getresponse()
    while True:
        line = answer.readline().decode()
        if line.startswith("id: "):
            client.close()
            return line[4:].strip()


def recovery(load, running):
    """The seconds from now to the next acknowledged item."""
    began = time.monotonic()
    while load.last < began:
        if any(client.done() for client in running):
            return 0.0  # Its failure is raised later.
        if time.monotonic() - began > 60:
            raise Failure("unanswered: no write for 60 s after the server has started")
        time.sleep(0.002)
    return load.last - began


def settle(load, followers, reading):
    """Waits until the followers have read everything."""
    began = time.monotonic()
    while any(len(follower.names) < len(load.acknowledged) for follower in followers):
        if time.monotonic() - began > 60 or any(reader.done() for reader in reading):
            break
        time.sleep(0.01)
    for follower in followers:
        follower.stopped.set()
    for reader in reading:
        reader.result()


def together(database, served, folder, name):
    """Two processes that start at the same time on a new database: one operator."""
    with ThreadPoolExecutor() as pool:
        starting = [pool.submit(Server, served, database.location(name), "full", f"{folder}/{name}-{number}.log")
                    for number in range(2)]
        servers = [one.result() for one in starting]
    if (count := database.query(name, "SELECT count(*) FROM account WHERE is_operator = 1")[0][0]) != "1":
        raise Failure(f"doubled: there are {count} operators")
    return servers


def first_tokens(database, served, folder, rounds):
    """Starts two processes on a new database: exactly one prints the first token."""
    for number in range(rounds):
        database.create(f"first{number}")
        processes = [
            subprocess.Popen([served, "serve", "--store", database.location(f"first{number}"), "--http-port", "0"],
                             stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) for _ in range(2)]
        lines = []
        for process in processes:
            while True:
                lines.append(process.stdout.readline())
                if lines[-1].startswith("Store: ") or not lines[-1]:
                    break
        for process in processes:
            process.terminate()
            process.wait()
        if (count := sum("shown only once" in line for line in lines)) != 1:
            raise Failure(f"doubled: {count} first tokens: {lines}")


def replaced(database, served, folder):
    """Replaces a store below a process, which must end: another process of its supervisor then opens the new store."""
    database.create("replaced")
    location, backup = database.location("replaced"), f"{folder}/replaced.backup"
    with Server(served, location, "full", f"{folder}/replaced.log") as server:
        for words in ["backup", backup], ["restore", backup, "--replace"]:
            subprocess.run([served, *words, "--store", location], check=True, stdout=subprocess.DEVNULL,
                           stderr=subprocess.DEVNULL)
        try:
            status = server.process.wait(10)
        except subprocess.TimeoutExpired as error:
            raise Failure("unanswered: a process whose store was replaced runs on") from error
        if status != os.EX_UNAVAILABLE or "a restore has replaced the store" not in server.log.read_text():
            raise Failure(f"typed: a process whose store was replaced exits with {status}")


def cpu_time(server):
    fields = open(f"/proc/{server.process.pid}/stat").read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def cost(servers, paths, requests, work):
    """The CPU seconds of a request, in all processes."""
    before = sum(map(cpu_time, servers))
    with ThreadPoolExecutor() as pool:
        running = []
        for client in range(CLIENTS):
            number = client % len(servers)
            running.append(pool.submit(work, Connection(servers[number]), paths[number][client], requests // CLIENTS))
        for client in running:
            client.result()
    return (sum(map(cpu_time, servers)) - before) / requests


def read(connection, path, count):
    for _ in range(count):
        connection.expect(200, "GET", path)


def update(connection, path, count):
    tag = connection.expect(200, "GET", path).fields["ETag"]
    for number in range(count):
        body = json.dumps({"name": f"{path} {number}", "parts": []}).encode()
        tag = connection.expect(200, "PUT", path, body, {"If-Match": tag}).fields["ETag"]


def compare_costs(database, served, folder, requests=4000):
    """Compares the CPU time of a request in alternation, while four processes run."""
    for name in ["costs", "apart-0", "apart-1"]:
        database.create(name)
    with ExitStack() as stack:
        servers = [stack.enter_context(server) for server in together(database, served, folder, "costs")]
        apart = [stack.enter_context(Server(served, database.location(name), "full", f"{folder}/{name}.log"))
                 for name in ["apart-0", "apart-1"]]
        items = [servers[0].make_item(f"item {client}") for client in range(CLIENTS)]
        groups = [(servers[:1], [items]), (servers, [items] * 2),
                  (apart, [[server.make_item(f"item {client}") for client in range(CLIENTS)] for server in apart])]
        return "CPU time of a request with one process, with two, and with two that share no database: " + ", ".join(
            measured(groups, requests))


def measured(groups, requests):
    shown = []
    for work in [read, update]:
        for group in groups:
            cost(*group, requests // 4, work)
        rounds = [[cost(*group, requests, work) for group in groups] for _ in range(5)]
        one, two, apart = (sorted(column)[2] * 1e6 for column in zip(*rounds))
        shown.append(f"{work.__name__} {one:.0f}, {two:.0f} and {apart:.0f} µs ({two / one:.2f} of one, "
                     f"{two / apart:.2f} of two apart)")
        if two > apart * CPU_RATIO:
            raise Failure(f"grown: CPU time with two processes: {shown}")
    return shown


def main(rounds="5", costs=None):
    if not (PROGRAMS / "initdb").exists():
        print("proof: postgres-processes was skipped: no PostgreSQL server is installed")
        return
    options = ["--configuration", "release"] if costs else []
    served = program("ProofProgram", "--traits", "default,Postgres", *options)
    folder = tempfile.mkdtemp()
    try:
        with Database() as database:
            first_tokens(database, served, folder, 3)
            replaced(database, served, folder)
            print(f"proof: postgres-processes, {outages(database, served, folder, int(rounds))}", flush=True)
            if costs:
                print(f"proof: postgres-processes, {compare_costs(database, served, folder)}", flush=True)
    finally:
        shutil.rmtree(folder)
