"""postgres-scale [SECONDS]: measures commits of the load program on SQLite, on one PostgreSQL server, and on a cluster.

A commit inserts one object; each commit of the first task of a process also reads and increments an object that all
processes share. All programs run on one machine, so a second process and replicas take processor time from the first.
"""
import contextlib
import itertools
import statistics
import time

from patroni_cluster import Cluster, wait_for
from postgres_load import TASKS, Load, build
from postgres_server import Server


def measure(program, name, store, processes, tasks, seconds):
    """Prints the commits per second of all processes, and the median time from one commit of a task to the next."""
    with contextlib.ExitStack() as stack:
        loads = [stack.enter_context(Load(program, store, f"{name}-{tasks}-{processes}-{number}".replace(" ", "-"), tasks))
                 for number in range(processes)]
        for load in loads:
            wait_for("no commit", lambda: load.stored_after(0))
        began = time.time() + 0.5
        time.sleep(seconds + 0.5)
        ended = time.time()
    lines = [[line for line in load.lines if began <= line.time <= ended and line.outcome == "stored"] for load in loads]
    tasks_of = [[line.time for line in group] for load in lines for _, group in itertools.groupby(sorted(load, key=task), task)]
    times = [after - before for task in tasks_of for before, after in itertools.pairwise(task)]
    count = sum(map(len, lines))
    print(f"{name}, {processes} process(es) with {tasks} task(s): {count / (ended - began):.0f} commits per second, "
          f"{1000 * statistics.median(times):.1f} ms (median)", flush=True)


def task(line):
    return line.entry.split("-")[-2]


def main(seconds="5"):
    program = build("--configuration", "release")

    def measure_all(name, store, processes):
        for count, tasks in [(1, 1), *((number, TASKS) for number in processes)]:
            measure(program, name, store, count, tasks, float(seconds))

    with Server() as server:
        (server.folder / "sqlite").mkdir()
        measure_all("SQLite", f"sqlite:{server.folder}/sqlite/store", [1])
        pooler = server.start_pooler("session")
        measure_all("PostgreSQL", f"host=127.0.0.1 port={server.port} user=larder dbname=larder", [1, 2])
        measure_all("PgBouncer", pooler, [1, 2])
    with Cluster() as cluster:
        cluster.make_database("larder")
        measure_all("cluster", cluster.connection(user="larder", database="larder"), [1, 2])
