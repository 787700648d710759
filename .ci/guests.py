"""Who else is there when the server is told to stop: a reader of changes, a slow upload, and one who asks whether it is ready."""
import socket
import threading
import time

from served import PATIENCE, Connection, Failure, Refused, Unanswered

AT_ONCE = 1.0
"""Seconds after the signal from which on nobody may hear that the service is ready."""


class Stream:
    """A connection whose answer has no length: it is read to its end."""

    def __init__(self, server, method, path, fields):
        self.socket = socket.create_connection(server.address, PATIENCE)
        fields = {"Host": "localhost", "Authorization": f"Bearer {server.token}", **fields}
        lines = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
        self.socket.sendall(f"{method} {path} HTTP/1.1\r\n{lines}\r\n".encode())

    def to_end(self):
        received = b""
        try:
            while chunk := self.socket.recv(65536):
                received += chunk
        except OSError as error:
            raise Failure(f"unanswered: a stream ended with {error!r}: {received[-200:]}") from error
        finally:
            self.socket.close()
        return received


class Reader:
    """Follows the changes."""

    def __init__(self, server):
        self.stream = Stream(server, "GET", "/v1/changes", {})
        self.received, self.failure = self.stream.socket.recv(65536), None
        self.thread = threading.Thread(target=self.read)
        self.thread.start()

    def read(self):
        try:
            self.received += self.stream.to_end()
        except Failure as failure:
            self.failure = failure

    def was_told(self):
        self.thread.join(PATIENCE)
        if self.failure:
            raise self.failure
        if b"event: shutdown" not in self.received or not self.received.endswith(b"0\r\n\r\n"):
            raise Failure(f"unanswered: a stream ended without a word: {self.received[-200:]}")
        return 1


class Upload:
    """A recipe of which half is sent before the signal, and half long after it."""

    def __init__(self, server, body):
        self.rest = body[len(body) // 2:]
        self.stream = Stream(
            server, "POST", "/v1/recipes", {"Content-Type": "application/json", "Content-Length": str(len(body))})
        self.stream.socket.sendall(body[:len(body) // 2])
        self.answer, self.thread = b"", threading.Thread(target=self.read)
        self.thread.start()

    def read(self):
        try:
            self.answer = self.stream.to_end()
        except Failure as failure:
            self.answer = str(failure).encode()

    def finish(self):
        try:
            self.stream.socket.sendall(self.rest)
        except OSError:
            pass  # Who reads the answer learns what happened.

    def was_answered(self):
        self.thread.join(PATIENCE)
        head, _, answer = self.answer.partition(b"\r\n\r\n")
        if b" 201 " not in head.split(b"\r\n")[0] or not answer.endswith(b"}"):
            raise Failure(f"unanswered: the upload was answered with {head} {answer}")
        return 1


class Watch:
    """Asks again and again whether the server is ready, from the signal until there is none."""

    def __init__(self, server):
        self.server, self.counts, self.failure = server, {}, None
        self.thread = threading.Thread(target=self.ask)

    def begin(self):
        self.thread.start()

    def ask(self):
        connection, began = Connection(self.server), time.monotonic()
        while True:
            asked = time.monotonic()
            try:
                status = connection.request("GET", "/health/ready").status
            except Unanswered:
                # Closed because it was idle, or never accepted.
                continue
            except Refused:
                status = 0
            except Failure as failure:
                self.failure = failure
                return
            self.counts[status] = self.counts.get(status, 0) + 1
            if status == 200 and asked - began > AT_ONCE:
                self.failure = Failure(f"typed: ready {asked - began:.1f} s after the signal")
                return
            if status == 0:
                return
            time.sleep(0.02)

    def results(self):
        self.thread.join(PATIENCE)
        if self.failure:
            raise self.failure
        return self.counts
