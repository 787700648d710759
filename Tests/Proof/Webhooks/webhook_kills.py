"""webhook-kills [KILLS] [EVENTS]: `kill -9` of a process while 8 tasks record events, which an outbox sends to a webhook.

The receiver refuses some requests, and ends some connections after it has processed a request. After the kills, it must have
each event at least once, the events of each task in order, repetitions with the id of the first request, and valid signatures.
"""
import base64
import hashlib
import hmac
import http.server
import json
import os
import random
import subprocess
import tempfile
import threading
import time

from served import PATIENCE, SEED, Failure, caught, program

TASKS = 8
KEY = b"the secret of this proof, 32 bytes"


class Receiver(http.server.ThreadingHTTPServer):
    """A receiver that fails at random."""

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.requests, self.problems, self.chance = [], [], random.Random(SEED)
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def judge(self, events):
        if self.problems:
            raise Failure(f"typed: {self.problems[0]}")
        ids, last = {}, {}
        for identity, series, number in self.requests:
            if ids.setdefault((series, number), identity) != identity:
                raise Failure(f"doubled: event {number} of {series} has two ids")
            if number > last.get(series, 0) + 1:
                raise Failure(f"lost: event {last.get(series, 0) + 1} of {series} is not before {number}")
            last[series] = max(number, last.get(series, 0))
        missing = TASKS * events - sum(last.values())
        if missing:
            raise Failure(f"lost: {missing} events")


class Handler(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        identity, stamp = self.headers["webhook-id"], self.headers["webhook-timestamp"]
        code = hmac.digest(KEY, f"{identity}.{stamp}.".encode() + body, hashlib.sha256)
        if self.headers["webhook-signature"] != "v1," + base64.b64encode(code).decode():
            self.server.problems.append(f"the signature of {identity} is wrong")
        chance = self.server.chance.random()
        if chance < 0.05:
            return self.send_error(503)
        event = json.loads(body)
        self.server.requests.append((identity, event["series"], event["number"]))
        if chance < 0.1:
            return self.connection.close()
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_):
        pass


def main(kills="10", events="100"):
    os.environ |= {"LARDER_PROOF": "1"}
    load, kills, events = program("WebhookLoad"), int(kills), int(events)
    receiver, chance, began = Receiver(), random.Random(SEED), time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        address = f"http://127.0.0.1:{receiver.server_port}/steps"
        secret = "whsec_" + base64.b64encode(KEY).decode()
        command = [load, f"{folder}/store", address, secret, str(TASKS), str(events)]
        for _ in range(kills):
            process = subprocess.Popen(command)
            time.sleep(chance.uniform(0.05, 0.8))
            process.kill()
            process.wait()
        subprocess.run(command, check=True, timeout=PATIENCE * 20)
    receiver.judge(events)
    requests = list(receiver.requests)
    print(f"proof: webhook-kills, {TASKS * events} events, {kills} kills, {len(requests)} requests processed, 0 lost, "
          f"0 with another id, seed {SEED}, {time.monotonic() - began:.0f} s", flush=True)
    # A lost event, a repetition with another id, and another order are found.
    receiver.requests = requests[:-1] if requests.count(requests[-1]) == 1 else [r for r in requests if r != requests[-1]]
    caught("lost: ", lambda: receiver.judge(events))
    receiver.requests = requests + [("other", *requests[0][1:])]
    caught("doubled: ", lambda: receiver.judge(events))
    receiver.requests = requests[::-1]
    caught("lost: ", lambda: receiver.judge(events))
