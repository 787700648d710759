"""api-pages [PICTURES]: the API pages of a service in a headless Chromium, narrow and wide, light and dark.

Every operation of the OpenAPI document must be shown. An accessibility violation, an error on the console or a
violation of the content security policy is a failure. PICTURES is a folder for screenshots. The proof of a service's
own pages imports this file.
"""
import json
import pathlib
import subprocess
import tempfile

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Error, expect, sync_playwright

from served import PATIENCE, Connection, Failure, Server, program

LOOKS = [(1280, 900, "light"), (1280, 900, "dark"), (320, 640, "light"), (320, 640, "dark")]
WATCH = """window.violations = [];
addEventListener("securitypolicyviolation", event => violations.push(`${event.effectiveDirective} ${event.blockedURI}`));"""
DEAD_LINKS = """[...document.querySelectorAll("a[href^='#']")].map(link => link.getAttribute("href"))
    .filter(target => !target.includes("/") && !document.getElementById(target.slice(1)))"""


class Service(Server):
    """A server, and a client other than the browser."""

    def __init__(self, program, *options, store="memory:"):
        self.folder = tempfile.TemporaryDirectory()
        super().__init__(program, store, "off", f"{self.folder.name}/log", *options)

    def ask(self, method, path, body=None, kind="application/json", **fields):
        """Sends a request, which must succeed."""
        data = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
        answer = Connection(self).request(method, path, data, {"Content-Type": kind} | fields)
        return answer.must_be(answer.status if answer.status < 300 else 200, f"{method} {path}")


class Visit:
    """A browser page, with the violations that it reports."""

    def __init__(self, browser, service, pictures):
        self.service, self.pictures, self.context = service, pictures, browser.new_context()
        self.checks, self.texts, self.errors, self.violations = 0, 0, [], []
        self.page = self.context.new_page()
        self.page.set_default_timeout(PATIENCE * 1000)
        self.page.add_init_script(WATCH)
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("console", lambda message: self.errors.append(f"{message.text} {message.location['url']}")
                     if message.type in ("error", "warning", "assert") else None)

    def check(self, holds, what):
        self.checks += 1
        if not holds:
            raise AssertionError(what)

    def until(self, expression):
        """Waits until an expression of JavaScript is true."""
        self.checks += 1
        self.page.wait_for_function(f"() => {expression}")

    def see(self, selector, **what):
        """Waits until an element contains a text, or until the number of elements is as expected."""
        self.checks += 1
        for assertion, value in what.items():
            getattr(expect(self.page.locator(selector)), f"to_{assertion}")(value)

    def tab_to(self, selector, most=150):
        """Presses Tab until an element that matches the selector has the focus; returns the number of key presses."""
        for count in range(most + 1):
            if self.page.evaluate("selector => document.activeElement?.matches(selector)", selector):
                return count
            self.page.keyboard.press("Tab")
        raise AssertionError(f"Tab does not lead to {selector}")

    def open(self, path, look, url=None):
        self.keep_violations()
        width, height, scheme = look
        self.look = f"{width}-{scheme}"
        self.page.set_viewport_size({"width": width, "height": height})
        self.page.emulate_media(color_scheme=scheme)
        self.page.goto((url or self.service.url) + path)

    def picture(self, name):
        self.page.screenshot(path=self.pictures / f"{name}-{self.look}.png")

    def audit(self, where):
        """Checks WCAG at level AA with axe-core, links inside the page, and its width."""
        rules = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"]}
        report = Axe().run(self.page, options=rules)
        self.check(report.violations_count == 0, f"{where}: {report.generate_report()}")
        self.texts += sum(len(one["nodes"]) for one in report.response["passes"] if one["id"] == "color-contrast")
        self.check(not (dead := self.page.evaluate(DEAD_LINKS)), f"{where}: links to nothing: {dead}")
        self.check(self.page.evaluate("document.documentElement.scrollWidth <= innerWidth"), f"{where} is too wide")

    def forget(self, part):
        """Drops errors caused by a proof; the browser reports each response of 400 and above."""
        self.errors[:] = [error for error in self.errors if part not in error]

    def keep_violations(self):
        self.violations += self.page.evaluate("window.violations ?? []")

    def close(self):
        self.keep_violations()
        self.check(not self.violations, f"violations: {self.violations}")
        self.check(not self.errors, f"errors: {self.errors}")
        self.context.close()


def api_pages(visit, look):
    """The API pages show the contents of the document."""
    page, document = visit.page, visit.service.ask("GET", "/openapi.json").json
    described = [f"{method.upper()} {path} {operation['operationId']}" for path, item in document["paths"].items()
                 for method, operation in item.items() if method != "parameters"]
    visit.open("/docs", look)
    visit.see(".operation", have_count=len(described))
    shown = page.evaluate("""[...document.querySelectorAll('.operation')].map(one =>
        `${one.querySelector('.method').textContent} ${one.querySelector('summary code').textContent} ${one.id}`)""")
    visit.check(sorted(shown) == sorted(described), f"other operations: {set(shown) ^ set(described)}")
    visit.until("[...document.querySelectorAll('.operation')].every(one => one.querySelectorAll('[data-status]').length > 1)")
    visit.picture("docs")
    if look in (LOOKS[0], LOOKS[-1]):
        page.click("#unfold")
        visit.audit("/docs")
    method, path, operation = described[len(described) // 2].split(" ")
    page.evaluate("id => { location.hash = `#${id}` }", operation)
    visit.until(f"Math.abs(document.getElementById('{operation}').getBoundingClientRect().top) < 40")
    visit.picture("operation")
    page.fill("#query", operation)
    visit.see(f"#{operation}:not([hidden])", have_count=1)
    visit.until(f"document.querySelectorAll('.operation:not([hidden])').length < {len(described)}")
    page.evaluate("location.hash = '#problem-conflict'")
    visit.until("document.getElementById('problem-conflict').checkVisibility()")


def policy(visit):
    """The policy is enforced: an inline script does not run, and is reported as a violation."""
    visit.page.evaluate("""(() => {
        const script = document.createElement("script");
        script.textContent = "window.hasRun = true";
        document.body.append(script);
    })()""")
    visit.until("violations.length === 1")
    visit.check(not visit.page.evaluate("Boolean(window.hasRun)"), "a script inside the page is run")
    visit.page.evaluate("violations.length = 0")
    visit.errors.clear()


def without_scripts(browser, service):
    page = browser.new_context(java_script_enabled=False).new_page()
    page.goto(service.url + "/docs")
    expect(page.locator("noscript a[href='/openapi.yaml']")).to_have_count(1)


def run(proof, program, pictures):
    """Runs `proof(browser, pictures, program)`, which returns its visits."""
    subprocess.run(["Tests/Proof/install", "chromium", "fonts-dejavu-core"], check=True)
    folder = pathlib.Path(pictures)
    expect.set_options(timeout=PATIENCE * 1000)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        try:
            visits = proof(browser, folder, program)
        except (AssertionError, Error) as error:
            for context in browser.contexts:
                context.pages[0].screenshot(path=folder / "failed.png")
            raise Failure(f"shown: {error}\nsee {folder}/failed.png") from error
        browser.close()
    print(f"proof: browser: {sum(one.checks for one in visits)} checks at {len(LOOKS)} widths and colour schemes, "
          f"{sum(one.texts for one in visits)} texts with contrast, no error, no violation")


def kit(browser, pictures, program):
    with Service(program) as service:
        visit = Visit(browser, service, pictures)
        for look in LOOKS:
            api_pages(visit, look)
        policy(visit)
        without_scripts(browser, service)
        visit.close()
        return [visit]


def main(pictures=".build/pictures"):
    run(kit, program(), pictures)
