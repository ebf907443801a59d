"""The page in a real browser: upload, question, playback, errors, a narrow window, without the network."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import uvicorn
from starlette.types import ASGIApp

from docqn.errors import DocqnError
from docqn.serving.web.app import create_app
from docqn.serving.web.limits import Limits
from tests.serving.web.browser import Browser
from tests.serving.web.stepping import READ, Stepping

pytestmark = pytest.mark.browser

LEAVE = "How many working days of leave does the other parent get?"
TEA = "# Tea \\<3\n\n## Green\n\nGreen tea comes from Uji.\n\n## Black\n\nBlack tea comes from Assam.\n"


@contextmanager
def serving(app: ASGIApp) -> Iterator[str]:
    running = uvicorn.Server(uvicorn.Config(app, port=0, log_level="warning"))
    thread = threading.Thread(target=running.run)
    thread.start()
    while not running.started:
        time.sleep(0.02)
    port = running.servers[0].sockets[0].getsockname()[1]
    yield f"http://127.0.0.1:{port}"
    running.should_exit = True
    thread.join()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DOCQN_CACHE", str(tmp_path_factory.mktemp("cache")))
        with serving(create_app(limits=Limits(upload_bytes=200_000))) as address:
            yield address


@pytest.fixture(scope="module")
def downloads(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("downloads")


@pytest.fixture(scope="module")
def opened(downloads: Path) -> Iterator[Browser]:
    with Browser(downloads) as made:
        yield made


@pytest.fixture
def browser(opened: Browser) -> Browser:
    opened.size(1200, 900)
    opened.dark(False)
    opened.complaints()
    return opened


def ask(browser: Browser, server: str, question: str = LEAVE, said: str = ".result") -> None:
    """From the first page to an answer."""
    browser.go(server)
    browser.click("h2:last-of-type + .cards a")
    browser.wait(lambda: browser.text("h2") == "Outline")
    browser.write("#q", question)
    browser.press("enter")
    browser.wait(lambda: browser.text(said))


def wait_for_title(browser: Browser, part: str) -> None:
    browser.wait(lambda: part in browser.run("return document.title"))


def test_an_upload_a_question_and_its_answer(browser: Browser, server: str, tmp_path: Path) -> None:
    (tmp_path / "tea.md").write_text(TEA)
    browser.go(server)
    browser.write("#file", str(tmp_path / "tea.md"))  # is enough: it is read as soon as it is chosen
    browser.wait(lambda: "tea.md" in browser.text(".document"))
    assert "/d/" in browser.address
    assert [*browser.text(".outline").split("\n")] == ["Tea <3", "Green", "Black"]
    browser.write("#q", "Where does green tea come from?")
    browser.press("enter")
    browser.wait(lambda: browser.text(".result"))
    assert browser.text(".result strong") == "Uji"
    assert browser.text("blockquote") == "Green tea comes from Uji."
    assert browser.text("blockquote mark") == "Uji"
    assert browser.text(".answer .path") == "Tea <3Green"  # the sign between is drawn by the style
    browser.go(server)
    assert "tea.md" in browser.text(".cards")
    assert browser.complaints() == []


def test_an_answer_has_an_address(browser: Browser, server: str) -> None:
    ask(browser, server)
    address = browser.address
    assert "?q=How%20many%20working%20days" in address
    assert browser.run("return document.title").startswith("How many working days")
    browser.go(server)
    browser.go(address)
    assert browser.text(".result strong") == "45"
    browser.back()
    browser.wait(lambda: browser.text("h1") == "Ask a long document")


def test_the_outline_lights_up_while_the_way_is_gone(browser: Browser) -> None:
    reached, gate = threading.Event(), threading.Event()

    def wait(number: int) -> None:
        if number == 2:
            reached.set()
            assert gate.wait(30)

    lit = "return [...document.querySelectorAll('.outline .step')].map((step) => +step.textContent)"
    with serving(create_app(policy=Stepping(wait))) as server:
        browser.go(server)
        browser.click(".cards a")
        browser.wait(lambda: browser.text("h2") == "Outline")
        page = browser.address
        for question in (LEAVE, "How long is the notice period?"):  # from the outline, then from an answer
            browser.run("document.querySelector('#q').value = ''")
            browser.write("#q", question)
            browser.press("enter")
            assert reached.wait(20)
            browser.wait(lambda: browser.text(".now").startswith("Step 2: reads the paragraph, at paragraph "))
            assert sorted(browser.run(lit)) == [1, 2]
            assert browser.run("return document.querySelectorAll('.outline .current').length") == 1
            assert browser.run("return document.querySelector('.answer')?.checkVisibility() ?? false") is False
            gate.set()
            wait_for_title(browser, question)
            assert browser.text(".result")
            assert browser.run("return document.querySelectorAll('.now, .asking').length") == 0
            reached.clear()
            gate.clear()
        for expected in (LEAVE, "Handbook"):
            browser.back()
            wait_for_title(browser, expected)
        assert browser.address == page
    assert browser.complaints() == []


def test_the_line_that_lights_up_can_be_seen(browser: Browser) -> None:
    onward = threading.Semaphore(0)

    def wait(number: int) -> None:
        assert onward.acquire(timeout=30)

    seen = """const [line, now] = ['.current', '.now'].map((css) =>
            document.querySelector(css).getBoundingClientRect());
        return line.top >= now.bottom && line.bottom <= innerHeight"""
    browser.size(340, 700)
    with serving(create_app(policy=Stepping(wait))) as server:
        browser.go(server)
        browser.click(".cards a")
        browser.wait(lambda: browser.text("h2") == "Outline")
        browser.write("#q", "What does the company pay for glasses?")
        browser.press("enter")
        for number in range(1, READ + 1):
            browser.wait(lambda: browser.text(".now").startswith(f"Step {number}: "))  # noqa: B023 (is called at once)
            browser.wait(lambda: browser.run(seen))
            onward.release()
        browser.wait(lambda: browser.text(".result"))


def test_an_error_in_the_middle_is_said_on_the_page(browser: Browser) -> None:
    errors: list[Exception] = [DocqnError("the reader is gone"), RuntimeError("a secret")]

    def fail(number: int) -> None:
        if number == 2:
            raise errors.pop(0)

    with serving(create_app(policy=Stepping(fail))) as server:
        ask(browser, server, said="[role=alert]")
        assert browser.text("[role=alert]") == "the reader is gone"
        ask(browser, server)  # after a fault of the program it is asked again, without watching
        assert browser.text(".result strong")
    assert errors == []


def test_the_way_can_be_gone_step_by_step(browser: Browser, server: str) -> None:
    ask(browser, server)
    last = int(browser.run("return document.querySelectorAll('[data-panel]').length"))

    def shown() -> list[int]:
        found = browser.run(
            "return [...document.querySelectorAll('[data-panel]')].filter(p => !p.hidden).map(p => +p.dataset.panel)"
        )
        return [int(number) for number in found]

    assert shown() == [last]
    browser.click("[data-to=first]")
    assert shown() == [1]
    assert browser.text(".where").startswith(f"Step 1 of {last}: reads the paragraph")
    assert re.fullmatch(rf"read \d+\.\d % of 11,652 tokens in 1 of {last} steps", browser.text("[data-read]"))
    browser.click("[data-to=next]")
    assert shown() == [2]
    browser.run("document.activeElement.blur()")
    for key, step in (("right", 3), ("left", 2), ("end", last), ("home", 1)):
        browser.press(key)
        assert shown() == [step]
    seen = "return document.querySelectorAll('.visited.seen').length"
    assert browser.run(seen) == 1
    browser.click("[data-to=last]")
    assert browser.run(seen) == browser.run("return document.querySelectorAll('.visited').length")
    browser.click("[data-go='2']")
    assert shown() == [2]
    assert browser.run("return document.querySelector('.current').dataset.steps.split(' ').includes('2')")
    assert browser.run("return document.querySelector('.current').getAttribute('aria-current')") == "step"
    assert browser.run("return document.querySelectorAll('.bar .read:not(.later)').length") < browser.run(
        "return document.querySelectorAll('.bar .read').length"
    )
    assert browser.complaints() == []


def test_the_way_plays_and_pauses(browser: Browser, server: str) -> None:
    ask(browser, server)
    browser.click("[data-to=play]")
    assert browser.text("[data-to=play]") == "Pause"
    assert browser.text(".where").startswith("Step 1 ")
    browser.wait(lambda: browser.text(".where").startswith("Step 3 "))
    browser.click("[data-to=play]")
    assert browser.text("[data-to=play]") == "Play"
    browser.click("[data-to=last]")
    browser.click("[data-to=previous]")
    browser.click("[data-to=play]")
    browser.wait(lambda: browser.text("[data-to=play]") == "Play")  # it ends by itself
    assert browser.run("return document.querySelector('[data-to=next]').disabled")


def test_errors_are_said_on_the_page(browser: Browser, server: str, tmp_path: Path) -> None:
    (tmp_path / "bad.md").write_bytes(b"\0\1\2\3" * 99)
    (tmp_path / "large.md").write_text("Words. " * 40_000)
    for name, said in (("bad.md", "bad.md: "), ("large.md", "larger than")):
        browser.go(server)
        browser.write("#file", str(tmp_path / name))
        browser.wait(lambda: browser.text("[role=alert]"))
        assert said in browser.text("[role=alert]")
    browser.go(f"{server}/d/none")
    assert "no such document" in browser.text("[role=alert]")
    browser.go(f"{server}/nowhere")
    assert browser.text("[role=alert]") == "there is nothing at this address"
    browser.complaints()


def test_what_the_document_does_not_say(browser: Browser, server: str) -> None:
    ask(browser, server, "Who was Napoleon Bonaparte?")
    assert browser.text(".result") == "The document does not seem to answer this."
    assert "no word of the question" in browser.text(".note")
    assert browser.text("details[open] summary") == "The likeliest guesses"


def test_a_narrow_window_needs_no_scrolling_sideways(browser: Browser, server: str) -> None:
    browser.size(340, 700)
    ask(browser, server)
    wide = "return document.documentElement.scrollWidth - document.documentElement.clientWidth"
    assert browser.run(wide) <= 0
    browser.click("[data-to=first]")
    assert browser.run(wide) <= 0
    below = "return document.querySelector('.side').offsetTop > document.querySelector('.text').offsetTop"
    assert browser.run(below)
    browser.go(server)
    assert browser.run(wide) <= 0


def brightness(colour: str) -> float:
    """Relative luminance, as WCAG defines it."""
    parts = [int(part) / 255 for part in re.findall(r"\d+", colour)[:3]]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("dark", [False, True])
def test_text_stands_out_in_light_and_dark(browser: Browser, server: str, dark: bool) -> None:
    browser.dark(dark)
    ask(browser, server)
    style = """
        const solid = (e) => { while (e) { const c = getComputedStyle(e).backgroundColor;
            if (!c.startsWith("rgba(0, 0, 0, 0")) return c; e = e.parentElement; } return "rgb(255, 255, 255)"; };
        return ["body", ".result", ".sure", ".path", "blockquote", "mark", ".hint", "form button", ".where", ".step",
            ".outline .d1", ".foot", ".save a", ".visited.current"].map((css) => {
                const e = document.querySelector(css); return [css, getComputedStyle(e).color, solid(e)]; });"""
    for css, colour, behind in browser.run(style):
        light, deep = sorted((brightness(colour), brightness(behind)), reverse=True)
        assert (light + 0.05) / (deep + 0.05) >= 4.5, css
    assert (brightness(browser.run("return getComputedStyle(document.body).backgroundColor")) < 0.1) == dark


def test_keyboards_and_screen_readers_get_along(browser: Browser, server: str) -> None:
    browser.go(server)
    assert browser.role("#file")[1].startswith("Drop a document here")
    browser.press("tab")
    assert browser.run("return document.activeElement.textContent") == "Skip to the content"
    ask(browser, server)
    assert browser.role("#q") == ("searchbox", "Question")
    assert browser.role("[data-to=next]") == ("button", "Next step")
    assert browser.role("input[type=range]") == ("slider", "Step")
    assert browser.role(".side") == ("navigation", "Outline")
    assert browser.role(".walk") == ("region", "The way to the answer")
    assert browser.role(".bar svg")[1].startswith("What was read of ")
    nameless = """return [...document.querySelectorAll("button, a, input")].filter((e) =>
        !(e.textContent.trim() || e.getAttribute("aria-label") || (e.labels && e.labels.length))).length"""
    assert browser.run(nameless) == 0
    assert browser.run("return document.documentElement.lang") == "en"
    ids = "const all = [...document.querySelectorAll('[id]')].map((e) => e.id); return all.length - new Set(all).size"
    assert browser.run(ids) == 0


def test_a_saved_answer_is_one_file_that_needs_nothing_else(browser: Browser, server: str, downloads: Path) -> None:
    ask(browser, server)
    browser.click(".save a")
    saved = downloads / "answer.html"
    browser.wait(saved.exists)
    text = saved.read_text()
    assert re.findall(r"(?:src|href)=\"(?!#)[^\"]*\"", text) == []
    browser.complaints()
    browser.go(saved.as_uri())
    assert browser.text(".result strong") == "45"
    assert browser.text("h1") == LEAVE
    browser.click("[data-to=first]")
    assert browser.text(".where").startswith("Step 1 ")
    assert browser.complaints() == []


def test_nothing_comes_from_elsewhere(browser: Browser, server: str) -> None:
    ask(browser, server)
    loaded = browser.run("return performance.getEntriesByType('resource').map((e) => e.name)")
    assert loaded
    assert all(address.startswith(server) for address in loaded)


def test_without_scripts_everything_is_there(server: str) -> None:
    from urllib.request import urlopen

    with urlopen(server) as answer:
        address = re.findall(r'href="(/d/[^"]+)"', answer.read().decode())[0]
    with urlopen(f"{server}{address}?q={LEAVE.replace(' ', '+')}") as answer:
        page = answer.read().decode()
    assert page.count("data-panel=") == 4
    assert "hidden>" not in page.split("data-player")[1].split("data-when")[0]
    assert '<form class="ask" action="/d/' in page
