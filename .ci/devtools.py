"""Drives a headless Chromium over the DevTools protocol, through a pipe, so that nothing needs to be installed beside it."""
import base64
import json
import os
import shlex
import subprocess
import tempfile
import threading
import time

WATCH = """
window.violations = [];
addEventListener("securitypolicyviolation", event => violations.push(`${event.effectiveDirective} ${event.blockedURI}`));
"""
KEYS = {
    "Tab": ("Tab", 9, None), "Enter": ("Enter", 13, "\r"), "Escape": ("Escape", 27, None), "Space": ("Space", 32, " "),
    "ArrowRight": ("ArrowRight", 39, None), "ArrowLeft": ("ArrowLeft", 37, None)}


class Browser:
    """One page of a Chromium with a profile of its own."""

    def __init__(self, program="chromium"):
        self.profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self.errors, self.answers, self.count = [], {}, 0
        self.session, self.has_ended = None, False
        self.changed = threading.Condition()
        to_read, to_write = os.pipe()
        from_read, from_write = os.pipe()
        options = [
            "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
            "--no-first-run", "--disable-background-networking", "--remote-debugging-pipe",
            f"--user-data-dir={self.profile.name}", "about:blank"]
        # The protocol has its places: descriptor 3 for commands, 4 for what comes back.
        command = f"exec {shlex.join([program, *options])} 3<&{to_read} 4>&{from_write}"
        self.process = subprocess.Popen(
            ["bash", "-c", command], pass_fds=[to_read, from_write], stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        os.close(to_read)
        os.close(from_write)
        self.commands = os.fdopen(to_write, "wb", buffering=0)
        threading.Thread(target=self._read, args=[os.fdopen(from_read, "rb")], daemon=True).start()
        page = next(one for one in self.send("Target.getTargets")["targetInfos"] if one["type"] == "page")
        self.session = self.send("Target.attachToTarget", targetId=page["targetId"], flatten=True)["sessionId"]
        for domain in ["Page", "Runtime", "Log", "Network"]:
            self.send(f"{domain}.enable")
        self.send("Page.addScriptToEvaluateOnNewDocument", source=WATCH)

    def close(self):
        self.process.terminate()
        self.process.wait(10)
        self.profile.cleanup()

    def _read(self, stream):
        rest = b""
        while piece := stream.read1(1 << 20):
            *messages, rest = (rest + piece).split(b"\0")
            for message in map(json.loads, messages):
                with self.changed:
                    if "id" in message:
                        self.answers[message["id"]] = message
                    else:
                        self._note(message.get("method"), message.get("params", {}))
                    self.changed.notify_all()
        with self.changed:
            self.has_ended = True
            self.changed.notify_all()

    def _note(self, method, event):
        if method == "Runtime.exceptionThrown":
            details = event["exceptionDetails"]
            self.errors.append(details.get("exception", {}).get("description") or details["text"])
        elif method == "Runtime.consoleAPICalled" and event["type"] in ["error", "warning", "assert"]:
            self.errors.append(" ".join(str(one.get("value", one.get("description"))) for one in event["args"]))
        elif method == "Log.entryAdded" and event["entry"]["level"] in ["error", "warning"]:
            self.errors.append(f"{event['entry']['text']} {event['entry'].get('url', '')}")

    def send(self, method, **parameters):
        """Sends a command and gives its result."""
        with self.changed:
            self.count += 1
            number = self.count
        message = {"id": number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        self.commands.write(json.dumps(message).encode() + b"\0")
        with self.changed:
            self.changed.wait_for(lambda: number in self.answers or self.has_ended, 30)
            if number not in self.answers:
                raise TimeoutError(f"{method} was not answered")
            answer = self.answers.pop(number)
        if "error" in answer:
            raise RuntimeError(f"{method}: {answer['error']}")
        return answer["result"]

    def value(self, script):
        """The value of an expression, or of what it promises."""
        answer = self.send("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(f"{script}: {answer['exceptionDetails']}")
        return answer["result"].get("value")

    def until(self, script, what, seconds=10):
        """Waits until an expression is true, and gives how many milliseconds that took."""
        began = time.monotonic()
        while not self.value(f"Boolean({script})"):
            if time.monotonic() - began > seconds:
                raise AssertionError(f"after {seconds} s it is still not so: {what}")
            time.sleep(0.02)
        return round((time.monotonic() - began) * 1000)

    def look(self, width, height, scheme):
        """Sets the window's size in CSS pixels and the colour scheme that the user prefers."""
        # A phone that is emulated would widen its window to what it shows, and nothing would ever be too wide.
        self.send(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.send("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])

    def open(self, address):
        self.send("Page.navigate", url="about:blank")
        self.send("Page.navigate", url=address)
        self.until("document.readyState === 'complete'", f"{address} is loaded")

    def press(self, key, times=1):
        name, code, text = KEYS[key]
        for _ in range(times):
            fields = {"key": text if key == "Space" else name, "code": name, "windowsVirtualKeyCode": code}
            self.send("Input.dispatchKeyEvent", type="keyDown", **fields, **({"text": text} if text else {}))
            self.send("Input.dispatchKeyEvent", type="keyUp", **fields)

    def type(self, text):
        self.send("Input.insertText", text=text)

    def tab_to(self, selector, most=150):
        """Presses Tab until an element of a selector has the focus, and says how often."""
        for count in range(most + 1):
            if self.value(f"Boolean(document.activeElement?.matches({json.dumps(selector)}))"):
                return count
            self.press("Tab")
        raise AssertionError(f"Tab does not lead to {selector}")

    def picture(self, path):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(base64.b64decode(self.send("Page.captureScreenshot", format="png")["data"]))
