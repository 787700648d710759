"""Clients that write without a pause, and note what was acknowledged."""
import threading
import time
import uuid

from dishes import Dish, Fact, body, changed
from served import Connection, Failure, Refused, Unanswered

DISHES = 10
"""How many recipes a client keeps, about."""
IDLE = 0.2
"""For how many seconds without a request the server keeps a connection when it stops, at least; it promises 0.25."""


class Request:
    """A request that writes, and what becomes of the recipe when it is done."""

    def __init__(self, method, path, body, fields, dish, after, status, is_keyed=False):
        self.method, self.path, self.body, self.dish, self.after, self.status = method, path, body, dish, after, status
        self.fields, self.is_keyed = dict(fields), is_keyed
        if is_keyed:
            self.fields["Idempotency-Key"] = str(uuid.uuid4())

    @property
    def is_cook(self):
        return self.path.endswith("/cook")


class Diner:
    """One client with recipes and a cookbook of its own."""

    def __init__(self, number, ledger, chance):
        self.name, self.ledger, self.chance = f"c{number}", ledger, chance
        self.dishes, self.made, self.sent, self.cookbook = [], 0, 0, None
        self.unanswered, self.last_keyed, self.unread = None, None, None
        self.acknowledged, self.answered, self.failure = 0, 0, None

    def run(self, server, stop, thinks=False):
        """Writes until the server is gone, or it is told to stop."""
        connection = Connection(server)
        self.unanswered, self.unread = None, None
        try:
            while not stop.is_set():
                if self.chance.random() < 0.05:
                    connection.close()
                if thinks:
                    time.sleep(self.chance.uniform(0, 0.4))
                self.step(connection)
        except Refused:
            pass
        except Failure as failure:
            self.failure = failure
        except Exception as error:  # A client that fails is no proof.
            self.failure = Failure(f"typed: {self.name}: {error!r}")
        finally:
            connection.close()

    def step(self, connection):
        if self.cookbook is None:
            return self.begin(connection)
        kind = self.chance.choices(["create", "put", "rate", "cook", "delete", "shared", "read"], [30, 25, 15, 12, 6, 8, 8])[0]
        dish = self.chance.choice(self.dishes) if self.dishes else None
        if kind == "shared":
            return self.replace_shared(connection)
        if dish is None or kind == "create" and len(self.dishes) < 2 * DISHES:
            return self.write(connection, self.create())
        if kind == "read":
            return self.look(connection, dish)
        if kind == "delete" and len(self.dishes) < DISHES:
            kind = "put"
        return self.write(connection, {"put": self.put, "rate": self.rate, "cook": self.cook, "delete": self.delete}.get(kind, self.put)(dish))

    # -- what is sent

    def create(self):
        self.made += 1
        dish = Dish(f"{self.name}-{self.made}")
        self.ledger.dishes[dish.mark] = dish
        rating = self.chance.randint(0, 5)
        return Request(
            "POST", "/v1/recipes", body(dish.mark, "1", rating, False), {}, dish, Fact(1, "1", rating), 201,
            is_keyed=self.chance.random() < 0.6)

    def put(self, dish):
        revision, rating = str(int(dish.fact.revision) + 1), self.chance.randint(0, 5)
        return Request(
            "PUT", f"/v1/recipes/{dish.id}", body(dish.mark, revision, rating, dish.fact.sessions > 0), self.match(dish),
            dish, changed(dish.fact, revision=revision, rating=rating), 200)

    def rate(self, dish):
        rating = self.chance.randint(0, 5)
        return Request(
            "POST", f"/v1/recipes/{dish.id}/rate", b'{"rating":%d}' % rating, {}, dish,
            changed(dish.fact, rating=rating), 200, is_keyed=self.chance.random() < 0.5)

    def cook(self, dish):
        after = Fact(
            dish.fact.version + (dish.fact.sessions == 0), dish.fact.revision, dish.fact.rating, dish.fact.sessions + 1)
        return Request(
            "POST", f"/v1/recipes/{dish.id}/cook", b'{"cookbook":"%s"}' % self.cookbook.encode(), {}, dish, after, 201,
            is_keyed=self.chance.random() < 0.5)

    def delete(self, dish):
        return Request("DELETE", f"/v1/recipes/{dish.id}", None, self.match(dish), dish, None, 204)

    def match(self, dish):
        return {"If-Match": self.tag(dish.fact.version)}

    def tag(self, version):
        return f'"{self.ledger.fingerprint}-{version}"'

    # -- what is answered

    def exchange(self, connection, method, path, body=None, fields=None):
        """Sends one request under an id of its own. In `unread` stands what the server closed its connection on."""
        self.sent += 1
        id = f"{self.name}.{self.sent}.{uuid.uuid4().hex[:8]}"
        try:
            answer = connection.request(method, path, body, {**(fields or {}), "X-Request-ID": id})
        except Unanswered as error:
            self.unread = (id, error)
            raise Refused() from error
        self.answered += 1
        return answer

    def begin(self, connection):
        answer = self.exchange(connection, "POST", "/v1/cookbooks", b'{"name":"%s"}' % self.name.encode())
        self.expect(answer, 201, "the cookbook")
        self.cookbook = answer.json["id"]

    def look(self, connection, dish):
        answer = self.exchange(connection, "GET", f"/v1/recipes/{dish.id}")
        self.expect(answer, 200, dish.mark)
        if answer.version != dish.fact.version or answer.json["name"] != f"{dish.mark} r{dish.fact.revision}":
            raise Failure(f"lost: {dish.mark} is shown in version {answer.version}, not as {dish.fact}")

    def write(self, connection, request):
        self.unanswered = request
        self.take(request, self.exchange(connection, request.method, request.path, request.body, request.fields))
        self.unanswered = None

    def take(self, request, answer):
        """Notes what an answer acknowledges."""
        self.expect(answer, request.status, f"{request.method} {request.path}")
        dish, after = request.dish, request.after
        if request.path == "/v1/recipes":
            dish.id = answer.json["id"]
        if request.method == "DELETE":
            self.dishes.remove(dish)
        elif dish not in self.dishes:
            self.dishes.append(dish)
        if request.is_cook:
            self.ledger.sessions.add(answer.json["id"])
        elif "etag" in answer.fields and answer.version != after.version:
            raise Failure(f"lost: {dish.mark} is acknowledged in version {answer.version}, and should be {after}")
        dish.fact = after
        self.acknowledged += 1
        if request.is_keyed:
            self.ledger.add_keyed()
            self.last_keyed = (request, answer)

    def replace_shared(self, connection):
        shared = self.chance.choice(list(self.ledger.shared.values()))
        answer = self.exchange(connection, "GET", f"/v1/recipes/{shared.id}")
        self.expect(answer, 200, shared.mark)
        version, revision = answer.version + 1, f"{self.name}.{self.sent}"
        with self.ledger.lock:
            shared.possible.setdefault(version, []).append(revision)
        put = self.exchange(
            connection, "PUT", f"/v1/recipes/{shared.id}", body(shared.mark, revision, 0, False),
            {"If-Match": answer.fields["etag"]})
        with self.ledger.lock:
            shared.possible[version].remove(revision)
            if put.status == 412:
                return
            self.expect(put, 200, shared.mark)
            if put.version != version or shared.acknowledged.setdefault(version, revision) != revision:
                raise Failure(f"lost: version {version} of {shared.mark} was acknowledged twice")
        self.acknowledged += 1

    @staticmethod
    def expect(answer, status, what):
        if answer.status != status:
            raise Failure(f"typed: {what} was answered with {answer.status}: {answer.body.decode(errors='replace')}")

    # -- between two lives of the server

    def note_unanswered(self):
        """What the judge may find of the request that met the end of the server."""
        request = self.unanswered
        if request:
            request.dish.pending = [request.after]
            self.ledger.possible_sessions += request.is_cook

    def settle(self):
        """After the judge: what is there of what was not answered is the client's now."""
        if not self.unanswered:
            return
        dish = self.unanswered.dish
        if dish.fact and dish not in self.dishes:
            self.dishes.append(dish)
        if not dish.fact and dish in self.dishes:
            self.dishes.remove(dish)

    def send_again(self, server, before):
        """Sends again what was not answered under a key, and what was: both must have been done once.

        Returns: how many requests.
        """
        connection, count = Connection(server), 0
        if self.last_keyed:
            request, answer = self.last_keyed
            again = connection.request(request.method, request.path, request.body, request.fields)
            if again.fields.get("idempotent-replayed") != "true" or again.body != answer.body:
                raise Failure(f"doubled: {request.path} was done again, not answered as before: {again.body}")
            count, self.last_keyed = 1, None
        request = self.unanswered
        if request and request.is_keyed:
            was_done = request.dish.fact == request.after
            answer = connection.request(request.method, request.path, request.body, request.fields)
            if request.after != before and was_done != (answer.fields.get("idempotent-replayed") == "true"):
                raise Failure(f"doubled: {request.path} had been done: {was_done}, and is answered {answer.fields}")
            if was_done and request.is_cook:
                self.ledger.sessions.add(answer.json["id"])
            self.take(request, answer)
            count += 1
        connection.close()
        self.unanswered = None
        return count


def together(clients, work):
    """Runs work for each client in a thread of its own.

    Returns: the threads, started.
    """
    threads = [threading.Thread(target=work, args=(client,)) for client in clients]
    for thread in threads:
        thread.start()
    return threads
