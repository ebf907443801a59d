"""The command line from a cold start, beside a Python that does nothing."""

import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks import Row, race

SIZE = 100_000  # characters of the page
WORDS = "sea wave buoy harbour wind sensor night crew signal depth chart tide anchor storm light coast".split()


def run(seed: int) -> Iterator[Row]:
    """Seconds of whole processes; the best of ten."""
    with TemporaryDirectory() as folder:
        page = Path(folder, "page.html")
        page.write_text(write_page(random.Random(seed)))
        nothing, help_, parse = race(
            lambda: start("-c", "pass"),
            lambda: start("-m", "docqn", "--help"),
            lambda: start("-m", "docqn", "parse", str(page)),
            rounds=10,
        )
    yield Row("docqn --help", help_, at_most=0.3)
    yield Row("docqn --help", help_, "python -c pass", nothing)
    yield Row("docqn parse, 100 KB of HTML", parse, at_most=0.8)
    yield Row("docqn parse, 100 KB of HTML", parse, "python -c pass", nothing)


def start(*arguments: str) -> None:
    """Run Python to its end."""
    subprocess.run([sys.executable, *arguments], stdout=subprocess.DEVNULL, check=True)


def write_page(draw: random.Random) -> str:
    """A page of headings and paragraphs."""
    parts = ["<!doctype html><title>Page</title><h1>Page</h1>"]
    while sum(map(len, parts)) < SIZE:
        level = draw.randint(2, 4)
        parts.append(f"<h{level}>{' '.join(draw.choices(WORDS, k=4))}</h{level}>")
        for _ in range(draw.randint(1, 5)):
            sentences = (" ".join(draw.choices(WORDS, k=draw.randint(5, 25))).capitalize() for _ in range(5))
            parts.append(f"<p>{'. '.join(sentences)}.</p>")
    return "\n".join(parts)
