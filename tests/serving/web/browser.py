"""A real browser, driven by the W3C's WebDriver protocol: JSON over HTTP, so no package is needed for it."""

from __future__ import annotations

import base64
import json
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

_ELEMENT = "element-6066-11e4-a52e-4f735466cecf"  # the key of an element's id, by the standard
_PATIENCE = 20.0  # seconds
KEYS = {"left": "\ue012", "right": "\ue014", "home": "\ue011", "end": "\ue010", "enter": "\ue007", "tab": "\ue004"}


def missing() -> str:
    """What a browser test lacks on this machine; empty if nothing."""
    driver, browser = shutil.which("chromedriver"), shutil.which("chromium") or shutil.which("google-chrome")
    lacks = [name for name, found in (("chromedriver", driver), ("chromium or google-chrome", browser)) if not found]
    return " and ".join(lacks)


class Browser:
    """One headless Chromium with one window."""

    def __init__(self, downloads: Path) -> None:
        self._profile = tempfile.TemporaryDirectory(prefix="docqn-browser-")
        self._process = subprocess.Popen(
            [str(shutil.which("chromedriver")), "--port=0"],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        self._address = f"http://127.0.0.1:{self._port()}"
        options = {
            "binary": shutil.which("chromium") or shutil.which("google-chrome"),
            "args": [
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--disable-extensions",
                f"--user-data-dir={self._profile.name}",
            ],
            "prefs": {"download.default_directory": str(downloads), "download.prompt_for_download": False},
        }
        wanted = {"alwaysMatch": {"goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL"}}}
        session = self._call("POST", "/session", {"capabilities": wanted})
        self._address += f"/session/{session['sessionId']}"

    def _port(self) -> int:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            if "successfully on port" in line:
                return int(line.rpartition("port")[2].strip(" .\n"))
        raise RuntimeError("chromedriver does not start")

    def _call(self, method: str, path: str, data: dict[str, Any] | None = None) -> Any:
        body = json.dumps(data or {}).encode() if method == "POST" else None
        request = Request(self._address + path, body, {"Content-Type": "application/json"}, method=method)
        try:
            with urlopen(request, timeout=60) as answer:
                return json.load(answer)["value"]
        except HTTPError as error:
            with error:
                raise LookupError(json.load(error)["value"]["message"].splitlines()[0]) from None

    def go(self, address: str) -> None:
        self._call("POST", "/url", {"url": address})

    def back(self) -> None:
        self._call("POST", "/back")

    @property
    def address(self) -> str:
        return str(self._call("GET", "/url"))

    def size(self, width: int, height: int) -> None:
        self._call("POST", "/goog/cdp/execute", _cdp("Emulation.setDeviceMetricsOverride", width, height))

    def dark(self, on: bool) -> None:
        features = [{"name": "prefers-color-scheme", "value": "dark" if on else "light"}]
        self._call("POST", "/goog/cdp/execute", {"cmd": "Emulation.setEmulatedMedia", "params": {"features": features}})

    def run(self, script: str, *arguments: Any) -> Any:
        """What a piece of JavaScript returns."""
        return self._call("POST", "/execute/sync", {"script": script, "args": list(arguments)})

    def _find(self, css: str) -> str:
        found = self._call("POST", "/element", {"using": "css selector", "value": css})
        return str(found[_ELEMENT])

    def text(self, css: str) -> str:
        """What can be seen of an element's text."""
        return str(self._call("GET", f"/element/{self._find(css)}/text"))

    def click(self, css: str) -> None:
        self._call("POST", f"/element/{self._find(css)}/click")

    def write(self, css: str, text: str) -> None:
        """Type into an element; for a file's input, the paths of files."""
        self._call("POST", f"/element/{self._find(css)}/value", {"text": text})

    def press(self, key: str) -> None:
        """A key where the focus is."""
        code = KEYS.get(key, key)
        steps = [{"type": "keyDown", "value": code}, {"type": "keyUp", "value": code}]
        self._call("POST", "/actions", {"actions": [{"type": "key", "id": "keys", "actions": steps}]})

    def role(self, css: str) -> tuple[str, str]:
        """What a screen reader says an element is, and how it is called."""
        at = f"/element/{self._find(css)}"
        return str(self._call("GET", f"{at}/computedrole")), str(self._call("GET", f"{at}/computedlabel"))

    def screenshot(self, path: Path, *, whole: bool = False) -> None:
        """The window, or the whole page."""
        if whole:
            height = self.run("return document.documentElement.scrollHeight")
            self.size(self.run("return innerWidth"), height)
        path.write_bytes(base64.b64decode(self._call("GET", "/screenshot")))

    def complaints(self) -> list[str]:
        """What the browser has written to its console since the last time, errors and warnings."""
        entries = self._call("POST", "/se/log", {"type": "browser"})
        return [entry["message"] for entry in entries if entry["level"] in ("SEVERE", "WARNING")]

    def wait(self, there: Callable[[], object]) -> None:
        """Until it is so."""
        end = time.monotonic() + _PATIENCE
        while time.monotonic() < end:
            try:
                if there():
                    return
            except LookupError:
                pass
            time.sleep(0.05)
        raise TimeoutError("the page does not come to what was waited for")

    def __enter__(self) -> Browser:
        return self

    def __exit__(self, kind: type | None, error: BaseException | None, trace: TracebackType | None) -> None:
        try:
            self._call("DELETE", "")
        finally:
            self._process.terminate()
            self._process.wait()
            if self._process.stdout:
                self._process.stdout.close()
            with _patience():
                self._profile.cleanup()


def _cdp(command: str, width: int, height: int) -> dict[str, Any]:
    screen = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
    return {"cmd": command, "params": screen}


@contextmanager
def _patience() -> Iterator[None]:
    """A browser that ends may still write to its profile."""
    try:
        yield
    except OSError:
        time.sleep(1)
