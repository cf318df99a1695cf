#!/usr/bin/env python3
"""Opens the viewer's page in headless Chromium, works it as a person would, and tells what was seen.

    page.py PAGE.html [--png FILE] [--chromium PROGRAM]

Chromium is told what to do over a pipe (DevTools protocol); graphics are its software renderer's.  Exits with 1 where
something asked for is not there, with 77 without a page or a browser.
"""
import argparse
import base64
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time


class Browser:
    """A headless Chromium with one page."""

    def __init__(self, program, profile, size):
        to_browser, self.out = os.pipe()
        self.inp, from_browser = os.pipe()

        def take_pipes():  # Chromium reads from 3 and writes to 4
            os.dup2(to_browser, 103)
            os.dup2(from_browser, 104)
            os.dup2(103, 3)
            os.dup2(104, 4)

        self.process = subprocess.Popen(
            [program, "--headless=new", "--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
             "--ignore-gpu-blocklist", "--no-first-run", "--disable-background-networking",
             "--allow-file-access-from-files", f"--user-data-dir={profile}", f"--window-size={size[0]},{size[1]}",
             "--remote-debugging-pipe", "about:blank"],
            pass_fds=(3, 4), preexec_fn=take_pipes, close_fds=False,
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_browser)
        os.close(from_browser)
        self.number, self.buffer, self.events = 0, b"", []
        target = next(t for t in self.call("Target.getTargets")["targetInfos"] if t["type"] == "page")
        self.session = None
        self.session = self.call("Target.attachToTarget", targetId=target["targetId"], flatten=True)["sessionId"]
        self.call("Runtime.enable")
        self.call("Page.enable")
        self.call("Emulation.setDeviceMetricsOverride", width=size[0], height=size[1], deviceScaleFactor=1, mobile=False)

    def read(self):
        while b"\0" not in self.buffer:
            piece = os.read(self.inp, 1 << 20)
            if not piece:
                sys.exit("the browser has gone")
            self.buffer += piece
        message, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(message)

    def call(self, method, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if getattr(self, "session", None):
            message["sessionId"] = self.session
        os.write(self.out, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.read()
            if answer.get("id") == self.number:
                if "error" in answer:
                    sys.exit(f"{method}: {answer['error']}")
                return answer["result"]
            self.events.append(answer)

    def value(self, expression):
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            return None
        return result["result"].get("value")

    def wait(self, expression, seconds):
        end = time.time() + seconds
        while time.time() < end:
            if self.value(expression):
                return True
            time.sleep(0.05)
        return False

    def mouse(self, kind, x, y, down):
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left" if kind != "mouseMoved" else "none",
                  buttons=1 if down else 0, clickCount=1)

    def key(self, key, code):
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code="Key" + key.upper(),
                      windowsVirtualKeyCode=code, nativeVirtualKeyCode=code)

    def complaints(self):
        """What the page threw or wrote as errors."""
        found = []
        for event in self.events:
            if event.get("method") == "Runtime.exceptionThrown":
                found.append(event["params"]["exceptionDetails"].get("exception", {}).get("description", "exception"))
            elif event.get("method") == "Runtime.consoleAPICalled" and event["params"]["type"] == "error":
                found.append(" ".join(str(a.get("value", "")) for a in event["params"]["args"]))
        return found

    def picture(self):
        return base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"])

    def close(self):
        self.process.terminate()
        self.process.wait()


failures = 0


def check(good, text):
    global failures
    if not good:
        failures += 1
    print(f"{'ok    ' if good else 'FAILED'} {text}")


DRIVER = """(gl => gl.getParameter (gl.getExtension ("WEBGL_debug_renderer_info").UNMASKED_RENDERER_WEBGL)) (
    document.createElement ("canvas").getContext ("webgl2"))"""
TROUBLE = "document.getElementById (`trouble`).textContent"
FRAMES = """new Promise (done => {
    let count = 0; const start = performance.now ();
    const tick = () => { count++; const t = performance.now () - start;
        if (t > 3000) done (1000 * count / t); else requestAnimationFrame (tick); };
    requestAnimationFrame (tick); })"""


def work(b, page, png):
    b.call("Page.navigate", url=page.resolve().as_uri())
    if not b.wait("window.Module && Module.firstFrame", 20):
        sys.exit(f"no first frame: {b.value(TROUBLE)} {b.complaints()[:3]}")
    first = b.value("Module.firstFrame") or 1e9
    print(f"       size {page.stat().st_size / 1e6:.2f} MB, first frame after {first / 1000:.2f} s, "
          f"{b.value(FRAMES):.0f} frames a second; {b.value('document.getElementById(`canvas`).width')} pixels wide")
    print(f"       drawn by {b.value(DRIVER)}; without graphics a frame takes "
          f"{1000 * b.value('Module._page_cost ()'):.1f} ms")
    b.wait("Module.state ().sides[1].time > 4", 60)
    if png:
        pathlib.Path(png).write_bytes(b.picture())
    state = b.value("Module.state ()")
    check(state["scene"] == "bricard", "the Bricard mechanism opens")
    check(state["sides"][1]["worst"] < 1e-12, f"ode-rls: joints closed to {state['sides'][1]['worst']:.0e} m")
    check(state["sides"][0]["energy_lost"] > 0.3,
          f"dWorldStep: {100 * state['sides'][0]['energy_lost']:.0f} % of the energy lost")
    check(state["sides"][1]["joints"]["J4"]["redundant"] == 1, "the redundant row of J4 is marked")

    # A link is dragged: it follows on both sides.
    name, (x, y) = next(iter(state["sides"][1]["bodies"].items()))
    for body, place in state["sides"][1]["bodies"].items():
        if body == "bar3":
            name, (x, y) = body, place
    b.key(" ", 32)
    b.wait("Module.state ().settings.paused == '1'", 5)
    x, y = b.value(f"Module.state ().sides[1].bodies['{name}']")
    b.mouse("mouseMoved", x, y, False)
    time.sleep(0.3)
    b.mouse("mousePressed", x, y, True)
    check(b.wait("Module.state ().pulling >= 0", 5), f"the mouse takes {name}")
    b.key(" ", 32)
    b.mouse("mouseMoved", x + 60, y - 40, True)
    time.sleep(1)
    pulled = b.value("Module.state ()")
    check("pulling" in pulled["sides"][1]["story"] and pulled["sides"][1]["worst"] < 1e-9,
          f"it is dragged, joints closed to {pulled['sides'][1]['worst']:.0e} m")
    b.mouse("mouseReleased", x + 60, y - 40, False)
    check(b.wait("Module.state ().pulling < 0", 5), "and let go")

    # A joint is added once more: its rows light up as redundant.
    before = b.value("Module.state ().sides[1].redundant")
    b.key("y", 89)
    check(b.wait(f"Module.state ().sides[1].redundant > {before}", 10), "a joint added once more: redundant rows")
    lit = b.value("Object.values (Module.state ().sides[1].joints).filter (j => j.redundant).length")
    check(lit >= 1, f"{lit} joints are marked, {b.value('Module.state ().sides[1].redundant')} rows")
    complaints = b.complaints()
    check(not complaints, f"no complaints {complaints[:3]}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("page", type=pathlib.Path)
    parser.add_argument("--png")
    parser.add_argument("--chromium", default="chromium")
    parser.add_argument("--size", default="1280x720")
    arguments = parser.parse_args()
    size = [int(n) for n in arguments.size.split("x")]
    if not arguments.page.exists() or not shutil.which(arguments.chromium):
        print(f"skipped: {arguments.page} (demos/web/build.sh makes it) or {arguments.chromium} is not there")
        sys.exit(77)
    with tempfile.TemporaryDirectory() as profile:
        browser = Browser(arguments.chromium, profile, size)
        try:
            work(browser, arguments.page, arguments.png)
        finally:
            browser.close()
    sys.exit(1 if failures else 0)


main()
