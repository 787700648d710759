"""The rows of the budgets: each yields its name, its counts, and the greatest tolerance that it may have, in percent."""
import concurrent.futures
import itertools
import json
import os
import pathlib
import re
import subprocess

from counted_service import CountedService
from recipes import recipes

IN_PROCESS, OVER_HTTP = 3, 6
REQUESTS = ["HTTP: live", "HTTP: GET", "HTTP: list", "HTTP: list, cached", "HTTP: search", "HTTP: PUT",
            "HTTP: PUT of a searched text", "HTTP: rating", "HTTP: POST"]
EVENT = "HTTP: event of a stream"
IMPORT = ["bytes written by an import of 3,000 recipes", "bytes of their database"]
STREAMS = 16
"""As many as one user may have."""


def stripped(program, folder):
    """A copy without debugging information of C targets, at which valgrind ends."""
    copy = folder / pathlib.Path(program).name
    subprocess.run(["strip", "--strip-debug", "-o", copy, program], check=True)
    return copy


def works(benchmarks, folder, rounds, is_wanted):
    """The works of `make bench-instructions` with Larder. Parallel tasks (W4) wait for each other in loops."""
    if benchmarks is None:
        return
    benchmarks = stripped(benchmarks, folder)
    names = subprocess.run([benchmarks, "count"], check=True, capture_output=True, text=True).stdout.splitlines()
    names = [name for name in names if is_wanted(name) and not name.startswith("W4")]

    def count(name):
        result = subprocess.run(
            ["valgrind", "--tool=callgrind", "--instr-atstart=no", "--callgrind-out-file=/dev/null", benchmarks, "count",
             name, "Larder"], check=True, capture_output=True, text=True)
        collected = re.search(r"Collected : (\d+)", result.stderr)
        return int(collected[1]) // int(re.search(r"^operations (\d+)", result.stdout, re.MULTILINE)[1])

    # Other processes do not change counts.
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        counts = pool.map(count, [name for name in names for _ in range(rounds)])
        for name in names:
            yield name, list(itertools.islice(counts, rounds)), IN_PROCESS


def requests(larder, source, folder, rounds, is_wanted):
    """Requests to the service, on one connection. One event of a stream is what a rating costs more with streams."""
    if not any(map(is_wanted, REQUESTS + [EVENT])):
        return
    service = CountedService(stripped(larder, folder), source, folder)
    items = json.loads(service.send("GET", "/v1/recipes?limit=100")[1])["items"]
    path = f"/v1/recipes/{items[0]['id']}"
    rated = f"/v1/recipes/{items[1]['id']}/rate"
    state = dict(zip(("tag", "body"), service.send("GET", path)))
    recipe = json.loads(state["body"])
    counter = itertools.count()

    def get(path, as_user=True):
        return lambda: service.send("GET", path, as_user=as_user)

    def put(member, values):
        def act():
            recipe[member] = values[next(counter) % 2]
            state["tag"] = service.send("PUT", path, recipe, state["tag"])[0]
        return act

    def rate():
        service.send("POST", rated, {"rating": next(counter) % 2 + 4})

    def create():
        service.send("POST", "/v1/recipes", {"name": f"Counted {next(counter)}", "servings": 2})

    def event():
        rate()
        service.await_event()

    actions = [
        (get("/health/live", as_user=False), 100), (get(path), 100), (get("/v1/recipes?limit=20"), 20),
        (get("/v1/recipes?limit=20", as_user=False), 100), (get("/v1/recipes?search=onion&limit=20"), 20),
        (put("cookingMinutes", [30, 45]), 30), (put("name", ["Lentil soup", "Lentil broth"]), 30), (rate, 30),
        (create, 30),
    ]
    for name, (action, repeats) in zip(REQUESTS, actions):
        if is_wanted(name):
            # A new recipe is sometimes dearer, when the index of words is merged, which short windows miss.
            windows = 1 if action is create else 4
            yield name, list(service.counts_of(action, repeats, rounds, windows)), OVER_HTTP
    if is_wanted(EVENT):
        alone = sorted(service.counts_of(rate, 24, rounds))[rounds // 2]
        service.open_streams(STREAMS)
        counts = [(count - alone) // STREAMS for count in service.counts_of(event, 24, rounds)]
        yield EVENT, counts, OVER_HTTP
    service.end()


def bytes_of_import(larder, source, folder, rounds, is_wanted):
    """The bytes that an import of 3,000 recipes writes to the files of a SQLite store, and the size of the database."""
    if not any(map(is_wanted, IMPORT)):
        return
    file = folder / "recipes.jsonl"
    file.write_text("\n".join(recipes(3000, source)))
    written, sizes = [], []
    for round in range(rounds):
        trace, database = folder / "trace", folder / f"import-{round}.sqlite"
        subprocess.run(
            ["strace", "-f", "--seccomp-bpf", "-y", "-s", "0", "-e", "trace=write,pwrite64,writev,pwritev", "-o", trace,
             larder, "import", file, "--store", f"sqlite:{database}"],
            check=True, capture_output=True, env={"HOME": str(folder), "SWIFT_DETERMINISTIC_HASHING": "1"})
        calls = re.findall(rf"<{re.escape(str(database))}[^>]*>.* = (\d+)$", trace.read_text(), re.MULTILINE)
        written.append(sum(map(int, calls)))
        sizes.append(database.stat().st_size)
    yield IMPORT[0], written, IN_PROCESS
    yield IMPORT[1], sizes, IN_PROCESS
