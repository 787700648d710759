"""Clients that write without a pause, and record the acknowledged writes."""
import json
import time
import uuid
from dataclasses import dataclass

from items import Fact, Item, Shared, changed, content
from served import Connection, Failure, Refused, Unanswered

ITEMS = 10
"""The approximate number of items of a client."""
KINDS = {"create": 30, "put": 25, "rate": 15, "use": 12, "delete": 6, "shared": 8, "read": 8}
"""The weights of the kinds of requests."""


def body(*words, **members):
    return json.dumps(content(*words, **members)).encode()


def share(server, ledger):
    """Stores the items that all clients replace, and learns the fingerprint in entity tags."""
    connection = Connection(server)
    for number in range(3):
        mark = f"shared-{number}"
        answer = connection.expect(201, "POST", "/v1/items", body(mark, "0"))
        ledger.shared[mark] = Shared(mark, answer.json["id"])
        ledger.fingerprint = answer.fields["ETag"].strip('"').split("-")[0]
    connection.close()


@dataclass
class Request:
    """A write request, the state of the item after it, and the status of its response."""

    method: str
    path: str
    body: bytes | None
    fields: dict
    item: Item
    after: Fact | None
    status: int

    @property
    def is_keyed(self):
        return "Idempotency-Key" in self.fields

    @property
    def is_use(self):
        return self.path.endswith("/use")


class Writer:
    """A client with its own items."""

    def __init__(self, number, ledger, chance):
        self.name, self.ledger, self.chance = f"c{number}", ledger, chance
        self.items, self.made, self.sent = [], 0, 0
        self.unanswered, self.last_keyed, self.unread = None, None, None
        self.acknowledged, self.answered = 0, 0

    def run(self, server, thinks=False):
        """Writes until the server has exited."""
        connection, self.unanswered, self.unread = Connection(server), None, None
        try:
            while True:
                if self.chance.random() < 0.05:
                    connection.close()
                if thinks:
                    time.sleep(self.chance.uniform(0, 0.4))
                self.step(connection)
        except Refused:
            pass
        finally:
            connection.close()

    def step(self, connection):
        kind = self.chance.choices(list(KINDS), list(KINDS.values()))[0]
        item = self.chance.choice(self.items) if self.items else None
        if kind == "shared":
            return self.replace_shared(connection)
        if item is None or kind == "create" and len(self.items) < 2 * ITEMS:
            return self.write(connection, self.create())
        if kind == "read":
            return self.look(connection, item)
        if kind == "create" or kind == "delete" and len(self.items) < ITEMS:
            kind = "put"
        return self.write(connection, getattr(self, kind)(item))

    # -- requests

    def create(self):
        self.made += 1
        item = Item(f"{self.name}-{self.made}")
        self.ledger.items[item.mark] = item
        rating = self.chance.randint(0, 5)
        document = body(item.mark, "1", rating=rating)
        return Request("POST", "/v1/items", document, self.key(), item, Fact(1, "1", rating), 201)

    def put(self, item):
        revision, rating = str(int(item.fact.revision) + 1), self.chance.randint(0, 5)
        return Request("PUT", f"/v1/items/{item.id}", body(item.mark, revision, rating=rating), self.match(item), item,
                       changed(item.fact, revision=revision, rating=rating), 200)

    def rate(self, item):
        rating = self.chance.randint(0, 5)
        fields = self.match(item) | {"Content-Type": "application/merge-patch+json"}
        return Request("PATCH", f"/v1/items/{item.id}", b'{"rating":%d}' % rating, fields, item,
                       changed(item.fact, rating=rating), 200)

    def use(self, item):
        after = changed(item.fact, uses=item.fact.uses + 1)
        return Request("POST", f"/v1/items/{item.id}/use", b"{}", self.key(), item, after, 201)

    def delete(self, item):
        return Request("DELETE", f"/v1/items/{item.id}", None, self.match(item), item, None, 204)

    def key(self):
        """Half of the requests have a key."""
        return {"Idempotency-Key": str(uuid.uuid4())} if self.chance.random() < 0.5 else {}

    def match(self, item):
        return {"If-Match": f'"{self.ledger.fingerprint}-{item.fact.version}"'}

    # -- responses

    def exchange(self, connection, method, path, body=None, fields=None):
        """Sends one request with its own id. `unread` is the request on which the server closed its connection."""
        self.sent += 1
        id = f"{self.name}.{self.sent}.{uuid.uuid4().hex[:8]}"
        try:
            answer = connection.request(method, path, body, {**(fields or {}), "X-Request-ID": id})
        except Unanswered as error:
            self.unread = (id, error)
            raise Refused() from error
        self.answered += 1
        return answer

    def look(self, connection, item):
        answer = self.exchange(connection, "GET", f"/v1/items/{item.id}").must_be(200, item.mark)
        if answer.version != item.fact.version or answer.json["name"] != f"{item.mark} r{item.fact.revision}":
            raise Failure(f"lost: {item.mark} is shown in version {answer.version}, not as {item.fact}")

    def write(self, connection, request):
        self.unanswered = request
        self.take(request, self.exchange(connection, request.method, request.path, request.body, request.fields))
        self.unanswered = None

    def take(self, request, answer):
        """Records the state that a response acknowledges."""
        answer.must_be(request.status, f"{request.method} {request.path}")
        item, after = request.item, request.after
        if request.path == "/v1/items":
            item.id = answer.json["id"]
        if request.is_use:
            self.ledger.events.add(answer.json["id"])
        elif after and answer.version != after.version:
            raise Failure(f"lost: {item.mark} is acknowledged in version {answer.version}, and should be {after}")
        item.fact = after
        self.keep(item)
        self.acknowledged += 1
        if request.is_keyed:
            with self.ledger.lock:
                self.ledger.keyed += 1
            self.last_keyed = (request, answer)

    def keep(self, item):
        """Adds an item to the client's items or removes it, depending on whether it exists."""
        if item.fact and item not in self.items:
            self.items.append(item)
        if not item.fact and item in self.items:
            self.items.remove(item)

    def replace_shared(self, connection):
        shared = self.chance.choice(list(self.ledger.shared.values()))
        answer = self.exchange(connection, "GET", f"/v1/items/{shared.id}").must_be(200, shared.mark)
        version, revision = answer.version + 1, f"{self.name}.{self.sent}"
        with self.ledger.lock:
            shared.possible.setdefault(version, []).append(revision)
        put = self.exchange(connection, "PUT", f"/v1/items/{shared.id}", body(shared.mark, revision),
                            {"If-Match": answer.fields["ETag"]})
        with self.ledger.lock:
            shared.possible[version].remove(revision)
            if put.status == 412:
                return
            put.must_be(200, shared.mark)
            if put.version != version or shared.acknowledged.setdefault(version, revision) != revision:
                raise Failure(f"lost: version {version} of {shared.mark} was acknowledged twice")
        self.acknowledged += 1

    # -- after the server has exited

    def note_unanswered(self):
        """Records the states that the request during the server's exit may have left."""
        if self.unanswered:
            self.unanswered.item.pending = [self.unanswered.after]
            self.ledger.possible_events += self.unanswered.is_use

    def send_again(self, server, before):
        """Sends requests with a key again, one unanswered and one answered: each must be executed exactly once.

        Returns: the number of requests.
        """
        connection, count = Connection(server), 0
        if self.last_keyed:
            request, answer = self.last_keyed
            again = connection.request(request.method, request.path, request.body, request.fields)
            if again.fields.get("Idempotent-Replayed") != "true" or again.body != answer.body:
                raise Failure(f"doubled: {request.path} was done again, not answered as before: {again.body}")
            count, self.last_keyed = 1, None
        request = self.unanswered
        if request and request.is_keyed:
            was_done = request.item.fact == request.after
            answer = connection.request(request.method, request.path, request.body, request.fields)
            if request.after != before and was_done != (answer.fields.get("Idempotent-Replayed") == "true"):
                raise Failure(f"doubled: {request.path} had been done: {was_done}, and is answered {dict(answer.fields)}")
            self.take(request, answer)
            count += 1
        connection.close()
        self.unanswered = None
        return count
