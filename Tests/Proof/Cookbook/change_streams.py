"""change-streams [STREAMS [COMMITS [PROGRAM]]]: the cost of a commit with clients of the change stream.

Each of 1,000 streams without a token must get each of 3,000 commits once, in their order. The processor time of a commit
is that of the service until each stream has everything, in a release build, divided by the commits.
"""
import json
import os
import re
import resource
import select
import socket
import tempfile
import threading
import time

from cookbook_attacks import Cookbook
from served import PATIENCE, Connection, Failure, caught, program


class Streams(threading.Thread):
    """Clients of the change stream, read by one thread."""

    def __init__(self, server, count):
        super().__init__(daemon=True)
        self.clients, self.poll, self.stopped = {}, select.epoll(), threading.Event()
        self.last = time.monotonic()
        for _ in range(count):
            client = socket.create_connection(server.address)
            client.sendall(b"GET /v1/changes HTTP/1.1\r\nHost: a\r\n\r\n")
            self.clients[client.fileno()] = client, bytearray()
            self.poll.register(client, select.EPOLLIN)
        self.start()
        self.wait(lambda: all(b"event: hello" in text for _, text in self.clients.values()), "start")

    def run(self):
        while not self.stopped.is_set():
            for number, _ in self.poll.poll(0.1):
                client, text = self.clients[number]
                if not (piece := client.recv(1 << 18)):
                    self.poll.unregister(number)
                text += piece
                self.last = time.monotonic()

    def wait(self, is_so, what):
        end = time.monotonic() + PATIENCE
        while not is_so():
            if time.monotonic() > end:
                raise Failure(f"unanswered: the streams did not {what}")
            time.sleep(0.01)

    def are_idle(self):
        """Whether nothing has arrived for two seconds: each stream is resumed within one."""
        return time.monotonic() > self.last + 2

    def positions(self):
        """The positions of the changes that each stream has got."""
        for _, text in self.clients.values():
            events = re.sub(rb"\r\n[0-9a-f]+\r\n", b"", text)
            yield [int(found) for found in re.findall(rb"event: change\nid: [0-9a-f]+-(\d+)\n", events)]

    def end(self):
        self.stopped.set()
        self.join()
        for client, _ in self.clients.values():
            client.close()


def judge(positions, expected):
    for number, found in enumerate(positions):
        if found != expected:
            kind = "lost" if len(found) < len(expected) else "doubled"
            raise Failure(f"{kind}: stream {number} got {len(found)} changes of {len(expected)}, or in another order")


def processor_time(server):
    fields = open(f"/proc/{server.process.pid}/stat").read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def cost(server, path, count, commits):
    """The processor seconds of a commit with a number of streams."""
    streams, connection = Streams(server, count), Connection(server)
    bodies = [json.dumps({"rating": 1 + number % 5}).encode() for number in range(commits)]
    began = processor_time(server)
    for body in bodies:
        connection.expect(200, "POST", f"{path}/rate", body)
    streams.wait(streams.are_idle, "become idle")
    used = (processor_time(server) - began) / commits
    found = list(streams.positions())
    streams.end()
    if found:
        expected = list(range(found[0][0], found[0][0] + commits))
        judge(found, expected)
        caught("lost: ", lambda: judge([expected[:-1]], expected))
        caught("doubled: ", lambda: judge([[*expected, expected[-1]]], expected))
    return used


def main(streams="1000", commits="3000", larder=None):
    larder = larder or program("larder", "--configuration", "release")
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    # Streams without a token get half.
    os.environ |= {"LARDER_HTTP_MAX_STREAMS": str(2 * int(streams)), "LARDER_HTTP_MAX_CONNECTIONS": str(2 * int(streams))}
    with tempfile.TemporaryDirectory() as folder, Cookbook(larder, folder, 0, []) as server:
        path = server.recipe("Rated", ["Cook."])
        cost(server, path, 0, 300)
        alone, beside = (cost(server, path, count, int(commits)) for count in (0, int(streams)))
    print(f"proof: change-streams, {commits} commits: {alone * 1000:.2f} ms of the processor for each, {beside * 1000:.2f} ms with "
          f"{streams} streams ({beside / alone:.2f} times), of which each got each change once, in order")
