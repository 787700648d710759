"""The load program of PostgreSQL proofs, and the judge of its logs against the rows of the database."""
import collections
import os
import pathlib
import subprocess
import threading

from patroni_cluster import PASSWORD
from served import PATIENCE, Failure, caught, program

TASKS = 4
"""The tasks of a process that commit at the same time."""


def build(*options):
    """Builds the program.

    Returns: its path.
    """
    os.environ |= {"LARDER_CORE": "1", "LARDER_PROOF": "1"}
    return program("PostgresLoad", "--traits", "Postgres", "--scratch-path", ".build/postgres", *options)


class Line:
    """A line of a log: `outcome` of the commit that inserts `entry`, and adds `increment` to the counter."""

    def __init__(self, text):
        time, self.outcome, self.entry, increment, *_ = text.split(" ")
        self.time, self.increment, self.text = int(time) / 1_000_000, int(increment), text


class Load:
    """A process that commits, until the end of the block."""

    def __init__(self, program, store, name, tasks=TASKS):
        self.lines, self.name = [], name
        self.process = subprocess.Popen(
            [program, store, name, str(tasks)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
            env=os.environ | {"PGPASSWORD": PASSWORD}, start_new_session=True)
        self.reader = threading.Thread(target=self.read)
        self.reader.start()

    def read(self):
        for text in self.process.stdout:
            self.lines.append(Line(text.strip()))

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        self.process.stdin.close()
        if kind:
            self.process.kill()
        try:
            self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired as error:
            raise Failure(f"unanswered: {self.name} did not end") from error
        finally:
            self.process.kill()
            self.reader.join()
        if self.process.returncode != 0 and not kind:
            raise Failure(f"typed: {self.name} ended with {self.process.returncode}")

    def stored_after(self, time):
        """The time of the first commit after this one that was acknowledged; `None` if there is none yet."""
        # Lines are in the order of time, and the wanted one is near the end.
        found = None
        for line in reversed(self.lines):
            if line.time <= time:
                break
            if line.outcome == "stored":
                found = line.time
        return found


def judge(lines, entries, count):
    """Compares logs with the names of all stored entries, and with the counter; after a test with planted faults.

    Returns: the number of lines of each outcome.
    """
    acknowledged = next(line for line in lines if line.outcome == "stored")
    caught("lost: ", lambda: compare(lines, [entry for entry in entries if entry != acknowledged.entry], count))
    caught("doubled: ", lambda: compare(lines, entries + entries[:1], count))
    caught("doubled: ", lambda: compare(lines, entries, count + 1))
    caught("typed: stored", lambda: compare([line for line in lines if line is not acknowledged], entries, count))
    return compare(lines, entries, count)


def compare(lines, entries, count):
    outcomes, stored = collections.defaultdict(list), collections.Counter(entries)
    for line in lines:
        outcomes[line.outcome].append(line)
    if doubled := [entry for entry, number in stored.items() if number > 1]:
        raise Failure(f"doubled: {doubled[:5]}")
    for line in outcomes["stored"] + outcomes["found"]:
        if not stored.pop(line.entry, 0):
            raise Failure(f"lost: {line.text}")
    resolved = {line.entry for line in outcomes["found"] + outcomes["absent"]}
    if open_doubts := [line.text for line in outcomes["doubt"] if line.entry not in resolved]:
        raise Failure(f"typed: not resolved: {open_doubts[:5]}")
    if stored:
        raise Failure(f"typed: stored, but reported as failed: {list(stored)[:5]}")
    increments = sum(line.increment for line in outcomes["stored"] + outcomes["found"])
    if increments != count:
        raise Failure(f"{'lost' if count < increments else 'doubled'}: {increments} increments, the counter is {count}")
    return {outcome: len(found) for outcome, found in outcomes.items()}
