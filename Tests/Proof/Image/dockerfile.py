"""The Dockerfile of a new service makes an image that works: its lines run in two empty systems, without a container engine.

The service has a copy of the kit. Its image is built in a system with this machine's toolchain, from the files that an engine would
see, and with the versions in Package.resolved. The program then runs in another system as the user of the image, in a network of
its own: it answers the check of its health, and ends with status 0 after SIGTERM. A final stage without SQLite's library
must not start. With `postgres`, the service has PostgreSQL.
"""
import contextlib
import ctypes
import fcntl
import os
import pathlib
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time

from container import Stage, context, stages
from postgres import Database
from served import Failure, caught

NAME = "my-loans"
PATIENCE = 30


def leave_network():
    """Gives this process a network of its own, with a loopback interface only: the port is free there."""
    if ctypes.CDLL(None).unshare(0x40000000) != 0:  # CLONE_NEWNET
        raise Failure("typed: no network of its own: root is required")
    with socket.socket() as any_socket:
        fcntl.ioctl(any_socket, 0x8914, struct.pack("16sh22x", b"lo", 1))  # SIOCSIFFLAGS, IFF_UP


def build(texts, folder, origins, name):
    """Follows the instructions of a stage in a new system."""
    (_, image), *rest = texts
    stage = Stage(image.split()[0], folder / name)
    for word, line in rest:
        stage.follow(word, line, origins)
    return stage


def serve(stage, settings):
    """Starts the entry point, and checks its health as an engine does."""
    process = subprocess.Popen(stage.command(*stage.arguments), env=stage.variables | settings, stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT, text=True)
    try:
        health = None
        for _ in range(PATIENCE * 10):
            health = subprocess.run(stage.command(*stage.health), env=stage.variables, stdout=subprocess.PIPE,
                                    stderr=subprocess.DEVNULL, text=True)
            if health.returncode == 0 or process.poll() is not None:
                break
            time.sleep(0.1)
        process.send_signal(signal.SIGTERM)
        printed, _ = process.communicate(timeout=PATIENCE)
    finally:
        process.kill()
    if health.returncode != 0 or process.returncode != 0:
        raise Failure(f"typed: not healthy, status {process.returncode}: {printed[-1000:]}")
    if "First operator token" not in printed:
        raise Failure(f"typed: no token of the first operator: {printed[-1000:]}")


def inside(folder, store):
    """The proof, in a namespace of its own."""
    service = folder / NAME
    arguments = [f"NAME={NAME}", f"AT={service}", "KIT=vendored", f"STORE={store}"]
    subprocess.run(["make", "--no-print-directory", "new", *arguments], check=True)
    subprocess.run(["swift", "package", "--package-path", service, "resolve"], check=True)
    (service / ".env").write_text("POSTGRES_PASSWORD=secret")
    context(service, folder / "context")
    origins = {"context": folder / "context"}
    text = (service / "Dockerfile").read_text()
    first, last = stages(text)
    began = time.monotonic()
    source = build(first, folder, origins, "build")
    seconds = time.monotonic() - began
    origins["build"] = source.root
    if (service / "Package.resolved").read_text() != source.inside("Package.resolved").read_text():
        raise Failure("typed: other versions than in Package.resolved")
    if source.inside(".env").exists():
        raise Failure("leaked: the secrets are in the image")
    fault = [(word, line.replace("libsqlite3-0", "")) for word, line in last]
    faulty, stage = build(fault, folder, origins, "faulty"), build(last, folder, origins, "final")
    settings = {f"{NAME.replace('-', '_').upper()}_HTTP_FIRST_OPERATOR": "ann"}
    with Database() if store == "postgres" else contextlib.nullcontext() as server:
        if server:
            server.create(NAME)
            os.chmod(server.folder, 0o755)
            stage.bind(server.folder, "/run/postgresql")
            settings["MY_LOANS_STORE"] = f"postgres://larder@/{NAME}?host=/run/postgresql"
        leave_network()
        caught("typed: not healthy, status 127", lambda: serve(faulty, settings))
        serve(stage, settings)
    size = os.path.getsize(stage.inside(f"/usr/local/bin/{NAME}")) // 1_000_000
    print(f"proof: the Dockerfile of a service with {store} makes a program of {size} MB in {seconds:.0f} s, which is healthy")


def main(store="sqlite", folder=None):
    if folder:
        inside(pathlib.Path(folder), store)
        return
    subprocess.run(["Tests/Proof/install", "mmdebstrap", *(["postgresql"] if store == "postgres" else [])], check=True)
    if os.geteuid() != 0:
        raise Failure("typed: root is required, for systems of their own")
    with tempfile.TemporaryDirectory(prefix="larder-image-") as folder:
        # The mounts and the processes of the namespaces end with them, before the folder is removed.
        os.chmod(folder, 0o755)
        done = subprocess.run(["unshare", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc", sys.executable,
                               *sys.argv[:2], store, folder])
    if done.returncode != 0:
        sys.exit(done.returncode)
