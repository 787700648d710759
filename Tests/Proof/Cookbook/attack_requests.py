"""The requests of `cookbook-attacks`: each attack is some clients that repeat one kind of request until the attack is over.

A caller is `None` (anonymous), "reader" or "cook". The clients never wait for anything but the server.
"""
import contextlib
import json
import random
import socket
import struct
import time

MEGABYTE = 1 << 20


class Client:
    """One client of an attack. A connection is used for one request."""

    def __init__(self, target, caller, number, end):
        self.target, self.token, self.number, self.end = target, target["tokens"].get(caller), number, end
        self.chance, self.held, self.statuses = random.Random(number), [], {}

    @property
    def is_over(self):
        return time.monotonic() >= self.end

    def head(self, method, path, length=None, **fields):
        lines = [f"{method} {path} HTTP/1.1", "Host: localhost", "Connection: close"]
        if self.token:
            lines.append(f"Authorization: Bearer {self.token}")
        if length is not None:
            lines.append(f"Content-Length: {length}")
        lines += [f"{name.replace('_', '-')}: {value}" for name, value in fields.items()]
        return "\r\n".join([*lines, "", ""]).encode()

    def message(self, method, path, body=b"", **fields):
        fields.setdefault("Content_Type", "application/json")
        return self.head(method, path, len(body), **fields) + body

    def connected(self, buffer=None):
        client = socket.socket()
        if buffer:
            client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
        # A connection that is closed with unread bytes is reset, which frees the system's buffers.
        client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        client.settimeout(max(0.1, self.end - time.monotonic()))
        client.connect(tuple(self.target["address"]))
        return client

    def ask(self, message):
        """Sends a request and reads its response to the end, or as far as the attack lasts."""
        with contextlib.suppress(OSError), self.connected() as client:
            # A server that refuses a body responds before it was sent.
            with contextlib.suppress(BrokenPipeError, ConnectionResetError):
                client.sendall(message)
            start = client.recv(65536)
            status = start[9:12].decode(errors="replace") or "none"
            self.statuses[status] = self.statuses.get(status, 0) + 1
            while client.recv(MEGABYTE):
                pass

    def leave(self, message, after=0.0):
        """Sends a request and disconnects without reading the response."""
        with contextlib.suppress(OSError), self.connected() as client:
            client.sendall(message)
            time.sleep(after)

    def hold(self, message):
        """Sends a request on a connection that stays open and is never read."""
        with contextlib.suppress(OSError):
            client = self.connected(buffer=4096)
            client.sendall(message)
            self.held.append(client)

    def wait(self):
        time.sleep(max(0.0, min(0.2, self.end - time.monotonic())))


def repeated(make):
    """An attack whose clients send the same message again and again. `make` gets a client, and returns the message."""
    def attack(client):
        message = make(client)
        while not client.is_over:
            client.ask(message)
    return attack


def held(make, count):
    """An attack whose clients keep a number of unread responses."""
    def attack(client):
        while not client.is_over:
            if len(client.held) < count:
                client.hold(make(client))
            else:
                client.wait()
    return attack


def left(make, after=0.01):
    """An attack whose clients disconnect after each request."""
    def attack(client):
        while not client.is_over:
            client.leave(make(client), after)
    return attack


def steps(count):
    return b'{"name":"x","steps":[' + b",".join([b"{}"] * count) + b"]}"


def post(path, body, **fields):
    return repeated(lambda client: client.message("POST", path, body, **fields))


def get(path, **fields):
    return repeated(lambda client: client.head("GET", path, **fields))


def lines(text, size):
    return post("/v1/import", text * (size // len(text)), Content_Type="application/x-ndjson")


def long_lists(client):
    """Each of eight clients stores five recipes of 3.6 MB. Then they list all of them."""
    long = [f"{number} " + "x" * 9_000 for number in range(400)]
    for number in range(5):
        body = json.dumps({"name": f"Long {client.number} {number}", "steps": [{"text": text} for text in long]})
        client.ask(client.message("POST", "/v1/recipes", body.encode()))
    repeated(lambda _: client.head("GET", LONG_LIST))(client)


LONG_LIST = "/v1/recipes?name=Long&limit=200"


def prefixes(client):
    """A search of 16 prefixes of one letter, different in each request."""
    words = "+".join(client.chance.choice("abcdefghijklmnoprstuvw") + "*" for _ in range(16))
    return client.head("GET", f"/v1/recipes?search={words}&total=true&limit=200")


def cursors(client):
    return client.head("GET", f"/v1/recipes?limit=200&total=true&under={client.chance.randrange(1, 10**6)}")


def tags(client):
    ids = ",".join(f"{client.chance.getrandbits(128):032x}" for _ in range(100))
    ids = ",".join(f"{one[:8]}-{one[8:12]}-7{one[13:16]}-8{one[17:20]}-{one[20:]}" for one in ids.split(","))
    return client.head("GET", f"/v1/recipes?tag={ids}&total=true&limit=200")


def change(method, body, path="recipe", suffix="", **fields):
    return repeated(lambda client: client.message(
        method, client.target[path] + suffix, body, **({"If_Match": "*"} | fields)))


def keys(client):
    """Requests that each use a new idempotency key."""
    body = json.dumps({"rating": 3}).encode()
    number = 0
    while not client.is_over:
        number += 1
        client.ask(client.message(
            "POST", client.target["own"] + "/rate", body, Idempotency_Key=f"{client.number}-{number}"))


def tokens(client):
    """Requests with a token that is not valid, each another."""
    while not client.is_over:
        client.token = f"larder_{client.chance.getrandbits(256):064x}"
        client.ask(client.head("GET", "/v1/recipes"))


def pipelined(client):
    """Many requests that are sent without waiting for their responses."""
    message = client.head("GET", "/v1/recipes?limit=200").replace(b"Connection: close\r\n", b"") * 200
    while not client.is_over:
        client.leave(message, 0.1)


def slow(client):
    """A body that arrives one byte at a time, in chunks."""
    head = client.message("POST", "/v1/import", Content_Type="application/x-ndjson", Transfer_Encoding="chunked")
    head = head.replace(b"Content-Length: 0\r\n", b"")
    while not client.is_over:
        with contextlib.suppress(OSError), client.connected() as connection:
            connection.sendall(head)
            while not client.is_over:
                connection.sendall(b"1\r\n1\r\n1\r\n\n\r\n" * 64)


def photo(method, size):
    return lambda client: repeated(lambda client: client.message(
        method, client.target["recipe"] + "/photo", b"\x89PNG\r\n\x1a\n" + bytes(size), Content_Type="image/png",
        If_Match="*"))(client)


def escapes(size):
    return b'{"name":"' + b"\\u00e9" * (size // 6) + b'"}'


def members(size):
    return b"{" + b",".join(b'"m%d":1' % number for number in range(size // 12)) + b"}"


EIGHT = 8 * MEGABYTE - 64
"""The largest body of a recipe."""

ATTACKS = {
    # name: (caller, number of clients, work)
    "an import of short lines": ("cook", 2, lines(b"1\n", 16 * MEGABYTE)),
    "recipes of empty steps, not permitted": ("reader", 2, post("/v1/recipes", steps(EIGHT // 3 - 64))),
    "a large recipe that is not modified": (
        None, 64, repeated(lambda client: client.head("GET", client.target["large"], If_None_Match="*"))),
    "searches of 16 prefixes by clients that leave": (None, 64, left(prefixes)),
    "unread change streams": (None, 8, held(lambda client: client.head("GET", "/v1/changes"), 125)),
    "imports with unread results": ("cook", 32, held(lambda client: client.message(
        "POST", "/v1/import", b"1\n" * (2 * MEGABYTE), Content_Type="application/x-ndjson"), 1)),
    # Siblings.
    "unread lists": (None, 30, held(lambda client: client.head("GET", "/v1/recipes?limit=200"), 10)),
    "searches of 16 prefixes": (None, 16, lambda client: repeated(prefixes)(client)),
    "searches of 16 prefixes by a reader": ("reader", 32, left(prefixes, 0.05)),
    "recipes of empty steps": ("cook", 4, post("/v1/recipes", steps(EIGHT // 3 - 64))),
    "recipes of empty steps, anonymous": (None, 4, post("/v1/recipes", steps(EIGHT // 3 - 64))),
    "replacements by empty steps, not permitted": ("reader", 2, change("PUT", steps(EIGHT // 3 - 64))),
    "patches of many members": ("cook", 2, change(
        "PATCH", members(EIGHT), "own", Content_Type="application/merge-patch+json")),
    "patches by a reader": ("reader", 2, change(
        "PATCH", members(EIGHT), Content_Type="application/merge-patch+json")),
    "one number of many digits": ("cook", 2, post("/v1/recipes", b'{"name":' + b"1" * EIGHT + b"}")),
    "one text of escapes": ("cook", 2, post("/v1/recipes", escapes(EIGHT))),
    "nested arrays": ("cook", 2, post("/v1/recipes", b"[" * EIGHT)),
    "many members with one name": ("cook", 2, post("/v1/recipes", b"{" + b'"a":1,' * (EIGHT // 7) + b'"a":1}')),
    "a document of empty recipes": ("cook", 2, post(
        "/v1/import", b"[" + b",".join([b'{"@type":"Recipe"}'] * 200_000) + b"]")),
    "an import of long lines": ("cook", 2, lines(b"[" * (MEGABYTE - 1) + b"\n", 16 * MEGABYTE)),
    "an import of empty lines": ("cook", 2, lines(b"\n", 16 * MEGABYTE)),
    "an import in chunks of two bytes": ("cook", 16, slow),
    "photos": ("cook", 4, lambda client: change(
        "PUT", b"\x89PNG\r\n\x1a\n" + bytes(4 * MEGABYTE), "own", "/photo", Content_Type="image/png")(client)),
    "photos by a reader": ("reader", 4, photo("PUT", 4 * MEGABYTE)),
    "exports": (None, 32, get("/v1/export")),
    "exports by clients that leave": (None, 32, left(lambda client: client.head("GET", "/v1/export"))),
    "unread exports": ("reader", 30, held(lambda client: client.head("GET", "/v1/export"), 1)),
    "streams of a reader": ("reader", 8, held(lambda client: client.head("GET", "/v1/changes"), 30)),
    "pages of lists that are all different": (None, 32, repeated(cursors)),
    "lists of 100 tags": (None, 32, lambda client: repeated(tags)(client)),
    "a compressed body": (None, 16, post("/v1/recipes", bytes(EIGHT), Content_Encoding="gzip")),
    "pipelined lists": (None, 16, pipelined),
    "large recipes": (None, 32, repeated(lambda client: client.head("GET", client.target["large"]))),
    "ratings under new keys": ("cook", 16, keys),
    "ratings of one recipe": ("cook", 32, change("POST", b'{"rating":4}', "own", "/rate")),
    "ratings of a large recipe": ("cook", 32, change("POST", b'{"rating":4}', "own large", "/rate")),
    "tokens that are not valid": (None, 32, tokens),
    "metrics and backups, not permitted": ("reader", 16, get("/v1/backup")),
    "an unknown page of 30 kB": (None, 32, get("/v1/recipes?" + "x" * 8000)),
    "lists of long recipes": ("cook", 8, long_lists),
    "lists of long recipes, anonymous": (None, 32, get(LONG_LIST)),
}
"""The first six are those that CI runs."""
