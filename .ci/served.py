"""`larder serve` as a process, and connections to it that know how far a request came."""
import json
import pathlib
import socket
import subprocess
import time
import urllib.parse

from stores import Failure

PATIENCE = 30
"""Seconds to wait for anything; what takes longer hangs."""


class Server:
    """One process, on a port of its own choice. Its log goes to a file."""

    def __init__(self, larder, store, durability, log):
        self.log = pathlib.Path(log)
        with open(self.log, "wb") as errors:
            self.process = subprocess.Popen(
                [larder, "serve", "--development", "--store", str(store), "--durability", durability,
                 "--http-port", "0"], stdout=subprocess.PIPE, stderr=errors, text=True)
        first, second = self.process.stdout.readline(), self.process.stdout.readline()
        if "Larder serves http://" not in first or "Token for development" not in second:
            self.process.kill()
            raise Failure(f"typed: the server did not start: {first}{second}{self.log.read_text()}")
        address = urllib.parse.urlsplit(first.split()[2])
        self.address = (address.hostname, address.port)
        self.token = second.rsplit(None, 1)[1]

    def end(self, signal):
        """Sends a signal, and waits.

        Returns: the exit status, and the seconds until the process had ended.
        """
        began = time.monotonic()
        self.process.send_signal(signal)
        try:
            status = self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired as error:
            self.process.kill()
            self.process.wait()
            raise Failure(f"unanswered: the server ran on for {PATIENCE} s after signal {signal}") from error
        finally:
            self.process.stdout.close()
        return status, time.monotonic() - began

    def logged_ids(self):
        """The ids of the requests that the log tells of."""
        ids = set()
        for line in self.log.read_text().splitlines():
            try:
                ids.add(json.loads(line).get("request_id"))
            except ValueError as error:
                raise Failure(f"typed: no JSON in the log: {line}") from error
        return ids


class Answer:
    def __init__(self, status, fields, body):
        self.status, self.fields, self.body = status, fields, body

    @property
    def json(self):
        return json.loads(self.body)

    @property
    def version(self):
        """What stands after the schema's fingerprint in the entity tag."""
        return int(self.fields["etag"].strip('"').split("-")[1])


class Unanswered(Exception):
    """There is no answer, or only a part of one."""

    def __init__(self, was_sent, received, is_fresh, idle):
        super().__init__(f"sent whole: {was_sent}, bytes received: {received}, new connection: {is_fresh}, {idle:.3f} s idle")
        # Whether the system took all bytes of the request, how many of an answer came, whether nothing had been answered
        # on the connection before, and how long it had waited for this request.
        self.was_sent, self.received, self.is_fresh, self.idle = was_sent, received, is_fresh, idle


class Refused(Exception):
    """Nobody listens."""


class Connection:
    """One connection of HTTP/1.1, opened when it is needed."""

    def __init__(self, server):
        self.server, self.socket, self.answered_at = server, None, None

    def close(self):
        if self.socket:
            self.socket.close()
        self.socket, self.answered_at = None, None

    def request(self, method, path, body=None, fields=None):
        """Sends a request and reads its answer, which must have a length."""
        is_fresh = self.socket is None or self.answered_at is None
        if self.socket is None:
            try:
                self.socket = socket.create_connection(self.server.address, PATIENCE)
                self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            except OSError as error:
                raise Refused() from error
        was_sent, received, began = False, b"", time.monotonic() if is_fresh else self.answered_at
        sent_at = None
        try:
            self.socket.sendall(self.encoded(method, path, body, fields))
            was_sent, sent_at = True, time.monotonic()
            while True:
                answer = self.parsed(received)
                if answer:
                    break
                chunk = self.socket.recv(65536)
                if not chunk:
                    raise ConnectionResetError
                received += chunk
        except TimeoutError as error:
            raise Failure(f"unanswered: {method} {path} for {PATIENCE} s") from error
        except OSError as error:
            self.close()
            idle = (sent_at or time.monotonic()) - began
            raise Unanswered(was_sent, len(received), is_fresh, idle) from error
        self.answered_at = time.monotonic()
        if answer.fields.get("connection", "").lower() == "close":
            self.close()
        return answer

    def encoded(self, method, path, body, fields):
        all_fields = {"Host": "localhost", "Authorization": f"Bearer {self.server.token}"}
        if body is not None:
            all_fields |= {"Content-Type": "application/json", "Content-Length": str(len(body))}
        all_fields |= fields or {}
        head = "".join(f"{name}: {value}\r\n" for name, value in all_fields.items())
        return f"{method} {path} HTTP/1.1\r\n{head}\r\n".encode() + (body or b"")

    @staticmethod
    def parsed(received):
        """The answer, if it is complete."""
        head, end, body = received.partition(b"\r\n\r\n")
        if not end:
            return None
        first, *lines = head.decode().split("\r\n")
        fields = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
        length = int(fields.get("content-length", 0))
        if len(body) < length:
            return None
        if len(body) > length:
            raise Failure(f"typed: {len(body) - length} bytes after the answer {first}")
        return Answer(int(first.split()[1]), fields, body)
