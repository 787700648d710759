"""A PostgreSQL server of a proof, from the distribution's programs, in a temporary folder, and stores in its databases.

`postgres.py COMMAND…` runs a command with a new server as that of libpq's variables. Nothing is synced.
"""
import contextlib
import json
import os
import pathlib
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
import uuid

from stores import PLANTS, STORES, Store

PROGRAMS = max(pathlib.Path("/usr/lib/postgresql").glob("*/bin/postgres"), default=pathlib.Path("/usr/bin/postgres"),
               key=lambda path: path.parts[4]).parent
"""The folder of the newest programs."""
USER = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
"""PostgreSQL refuses to run as root."""


class Database:
    """A server on a socket, which keeps its durability unless the settings differ: a kill must not lose a commit."""

    def __init__(self, settings=""):
        self.folder = tempfile.mkdtemp(prefix="larder-proof-", dir="/tmp")
        if USER:
            shutil.chown(self.folder, "postgres")
        self.data = f"{self.folder}/data"
        self.run("initdb", "-D", self.data, "-U", "larder", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8", "--no-sync")
        lines = f"listen_addresses = ''\nunix_socket_directories = '{self.folder}'\nmax_connections = 200\n{settings}\n"
        with open(f"{self.data}/postgresql.conf", "a") as file:
            file.write(lines)
        self.start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop("immediate")
        shutil.rmtree(self.folder, ignore_errors=True)

    @staticmethod
    def run(program, *arguments, check=True):
        return subprocess.run([*USER, str(PROGRAMS / program), *arguments], check=check, cwd="/tmp", text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def start(self):
        """Starts the server. After a kill, its last processes may still hold the memory for a moment."""
        for _ in range(200):
            done = self.run("pg_ctl", "-D", self.data, "-l", f"{self.folder}/log", "-w", "-s", "start", check=False)
            if done.returncode == 0:
                return
            time.sleep(0.05)
        raise RuntimeError(f"PostgreSQL did not start: {done.stderr}{pathlib.Path(self.folder, 'log').read_text()[-2000:]}")

    def stop(self, mode):
        self.run("pg_ctl", "-D", self.data, "-m", mode, "-w", "-s", "stop", check=False)

    def kill(self):
        """Kills the first process of the server."""
        os.kill(int(pathlib.Path(self.data, "postmaster.pid").read_text().split()[0]), 9)

    def location(self, name):
        return f"postgres://larder@/{name}?host={self.folder}"

    def query(self, name, statement):
        """The rows of a statement, as lists of texts."""
        done = self.run("psql", "-h", self.folder, "-U", "larder", "-d", name, "-AtX", "-v", "ON_ERROR_STOP=1", "-F", "\t",
                        "-c", statement)
        return [line.split("\t") for line in done.stdout.splitlines()]

    def create(self, name):
        self.run("createdb", "-h", self.folder, "-U", "larder", name)


class Tables(Store):
    """A store in a new database of a server. For the judge, its rows are copied to a SQLite database in memory."""

    kind, plants = "postgres", {"lost", "older", "torn"}

    def __init__(self, server, path):
        super().__init__(path)
        self.server, self.name = server, f"store_{uuid.uuid4().hex}"
        server.create(self.name)

    def __str__(self):
        return self.server.location(self.name)

    def opened(self):
        columns = {}
        for table, column, type in self.server.query(self.name, """
                SELECT table_name, column_name, data_type FROM information_schema.columns
                WHERE table_schema = 'public' ORDER BY table_name, ordinal_position"""):
            columns.setdefault(table, {})[column] = type
        copy = sqlite3.connect(":memory:")
        for table, types in columns.items():
            names = ", ".join(f'"{name}"' for name in types)
            copy.execute(f'CREATE TABLE "{table}" ({names})')
            rows = (json.loads(row[0]) for row in self.server.query(self.name, f'SELECT row_to_json(t) FROM "{table}" t'))
            copy.executemany(f'INSERT INTO "{table}" VALUES ({", ".join("?" * len(types))})',
                             ([self.value(row[name], type) for name, type in types.items()] for row in rows))
        copy.commit()
        return copy

    @staticmethod
    def value(value, type):
        """The value that a SQLite store has for the same content."""
        if value is None or type not in ("uuid", "bytea"):
            return value
        return bytes.fromhex(value.replace("-", "") if type == "uuid" else value[2:])

    def plant(self, what):
        """Damages the store; `False` while there is nothing to damage."""
        found = self.server.query(self.name, "SELECT id FROM item ORDER BY uses DESC, version DESC, id LIMIT 1")
        for statement in PLANTS[what] if found else []:
            self.server.query(self.name, statement.replace(":id", f"'{found[0][0]}'"))
        return bool(found)


@contextlib.contextmanager
def stores_with_postgres():
    """The kinds of stores by name, with PostgreSQL if a server is installed."""
    if not (PROGRAMS / "initdb").exists():
        print("no PostgreSQL server is installed: its pairs are skipped", flush=True)
        yield STORES
        return
    with Database() as server:
        yield STORES | {Tables.kind: lambda path: Tables(server, path)}


if __name__ == "__main__":
    with Database("fsync = off") as server:
        sys.exit(subprocess.run(sys.argv[1:], env=os.environ | {"PGHOST": server.folder, "PGUSER": "larder"}).returncode)
