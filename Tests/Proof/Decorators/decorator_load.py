"""The load program of the proofs about decorators: a process, the content that it finds, and the judge of both."""
import collections
import os
import random
import subprocess
import threading

from served import PATIENCE, Failure, program

CHANGED_AFTER, DELETED_AFTER = 10, 50
"""The number of later commits of a task until an entry is changed, and until it is deleted, as in Load/Entries.swift."""


def build():
    """Builds the program.

    Returns: its path.
    """
    os.environ |= {"LARDER_CORE": "1", "LARDER_PROOF": "1"}
    return program("DecoratorLoad", "--scratch-path", ".build/decorators")


class Incomplete(Exception):
    """The mirror was killed between two positions, and must not be promoted."""


class Content:
    """The content of a store: the count of each task, and the versions of its entries by their numbers."""

    def __init__(self):
        self.counts, self.entries, self.promoted = {}, collections.defaultdict(dict), None

    def add(self, line):
        kind, *words = line.split(" ")
        if kind == "promoted":
            self.promoted = int(words[0])
        elif kind == "counter":
            self.counts[words[0]] = int(words[1])
        elif kind == "entry":
            task, number, version = words
            if self.entries[task].setdefault(int(number), int(version)) != int(version):
                raise Failure(f"doubled: {line}")
        elif kind == "error" and "is incomplete: choose another mirror" in line:
            raise Incomplete()
        else:
            raise Failure(f"{'torn' if kind == 'torn' else 'typed'}: {line[:300]}")

    def judge(self):
        """Fails unless each task has exactly the entries of its first commits, as many as it counts."""
        for task in self.counts.keys() | self.entries.keys():
            count, found = self.counts.get(task, 0), self.entries[task]
            wanted = {number: 2 if number + CHANGED_AFTER < count else 1
                      for number in range(max(0, count - DELETED_AFTER), count)}
            if missing := wanted.keys() - found.keys():
                raise Failure(f"lost: task {task} counts {count} commits, and entries {sorted(missing)[:5]} are not there")
            if found != wanted:
                raise Failure(f"torn: task {task} counts {count} commits, and has {sorted(found.items() - wanted.items())[:5]}")

    def judge_acknowledged(self, stored, start, promoted=None):
        """Fails if an acknowledged commit is lost, or one that was not started is there.

        A promoted asynchronous mirror has exactly the commits up to the position `promoted`.
        """
        for task in self.counts.keys() | start.counts.keys() | stored.keys():
            count, positions = self.counts.get(task, 0), stored.get(task, {})
            expected = start.counts.get(task, 0)
            for number, position in sorted(positions.items()):
                if number != expected:
                    raise Failure(f"typed: task {task} acknowledges commit {number}, and not {expected}")
                expected += 1
                if promoted is None or position <= promoted:
                    if number >= count:
                        raise Failure(f"lost: commit {number} of task {task}, acknowledged at position {position}")
                elif number < count:
                    raise Failure(f"torn: commit {number} of task {task} is at position {position}, after {promoted}")
            # A task has one commit in flight.
            if not start.counts.get(task, 0) <= count <= expected + 1:
                raise Failure(f"torn: task {task} has started {expected + 1} commits, and {count} are there")


class Load:
    """A process that has printed the content of its store, and commits until it is killed."""

    def __init__(self, program, *words, environment=None):
        self.stored, self.content, self.faults = collections.defaultdict(dict), Content(), []
        self.process = subprocess.Popen(
            [program, *map(str, words)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True,
            env=os.environ | (environment or {}))
        # Ends a process that hangs before its first commit.
        timer = threading.Timer(PATIENCE, self.process.kill)
        timer.start()
        try:
            for line in self.process.stdout:
                if line == "ready\n":
                    break
                self.content.add(line.strip())
            else:
                raise Failure(f"unanswered: the program ended with {self.process.wait()} before its first commit")
        except BaseException:
            self.process.kill()
            self.process.communicate()
            raise
        finally:
            timer.cancel()
        self.reader = threading.Thread(target=self.read)
        self.reader.start()

    def read(self):
        for line in self.process.stdout:
            kind, *words = line.strip().split(" ")
            if kind == "stored" and len(words) == 3:
                self.stored[words[0]][int(words[1])] = int(words[2])
            elif line.endswith("\n"):
                self.faults.append(line.strip())

    def kill(self, seconds):
        """Kills the process after a time.

        Returns: the number of acknowledged commits.
        """
        try:
            self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            pass
        self.process.kill()
        self.process.wait()
        self.reader.join()
        self.process.stdout.close()
        if self.faults or self.process.returncode != -9:
            raise Failure(f"typed: the program ended with {self.process.returncode}: {self.faults[:3]}")
        return sum(map(len, self.stored.values()))


def must_detect(content, stored, start, promoted=None):
    """Fails unless the judge finds a lost commit: one more acknowledged commit than there was."""
    task, positions = next((task, positions) for task, positions in stored.items() if positions)
    number = max(content.counts[task], max(positions) + 1)
    more = stored | {task: positions | {later: 0 for later in range(max(positions) + 1, number + 1)}}
    try:
        content.judge_acknowledged(more, start, promoted)
    except Failure as failure:
        if str(failure).startswith("lost: "):
            return
    raise Failure("typed: a lost commit was not found")


def after(chance, longest):
    """Seconds until a kill: half of them soon, so that the first commits are hit, too."""
    return chance.choice([0.1, 1]) * random.Random(chance.random()).uniform(0, longest)
