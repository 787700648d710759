"""traced-calls: the system calls of the file store are those that its shim records, and that the simulation simulates.

Calls are compared in order. A lock is one call of the shim; so are the sync of a folder, and a read that continues
until all bytes are read. Closing a descriptor is not recorded.
"""
import os
import pathlib
import re
import subprocess
import tempfile

from served import Failure, caught

CALL = re.compile(r"^(\d+) +(\w+)\((.*)$")
RESUMED = re.compile(r"^(\d+) +<\.\.\. \w+ resumed>(.*)$")
DESCRIPTOR = re.compile(r"^(?:AT_FDCWD(?:<[^>]*>)?|\d+<([^>]*)>)(?:, )?(.*)$")
WORDS = {"newfstatat": "status", "fstat": "size", "lstat": "status", "mkdir": "mkdir", "fdatasync": "sync",
         "fsync": "sync folder", "unlink": "remove", "rename": "rename", "renameat": "rename", "renameat2": "rename",
         "pwrite64": "write", "ftruncate": "truncate"}


def traced(path):
    """Calls in the order of their start, with their results."""
    calls, waiting = [], {}
    for line in path.read_text(errors="replace").splitlines():
        resumed = RESUMED.match(line)
        if resumed and resumed[1] in waiting:
            calls[waiting.pop(resumed[1])][1] += resumed[2]
        elif call := CALL.match(line):
            if "<unfinished" in call[3]:
                waiting[call[1]] = len(calls)
            calls.append([call[2], re.sub(r" ?<unfinished.*", "", call[3])])
    return calls


def seen(log, folder):
    """The calls on the folder, in the shim's terms."""
    found, rest = [], (None, 0, 0)
    for name, text in traced(log):
        if folder not in text:
            continue
        described, after = DESCRIPTOR.match(text).groups() if DESCRIPTOR.match(text) else (None, text)
        paths = [path.rstrip("/") for path in re.findall(r'"([^"]*)"', text) if path.startswith("/")]
        path = (paths[0] if paths else described or "").removesuffix(" (deleted)").rstrip("/")
        # Operations on the open lock belong to one call; the check whether its path still exists is a separate call.
        if name in ("close", "flock") or path.endswith("/larder.lock") and not paths or "O_DIRECTORY" in text:
            continue
        numbers = [int(number) for number in re.findall(r"(?:, | = |^)(-?\d+)(?=[,) ]|$)", after)]
        if name == "openat":
            word = "lock" if path.endswith("/larder.lock") else "create" if "O_EXCL" in text else "open"
            found.append(f"{word} {path}")
        elif name == "pread64":
            count, offset, answer = numbers[-3:]
            before, rest = rest, (path, offset + answer, count - answer)
            if before != (path, offset, count) or not found[-1].startswith("read "):
                found.append(f"read {path} {offset}+{count}")
        else:
            word = "size" if name == "newfstatat" and not paths else WORDS.get(name, f"something else, {name},")
            details = {"write": lambda: f" {numbers[-2]}+{numbers[-3]}", "truncate": lambda: f" {numbers[-2]}",
                       "rename": lambda: f" {paths[1]}"}
            found.append(f"{word} {path}{details.get(word, str)()}")
    return found


def compare(seen, said):
    for place, pair in enumerate(zip(seen + [None], said + [None])):
        if pair[0] != pair[1]:
            raise Failure(f"other calls: call {place} was '{pair[0]}' to the kernel and '{pair[1]}' to the shim")
    if len(seen) < 50:
        raise Failure(f"typed: only {len(seen)} calls were seen")


def main():
    with tempfile.TemporaryDirectory() as folder:
        log, calls, store = pathlib.Path(folder, "log"), pathlib.Path(folder, "calls"), f"{folder}/store"
        done = subprocess.run(
            ["strace", "-f", "--seccomp-bpf", "-y", "-qq", "-s", "0", "-e", "trace=%file,%desc", "-o", log,
             "swift", "test", "--skip-build", "--disable-xctest", "--filter", "TracedStoreTests"],
            env=os.environ | {"LARDER_TRACED_FOLDER": store, "LARDER_TRACED_CALLS": str(calls)},
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        if done.returncode != 0:
            raise Failure(f"typed: the tests failed: {done.stdout}")
        said = [re.sub(r"/(?= |$)", "", line) for line in calls.read_text().splitlines() if store in line]
        kernel = seen(log, store)
    # A call that was not recorded, and a recorded call that was not made.
    caught("other calls: ", lambda: compare(kernel, said[:19] + said[20:]))
    caught("other calls: ", lambda: compare(kernel, said[:20] + said[19:]))
    compare(kernel, said)
    print(f"proof: system calls of the file store: {len(kernel)} seen by strace, the same {len(said)} noted by the shim")
