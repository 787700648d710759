"""postgres-pooler: the store behind PgBouncer, with session pooling and with transaction pooling.

With session pooling, two processes commit while the server is killed and started again; their logs must be true.
Transaction pooling, and a connection string with options, must be refused with a message that says what to do.
"""
import contextlib
import os
import subprocess
import time

from patroni_cluster import PASSWORD, binaries, wait_for
from postgres_load import Load, build, judge
from postgres_server import Server
from served import PATIENCE, Failure

def must_be_refused(program, connection, message):
    answer = subprocess.run(
        [program, connection, "refused", "1"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True, timeout=PATIENCE,
        env=os.environ | {"PGPASSWORD": PASSWORD})
    if answer.returncode != 1 or message not in answer.stdout:
        raise Failure(f"typed: {answer.returncode}: {answer.stdout[:500]}")
    print(f"refused: {answer.stdout.strip()}")


def main():
    subprocess.run(["Tests/Proof/install", "libpq-dev", "postgresql", "pgbouncer"])
    if not binaries("pgbouncer"):
        print("proof: pooler: skipped, because PgBouncer or PostgreSQL is not installed")
        return
    program = build()
    with Server() as server, contextlib.ExitStack() as stack:
        session, transaction = server.start_pooler("session"), server.start_pooler("transaction")
        must_be_refused(program, transaction, "pool_mode = session")
        must_be_refused(program, f"{session} options='-c geqo=off'", "ALTER ROLE")
        loads = [stack.enter_context(Load(program, session, f"client{number}")) for number in range(2)]
        for load in loads:
            wait_for("no commit", lambda: load.stored_after(0))
        time.sleep(2)
        server.kill_server()
        killed = time.time()
        server.start_server()
        for load in loads:
            wait_for("no commit after the server's start", lambda: load.stored_after(killed))
        time.sleep(2)
        stack.close()
        lines = [line for load in loads for line in load.lines]
        counts = judge(lines, server.query("SELECT name FROM entry"), int(server.query("SELECT count FROM counter")[0]))
        if refused := [line.text for line in lines if "prepared statement" in line.text]:
            raise Failure(f"typed: {refused[:5]}")
        print(f"proof: PgBouncer: {counts['stored']} commits through session pooling, the server was killed once, 0 lost, "
              "0 doubled; transaction pooling is refused")
