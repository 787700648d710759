"""A PostgreSQL server of a proof, from the distribution's programs, in a temporary folder."""
import os
import pathlib
import shutil
import subprocess
import tempfile
import time

PROGRAMS = max(pathlib.Path("/usr/lib/postgresql").glob("*/bin/postgres"), default=pathlib.Path("/usr/bin/postgres"),
               key=lambda path: path.parts[4]).parent
"""The folder of the newest programs."""
USER = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
"""PostgreSQL refuses to run as root."""


class Database:
    """A server on a socket, which keeps its durability: a kill must not lose a commit."""

    def __init__(self):
        self.folder = tempfile.mkdtemp(prefix="larder-proof-", dir="/tmp")
        if USER:
            shutil.chown(self.folder, "postgres")
        self.data = f"{self.folder}/data"
        self.run("initdb", "-D", self.data, "-U", "larder", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8", "--no-sync")
        settings = f"listen_addresses = ''\nunix_socket_directories = '{self.folder}'\nmax_connections = 200\n"
        with open(f"{self.data}/postgresql.conf", "a") as file:
            file.write(settings)
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
        done = self.run("psql", "-h", self.folder, "-U", "larder", "-d", name, "-AtX", "-F", "\t", "-c", statement)
        return [line.split("\t") for line in done.stdout.splitlines()]

    def create(self, name):
        self.run("createdb", "-h", self.folder, "-U", "larder", name)
