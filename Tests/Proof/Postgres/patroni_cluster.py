"""Three PostgreSQL nodes under Patroni, with one etcd, in a temporary folder and on free loopback ports.

PostgreSQL refuses to run as root; then all programs run as the user `postgres`.
"""
import json
import os
import pathlib
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import urllib.request

from served import PATIENCE, Failure

CONFIGURATION = pathlib.Path(__file__).with_name("patroni.yml")
PASSWORD = "proof"
USER = {"user": "postgres", "group": pwd.getpwnam("postgres").pw_gid, "extra_groups": []} if os.geteuid() == 0 else {}


def binaries(*others):
    """The folder of PostgreSQL's programs; `None` if it or one of the other programs is not installed."""
    folders = sorted(pathlib.Path("/usr/lib/postgresql").glob("*/bin"), key=lambda folder: float(folder.parent.name))
    return folders[-1] if folders and all(map(executable, others)) else None


def executable(name):
    return shutil.which(name, path=os.environ["PATH"] + ":/usr/sbin")


def free_ports(count):
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports


def wait_for(what, check, seconds=PATIENCE):
    """Waits until a check returns a value that is not false.

    Returns: the value.
    """
    limit = time.monotonic() + seconds
    while not (value := check()):
        if time.monotonic() > limit:
            raise Failure(f"unanswered: {what} for {seconds} s")
        time.sleep(0.1)
    return value


class Programs:
    """A temporary folder, and the programs that run in it. The end of the block ends and removes them."""

    def __enter__(self):
        # A termination ends the block, as an interrupt does, which a shell ignores in the background.
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, signal.default_int_handler)
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="larder-postgres-"))
        if USER:
            shutil.chown(self.folder, USER["user"])
        try:
            self.prepare()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        while self.kill(self.folder):
            time.sleep(0.1)
        shutil.rmtree(self.folder)

    def make_folder(self, name):
        folder = self.folder / name
        folder.mkdir()
        if USER:
            shutil.chown(folder, USER["user"])
        return folder

    def start(self, folder, command, **variables):
        """Starts a program in a folder that contains its log. It does not get the interrupts of the terminal."""
        with open(folder / "log", "ab") as log:
            return subprocess.Popen(
                [str(word) for word in command], cwd=folder, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                start_new_session=True, env=os.environ | variables, **USER)

    def kill(self, folder):
        """Kills all processes whose current folder is in this one.

        Returns: their number.
        """
        killed = 0
        for process in pathlib.Path("/proc").glob("[0-9]*"):
            try:
                if pathlib.Path(os.readlink(process / "cwd")).is_relative_to(folder):
                    if "Z" != (process / "stat").read_text().rpartition(")")[2].split()[0]:
                        os.kill(int(process.name), signal.SIGKILL)
                        killed += 1
            except OSError:
                pass
        return killed


class Node:
    def __init__(self, cluster, name, port, rest):
        self.cluster, self.name, self.port, self.rest = cluster, name, port, rest
        self.folder, self.process = cluster.make_folder(name), None

    def start(self):
        """Starts Patroni, which starts PostgreSQL."""
        address, rest = f"127.0.0.1:{self.port}", f"127.0.0.1:{self.rest}"
        self.process = self.cluster.start(
            self.folder, ["patroni", CONFIGURATION], PATRONI_NAME=self.name, PATRONI_ETCD3_HOST=self.cluster.etcd,
            PATRONI_RESTAPI_LISTEN=rest, PATRONI_RESTAPI_CONNECT_ADDRESS=rest, PATRONI_POSTGRESQL_LISTEN=address,
            PATRONI_POSTGRESQL_CONNECT_ADDRESS=address, PATRONI_POSTGRESQL_DATA_DIR=f"{self.folder}/data",
            PATRONI_POSTGRESQL_BIN_DIR=str(self.cluster.binaries), PATRONI_POSTGRESQL_PGPASS=f"{self.folder}/pgpass",
            PATRONI_SUPERUSER_USERNAME="postgres", PATRONI_SUPERUSER_PASSWORD=PASSWORD,
            PATRONI_REPLICATION_USERNAME="replicator", PATRONI_REPLICATION_PASSWORD=PASSWORD)

    def kill(self):
        """Kills Patroni and all processes of PostgreSQL."""
        self.cluster.kill(self.folder)
        self.process.wait()

    def members(self):
        """The state of the cluster as this node reports it: the members by their names."""
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.rest}/cluster", timeout=5) as answer:
                return {member["name"]: member for member in json.load(answer)["members"]}
        except OSError:
            return {}


class Cluster(Programs):
    """Three nodes. Each of them is ready when the block begins."""

    def prepare(self):
        self.binaries = binaries()
        client, peer, *ports = free_ports(8)
        self.etcd, folder = f"127.0.0.1:{client}", self.make_folder("etcd")
        addresses = {
            "--listen-client-urls": client, "--advertise-client-urls": client, "--listen-peer-urls": peer,
            "--initial-advertise-peer-urls": peer}
        options = [word for name, port in addresses.items() for word in (name, f"http://127.0.0.1:{port}")]
        self.start(folder, ["etcd", "--data-dir", folder / "data", "--unsafe-no-fsync", "--initial-cluster",
                            f"default=http://127.0.0.1:{peer}", *options])
        self.nodes = [Node(self, f"node{number}", ports[number], ports[number + 3]) for number in range(3)]
        for node in self.nodes:
            node.start()
        self.wait_until_ready()

    def wait_until_ready(self):
        """Waits for a primary, a synchronous replica, and another replica that follows the same timeline."""
        def check():
            views = [node.members() for node in self.nodes]
            members = list(views[0].values())
            roles = sorted(member["role"] for member in members)
            return (all(view.keys() == {node.name for node in self.nodes} for view in views)
                    and roles == ["leader", "replica", "sync_standby"]
                    and len({member.get("timeline") for member in members}) == 1
                    and all(member["state"] in ("running", "streaming") for member in members))

        wait_for("no primary with two replicas", check)

    def primary(self, other_than=None):
        """The primary, once there is one."""
        def find():
            for asked in self.nodes:
                members = asked.members()
                for node in self.nodes:
                    if node is not other_than and members.get(node.name, {}).get("role") == "leader":
                        return node
            return None

        return wait_for("no primary", find)

    def connection(self, user="postgres", database="postgres"):
        """The connection string of all nodes, which leads to the primary."""
        hosts = ",".join(f"127.0.0.1:{node.port}" for node in self.nodes)
        return f"postgres://{user}@{hosts}/{database}?target_session_attrs=read-write&connect_timeout=2"

    def query(self, statement, **options):
        """Runs a statement on the primary.

        Returns: the rows as lists of texts.
        """
        answer = subprocess.run(
            [self.binaries / "psql", "--no-psqlrc", "-qAtF", "\t", "-v", "ON_ERROR_STOP=1", "-c", statement,
             self.connection(**options)],
            check=True, stdout=subprocess.PIPE, text=True, env=os.environ | {"PGPASSWORD": PASSWORD})
        return [line.split("\t") for line in answer.stdout.splitlines()]

    def make_database(self, name):
        """Creates a database and its owner of the same name, on all nodes."""
        self.query(f"CREATE ROLE {name} LOGIN PASSWORD '{PASSWORD}'")
        self.query(f"CREATE DATABASE {name} OWNER {name}")
        # libpq does not try the next host if one lacks the user or the database.
        replayed = "SELECT count(*) FROM pg_stat_replication WHERE replay_lsn >= pg_current_wal_lsn()"
        wait_for("the replicas are behind", lambda: self.query(replayed) == [["2"]])
