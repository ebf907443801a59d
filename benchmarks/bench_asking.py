"""`docqn ask` on a manual of 100 pages: whole processes, first without and then with what is kept on disk; and a
question to a parsed document, beside reading every paragraph with the same reader and beside BM25's top five, read.

Seconds of processes are the best of three, of questions the mean over ten of them, words drawn from the document, with
no readings kept.
"""

import os
import random
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import mean
from tempfile import TemporaryDirectory
from time import perf_counter

import numpy as np

from benchmarks import Row, race
from docqn.document import PARAGRAPH, Document
from docqn.parsers import parse_bytes
from docqn.readers import Reader
from docqn.serving.defaults import reader as reader_named
from docqn.serving.navigator import Navigator
from tests.parsers.pdf_typesetter import fill, manual

PAGES = 100
QUESTIONS = 10


def run(seed: int) -> Iterator[Row]:
    """Time the command and the library."""
    data = fill(manual(), seed, pages=PAGES).file.bytes()
    document = parse_bytes(data, "manual.pdf")
    asked = questions(document, seed)
    with TemporaryDirectory() as folder, cache_in(Path(folder)):
        file = Path(folder, "manual.pdf")
        file.write_bytes(data)
        cold, warm = race(lambda: command(file, asked[0], kept=False), lambda: command(file, asked[0]), rounds=3)
    yield Row(f"docqn ask, {PAGES} pages, the first time", cold, at_most=3.0)
    yield Row(f"docqn ask, {PAGES} pages, again", warm, at_most=1.5)

    reader = reader_named("default")
    navigator = Navigator(document, reader=reader, cache=False)
    five = Navigator(document, reader=reader, policy="read-best:5", cache=False)
    navigator.ask(asked[0])  # what is loaded once
    ours = mean(timed(navigator, question) for question in asked)
    yield Row("a question, parsed before", ours, at_most=0.4)
    whole = mean(read_all(reader, document, question) for question in asked[:3])
    yield Row("a question, parsed before", ours, "reading every paragraph", whole, at_most=0.1)
    best = mean(timed(five, question) for question in asked)
    yield Row("a question, parsed before", ours, "BM25, five read", best)


def questions(document: Document, seed: int) -> list[str]:
    """Questions of words that the document has."""
    chance = random.Random(seed)
    words = [word for word in document.vocabulary if word.isalpha() and len(word) > 4]
    return [f"What of {' and '.join(chance.sample(words, 3))}?" for _ in range(QUESTIONS)]


def command(file: Path, question: str, *, kept: bool = True) -> None:
    """A whole process, with empty caches unless they are kept."""
    if not kept:
        shutil.rmtree(os.environ["DOCQN_CACHE"], ignore_errors=True)
    arguments = [sys.executable, "-m", "docqn", "ask", str(file), question]
    subprocess.run(arguments, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)


def timed(navigator: Navigator, question: str) -> float:
    """Seconds that an answer takes."""
    start = perf_counter()
    navigator.ask(question)
    return perf_counter() - start


def read_all(reader: Reader, document: Document, question: str) -> float:
    """Seconds that reading every paragraph takes."""
    paragraphs = [document.text_of(node) for node in np.flatnonzero(document.kind == PARAGRAPH).tolist()]
    start = perf_counter()
    reader.read([question] * len(paragraphs), paragraphs)
    return perf_counter() - start


@contextmanager
def cache_in(folder: Path) -> Iterator[None]:
    """Caches of the benchmark's own."""
    before = os.environ.get("DOCQN_CACHE")
    os.environ["DOCQN_CACHE"] = str(folder / "cache")
    try:
        yield
    finally:
        del os.environ["DOCQN_CACHE"]
        if before is not None:
            os.environ["DOCQN_CACHE"] = before
