"""cookbook-attacks [SECONDS [PROGRAM]]: clients that try to occupy the sample's service, one kind of request after another.

For each attack in `attack_requests`, other clients must be served: `/health/live` within 100 ms, and an administrator's
read and write within 500 ms (99th percentiles). The service must need at most 256 MB more memory during the attack and
64 MB more after it (256 MB more after all attacks), must not end, and must serve as before 30 s after the attack.

SECONDS is the length of an attack (10 by default), against a release build, whose limits are for two processors that
nothing else uses. With `ci`, six attacks of 5 s run against a debug build. Their limits are relative to an idle service
that is asked at the same time, so that they do not depend on the machine's load. PROGRAM replaces the program.
"""
import json
import multiprocessing
import os
import pathlib
import random
import re
import subprocess
import tempfile
import threading
import time

from attack_requests import ATTACKS, Client
from served import SEED, Connection, Failure, Refused, Server, Unanswered, caught, program, script

LIVE, ADMINISTRATOR = 0.1, 0.5
"""The maximum seconds of `/health/live`, and of an administrator's read and write: 99th percentiles."""
DURING, AFTER = 256 << 20, 64 << 20
"""The maximum additional memory in bytes, during an attack and after it."""
RECOVERY = 30
"""The seconds after an attack within which the service serves as before."""
RECIPES, RECIPES_IN_CI = 14_720, 1_000
INTERVALS = {"live": 0.02, "read": 0.1, "write": 0.1}
"""The seconds between the requests of each kind that measure the service."""
LARGE_STEPS = 400
CALLERS = ["reader", "cook"]
STUBBORN = '''exec python3 - "$@" <<'PROGRAM'
import http.server, sys, time

class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Length", "2")
        self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(b"{}")

    def do_POST(self):
        if "import" in self.path:
            time.sleep(2)
        self.do_GET()

    def log_message(self, *_):
        pass

server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
print(f"Serves http://127.0.0.1:{server.server_port}/\\ntoken: none", flush=True)
server.serve_forever()
PROGRAM'''
"""A server with the defect that the proof must find: one import occupies its only thread."""


def recipes(count):
    """Recipes with random words, in lines."""
    chance = random.Random(SEED)
    letters = "abcdefghijklmnoprstuvw"
    words = ["".join(chance.choice(letters) for _ in range(chance.randrange(3, 9))) for _ in range(4_000)]
    for number in range(count):
        yield json.dumps({
            "@type": "Recipe", "identifier": f"attack-{number}", "name": " ".join(chance.sample(words, 3)),
            "recipeIngredient": [f"{n + 1} {chance.choice(words)}" for n in range(8)],
            "recipeInstructions": [" ".join(chance.choices(words, k=20)) for _ in range(7)],
            "keywords": chance.sample(words[:100], 2)})


class Cookbook(Server):
    """The sample's service with recipes, and one user of each role."""

    def __init__(self, larder, folder, count, users=CALLERS):
        store, folder = f"sqlite:{folder}/store.sqlite", pathlib.Path(folder)
        self.tokens = {}
        if count:
            file = folder / "recipes.jsonl"
            file.write_text("\n".join(recipes(count)))
            self.command(larder, store, "import", str(file))
        for role in users:
            name = f"{role}@example.org"
            self.command(larder, store, "users", "add", name, "--first", "A", "--last", "B", "--role", role)
            self.tokens[role] = self.command(larder, store, "users", "token", name).strip()
        super().__init__(larder, store, "full", folder / "log")

    @staticmethod
    def command(larder, store, *words):
        return subprocess.run(
            [larder, *words, "--store", store], check=True, text=True, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL).stdout

    def recipe(self, name, steps, token=None):
        connection = Connection(self)
        body = json.dumps({"name": name, "steps": [{"text": text} for text in steps]}).encode()
        fields = {"Authorization": f"Bearer {token}"} if token else {}
        path = f"/v1/recipes/{connection.expect(201, 'POST', '/v1/recipes', body, fields).json['id']}"
        connection.close()
        return path

    def target(self):
        """What the clients of an attack know."""
        cook, long = self.tokens["cook"], [f"{number} " + "x" * 9_000 for number in range(LARGE_STEPS)]
        return {
            "address": self.address, "tokens": self.tokens, "recipe": self.recipe("Target", ["Cook."]),
            "own": self.recipe("Own", ["Cook."], cook), "large": self.recipe("Large", long),
            "own large": self.recipe("Own large", long, cook),
        }


class Service:
    """A running service, and the requests that measure it."""

    def __init__(self, server):
        self.server, self.mine = server, None
        self.files = pathlib.Path(f"/proc/{server.process.pid}")

    def prepare(self):
        self.mine = self.server.recipe("Mine", ["Cook."])

    def memory(self, name="VmRSS"):
        """The resident memory in bytes, or its peak since the last reset."""
        try:
            return int(re.search(rf"^{name}:\s+([0-9]+) kB$", (self.files / "status").read_text(), re.MULTILINE)[1]) << 10
        except (OSError, TypeError) as error:
            raise Failure(f"unanswered: the service has ended with {self.server.process.poll()}") from error

    def requests(self):
        rating = json.dumps({"rating": 2}).encode(), json.dumps({"rating": 3}).encode()
        yield "live", "GET", "/health/live", (None, None)
        if self.mine:
            yield "read", "GET", self.mine, (None, None)
            yield "write", "POST", self.mine + "/rate", rating


def measure(service, kind, method, path, bodies, end, times):
    """Repeats a request at its interval, and notes the seconds that each takes.

    A request that was due while another took longer counts as well: it would have waited for the rest of that time.
    """
    connection, number = Connection(service.server), 0
    while time.monotonic() < end.value or not times:
        began = time.monotonic()
        try:
            answer = connection.request(method, path, bodies[number % 2])
            if answer.status != 200:
                connection.close()
        except (Unanswered, Refused, Failure):
            connection.close()
            answer = None
        number += 1
        took = time.monotonic() - began
        if answer is None or answer.status != 200:
            took = max(took, 5.0)
            time.sleep(0.2)
        while took > 0:
            times.append(took)
            took -= INTERVALS[kind]
        time.sleep(max(0.0, began + INTERVALS[kind] - time.monotonic()))
    connection.close()


def measuring(services, end, results):
    """Measures services at the same time, in a process of higher priority than the clients of the attack."""
    raise_priority(-10)
    threads, found = [], {}
    for name, service in services.items():
        for kind, method, path, bodies in service.requests():
            times = found[f"{name} {kind}"] = []
            threads.append(threading.Thread(target=measure, args=[service, kind, method, path, bodies, end, times]))
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    results.put({name: late(times) for name, times in found.items()})


def late(times):
    """The 99th percentile."""
    return sorted(times)[int(len(times) * 0.99)] if times else float("inf")


def raise_priority(by):
    try:
        os.nice(by)
    except PermissionError:
        pass


def attacking(name, target, end, results):
    raise_priority(10)
    caller, count, work = ATTACKS[name]
    clients = [Client(target, caller, number, end) for number in range(count)]

    def run(client):
        while not client.is_over:
            try:
                work(client)
            except OSError:
                time.sleep(0.05)

    threads = [threading.Thread(target=run, args=[client]) for client in clients]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for client in clients:
        for connection in client.held:
            connection.close()
    statuses = {}
    for client in clients:
        for status, number in client.statuses.items():
            statuses[status] = statuses.get(status, 0) + number
    results.put(statuses)


def measured(services, seconds, beside=None):
    """The 99th percentiles of all requests during some seconds. `beside` runs at the same time, and gets their end."""
    end, results = multiprocessing.Value("d", time.monotonic() + seconds), multiprocessing.SimpleQueue()
    process = multiprocessing.Process(target=measuring, args=[services, end, results])
    process.start()
    if beside:
        beside(end.value)
    found = results.get()
    process.join()
    return found


class Trial:
    """One attack after another on one service."""

    def __init__(self, services, target, seconds, limits):
        self.services, self.target, self.seconds, self.limits = services, target, seconds, limits
        self.attacked = services["attacked"]
        self.findings = []

    def run(self, names):
        print(f"{'live':>7} {'read':>7} {'write':>7} {'MB':>6} {'after':>6} {'s':>3}  attack (seconds, p99)", flush=True)
        measured(self.services, 2)
        base = self.attacked.memory()
        for name in names:
            self.attack(name)
        # Caches fill and the allocator keeps pages, once for all attacks.
        if (left := self.attacked.memory() - base) > DURING:
            self.findings.append(f"{left >> 20} MB after all attacks")
        if self.findings:
            raise Failure("unanswered: " + "; ".join(self.findings))

    def attack(self, name):
        (self.attacked.files / "clear_refs").write_text("5")
        before, statuses = self.attacked.memory(), multiprocessing.SimpleQueue()
        process = None

        def beside(end):
            nonlocal process
            process = multiprocessing.Process(target=attacking, args=[name, self.target, end, statuses])
            process.start()

        found = measured(self.services, self.seconds, beside)
        answers = statuses.get()
        process.join()
        peak = self.attacked.memory("VmHWM") - before
        broken = self.beyond(found)
        since, left, later = time.monotonic(), self.attacked.memory() - before, self.beyond(found)
        while (later or left > AFTER) and time.monotonic() < since + RECOVERY:
            later = self.beyond(measured(self.services, 1))
            left = self.attacked.memory() - before
        recovery = time.monotonic() - since
        if peak > DURING:
            broken.append(f"{peak >> 20} MB during it")
        if later or left > AFTER:
            broken += [f"after {RECOVERY} s {one}" for one in later] + [f"after {RECOVERY} s {left >> 20} MB"]
        row = " ".join(f"{found.get('attacked ' + kind, 0):7.3f}" for kind in INTERVALS)
        print(f"{row} {peak >> 20:>6} {left >> 20:>6} {recovery:>3.0f}  {name} {answers}"
              f"{' BROKEN: ' + ', '.join(broken) if broken else ''}", flush=True)
        if broken:
            self.findings.append(f"{name}: {', '.join(broken)}")

    def beyond(self, found):
        limits = self.limits(found)
        return [f"{kind} after {found[f'attacked {kind}']:.3f} s" for kind, most in limits.items()
                if found.get(f"attacked {kind}", 0) > most]


def fixed(_):
    return {"live": LIVE, "read": ADMINISTRATOR, "write": ADMINISTRATOR}


def relative(found):
    """The limits for a debug build on a machine of any load."""
    return {kind: 2 + 4 * found[f"idle {kind}"] for kind in INTERVALS}


def find_planted_fault(folder):
    """A server that one import occupies must be found."""
    file = script(folder, STUBBORN)
    with Server(file, "memory:", "full", f"{folder}/stubborn.log") as server:
        service = Service(server)
        target = {"address": server.address, "tokens": {}}
        caught("unanswered: an import of short lines: live", lambda: Trial(
            {"attacked": service}, target, 3, lambda _: {"live": LIVE}).run(["an import of short lines"]))
        server.process.kill()


def main(seconds="10", larder=None):
    in_ci = seconds == "ci"
    names = list(ATTACKS)[:6] if in_ci else list(ATTACKS)
    larder = larder or program("larder", *([] if in_ci else ["--configuration", "release"]))
    with tempfile.TemporaryDirectory() as folder:
        find_planted_fault(folder)
        idle = pathlib.Path(folder, "idle")
        idle.mkdir()
        with Cookbook(larder, folder, RECIPES_IN_CI if in_ci else RECIPES) as server:
            services = {"attacked": Service(server)}
            services["attacked"].prepare()
            if not in_ci:
                Trial(services, server.target(), float(seconds), fixed).run(names)
            else:
                with Cookbook(larder, idle, 0, []) as other:
                    services["idle"] = Service(other)
                    services["idle"].prepare()
                    Trial(services, server.target(), 5, relative).run(names)
    print(f"proof: {len(names)} attacks, others served in time")
