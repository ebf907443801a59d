"""HTML to finished Documents, beside `lxml.html.fromstring` and `text_content()` on the same pages.

The rival finds no headings, rows, sentences or tokens, leaves nothing out and knows no lines of text. The last rows
show that time only grows with size; memory is the most that a process of its own needed for the page. With
`DOCQN_PAGES=FOLDER` 40 pages from there, chosen by the seed, are raced too.
"""

import multiprocessing
import os
import resource
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from random import Random

from lxml import html as lxml_html

from benchmarks import Row, race
from benchmarks.bench_markdown import LINEAR, MEGABYTE, WORDS, sentence
from docqn.parsers import html

AIM = 4.0
PAGES = Path(__file__).parents[1] / "tests" / "data"
SIZES = (1, 2, 4, 8, 20)  # megabytes
NAVIGATION = "<nav><ul>" + "".join(f'<li><a href="/{word}">{word}</a></li>' for word in WORDS[:12]) + "</ul></nav>"


def run(seed: int) -> Iterable[Row]:
    """Pages of several kinds beside the rival, then larger ones, then hard ones."""
    if folder := os.environ.get("DOCQN_PAGES"):
        pages = Random(seed).sample(sorted(Path(folder).rglob("*.html")), 40)
        yield beside("40 pages of a folder", [page.read_bytes() for page in pages], rounds=15)
    for page in sorted(PAGES.glob("*.html")):
        yield beside(page.name, [page.read_bytes()], rounds=50)
    yield beside("an article of 100 KB", [article(MEGABYTE // 10, seed).encode()], rounds=20)
    yield beside("a table of 1 MB", [f"<h1>T</h1>{table(Random(seed), MEGABYTE // 54)}".encode()], rounds=3)
    for size in SIZES:
        yield beside(f"an article of {size} MB", [article(size * MEGABYTE, seed).encode()], rounds=3 if size < 8 else 1)
    yield from growth(seed)
    yield from hard()


def beside(name: str, pages: list[bytes], rounds: int) -> Row:
    """Our time and the rival's for these pages, each raced by itself."""
    ours = theirs = 0.0
    for page in pages:
        seconds, beside = race(
            lambda: html.parse(page, "x.html"),  # noqa: B023
            lambda: lxml_html.fromstring(page).text_content(),  # noqa: B023
            rounds=rounds,
        )
        ours, theirs = ours + seconds, theirs + beside
    return Row(name, ours, "lxml", theirs, at_most=AIM)


def growth(seed: int) -> Iterator[Row]:
    """Time and memory of articles by size; the time beside what the smallest one lets expect."""
    base = 0.0
    for size in SIZES:
        seconds, megabytes = alone(article(size * MEGABYTE, seed).encode())
        base = base or seconds / size
        yield Row(f"{size} MB by itself", seconds, f"{size} × 1 MB", base * size, at_most=LINEAR)
        yield Row(f"{size} MB by itself, memory", megabytes, unit="MB")


def hard() -> Iterator[Row]:
    """Pages that nobody makes, beside ones a fifth as large."""
    cases: dict[str, Callable[[int], str]] = {
        "1,000,000 headings": lambda part: "<h2>Heading</h2>\n" * (1_000_000 // part),
        "10,000 nested tags": lambda part: "<div>" * (10_000 // part) + "deep",
        "1,000,000 nested tags": lambda part: "<div>" * (1_000_000 // part) + "deep",
        "100,000 nested tables": lambda part: "<table><tr><td>a" * (100_000 // part),
        "a row of 500,000 cells": lambda part: "<table><tr>" + "<td>a" * (500_000 // part),
        "1,000,000 tags that are not closed": lambda part: "<p>a" + "<p " * (1_000_000 // part),
    }
    for name, make in cases.items():
        (less, _), (seconds, megabytes) = alone(make(5).encode()), alone(make(1).encode())
        yield Row(name, seconds, "5 × a fifth of it", 5 * less, at_most=LINEAR)
        yield Row(f"{name}, memory", megabytes, unit="MB")


def alone(data: bytes) -> tuple[float, float]:
    """Seconds of processor time and the most megabytes that a process of its own takes for a page."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        return pool.apply(measured, (data,))


def measured(data: bytes) -> tuple[float, float]:
    """The same in this process, which has done nothing else."""
    html.parse(b"<p>Everything is loaded.", "x.html")
    start = time.process_time()  # what else the machine does is not to show
    html.parse(data, "x.html")
    seconds = time.process_time() - start
    status = Path("/proc/self/status")
    if status.exists():  # getrusage counts what the parent had before
        most = next(int(line.split()[1]) for line in status.read_text().splitlines() if line.startswith("VmHWM"))
        return seconds, most * 1024 / MEGABYTE
    unit = 1 if sys.platform == "darwin" else 1024
    return seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / MEGABYTE


def article(size: int, seed: int) -> str:
    """A page of about so many characters as an encyclopedia has them, with what stands around."""
    random = Random(seed)
    parts = [f"<!DOCTYPE html><html lang=en><head><title>Tea</title></head><body>{NAVIGATION}<main><h1>Tea</h1>\n"]
    length = 0
    while length < size:
        part = random.choices((heading, paragraph, items, table), (3, 12, 2, 1))[0](random)
        parts.append(part)
        length += len(part)
    return "".join([*parts, f"</main>{NAVIGATION}<footer>The end</footer></body></html>"])


def heading(random: Random) -> str:
    """A heading with a link to edit it."""
    level, word = random.randint(2, 4), random.choice(WORDS)
    edit = '<span class="mw-editsection">[<a href="/e">edit</a>]</span>'
    return f'<div class="mw-heading"><h{level} id="{word}">{word.title()}</h{level}>{edit}</div>\n'


def paragraph(random: Random) -> str:
    """Sentences with links, emphasis and notes."""
    return f"<p>{' '.join(marked(random) for _ in range(5))}\n</p>\n"


def items(random: Random) -> str:
    """A list."""
    return "<ul>" + "\n".join(f"<li>{marked(random)}</li>" for _ in range(4)) + "</ul>\n"


def table(random: Random, rows: int = 8) -> str:
    """A table of three columns."""
    cells = ("".join(f"<td>{word}\n</td>" for word in random.choices(WORDS, k=3)) for _ in range(rows))
    body = "".join(f"<tr>\n{row}</tr>\n" for row in cells)
    heads = "<tr>\n<th>Name\n</th><th>Kind\n</th><th>Place\n</th></tr>\n"
    return f'<table class="wikitable"><tbody>{heads}{body}</tbody></table>\n'


def marked(random: Random) -> str:
    """A sentence with marks."""
    word, number = random.choice(WORDS), random.randint(1, 999)
    note = f'<sup id="cite_ref-{number}" class="reference"><a href="#cite_note-{number}">&#91;{number}&#93;</a></sup>'
    mark = random.choice((f"<i>{word}</i>", f"<b>{word}</b>&#160;{number}", note, f"&quot;{word}&quot; &amp; {word}"))
    return f'{sentence(random).rstrip(".")} <a href="/wiki/{word}" title="{word}">{word}</a> {mark}.'
