"""The two generators of clients, and whether they used all of a description."""
import os
import pathlib
import re
import subprocess
import sys

import yaml

from stores import Failure

METHODS = ["get", "put", "post", "patch", "delete"]


def generate(text, folder):
    """Makes the package `client` and the module `models` in a folder.

    Returns: the number of operations and of schemas.
    """
    folder.mkdir()
    (folder / "openapi.yaml").write_text(text)
    config = pathlib.Path(__file__).parent / "openapi-python-client.yaml"
    run(folder, "openapi-python-client", "generate", "--path", "openapi.yaml", "--config", str(config),
        "--output-path", "client", "--meta", "none", "--fail-on-warning")
    run(folder, "datamodel-codegen", "--input", "openapi.yaml", "--input-file-type", "openapi", "--output", "models.py",
        "--output-model-type", "pydantic_v2.BaseModel", "--extra-fields", "forbid", "--formatters", "builtin",
        "--use-annotated", "--disable-timestamp")
    description = yaml.safe_load(text)
    operations = [item[method]["operationId"] for item in description["paths"].values() for method in METHODS
                  if method in item]
    made = {path.stem for path in (folder / "client" / "api").glob("*/*.py")}
    expect_all("operations without a function", operations, lambda name: snake(name) in made)
    schemas = description["components"]["schemas"]
    classes = set(re.findall(r"^class (\w+)", (folder / "models.py").read_text(), re.MULTILINE))
    expect_all("schemas without a model", schemas, lambda name: name in classes)
    made = {path.stem for path in (folder / "client" / "models").glob("*.py")}
    objects = [name for name, schema in schemas.items() if schema.get("type") == "object" or "allOf" in schema]
    expect_all("schemas without a class", objects, lambda name: snake(name) in made)
    return len(operations), len(schemas)


def run(folder, tool, *arguments):
    """Runs a tool, which may say nothing but that it works."""
    program = pathlib.Path(sys.executable).parent / tool
    done = subprocess.run([program, *arguments], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          env=os.environ | {"PYTHONWARNINGS": "error", "NO_COLOR": "1"})
    said = [line for line in done.stdout.splitlines() if line.strip() and not line.startswith("Generating ")]
    if done.returncode != 0 or said:
        raise Failure(f"typed: {tool} ended with {done.returncode}: " + "\n".join(said))


def expect_all(what, names, is_made):
    missing = [name for name in names if not is_made(name)]
    if missing:
        raise Failure(f"typed: {what}: {', '.join(missing)}")


def snake(name):
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()
