"""openapi-requests [EXAMPLES [PRODUCT IMPORT]]: requests that schemathesis generates from a server's OpenAPI document.

Every response must be documented, and invalid requests must be refused. EXAMPLES limits the random requests of each
operation. PRODUCT is another service of this package, whose initial content is a POST of the file IMPORT.
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from served import SEED, Connection, Failure, Server, caught, program

LEAST = 3000
"""Requests."""


def own_ids(connection, paths):
    """The ids of the caller and of its token."""
    owners = next(path for path in paths if path.endswith("/{id}/tokens")).removesuffix("/{id}/tokens")
    owner = connection.expect(200, "GET", owners).json["items"][0]["id"]
    return [owner, connection.expect(200, "GET", f"{owners}/{owner}/tokens").json["items"][0]["id"]]


def run(program, content, examples, fault=lambda document: None, *options):
    """Returns: the number of requests, counted by the server."""
    here, tools = pathlib.Path(__file__).parent, pathlib.Path(sys.executable).parent
    with tempfile.TemporaryDirectory() as folder, Server(program, "memory:", "off", f"{folder}/log") as server:
        connection = Connection(server)
        document = connection.expect(200, "GET", "/openapi.json").json
        for _ in range(20 if not content else 0):
            server.make_item("Item", 100, ["a part", "another"])
        if content:
            fields = {"Content-Type": "application/x-ndjson"}
            connection.expect(200, "POST", "/v1/import", pathlib.Path(content).read_bytes(), fields)
        ids = own_ids(connection, document["paths"])
        fault(document)
        pathlib.Path(folder, "openapi.json").write_text(json.dumps(document))
        # One worker, because the tool's caches are not thread-safe. The stream of changes does not end.
        done = subprocess.run(
            [tools / "schemathesis", "--config-file", here / "schemathesis.toml", "--no-color", "run", "openapi.json",
             "--url", server.url, "--header", f"Authorization: Bearer {server.token}", "--seed", str(SEED),
             "--max-examples", examples, "--exclude-operation-id", "followChanges", "--checks", "all",
             "--continue-on-failure", "--no-shrink", "--request-timeout", "10", "--generation-database", "none",
             "--generation-allow-x00", "false", "--warnings", "off", *options],
            cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
            env=os.environ | {"SCHEMATHESIS_HOOKS": "schemathesis_hooks", "PYTHONPATH": str(here),
                              "PYTHONDONTWRITEBYTECODE": "1", "OWN_IDS": json.dumps(ids)})
        if done.returncode != 0:
            raise Failure(f"undescribed: {done.stdout}")
        print("\n".join(done.stdout.splitlines()[-12:]))
        # The server has closed the first connection, which was idle for too long.
        metrics = Connection(server).expect(200, "GET", "/metrics").body.decode()
        log = server.log.read_text()
    if re.search(r'"level":"(error|critical)"', log):
        raise Failure(f"typed: the server logged an error: {log[-2000:]}")
    return sum(int(float(count)) for count in re.findall(r"^http_server_request_duration_seconds_count\b.* ([0-9.e+]+)$", metrics, re.MULTILINE))


def without_ready(document):
    del document["paths"]["/health/ready"]["get"]["responses"]["200"]


def main(examples="50", product="ProofProgram", content=None):
    served = program(product)
    caught("undescribed: ", lambda: run(served, content, "5", without_ready, "--include-path", "/health/ready"))
    count = run(served, content, examples)
    if count < LEAST:
        raise Failure(f"typed: only {count} requests, seed {SEED}")
    print(f"proof: schemathesis, {product}: {count} requests, 0 failures, seed {SEED}")
