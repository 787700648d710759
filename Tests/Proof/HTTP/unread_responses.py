"""unread-responses [CLIENTS]: clients that send a request and never read the response.

For each kind of GET, the memory of a server with this many such clients (200 of a debug build; with CLIENTS, of a
release build) must exceed the memory with as many idle connections by less than 64 MB, and a second round must add less
than 8 MB. Other clients are served at the same time.
"""
import pathlib
import re
import resource
import signal
import socket
import struct
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor

from served import PATIENCE, Connection, Failure, Server, caught, program, script

FIRST, SECOND = 64 << 20, 8 << 20
"""The bytes by which a first round may exceed the memory with idle connections, and a second round the first."""
FILE_BYTES = 5 << 20
LARGE = 3
"""The number of items with a file and almost a megabyte of text."""
AT_ONCE = 24
"""Concurrent requests that wait for a response: fewer than the limit of one caller, so that none is refused."""
HOARDER = '''exec python3 - "$@" <<'PROGRAM'
import asyncio, re

async def serve(reader, writer):
    while True:
        head = (await reader.readuntil(b"\\r\\n\\r\\n")).decode()
        await reader.readexactly(int(re.search("Content-Length: ([0-9]+)|$", head)[1] or 0))
        body = b"x" * (5 << 20) if re.match("GET .*/file ", head) else b'{"id":"1"}'
        status = {"P": 201 if head.startswith("POST") else 204}.get(head[0], 200)
        writer.write(b"HTTP/1.1 %d A\\r\\nContent-Length: %d\\r\\n\\r\\n" % (status, len(body)) + body)

async def main():
    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    print(f"Serves http://127.0.0.1:{server.sockets[0].getsockname()[1]}/\\ntoken: none", flush=True)
    await server.serve_forever()

asyncio.run(main())
PROGRAM'''
"""A server with the defect that the proof must find: each connection keeps its own copy of a file until it is read."""


def memory(files, name="VmRSS"):
    """The resident memory of a process in bytes, or its peak since the last reset."""
    return int(re.search(rf"^{name}:\s+([0-9]+) kB$", (files / "status").read_text(), re.MULTILINE)[1]) << 10


def sockets(files):
    """The number of open sockets."""
    return sum(file.is_socket() for file in (files / "fd").iterdir())


def settled(files):
    """The memory after the process has released temporary memory."""
    least, since = memory(files), time.monotonic()
    while time.monotonic() < since + 1:
        time.sleep(0.05)
        if (now := memory(files)) < least:
            least, since = now, time.monotonic()
    return least


def ask(server, count, paths, status=b"200"):
    """Sends requests on many connections, and waits until each has received the start of a response.

    Returns: the peak of the memory during this time, and the memory at the end.
    """
    files = pathlib.Path(f"/proc/{server.process.pid}")
    (files / "clear_refs").write_text("5")
    before, clients = sockets(files), [connected(server) for _ in range(count)]
    for first in range(0, count, AT_ONCE):
        for number, client in enumerate(clients[first:first + AT_ONCE], first):
            client.sendall(f"GET {paths[number % len(paths)]} HTTP/1.1\r\nHost: localhost\r\n"
                           f"Authorization: Bearer {server.token}\r\n\r\n".encode())
        for client in clients[first:first + AT_ONCE]:
            start = client.recv(12, socket.MSG_PEEK)
            if not re.fullmatch(b"HTTP/1.1 (%s)" % status, start):
                raise Failure(f"typed: {start} for one of {paths}")
    then = settled(files)
    found = memory(files, "VmHWM"), then
    for client in clients:
        client.close()
    end = time.monotonic() + PATIENCE
    # The client that reads repeatedly may have opened a connection in the meantime.
    while sockets(files) > before + 2:
        if time.monotonic() > end:
            raise Failure(f"unanswered: the service still has connections after {PATIENCE} s")
        time.sleep(0.02)
    return found


def connected(server):
    """A connection with a small buffer, so that unread data stays in the server."""
    client = socket.socket()
    client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    # If it is closed with unread bytes, it is reset, which frees the system's buffers.
    client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    client.settimeout(PATIENCE)
    client.connect(server.address)
    return client


def read_repeatedly(server, path, done):
    """Reads as a well-behaved client.

    Returns: the seconds of each request.
    """
    connection, waits = Connection(server), []
    while not done.wait(0.2):
        began = time.monotonic()
        connection.expect(200, "GET", path)
        waits.append(time.monotonic() - began)
    return waits


def kinds(large, small):
    """The paths of each kind of GET, which the clients request in turn."""
    return {
        "files": [f"{path}/file" for path in large],
        "lists": ["/v1/items?limit=200", "/v1/items?limit=199", "/v1/items?total=true"],
        "items": [*large, small],
        "exports": ["/v1/export"],
        "changes": ["/v1/changes"],
        "documents": ["/openapi.json", "/openapi.yaml", "/docs", "/assets/docs.js"],
        "metrics": ["/metrics"],
        "others": ["/v1/accounts", "/v1/labels", "/health/ready", "/v1/nothing"],
    }


def megabytes(count):
    return f"{count / (1 << 20):.1f} MB"


def run(program, count):
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, max(soft, 4 * count)), hard))
    long = "600s"
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor() as pool, Server(
            program, f"sqlite:{folder}/store", "off", f"{folder}/log", idle_timeout=long, stall_timeout=long,
            header_timeout=long, max_connections=count + 16) as server:
        large = [server.make_item(f"Large {n}", FILE_BYTES, ["x" * 9_000] * 24) for n in range(LARGE)]
        small = server.make_item("Small")
        # The base line: connections between requests, after one answered request on each.
        _, base = ask(server, count, ["/health/live"])
        print(f"{megabytes(base):>9} with {count} idle connections", flush=True)
        done, worst, again = threading.Event(), 0, 0
        guest = pool.submit(read_repeatedly, server, small, done)
        try:
            for kind, paths in kinds(large, small).items():
                # A user beyond its shares gets 429, and documents count to the share of callers without a token.
                status = b"200|404" if kind == "others" else b"200|429|503"
                most, first = ask(server, count, paths, status)
                later, second = ask(server, count, paths, status)
                grown, added = max(most, later) - base, second - first
                print(f"{megabytes(grown):>9} more at most, {megabytes(first - base)} then, {megabytes(added)} more in "
                      f"the second round: {kind}", flush=True)
                worst, again = max(worst, grown), max(again, added)
                if grown >= FIRST or added >= SECOND:
                    raise Failure(f"grown: {kind}: {megabytes(grown)}, then {megabytes(added)}")
        finally:
            done.set()
        waits = guest.result()
        status, _ = server.end(signal.SIGTERM)
    if status != 0:
        raise Failure(f"typed: the service ended with {status}")
    print(f"proof: unread responses: {count} clients of each of {len(kinds([], ''))} kinds: at most {megabytes(worst)} more "
          f"than idle connections, at most {megabytes(again)} more in a second round; {len(waits)} requests answered "
          f"meanwhile, in {max(waits):.1f} s at most")


def main(clients=None):
    with tempfile.TemporaryDirectory() as folder:
        caught("grown: files: ", lambda: run(script(folder, HOARDER), 30))
    run(program("ProofProgram", *(["--configuration", "release"] if clients else [])), int(clients or 200))
