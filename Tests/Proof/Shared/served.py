"""The program of the proofs as a process, and connections to it that record the progress of a request."""
import json
import os
import pathlib
import re
import signal
import socket
import subprocess
import tempfile
import time

PATIENCE = 120
"""The maximum seconds to wait; a longer wait counts as a hang."""
SEED = int(os.environ.get("LARDER_SEED", "20261121"))


class Failure(Exception):
    """A broken guarantee; starts with its kind: lost, doubled, torn, unanswered, grown or typed."""


def program(product="ProofProgram", *options):
    """Builds a program.

    Returns: its path.
    """
    subprocess.run(["swift", "build", "--product", product, *options], check=True, stdout=subprocess.DEVNULL)
    folder = subprocess.run(["swift", "build", "--show-bin-path", *options], check=True, stdout=subprocess.PIPE, text=True)
    return f"{folder.stdout.strip()}/{product}"


def caught(kind, work):
    """Fails unless work with a planted fault fails with a matching kind, a regular expression."""
    try:
        work()
    except Failure as failure:
        if not re.match(kind, str(failure)):
            raise
        print(f"found: {str(failure)[:200]}", flush=True)
    else:
        raise Failure(f"typed: a planted fault was not found: {kind}")


def script(folder, text):
    """An executable Bash script that replaces the program in a proof with a planted fault."""
    file = pathlib.Path(tempfile.mkdtemp(dir=folder), "program")
    file.write_text(f"#!/usr/bin/env bash\n{text}\n")
    file.chmod(0o755)
    return str(file)


class Server:
    """A process on a free port. Its log is written to a file."""

    def __init__(self, program, store, durability, log, **settings):
        self.log = pathlib.Path(log)
        variables = {f"PROOF_HTTP_{name.upper()}": str(value) for name, value in settings.items()}
        with open(self.log, "wb") as errors:
            self.process = subprocess.Popen(
                [program, "serve", "--development", "--store", str(store), "--durability", durability, "--http-port", "0"],
                stdout=subprocess.PIPE, stderr=errors, text=True, env=os.environ | variables)
        first, second = self.process.stdout.readline(), self.process.stdout.readline()
        address = re.search("http://([^/ ]+):([0-9]+)/", first)
        if not address or "Token" not in second:
            self.process.kill()
            raise Failure(f"typed: the server did not start: {first}{second}{self.log.read_text()}")
        self.address, self.token = (address[1], int(address[2])), second.split()[-1]
        self.url = f"http://{address[1]}:{address[2]}"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.end(signal.SIGTERM)

    def end(self, signal):
        """Sends a signal and waits.

        Returns: the exit status, and the seconds until the process exited.
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
        """The ids of the requests in the log."""
        try:
            return {json.loads(line).get("request_id") for line in self.log.read_text().splitlines()}
        except ValueError as error:
            raise Failure(f"typed: not JSON in the log: {error}") from error

    @property
    def sockets(self):
        """The number of open sockets."""
        return sum(file.is_socket() for file in pathlib.Path(f"/proc/{self.process.pid}/fd").iterdir())

    def connect(self, buffer=None):
        """A plain connection; a small buffer keeps data that the client does not read in the server."""
        client = socket.socket()
        if buffer:
            client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
        client.settimeout(PATIENCE)
        client.connect(self.address)
        return client

    def make_item(self, name, file_bytes=0, parts=()):
        """Stores an item, with a file of this many random bytes.

        Returns: its path.
        """
        connection = Connection(self)
        body = json.dumps({"name": name, "parts": [{"text": text} for text in parts]}).encode()
        path = f"/v1/items/{connection.expect(201, 'POST', '/v1/items', body).json['id']}"
        if file_bytes:
            fields = {"Content-Type": "application/octet-stream"}
            connection.expect(204, "PUT", f"{path}/file", os.urandom(file_bytes), fields)
        connection.close()
        return path

    def head(self, method, path, fields=None):
        """The request line and header of a request."""
        fields = {"Host": "localhost", "Authorization": f"Bearer {self.token}"} | (fields or {})
        return "".join([f"{method} {path} HTTP/1.1\r\n", *(f"{n}: {v}\r\n" for n, v in fields.items()), "\r\n"]).encode()


class Answer:
    def __init__(self, status, fields, body):
        self.status, self.fields, self.body = status, fields, body

    @property
    def json(self):
        return json.loads(self.body)

    @property
    def version(self):
        """The part of the entity tag after the schema's fingerprint."""
        return int(self.fields["etag"].strip('"').split("-")[1])


class Unanswered(Exception):
    """The response is missing or incomplete."""

    def __init__(self, received, is_fresh, idle):
        super().__init__(f"bytes received: {received}, new connection: {is_fresh}, {idle:.3f} s idle")
        # The number of bytes of the response, whether it was the first request on the connection, and the time for
        # which the connection had been idle.
        self.received, self.is_fresh, self.idle = received, is_fresh, idle


class Refused(Exception):
    """No process listens."""


class Connection:
    """An HTTP/1.1 connection, opened on demand."""

    def __init__(self, server):
        self.server, self.socket, self.answered_at = server, None, None

    def close(self):
        if self.socket:
            self.socket.close()
        self.socket, self.answered_at = None, None

    def expect(self, status, method, path, body=None, fields=None):
        """Sends a request and checks the status of its response."""
        answer = self.request(method, path, body, fields)
        if answer.status != status:
            raise Failure(f"typed: {method} {path} was answered with {answer.status}: {answer.body[:300]}")
        return answer

    def request(self, method, path, body=None, fields=None):
        """Sends a request and reads its response, which must have a length."""
        is_fresh = self.answered_at is None
        if self.socket is None:
            try:
                self.socket = self.server.connect()
                self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            except OSError as error:
                raise Refused() from error
        received, began, sent_at = b"", self.answered_at or time.monotonic(), None
        content = {} if body is None else {"Content-Type": "application/json", "Content-Length": len(body)}
        try:
            self.socket.sendall(self.server.head(method, path, content | (fields or {})) + (body or b""))
            sent_at = time.monotonic()
            while not (answer := self.parsed(received)):
                chunk = self.socket.recv(65536)
                if not chunk:
                    raise ConnectionResetError
                received += chunk
        except TimeoutError as error:
            raise Failure(f"unanswered: {method} {path} for {PATIENCE} s") from error
        except OSError as error:
            self.close()
            raise Unanswered(len(received), is_fresh, (sent_at or time.monotonic()) - began) from error
        self.answered_at = time.monotonic()
        if answer.fields.get("connection", "").lower() == "close":
            self.close()
        return answer

    @staticmethod
    def parsed(received):
        """The response, if it is complete."""
        head, end, body = received.partition(b"\r\n\r\n")
        if not end:
            return None
        first, *lines = head.decode().split("\r\n")
        fields = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
        length = int(fields.get("content-length", 0))
        if len(body) > length:
            raise Failure(f"typed: {len(body) - length} bytes after the response {first}")
        return Answer(int(first.split()[1]), fields, body) if len(body) == length else None
