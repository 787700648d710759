"""A PostgreSQL server in a temporary folder and on a free loopback port, and PgBouncer in front of it."""
import os
import pathlib
import subprocess

from patroni_cluster import PASSWORD, Programs, binaries, executable, free_ports, wait_for
from served import PATIENCE, Failure

CONFIGURATION = pathlib.Path(__file__).with_name("pgbouncer.ini").read_text()


class Server(Programs):
    """A server, and a pooler in front of it."""

    def prepare(self):
        self.folder_of_server, (self.port,) = self.make_folder("server"), free_ports(1)
        run = self.start(
            self.folder_of_server, [binaries() / "initdb", "-D", "data", "-U", "larder", "-A", "trust", "-E", "UTF8",
                                    "--locale=C.UTF-8", "--no-sync"])
        if run.wait(PATIENCE) != 0:
            raise Failure("typed: initdb failed")
        self.start_server()
        wait_for("the server did not start", lambda: self.query("CREATE DATABASE larder", "postgres") is not None)

    def start_server(self):
        self.process = self.start(self.folder_of_server, [
            binaries() / "postgres", "-D", "data", "-p", self.port, "-c", "listen_addresses=127.0.0.1",
            "-c", "unix_socket_directories="])

    def kill_server(self):
        self.kill(self.folder_of_server)
        self.process.wait()

    def start_pooler(self, mode):
        """Starts PgBouncer.

        Returns: the connection string of the database behind it.
        """
        folder, (port,) = self.make_folder(mode), free_ports(1)
        text = CONFIGURATION.replace("= session", f"= {mode}").replace("port=5432", f"port={self.port}")
        (folder / "userlist.txt").write_text(f'"larder" "{PASSWORD}"')
        (folder / "pgbouncer.ini").write_text(text.replace("= 6432", f"= {port}"))
        self.start(folder, [executable("pgbouncer"), "pgbouncer.ini"])
        connection = f"host=127.0.0.1 port={port} user=larder dbname=larder"
        wait_for("the pooler did not start", lambda: self.query("SELECT 1", connection) is not None)
        return connection

    def query(self, statement, connection="larder"):
        """Runs a statement.

        Returns: the first column of each row; `None` if it failed.
        """
        if "=" not in connection:
            connection = f"host=127.0.0.1 port={self.port} user=larder dbname={connection}"
        answer = subprocess.run(
            [binaries() / "psql", "--no-psqlrc", "-qAtc", statement, connection], stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, text=True, env=os.environ | {"PGPASSWORD": PASSWORD})
        return answer.stdout.splitlines() if answer.returncode == 0 else None
