"""The program of the proofs as a process, and connections to it that record the progress of a request."""
import http.client
import json
import os
import pathlib
import re
import signal
import subprocess
import tempfile
import time

PATIENCE = 120
"""The maximum seconds to wait; a longer wait counts as a hang."""
SEED = int(os.environ.get("LARDER_SEED", "20261121"))


class Failure(Exception):
    """A broken guarantee; starts with its kind: lost, doubled, torn, leaked, unanswered, grown or typed."""


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

    def __init__(self, program, store, durability, log, *options, **settings):
        self.log = pathlib.Path(log)
        variables = {f"PROOF_HTTP_{name.upper()}": str(value) for name, value in settings.items()}
        with open(self.log, "wb") as errors:
            self.process = subprocess.Popen(
                [program, "serve", "--development", "--store", str(store), "--durability", durability, "--http-port", "0",
                 *options], stdout=subprocess.PIPE, stderr=errors, text=True, env=os.environ | variables)
        first, second = self.process.stdout.readline(), self.process.stdout.readline()
        address = re.search("http://([^/ ]+):([0-9]+)/", first)
        if not address or "token" not in second:
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

    @property
    def fields(self):
        """The header fields of a request as the operator."""
        return {"Authorization": f"Bearer {self.token}"}

    def client(self):
        return http.client.HTTPConnection(*self.address, timeout=PATIENCE)


class Answer:
    def __init__(self, status, fields, body):
        self.status, self.fields, self.body = status, fields, body

    @property
    def json(self):
        return json.loads(self.body)

    @property
    def version(self):
        """The part of the entity tag after the schema's fingerprint."""
        return int(self.fields["ETag"].strip('"').split("-")[1])

    def must_be(self, status, what):
        if self.status != status:
            raise Failure(f"typed: {what} was answered with {self.status}: {self.body[:300]}")
        return self


class Unanswered(Exception):
    """The response is missing or incomplete.

    It states whether a response began, whether it was for the first request on its connection, and for how many seconds
    the connection had been idle.
    """

    def __init__(self, has_begun, is_fresh, idle):
        super().__init__(f"response begun: {has_begun}, new connection: {is_fresh}, {idle:.3f} s idle")
        self.has_begun, self.is_fresh, self.idle = has_begun, is_fresh, idle


class Refused(Exception):
    """No process listens."""


class Connection:
    """An HTTP/1.1 connection, opened on demand."""

    def __init__(self, server):
        self.server, self.client, self.answered_at = server, server.client(), None

    def close(self):
        self.client.close()
        self.answered_at = None

    def expect(self, status, method, path, body=None, fields=None):
        """Sends a request and checks the status of its response."""
        return self.request(method, path, body, fields).must_be(status, f"{method} {path}")

    def request(self, method, path, body=None, fields=None):
        """Sends a request and reads its response."""
        if self.client.sock is None:
            self.answered_at = None
            try:
                self.client.connect()
            except OSError as error:
                raise Refused() from error
        is_fresh, began, has_begun = self.answered_at is None, self.answered_at or time.monotonic(), False
        content = {} if body is None else {"Content-Type": "application/json"}
        idle = 0.0
        try:
            self.client.request(method, path, body, self.server.fields | content | (fields or {}))
            idle = time.monotonic() - began
            response = self.client.getresponse()
            has_begun = True
            answer = Answer(response.status, response.headers, response.read())
        except TimeoutError as error:
            raise Failure(f"unanswered: {method} {path} for {PATIENCE} s") from error
        except (OSError, http.client.IncompleteRead) as error:
            self.close()
            raise Unanswered(has_begun, is_fresh, idle or time.monotonic() - began) from error
        except http.client.HTTPException as error:
            raise Failure(f"typed: no HTTP after {method} {path}: {error!r}") from error
        self.answered_at = time.monotonic()
        return answer
