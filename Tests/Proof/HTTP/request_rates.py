"""request-rates [ROUNDS]: while one user sends 1,000 requests a second, beyond its rate, others go on.

The user gets at most its rate, and 429 for all other requests. The 99th percentile of another user's reads and writes is at
most 1.2 times that without the flood: the median of the ratios of rounds (5), each of two seconds with the flood and two
without, of a release build.
"""
import http.client
import json
import multiprocessing
import tempfile
import time

from served import Connection, Failure, Server, caught, program

RATE, FLOOD, PACE, WINDOW, LIMIT = 250, 1000, 200, 2.0, 1.2
"""Requests a second of one user that are permitted, of the flood, and of the other user; seconds; a ratio."""


class Caller:
    """A connection with the token of one user."""

    def __init__(self, server, token):
        self.address, self.token = server.address, token

    @property
    def fields(self):
        return {"Authorization": f"Bearer {self.token}"}

    def client(self):
        return http.client.HTTPConnection(*self.address, timeout=30)


def paced(rate, seconds, work):
    """Calls work at a rate, and catches up after delays."""
    start, count = time.monotonic(), int(rate * seconds)
    for number in range(count):
        time.sleep(max(0, start + number / rate - time.monotonic()))
        work(number)


def flood(caller, path, seconds, results):
    """Sends requests of one user, and counts the statuses."""
    connection, counts = Connection(caller), {}

    def send(_):
        status = connection.request("GET", path).status
        counts[status] = counts.get(status, 0) + 1

    paced(FLOOD, seconds, send)
    results.put(counts)


def slowest(caller, path, tag):
    """The 99th percentile of the seconds of reads and writes."""
    connection, times = Connection(caller), []

    def send(number):
        began = time.monotonic()
        if number % 4:
            connection.expect(200, "GET", path)
        else:
            body = json.dumps({"name": f"written {tag} {number}", "parts": []}).encode()
            connection.expect(200, "PUT", path, body, {"If-Match": "*"})
        times.append(time.monotonic() - began)

    paced(PACE, WINDOW, send)
    return sorted(times)[len(times) * 99 // 100]


def user(server, name):
    """Makes a user with a token."""
    connection = Connection(server)
    account = connection.expect(201, "POST", "/v1/accounts", json.dumps({"name": name}).encode()).json["id"]
    token = connection.expect(201, "POST", f"/v1/accounts/{account}/tokens", b'{"label":"proof"}').json["token"]
    return Caller(server, token)


def measure(built, rounds, **settings):
    """Floods a server in rounds.

    Returns: the ratios, and the numbers of admitted and refused requests of the flood.
    """
    with tempfile.TemporaryDirectory() as folder:
        with Server(built, f"sqlite:{folder}/store.sqlite", "normal", f"{folder}/log", **settings) as server:
            other, greedy = user(server, "other"), user(server, "greedy")
            item = server.make_item("soup")
            slowest(other, item, "warm")
            ratios, refused, admitted = [], 0, 0
            for number in range(rounds):
                quiet = slowest(other, item, f"quiet {number}")
                results = multiprocessing.Queue()
                process = multiprocessing.Process(target=flood, args=(greedy, item, WINDOW + 0.5, results))
                process.start()
                time.sleep(0.3)
                busy = slowest(other, item, f"busy {number}")
                counts = results.get(timeout=60)
                process.join()
                if set(counts) - {200, 429}:
                    raise Failure(f"typed: the flood had the statuses {counts}")
                ratios.append(busy / quiet)
                admitted, refused = admitted + counts.get(200, 0), refused + counts.get(429, 0)
                print(f"p99 {quiet * 1e3:.2f} ms without the flood, {busy * 1e3:.2f} ms with it; flood: {counts}", flush=True)
    # The bucket is full at the start of a round.
    if not refused or admitted > RATE * ((WINDOW + 0.5) * 1.1 + 1) * rounds:
        raise Failure(f"typed: of the flood, {admitted} requests were admitted, and {refused} refused")
    return ratios, admitted, refused


def main(rounds="5"):
    built = program("ProofProgram", "-c", "release")
    caught("typed: of the flood", lambda: measure(built, 1))
    ratios, admitted, refused = measure(built, int(rounds), request_rate=RATE, request_burst=RATE)
    median = sorted(ratios)[len(ratios) // 2]
    print(f"proof: request-rates, {admitted} requests of the flood admitted, {refused} refused, "
          f"p99 of another user {median:.2f} times that without the flood ({min(ratios):.2f}-{max(ratios):.2f})")
    if median > LIMIT:
        raise Failure(f"grown: the p99 of another user is {median:.2f} times that without the flood")
