"""The pictures in the docs: `python -m tools.take_screenshots`. Needs chromium and chromedriver."""

from __future__ import annotations

import os
import threading
import time
from pathlib import Path
from tempfile import TemporaryDirectory

import uvicorn

from docqn.serving.web.app import create_app
from tests.serving.web.browser import Browser

FOLDER = Path(__file__).parents[1] / "docs" / "images"
QUESTION = "How many working days of leave does the other parent get?"
VIEWS = {"answer": (1180, 1010, False), "dark": (1180, 1010, True), "narrow": (390, 860, False)}  # width, height, dark


def main() -> None:
    """Take them from a server of our own."""
    FOLDER.mkdir(exist_ok=True)
    with TemporaryDirectory() as folder:
        os.environ["DOCQN_CACHE"] = folder
        running = uvicorn.Server(uvicorn.Config(create_app(), port=0, log_level="warning"))
        thread = threading.Thread(target=running.run)
        thread.start()
        while not running.started:
            time.sleep(0.05)
        port = running.servers[0].sockets[0].getsockname()[1]
        try:
            with Browser(Path(folder)) as browser:
                for name, (width, height, dark) in VIEWS.items():
                    take(browser, f"http://127.0.0.1:{port}", FOLDER / f"{name}.png", width, height, dark)
        finally:
            running.should_exit = True
            thread.join()


def take(browser: Browser, server: str, path: Path, width: int, height: int, dark: bool) -> None:
    """One picture, of the step before the last."""
    browser.size(width, height)
    browser.dark(dark)
    browser.go(server)
    browser.click(".cards a")
    browser.wait(lambda: browser.text("h2") == "Outline")
    browser.write("#q", QUESTION)
    browser.press("enter")
    browser.wait(lambda: browser.text(".result"))
    browser.run("document.activeElement.blur()")
    browser.click("[data-go='3']")
    time.sleep(1)  # until the outline has come to rest
    browser.run("document.querySelector('.side').scrollTop = document.querySelector('.current').offsetTop - 150")
    browser.run("scrollTo(0, 0)")
    browser.screenshot(path)


if __name__ == "__main__":
    main()
