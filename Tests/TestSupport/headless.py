"""A headless Chromium, driven over pipes by the DevTools protocol with Python's standard library alone."""

import json
import os
import select
import subprocess
import tempfile
import time


class Browser:
    """A browser with one page."""

    def __init__(self):
        self.profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        read_here, write_there = os.pipe()
        read_there, write_here = os.pipe()

        def descriptors():
            # The protocol's descriptors are 3 and 4; the pipes may have these numbers already.
            first, second = os.dup(read_there), os.dup(write_there)
            high = [os.dup2(first, 100), os.dup2(second, 101)]
            os.dup2(high[0], 3)
            os.dup2(high[1], 4)

        self.process = subprocess.Popen(
            ["chromium", "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
             "--no-first-run", "--disable-background-networking", "--remote-debugging-pipe",
             f"--user-data-dir={self.profile.name}/profile", "about:blank"],
            close_fds=False, preexec_fn=descriptors, env={**os.environ, "HOME": self.profile.name},
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(read_there)
        os.close(write_there)
        self.input, self.output = read_here, write_here
        self.buffer = b""
        self.number = 0
        self.session = None
        # Exceptions, violations of the content policy and failed requests.
        self.problems = []
        self.requests = []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ["Page", "Runtime", "Log", "Network"]:
            self.call(f"{domain}.enable")

    def close(self):
        self.process.terminate()
        self.process.wait(20)

    def receive(self, until):
        while b"\0" not in self.buffer:
            left = until - time.monotonic()
            if left <= 0 or not select.select([self.input], [], [], left)[0]:
                return None
            part = os.read(self.input, 1 << 20)
            if not part:
                raise RuntimeError("the browser ended")
            self.buffer += part
        message, _, self.buffer = self.buffer.partition(b"\0")
        message = json.loads(message)
        method, values = message.get("method"), message.get("params", {})
        if method == "Runtime.exceptionThrown":
            details = values["exceptionDetails"]
            self.problems.append(details.get("exception", {}).get("description") or details["text"])
        if method == "Log.entryAdded" and values["entry"]["level"] == "error":
            self.problems.append(values["entry"]["text"] + " " + values["entry"].get("url", ""))
        if method == "Page.javascriptDialogOpening":
            self.problems.append("dialog: " + values["message"])
        if method == "Network.requestWillBeSent":
            self.requests.append(values["request"]["url"])
        return message

    def call(self, method, **values):
        self.number += 1
        message = {"id": self.number, "method": method, "params": values}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.output, json.dumps(message).encode() + b"\0")
        until = time.monotonic() + 60
        while (answer := self.receive(until)) is not None:
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]
        raise RuntimeError(f"{method}: no answer")

    def open(self, address):
        self.call("Page.navigate", url=address)
        self.wait("location.href !== 'about:blank' && document.readyState === 'complete'")

    def value(self, expression):
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(f"{expression}: {answer['exceptionDetails']}")
        return answer["result"].get("value")

    def wait(self, expression, seconds=60):
        """Waits until an expression is true, and returns its value."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            found = self.value(expression)
            if found:
                return found
            time.sleep(0.05)
        raise RuntimeError(f"never true: {expression}; problems: {self.problems}; "
                           f"{self.value('document.body.innerText')[:1500]}")

    def pause(self, seconds):
        until = time.monotonic() + seconds
        while self.receive(until) is not None:
            pass

    def key(self, key, code=0, text="", control=False):
        values = {"key": key, "windowsVirtualKeyCode": code}
        if text:
            values["text"] = text
        if control:
            values["modifiers"] = 2
        self.call("Input.dispatchKeyEvent", type="keyDown", **values)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key, windowsVirtualKeyCode=code)

    def type(self, text):
        self.call("Input.insertText", text=text)

    def size(self, width, height, scheme="light", scale=1):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=scale,
                  mobile=False)
        self.call("Emulation.setEmulatedMedia",
                  features=[{"name": "prefers-color-scheme", "value": scheme}])

    def screenshot(self, path):
        import base64
        data = self.call("Page.captureScreenshot", format="png")["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))
