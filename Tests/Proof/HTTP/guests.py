"""Other clients of a server while it stops: a reader of the change stream, a slow upload, and readiness checks."""
import threading
import time

from served import PATIENCE, Connection, Failure, Refused, Unanswered


class Stream:
    """A connection whose response is read to the end in the background."""

    def __init__(self, server, method, path, fields, body=b""):
        self.socket, self.received, self.failure = server.connect(), b"", None
        self.socket.sendall(server.head(method, path, fields) + body)
        self.thread = threading.Thread(target=self.read)

    def read(self):
        try:
            while chunk := self.socket.recv(65536):
                self.received += chunk
        except OSError as error:
            self.failure = Failure(f"unanswered: a stream ended with {error!r}: {self.received[-200:]}")
        finally:
            self.socket.close()

    def wait(self):
        self.thread.join(PATIENCE)
        if self.failure:
            raise self.failure


class Reader(Stream):
    """Follows the change stream."""

    def __init__(self, server):
        super().__init__(server, "GET", "/v1/changes", {})
        self.received = self.socket.recv(65536)
        self.thread.start()

    def was_told(self):
        self.wait()
        if b"event: shutdown" not in self.received or not self.received.endswith(b"0\r\n\r\n"):
            raise Failure(f"unanswered: a stream ended without a word: {self.received[-200:]}")
        return 1


class Upload(Stream):
    """An item, half of which is sent before the signal and half long after it."""

    def __init__(self, server, body):
        self.rest = body[len(body) // 2:]
        fields = {"Content-Type": "application/json", "Content-Length": len(body)}
        super().__init__(server, "POST", "/v1/items", fields, body[:len(body) // 2])
        self.thread.start()

    def finish(self):
        try:
            self.socket.sendall(self.rest)
        except OSError:
            pass  # The thread that reads the response reports it.

    def was_answered(self):
        self.wait()
        head, _, answer = self.received.partition(b"\r\n\r\n")
        if b" 201 " not in head.split(b"\r\n")[0] or not answer.endswith(b"}"):
            raise Failure(f"unanswered: the upload was answered with {head} {answer}")


class Watch:
    """Checks readiness from the signal until the server has exited."""

    AT_ONCE = 1.0
    """The seconds after the signal until the service must be unready."""

    def __init__(self, server):
        self.server, self.counts, self.failure = server, {}, None
        self.thread = threading.Thread(target=self.ask)

    def ask(self):
        connection, began = Connection(self.server), time.monotonic()
        status = None
        while status != 0 and not self.failure:
            asked = time.monotonic()
            try:
                status = connection.request("GET", "/health/ready").status
            except Unanswered:
                continue  # The connection was closed because it was idle, or never accepted.
            except Refused:
                status = 0
            except Failure as failure:
                self.failure = failure
            self.counts[status] = self.counts.get(status, 0) + 1
            if status == 200 and asked - began > self.AT_ONCE:
                self.failure = Failure(f"typed: ready {asked - began:.1f} s after the signal")
            time.sleep(0.02)

    def results(self):
        self.thread.join(PATIENCE)
        if self.failure:
            raise self.failure
        return self.counts


class Guest(threading.Thread):
    """Reads repeatedly as a well-behaved client."""

    def __init__(self, server, path, every):
        super().__init__(daemon=True)
        self.connection, self.path, self.every = Connection(server), path, every
        self.waits, self.failure, self.is_done = [], None, threading.Event()
        self.start()

    def run(self):
        try:
            while not self.is_done.wait(self.every):
                began = time.monotonic()
                self.connection.expect(200, "GET", self.path)
                self.waits.append(time.monotonic() - began)
        except Exception as error:
            self.failure = error

    def end(self):
        """Returns: the seconds of each request."""
        self.is_done.set()
        self.join(PATIENCE)
        if self.failure:
            raise self.failure
        return self.waits
