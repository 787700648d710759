"""The load program of the proofs about followers, as processes on one store that are killed at random moments."""
import os
import random
import signal
import subprocess
import threading
import time

from postgres import PROGRAMS
from served import PATIENCE, SEED, Failure, program

HAS_SERVER = (PROGRAMS / "initdb").exists()
LEASE = 0.5
"""The seconds of a lease, as in Load/FollowerLoad.swift."""
STOPS = 3
"""The number of times that a process with leases is stopped."""


def build():
    """Builds the program.

    Returns: its path.
    """
    os.environ |= {"LARDER_CORE": "1", "LARDER_PROOF": "1"}
    return program("FollowerLoad", *(["--traits", "Postgres", "--scratch-path", ".build/postgres"] if HAS_SERVER else []))


class Load:
    """A process, whose lines a run hears."""

    def __init__(self, run):
        self.run, self.problem, self.started = run, None, threading.Event()
        self.process = subprocess.Popen([run.program, run.store, *run.arguments], stdout=subprocess.PIPE, text=True)
        self.reader = threading.Thread(target=self.read)
        self.reader.start()

    def read(self):
        for line in self.process.stdout:
            if line == "started\n":
                self.started.set()
            elif line.startswith(("failed", "setAside", "stopped")):
                self.problem = line.strip()
            else:
                self.run.hear(*line.split())

    def kill(self):
        self.process.kill()
        self.end()

    def end(self):
        self.process.wait()
        self.reader.join()
        if self.problem:
            raise Failure(f"typed: {self.problem}")


class Run:
    """Processes of the program with the same arguments, and the server of their store, if it has one."""

    STATES = None
    """The table of states with leases, and their number."""

    def __init__(self, program, store, arguments, processes=1, server=None):
        self.program, self.store, self.server = program, store, server
        self.arguments, self.loads = [str(argument) for argument in arguments], [None] * processes
        self.kind, self.chance, self.stops = store.split(":")[0], random.Random(SEED), 0

    def hear(self, *words):
        """Receives the words of a line."""

    def proof(self, kills):
        began = time.monotonic()
        try:
            for number in range(kills):
                self.renew()
                if self.server and number < STOPS:  # While there is work to do.
                    self.stop()
                time.sleep(self.pause(kills - number))
                self.kill(self.victim(number))
            self.finish()
        finally:
            for load in filter(None, self.loads):
                load.process.kill()
        stops = f", {self.stops} stops" if self.stops else ""
        return f"{self.kind}: {kills} kills{stops}, {self.judge()}, seed {SEED}, {time.monotonic() - began:.0f} s"

    def renew(self):
        """Starts a process in place of each that has ended."""
        for index, load in enumerate(self.loads):
            if load and load.process.poll() is not None:
                load.end()
                load = None
            self.loads[index] = load or Load(self)

    def victim(self, _):
        """The index of the next process to kill, or their number for the server."""
        return self.chance.randrange(len(self.loads) + (1 if self.server else 0))

    def kill(self, victim):
        if victim == len(self.loads):
            self.server.kill()
            self.server.start()
        elif self.loads[victim]:
            self.loads[victim].kill()
            self.loads[victim] = None

    def finish(self):
        """Waits until all processes end."""
        self.renew()
        for load in self.loads:
            try:
                load.process.wait(PATIENCE * 10)
            except subprocess.TimeoutExpired as error:
                load.process.kill()
                raise Failure("unanswered: a process does not reach the end") from error
            load.end()
            if load.process.returncode:
                raise Failure(f"typed: a process ended with {load.process.returncode}")

    def stop(self):
        """Stops the process that has all leases for longer than a lease. The other one must take all of them over."""
        before = ends = None
        # On a busy machine, it may lose its leases before it is stopped.
        while before is None or ends.keys() != before:
            for victim in range(len(self.loads)):
                self.kill(victim)
            killed = self.leases().keys()
            self.loads[0] = Load(self)
            before = self.held(killed, "the only process")
            self.renew()
            if not self.loads[1].started.wait(PATIENCE):
                raise Failure("unanswered: the second process does not start")
            self.loads[0].process.send_signal(signal.SIGSTOP)
            time.sleep(0.1)  # Its last commit may be on its way.
            ends = self.leases()
        self.held(before, "the second process")
        if time.time() * 1e6 < max(ends.values()) or self.loads[0].process.poll() is not None:
            raise Failure("typed: the stop was no longer than the lease")
        time.sleep(LEASE)
        self.loads[0].process.send_signal(signal.SIGCONT)
        time.sleep(LEASE)  # It continues with what it was doing.
        self.stops += 1

    def leases(self):
        """The ends of leases, in microseconds since 1970, by holder."""
        try:
            rows = self.server.query("store", f"SELECT holder, until FROM {self.STATES[0]} JOIN work_lease USING (id)")
            return {holder: int(end) for holder, end in rows}
        except subprocess.CalledProcessError:
            return {}  # The first process has not created the tables.

    def held(self, others, who):
        """Waits until all leases have other holders.

        Returns: these.
        """
        for _ in range(PATIENCE * 20):
            if len(holders := self.leases().keys()) == self.STATES[1] and not holders & {*others, ""}:
                return holders
            time.sleep(0.05)
        raise Failure(f"unanswered: {who} does not take the leases over")
