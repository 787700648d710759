"""postgres-cluster [FAILOVERS]: a cluster loses its primary under load from two processes, and then gets it back.

Patroni and PostgreSQL of the primary are killed together. Afterwards each acknowledged commit must be there once, each
failed one must not, and the outcomes of commits in doubt must be true.
"""
import collections
import contextlib
import re
import statistics
import subprocess
import time

from patroni_cluster import Cluster, binaries, wait_for
from postgres_load import Load, build, judge
from served import Failure

LOAD_SECONDS = 2
"""The time of load on a complete cluster before each failover."""


def fail_over(cluster, loads):
    """Kills the primary, waits for commits on another node, and lets the killed one rejoin.

    Returns: the seconds until another node is the primary, and those without an acknowledged commit of some process.
    """
    time.sleep(LOAD_SECONDS)
    primary, began = cluster.primary(), time.time()
    primary.kill()
    killed = time.time()
    cluster.primary(other_than=primary)
    promoted = time.time()
    times = [wait_for(f"no commit of {load.name}", lambda: load.stored_after(killed)) for load in loads]
    before = min(max(line.time for line in load.lines if line.outcome == "stored" and line.time < killed) for load in loads)
    if before < began - 1:
        raise Failure(f"unanswered: no commit in the {began - before:.1f} s before the failover")
    primary.start()
    cluster.wait_until_ready()
    return promoted - killed, max(times) - before


def errors(loads):
    """The errors of the load by their texts, without the values of a commit."""
    texts = (re.sub(r"[-\w]*\d[-\w.]*", "N", line.text.split(" ", 4)[-1])[:160] for load in loads for line in load.lines
             if line.outcome in ("failed", "doubt"))
    return collections.Counter(texts).most_common(8)


def main(failovers="20"):
    subprocess.run(["Tests/Proof/install", *"libpq-dev postgresql patroni etcd-server python3-etcd".split()])
    if not binaries("patroni", "etcd"):
        print("proof: cluster: skipped, because Patroni, etcd or PostgreSQL is not installed")
        return
    program = build()
    with Cluster() as cluster, contextlib.ExitStack() as stack:
        cluster.make_database("larder")
        connection = cluster.connection(user="larder", database="larder")
        loads = [stack.enter_context(Load(program, connection, f"client{number}")) for number in range(2)]
        outages = []
        for number in range(int(failovers)):
            promotion, outage = fail_over(cluster, loads)
            outages.append(outage)
            print(f"failover {number + 1}: a new primary after {promotion:.1f} s, {outage:.1f} s without commits", flush=True)
        # Ends the load.
        stack.close()
        for text, number in errors(loads):
            print(f"{number} times: {text}")
        lines = [line for load in loads for line in load.lines]
        entries = [row[0] for row in cluster.query("SELECT name FROM entry", database="larder")]
        [[count]] = cluster.query("SELECT count FROM counter", database="larder")
        counts = judge(lines, entries, int(count))
        print(f"proof: {len(outages)} failovers of the cluster: {counts.get('stored', 0)} commits acknowledged, 0 lost, "
              f"0 doubled, {counts.get('doubt', 0)} in doubt, all resolved truly ({counts.get('found', 0)} stored); "
              f"without commits {statistics.median(outages):.1f} s (median), {max(outages):.1f} s (worst)")
