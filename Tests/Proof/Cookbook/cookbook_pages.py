"""cookbook-pages [PICTURES]: the sample's pages in a headless Chromium, after the API pages.

Recipes are searched, read, cooked and rated with the keyboard only; another client changes a recipe or its photo, and
the page must show it, also after the change stream was refused for a while or the service was restarted; a token opens
a service that is not public.
"""
import contextlib
import json
import pathlib
import signal
import socket
import struct
import tempfile
import threading
import zlib

from api_pages import LOOKS, Service, Visit, kit, run
from served import program

SAMPLE = pathlib.Path("App/Cookbook/Resources/sample.jsonl")
CONNECTED = "Connected: changes by others appear here."


def photo(width=64):
    def chunk(name, data):
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
    rows = b"".join(b"\0" + bytes([200, 60 + 4 * y, 40] * width) for y in range(40))
    head = struct.pack(">IIBBBBB", width, 40, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


class Wire:
    """A proxy to a service, which can be disconnected or replaced."""

    def __init__(self, service):
        self.service, self.server, self.ends = service, socket.create_server(("127.0.0.1", 0)), []
        self.url = f"http://127.0.0.1:{self.server.getsockname()[1]}"
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            pair = [self.server.accept()[0]]
            try:
                pair.append(socket.create_connection(self.service.address))
            except OSError:
                pair[0].close()
                continue
            self.ends += pair
            for one, other in (pair, pair[::-1]):
                threading.Thread(target=self.pump, args=[one, other], daemon=True).start()

    def pump(self, one, other):
        with contextlib.suppress(OSError):
            while data := one.recv(65536):
                other.sendall(data)
            other.shutdown(socket.SHUT_WR)

    def cut(self):
        while self.ends:
            with contextlib.suppress(OSError):
                self.ends.pop().shutdown(socket.SHUT_RDWR)


class Cookbook(Service):
    def __init__(self, larder, *options, store="memory:", is_new=True):
        super().__init__(larder, *options, store=store)
        if is_new:
            self.fill()

    def fill(self):
        stews = "\n".join(json.dumps({
            "@type": "Recipe", "identifier": f"browse-{one}", "name": f"Stew {one:02}", "recipeIngredient": ["water"],
            "recipeInstructions": ["Cook."]}) for one in range(40))
        self.ask("POST", "/v1/import", SAMPLE.read_bytes() + stews.encode(), "application/x-ndjson")
        page = self.ask("GET", "/v1/recipes?limit=3&total=true").json
        self.total, (self.pictured, *self.others) = page["total"], [item["id"] for item in page["items"]]
        self.card = f'.card[data-id="{self.pictured}"]'
        self.photo = f"/v1/recipes/{self.pictured}/photo"
        self.ask("PUT", self.photo, photo(), "image/png", **{"If-None-Match": "*"})

    def change(self, method, path, body, kind):
        self.ask(method, path, body, kind, **{"If-Match": self.ask("GET", path).fields["ETag"]})

    def rename(self, recipe, name):
        self.change("PATCH", f"/v1/recipes/{recipe}", {"name": name}, "application/merge-patch+json")

    def replace_photo(self, width):
        self.change("PUT", self.photo, photo(width), "image/png")


class Reader(Visit):
    def see_photo(self, place, width):
        self.until(f"document.querySelector('{place} img')?.naturalWidth === {width}")

    def use_token(self, token, state):
        self.page.keyboard.insert_text(token)
        self.page.keyboard.press("Enter")
        self.see("#token-state", contain_text=state)

    def cookbook(self, look, rating):
        """Every control is reachable with the keyboard, in the order of the page."""
        page, keyboard, service = self.page, self.page.keyboard, self.service
        self.open("/", look)
        self.see("#live-state", have_text=CONNECTED)
        self.see("#count", have_text=f"24 of {service.total} recipes")
        self.see_photo(service.card, 64)
        self.audit("/")
        self.picture("cookbook")
        keyboard.press("Tab")
        self.check(page.evaluate("document.activeElement.className") == "skip", "the first stop is the skip link")
        keyboard.press("Enter")
        self.check(self.tab_to(".card a") <= 2, "the skip link leads to the recipes")
        self.tab_to("#more")
        keyboard.press("Enter")
        self.see(".card", have_count=min(48, service.total))

        self.tab_to("#token")
        self.use_token("larder_nonsense", "rejected this token")
        self.forget("401")
        page.locator("#token").select_text()
        self.use_token(service.token, "in use")
        stored = page.evaluate("[localStorage.length, Object.values(sessionStorage)]")
        self.check(stored == [0, [service.token]], "the token is in the session's storage alone")

        page.focus("#recipes")
        self.tab_to(".card a")
        recipe = page.evaluate("document.activeElement.closest('.card').dataset.id")
        card = f'.card[data-id="{recipe}"]'
        keyboard.press("Enter")
        self.see("#recipe[open] #recipe-body h3 >> nth=0", have_count=1)
        self.until("document.querySelectorAll('#cookbook option').length > 0")
        self.audit("a recipe")
        self.picture("recipe")
        self.tab_to("#rate-form input")
        for _ in range((rating - int(page.evaluate("document.activeElement.value"))) % 6):
            keyboard.press("ArrowRight")
        self.tab_to("#rate-form button")
        keyboard.press("Enter")
        self.see("#recipe-state", have_text=f"Rated {rating} of 5.")
        self.tab_to("#cook-form button")
        keyboard.press("Space")
        self.see("#recipe-state", contain_text="Cooked once")
        stored = service.ask("GET", f"/v1/recipes/{recipe}").json
        self.check((stored["rating"], stored["completed"]) == (rating, True), "rating and cooking are stored")
        self.until(f"document.querySelector('{card} .stars')?.ariaLabel === 'rated {rating} of 5'")
        keyboard.press("Escape")
        self.see("#recipe[open]", have_count=0)
        self.until(f"document.activeElement.closest('{card}')")

        name = f"Another name at {self.look}"
        service.rename(recipe, name)
        self.see("#live", contain_text=name)
        self.see(f"{card} a", have_text=name)
        self.picture("live")
        page.fill("#words", "stew 0")
        self.see("#count", have_text="10 of 10 recipes")
        page.fill("#words", "nothing is called that")
        self.see("#count", have_text="No matching recipes.")

    def replaced_photo(self, look):
        """Another client replaces a photo, whose URL stays the same."""
        self.open("/", look)
        self.see("#live-state", have_text=CONNECTED)
        self.see_photo(self.service.card, 64)
        self.service.replace_photo(48)
        self.see_photo(self.service.card, 48)
        self.page.click(f"{self.service.card} a")
        self.see_photo("#recipe", 48)
        self.service.replace_photo(64)
        self.see_photo("#recipe", 64)
        self.see_photo(self.service.card, 64)

    def refused_stream(self, look):
        """A proxy refuses or ends the stream while another client changes a recipe."""
        service, wire, card = self.service, Wire(self.service), f"{self.service.card} a"
        stream = "**/v1/changes"

        def refuse(route):
            route.fulfill(status=502)

        self.page.route(stream, refuse)
        self.open("/", look, wire.url)
        self.see("#live-state", contain_text="Not connected")
        self.see(f"{card} >> nth=0", have_count=1)
        service.rename(service.pictured, "A name before the stream")
        self.page.unroute(stream)
        self.see(card, have_text="A name before the stream")
        self.see("#live-state", have_text=CONNECTED)
        self.page.route(stream, refuse)
        with self.page.expect_response(stream):
            wire.cut()
        self.see("#live-state", contain_text="Not connected")
        service.rename(service.pictured, "A name between streams")
        self.page.unroute(stream)
        self.see(card, have_text="A name between streams")
        self.see("#live-state", have_text=CONNECTED)
        # The id of another lifetime simulates a restored store.
        restored = {"last-event-id": "0badcafe0badcafe-1"}
        self.page.route(stream, lambda route: route.continue_(headers=route.request.headers | restored))
        wire.cut()
        self.see("#live", contain_text="The changes while you were disconnected are unknown. All data was read again.")
        self.keep_violations()
        self.page.goto("about:blank")
        self.page.unroute(stream)
        self.forget(wire.url)

    def restarted(self, look, larder, store):
        """The service stops and starts again; another client changes more than the server has in memory."""
        wire, card = Wire(self.service), f"{self.service.card} a"
        self.open("/", look, wire.url)
        self.see("#live-state", have_text=CONNECTED)
        self.see(card, have_count=1)
        self.service.end(signal.SIGTERM)
        self.see("#live-state", contain_text="Not connected")
        with Cookbook(larder, store=store, is_new=False) as again:
            for number in range(1_100):
                again.rename(self.service.pictured, f"Name {number}")
            for recipe in self.service.others:
                again.ask("DELETE", f"/v1/recipes/{recipe}", **{"If-Match": "*"})
            wire.service = again
            self.see(card, have_text="Name 1099")
            self.see("#live", contain_text="While you were disconnected: 1 recipe was changed, 2 recipes were deleted.")
            self.see("#live-state", have_text=CONNECTED)
            self.audit("/ after a restart")
            self.picture("missed")
            self.keep_violations()
            self.page.goto("about:blank")
            self.forget(wire.url)

    def closed(self, look):
        """Where reading requires authentication, the page shows nothing without a token, and everything with one."""
        page, service = self.page, self.service
        self.open("/", look)
        self.see("#page-messages .problem", have_count=1)
        self.see("#live-state", contain_text="token")
        self.see(".card", have_count=0)
        self.audit("/ without a token")
        self.picture("closed")
        page.focus("#token")
        self.use_token(service.token, "in use")
        for turn in range(2):
            self.see("#live-state", have_text=CONNECTED)
            self.until("document.querySelectorAll('#tag option').length > 1")
            self.see_photo(service.card, 64)
            self.see(".problem", have_count=0)
            service.rename(service.pictured, f"A name of turn {turn}")
            self.see(f"{service.card} a", have_text=f"A name of turn {turn}")
            service.ask("POST", "/v1/cookbooks", {"name": f"Book of turn {turn}"})
            self.see("#live", contain_text=f"Cookbook “Book of turn {turn}” is new")
            if turn == 0:
                self.open("/", look)
        page.click(f"{service.card} a")
        self.see_photo("#recipe", 64)
        self.picture("opened")
        page.keyboard.press("Escape")
        page.evaluate("document.getElementById('forget').click()")
        self.see("#page-messages .problem", have_count=1)
        for selector in [".card", "#tag option[value]:not([value=''])", "#live li", "#recipe-body *"]:
            self.see(selector, have_count=0)
        self.forget("401")


def sample(browser, pictures, larder):
    visits = kit(browser, pictures, larder)
    with Cookbook(larder) as opened, Cookbook(larder, "--http-reading", "closed") as closed:
        visits += [Reader(browser, opened, pictures), Reader(browser, closed, pictures)]
        for number, look in enumerate(LOOKS):
            visits[1].cookbook(look, number + 1)
        visits[1].replaced_photo(LOOKS[0])
        visits[1].refused_stream(LOOKS[0])
        for look in (LOOKS[0], LOOKS[3]):
            visits[2].closed(look)
        with tempfile.TemporaryDirectory() as folder:
            store = f"sqlite:{folder}/cookbook.sqlite"
            with Cookbook(larder, store=store) as stopped:
                visits.append(Reader(browser, stopped, pictures))
                visits[3].restarted(LOOKS[3], larder, store)
        for visit in visits[1:]:
            visit.close()
        return visits


def main(pictures=".build/pictures"):
    run(sample, program("larder"), pictures)
