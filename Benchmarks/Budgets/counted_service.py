"""The release program under callgrind."""
import http.client
import json
import pathlib
import re
import selectors
import socket
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).parent


class CountedService:
    """`larder serve` under callgrind, with one connection. Hashes have a fixed seed, and no deadline is due.

    Instructions are read while the service is idle, so the count of start-up is separate.
    """

    def __init__(self, larder, source, folder):
        self.folder, self.counts, self.streams = folder, 0, []
        stay = folder / "stay.so"
        subprocess.run(["cc", "-shared", "-fPIC", "-o", stay, HERE / "stay.c"], check=True)
        store = f"sqlite:{folder}/store.sqlite"
        environment = {"HOME": str(folder), "PATH": "/usr/bin:/bin", "SWIFT_DETERMINISTIC_HASHING": "1"}
        subprocess.run([larder, "import", source, "--store", store], env=environment, check=True, capture_output=True)
        self.log = folder / "log"
        environment |= {f"LARDER_HTTP_{name}_TIMEOUT": "600s" for name in ("HEADER", "BODY", "STALL", "REQUEST", "IDLE")}
        output = folder / "output"
        with open(output, "wb") as out, open(self.log, "wb") as log:
            self.process = subprocess.Popen(
                ["valgrind", "--tool=callgrind", f"--callgrind-out-file={folder}/counts", larder, "serve",
                 "--store", store, "--http-port", "0", "--development", "--log-level", "error"],
                env=environment | {"LD_PRELOAD": str(stay)}, stdout=out, stderr=log)
        start = time.monotonic()
        while len(lines := output.read_text().splitlines()) < 2:
            if self.process.poll() is not None or time.monotonic() > start + 300:
                self.fail("the service does not start")
            time.sleep(0.1)
        self.address = re.search(r"http://([^/ ]+)", lines[0])[1]
        self.token = lines[1].split()[-1]
        self.connection = http.client.HTTPConnection(self.address)

    def fail(self, problem):
        self.end()
        sys.exit(f"{problem}\n{self.log.read_text(errors='replace')[-2000:]}")

    def send(self, method, path, body=None, tag=None, as_user=True):
        """The tag and the body of a response, which must be a success."""
        headers = {"Authorization": f"Bearer {self.token}"} if as_user else {}
        if body is not None:
            headers["Content-Type"] = "application/json"
        if tag:
            headers["If-Match"] = tag
        self.connection.request(method, path, None if body is None else json.dumps(body), headers)
        response = self.connection.getresponse()
        text = response.read()
        if response.status >= 300:
            self.fail(f"{method} {path}: {response.status} {text.decode(errors='replace')}")
        return response.headers["ETag"], text

    def open_streams(self, count):
        """Opens change streams, and waits for the head of each response."""
        host, port = self.address.rsplit(":", 1)
        request = f"GET /v1/changes HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {self.token}\r\n\r\n"
        for _ in range(count):
            stream = socket.create_connection((host, int(port)))
            stream.sendall(request.encode())
            self.streams.append(stream)
        self.await_event(b"HTTP/1.1 200")

    def await_event(self, mark=b"\ndata:"):
        """Waits until each stream has received a text."""
        waiting = {stream: b"" for stream in self.streams}
        with selectors.DefaultSelector() as ready:
            for stream in waiting:
                ready.register(stream, selectors.EVENT_READ)
            while waiting:
                for key, _ in ready.select(timeout=600) or self.fail(f"a stream waits for {mark}: {list(waiting.values())}"):
                    waiting[key.fileobj] += key.fileobj.recv(65536)
                    if mark in waiting[key.fileobj]:
                        ready.unregister(key.fileobj)
                        del waiting[key.fileobj]

    def instructions(self):
        """The number of instructions since the last call."""
        subprocess.run(["vgdb", f"--pid={self.process.pid}", "dump"], check=True, capture_output=True)
        self.counts += 1
        counts = pathlib.Path(f"{self.folder}/counts.{self.counts}")
        count = int(re.search(r"^(?:summary|totals): (\d+)", counts.read_text(), re.MULTILINE)[1])
        counts.unlink()
        return count

    def counts_of(self, action, repeats, rounds, windows=4):
        """The instructions of an action: for each round, the difference of twice as many actions and some, divided by
        their number. The instructions of the count itself cancel.

        Work that is due by the time, such as that of streams every 15 seconds, adds to some windows, and to most on a
        busy machine. The least of several short windows has none."""
        number = max(1, repeats // windows)

        def window(actions):
            for _ in range(actions):
                action()
            return self.instructions()

        window(repeats)
        for _ in range(rounds):
            once, twice = (min(window(actions) for _ in range(windows)) for actions in (number, 2 * number))
            yield (twice - once) // number

    def end(self):
        self.process.kill()
        self.process.wait()
