"""generated-clients: a client and models made from the OpenAPI document of a server, and both used.

The client is openapi-python-client's, the models are pydantic's, made by datamodel-code-generator. A generator that warns,
or leaves out a schema or an operation, is a failure; so is a response that the models do not accept.
"""
import io
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import uuid

from served import Connection, Failure, Server, caught, program

METHODS = ["get", "put", "post", "patch", "delete"]
ENDLESS = {"followChanges"}
CONFIGURATION = {
    # Media types that the generator does not know. Formatters change no code that runs.
    "content_type_overrides": {"application/x-ndjson": "application/octet-stream", "application/yaml": "text/plain"},
    "post_hooks": []}


def generate(document, folder):
    """Makes the package `client` and the module `models` in a folder.

    Returns: the number of operations and of schemas.
    """
    folder.mkdir()
    (folder / "openapi.json").write_text(json.dumps(document))
    (folder / "configuration.json").write_text(json.dumps(CONFIGURATION))
    generator(folder, "openapi-python-client", "generate", "--path", "openapi.json", "--config", "configuration.json",
              "--output-path", "client", "--meta", "none", "--fail-on-warning")
    generator(folder, "datamodel-codegen", "--input", "openapi.json", "--input-file-type", "openapi", "--output", "models.py",
              "--output-model-type", "pydantic_v2.BaseModel", "--extra-fields", "forbid", "--formatters", "builtin",
              "--use-annotated", "--disable-timestamp")
    operations = [item[method]["operationId"] for item in document["paths"].values() for method in METHODS if method in item]
    schemas = document["components"]["schemas"]
    made = {path.stem for path in (folder / "client" / "api").glob("*/*.py")}
    expect_all("operations without a function", operations, lambda name: snake(name) in made)
    classes = set(re.findall(r"^class (\w+)", (folder / "models.py").read_text(), re.MULTILINE))
    expect_all("schemas without a model", schemas, lambda name: name in classes)
    made = {path.stem for path in (folder / "client" / "models").glob("*.py")}
    objects = [name for name, schema in schemas.items() if schema.get("type") == "object" or "allOf" in schema]
    expect_all("schemas without a class", objects, lambda name: snake(name) in made)
    return len(operations), len(schemas)


def generator(folder, tool, *arguments):
    """Runs a generator, which may print nothing but that it works."""
    done = subprocess.run([pathlib.Path(sys.executable).parent / tool, *arguments], cwd=folder, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, env=os.environ | {"PYTHONWARNINGS": "error", "NO_COLOR": "1"})
    said = [line for line in done.stdout.splitlines() if line.strip() and not line.startswith("Generating ")]
    if done.returncode != 0 or said:
        raise Failure(f"typed: {tool} ended with {done.returncode}: " + " ".join(said))


def expect_all(what, names, is_made):
    if missing := [name for name in names if not is_made(name)]:
        raise Failure(f"typed: {what}: {', '.join(missing)}")


def expect(is_true, what):
    if not is_true:
        raise Failure(f"typed: {what} is not as expected")


def snake(name):
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


class Run:
    """The client at work: every operation but the stream of changes, which does not end."""

    def __init__(self, server, document):
        self.server, self.document, self.used, self.count = server, document, set(), 0
        self.operations = {}
        for path in sorted(document["paths"], key=lambda path: path.count("{")):
            pattern = re.sub(r"\{\w+\}", "[^/]+", path)
            for method in set(METHODS) & set(document["paths"][path]):
                operation = document["paths"][path][method]
                self.operations[operation["operationId"]] = (method.upper(), re.compile(pattern), operation)
        self.operator = self.client(server.token)

    def client(self, token):
        from client import AuthenticatedClient
        return AuthenticatedClient(base_url=self.server.url, token=token, raise_on_unexpected_status=True,
                                   httpx_args={"event_hooks": {"response": [self.judge]}})

    def judge(self, response):
        """A hook of httpx, called with each response: its model must accept it."""
        import models
        response.read()
        request = response.request
        id, operation = next((id, operation) for id, (method, pattern, operation) in self.operations.items()
                             if method == request.method and pattern.fullmatch(request.url.path))
        self.used.add(id)
        where = f"{id} {response.status_code}"
        described = operation["responses"].get(str(response.status_code)) or operation["responses"]["default"]
        if "$ref" in described:
            described = self.document["components"]["responses"][described["$ref"].split("/")[-1]]
        content, kind = described.get("content", {}), response.headers.get("content-type", "").split(";")[0]
        if response.content and kind not in content:
            raise Failure(f"typed: {where} has the media type {kind}, which is not described")
        if not response.content or kind != "application/json" and not kind.endswith("+json"):
            return
        name = content[kind]["schema"]["$ref"].split("/")[-1]
        try:
            getattr(models, name).model_validate_json(response.content)
        except ValueError as error:
            raise Failure(f"typed: {where} is not a {name}: {error}") from error
        self.count += 1

    def call(self, operation, *arguments, status=200, client=None, **named):
        """Calls an operation by its function, and expects a status."""
        tag = self.operations[operation][2]["tags"][0]
        module = __import__(f"client.api.{tag}.{snake(operation)}", fromlist=["sync_detailed"])
        response = module.sync_detailed(*arguments, client=client or self.operator, **named)
        if response.status_code != status:
            raise Failure(f"typed: {operation} gave {response.status_code}, not {status}: {response.content[:500]}")
        return response

    def pages(self, operation, *arguments):
        """The items of all pages of one item each; their number must be the total."""
        items, after = [], {}
        while True:
            page = self.call(operation, *arguments, limit=1, total=True, **after).parsed
            items += page.items
            if page.next_ is None:
                expect(page.total == len(items), f"{operation}: {len(items)} items, total {page.total}")
                return items
            after = {"after": page.next_}

    def labels(self):
        from client.models import LabelContent, LabelMembers
        made = [self.call("createLabel", status=201, body=LabelContent(name=name)).parsed for name in ["one", "two", "three"]]
        expect([label.name for label in self.pages("listLabels")] == ["one", "three", "two"], "the pages of labels")
        problem = self.call("createLabel", status=409, body=LabelContent(name="one")).parsed
        expect(problem.errors[0].pointer == "/name", "the place of a conflict")
        first, last = str(made[0].id), str(made[2].id)
        one = self.call("readLabel", first)
        expect(one.parsed == made[0] and made[0].created_at is not None, "a label that is read again")
        tag = one.headers["ETag"]
        self.call("readLabel", first, if_none_match=tag, status=304)
        self.call("replaceLabel", first, if_match=tag, body=LabelContent(name="ones"))
        self.call("changeLabel", first, if_match=tag, body=LabelMembers(name="uno"), status=412)
        self.call("changeLabel", first, if_match="*", body=LabelMembers(name="uno"))
        self.call("deleteLabel", last, if_match="*", status=204)
        self.call("readLabel", last, status=404)
        return first

    def items(self, label):
        from client.models import ItemContent, ItemMembers, PartContent, UseRequest
        from client.types import File
        parts = [PartContent(text="a part"), PartContent(text="another")]
        item = self.call("createItem", status=201, body=ItemContent(name="Soup", rating=4, labels=[label], parts=parts)).parsed
        id = str(item.id)
        self.call("createItem", status=422, body=ItemContent(name=" "))
        self.call("createItem", status=201, body=ItemContent(name="Bread"))
        expect(len(self.pages("listItems")) == 2, "the pages of items")
        changed = self.call("changeItem", id, if_match="*", body=ItemMembers(name="Stew")).parsed
        expect((changed.name, changed.rating, changed.parts) == ("Stew", 4, item.parts), f"a patched item: {changed}")
        # A response can be sent back.
        read = self.call("readItem", id)
        again = self.call("replaceItem", id, if_match=read.headers["ETag"], body=ItemContent.from_dict(read.parsed.to_dict()))
        expect(again.parsed == read.parsed and again.headers["ETag"] == read.headers["ETag"], "an item that is sent back")
        key = str(uuid.uuid4())
        events = {self.call("useItem", id, body=UseRequest(), status=201, idempotency_key=key).parsed.id for _ in range(2)}
        expect(len(events) == 1 and self.call("readItem", id).parsed.uses == 1, "an item that is used once")
        expect(self.call("readEvent", str(events.pop())).parsed.item == id, "an event")
        self.call("putFile", id, status=204, body=File(io.BytesIO(b"\0\1\2")))
        expect(self.call("readFile", id).parsed.payload.read() == b"\0\1\2", "a file")
        expect(len(self.call("exportItems").parsed.payload.read().splitlines()) == 2, "an export")
        self.call("deleteItem", id, if_match="*", status=204)

    def accounts(self):
        from client.models import AccountContent, AccountMembers, ReadAssetFile, TokenRequest
        content = AccountContent(name="bob")
        bob = str(self.call("createAccount", status=201, body=content).parsed.id)
        self.call("replaceAccount", bob, if_match="*", body=content)
        self.call("changeAccount", bob, if_match="*", body=AccountMembers(name="rob"))
        token = self.call("createToken", bob, status=201, body=TokenRequest(label="a token")).parsed
        as_bob = self.client(token.token)
        self.call("readMetrics", status=403, client=as_bob)
        self.call("revokeToken", bob, str(token.id), status=204)
        self.call("readMetrics", status=401, client=as_bob)
        expect(len(self.pages("listTokens", bob)) == 1 and len(self.pages("listAccounts")) == 2, "the pages of accounts")
        self.call("readAccount", bob)
        self.call("deleteAccount", bob, if_match="*", status=204)
        for operation in ["listEvents", "isLive", "isReady", "readMetrics", "readDescription", "readDescriptionAsJSON", "showDocs"]:
            self.call(operation)
        self.call("readAsset", ReadAssetFile.DOCS_JS)

    def all(self):
        self.items(self.labels())
        self.accounts()
        if unused := set(self.operations) - self.used - ENDLESS:
            raise Failure(f"typed: not used: {', '.join(sorted(unused))}")


def without_items(document):
    del document["components"]["schemas"]["LabelList"]["properties"]["items"]["items"]


def narrowed(document):
    document["components"]["schemas"]["LabelContent"]["allOf"][1]["properties"] = {"name": {"type": "integer"}}


def without_schema(document):
    for media in document["paths"]["/v1/items/{id}/file"]["put"]["requestBody"]["content"].values():
        del media["schema"]


def main():
    served = program()
    with tempfile.TemporaryDirectory() as folder, Server(served, "memory:", "off", f"{folder}/log") as server:
        text, folder = Connection(server).expect(200, "GET", "/openapi.json").body, pathlib.Path(folder)
        for fault, place in [(without_items, "LabelList"), (narrowed, "LabelContent"), (without_schema, "/file")]:
            document = json.loads(text)
            fault(document)
            caught(f"(?s)typed: .*{place}", lambda: generate(document, folder / fault.__name__))
        document = json.loads(text)
        operations, schemas = generate(document, folder / "made")
        sys.path.insert(0, str(folder / "made"))
        run = Run(server, document)
        run.all()
        status, _ = server.end(15)
    if status != 0:
        raise Failure(f"typed: the server ended with {status}")
    print(f"proof: generated clients: {operations} operations and {schemas} schemas without a warning; "
          f"{len(run.used)} operations used, {run.count} responses accepted by the models")
