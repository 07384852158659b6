# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""A headless Chromium, driven through its DevTools protocol over a pair of pipes."""
import base64
import json
import os
import select
import shutil
import subprocess
import time

SECONDS = 30  # for one answer


class BrowserError(Exception):
    pass


def path():
    """Where the browser is, or None."""
    return shutil.which("chromium") or shutil.which("chromium-browser")


class Browser:
    """One browser with one page. Everything that happens in the page is kept in events."""

    def __init__(self, folder, width=1400, height=900):
        # Chromium reads commands from descriptor 3 and answers on 4.
        read3, self.writer = os.pipe()
        self.reader, write4 = os.pipe()

        def descriptors():
            high = [os.dup2(fd, 100 + i) for i, fd in enumerate((read3, write4))]
            os.dup2(high[0], 3)
            os.dup2(high[1], 4)

        self.process = subprocess.Popen(
            [path(), "--headless=new", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe",
             "--no-first-run", "--disable-extensions", "--disable-background-networking", "--disable-sync",
             "--disable-component-update", "--force-device-scale-factor=1", "--hide-scrollbars",
             "--user-data-dir=" + os.path.join(folder, "profile"), "--window-size=%d,%d" % (width, height),
             "about:blank"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=open(os.path.join(folder, "browser.log"), "wb"),
            preexec_fn=descriptors, close_fds=False, start_new_session=True)
        os.close(read3)
        os.close(write4)
        self.buffer = b""
        self.number = 0
        self.events = []
        self.session = None
        targets = self.call("Target.getTargets")["targetInfos"]
        page = [target for target in targets if target["type"] == "page"][0]
        self.session = self.call("Target.attachToTarget", targetId=page["targetId"], flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.call(domain + ".enable")
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self.session = None
            self.call("Browser.close")
            self.process.wait(20)
        except (OSError, BrowserError, subprocess.TimeoutExpired):
            self.process.kill()
            self.process.wait()
        os.close(self.reader)
        os.close(self.writer)

    def message(self, deadline):
        while b"\0" not in self.buffer:
            ready, _, _ = select.select([self.reader], [], [], max(0, deadline - time.monotonic()))
            data = os.read(self.reader, 1 << 20) if ready else b""
            if not data:
                raise BrowserError("the browser %s" % ("does not answer" if not ready else "has ended"))
            self.buffer += data
        text, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(text)

    def call(self, method, **params):
        self.number += 1
        command = {"id": self.number, "method": method, "params": params}
        if self.session:
            command["sessionId"] = self.session
        os.write(self.writer, json.dumps(command).encode() + b"\0")
        deadline = time.monotonic() + SECONDS
        while True:
            message = self.message(deadline)
            if message.get("id") != self.number:
                self.events.append(message)
            elif "error" in message:
                raise BrowserError("%s: %s" % (method, message["error"]["message"]))
            else:
                return message["result"]

    def evaluate(self, expression):
        answer = self.call("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            raise BrowserError("%s: %s" % (expression, details.get("exception", {}).get("description", details["text"])))
        return answer["result"].get("value")

    def open(self, url):
        self.events = []
        answer = self.call("Page.navigate", url=url)
        if "errorText" in answer:
            raise BrowserError("%s: %s" % (url, answer["errorText"]))

    def wait_for(self, expression, seconds=SECONDS):
        deadline = time.monotonic() + seconds
        while not self.evaluate(expression):
            if time.monotonic() > deadline:
                raise BrowserError("never true: " + expression)
            time.sleep(0.02)

    def call_function(self, function, *args):
        """Calls a function of JavaScript with these values."""
        return self.evaluate("(%s)(%s)" % (function, ", ".join(json.dumps(arg) for arg in args)))

    def other_page(self, url):
        return OtherPage(self, url)

    def mouse(self, kind, x, y, **more):
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    def drag(self, x0, y0, x1, y1, modifiers=0):
        self.mouse("mousePressed", x0, y0, button="left", buttons=1, clickCount=1, modifiers=modifiers)
        for part in (.3, .6, 1):
            self.mouse("mouseMoved", x0 + (x1 - x0) * part, y0 + (y1 - y0) * part, button="left", buttons=1,
                       modifiers=modifiers)
        self.mouse("mouseReleased", x1, y1, button="left", clickCount=1, modifiers=modifiers)

    def click(self, x, y):
        self.mouse("mousePressed", x, y, button="left", buttons=1, clickCount=1)
        self.mouse("mouseReleased", x, y, button="left", clickCount=1)

    def click_element(self, selector):
        self.click(*self.evaluate("""(() => {
            const box = document.querySelector(%s).getBoundingClientRect();
            return [box.left + box.width / 2, box.top + box.height / 2];
        })()""" % json.dumps(selector)))

    def focus(self, selector):
        self.evaluate("document.querySelector(%s).focus()" % json.dumps(selector))

    def key(self, key):
        """A key by its name, as KeyboardEvent has it."""
        text = {"text": key} if len(key) == 1 else {"text": "\r"} if key == "Enter" else {}
        code = {"windowsVirtualKeyCode": 27} if key == "Escape" else {}
        self.call("Input.dispatchKeyEvent", type="keyDown", key=key, **text, **code)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key, **code)

    def type(self, text):
        self.call("Input.insertText", text=text)

    def screenshot(self, file):
        data = self.call("Page.captureScreenshot", format="png")["data"]
        with open(file, "wb") as f:
            f.write(base64.b64decode(data))


class OtherPage:
    """In a with statement: another page of the browser, which commands go to."""

    def __init__(self, owner, url):
        self.owner = owner
        self.url = url

    def __enter__(self):
        self.first, self.owner.session = self.owner.session, None
        self.target = self.owner.call("Target.createTarget", url=self.url)["targetId"]
        self.owner.session = self.owner.call("Target.attachToTarget", targetId=self.target, flatten=True)["sessionId"]
        return self.owner

    def __exit__(self, *_):
        self.owner.session = None
        self.owner.call("Target.closeTarget", targetId=self.target)
        self.owner.session = self.first
