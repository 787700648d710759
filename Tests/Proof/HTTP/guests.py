"""Other clients of a server while it stops: a reader of the change stream, a slow upload, and readiness checks."""
import http.client
import time
from collections import Counter

from served import Connection, Failure, Refused, Unanswered

AT_ONCE = 1.0
"""The seconds after the signal until the service must be unready."""
UPLOAD = 1.5
"""The seconds from the signal until a slow upload is complete."""


def open_stream(server):
    client = server.client()
    client.request("GET", "/v1/changes", headers=server.fields)
    return client.getresponse()


def read_to_shutdown(stream):
    """Reads a change stream, which must notify of the shutdown and be complete."""
    try:
        received = stream.read()
    except (OSError, http.client.HTTPException) as error:
        raise Failure(f"unanswered: a stream ended with {error!r}") from error
    if b"event: shutdown" not in received:
        raise Failure(f"unanswered: a stream ended without a word: {received[-200:]}")


class Upload:
    """An item, half of which is sent before the signal and half long after it."""

    def __init__(self, server, body):
        half, fields = len(body) // 2, {"Content-Type": "application/json", "Content-Length": len(body)}
        self.client, self.rest = server.client(), body[half:]
        self.client.request("POST", "/v1/items", body[:half], server.fields | fields)

    def finish(self):
        time.sleep(UPLOAD)
        try:
            self.client.send(self.rest)
            response = self.client.getresponse()
            answer = response.status, response.read()
        except (OSError, http.client.HTTPException) as error:
            raise Failure(f"unanswered: the upload ended with {error!r}") from error
        if answer[0] != 201:
            raise Failure(f"unanswered: the upload was answered with {answer}")


def watch(server):
    """Checks readiness from the signal until the server has exited.

    Returns: the number of each status; 0 is a refused connection.
    """
    connection, began, counts = Connection(server), time.monotonic(), Counter()
    while not counts[0]:
        asked = time.monotonic()
        try:
            status = connection.request("GET", "/health/ready").status
        except Unanswered:
            continue  # The connection was closed because it was idle, or never accepted.
        except Refused:
            status = 0
        if status == 200 and asked - began > AT_ONCE:
            raise Failure(f"typed: ready {asked - began:.1f} s after the signal")
        counts[status] += 1
        time.sleep(0.02)
    return counts
