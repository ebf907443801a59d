"""Readers side by side: a paragraph of 200 tokens in a batch of 64, and a whole document, paragraph by paragraph.

DOCQN_BENCH_READERS names them, with commas between: names, folders or ONNX files. Two threads; nothing is cached. The
text is the handbook that comes with docqn.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from pathlib import Path
from time import perf_counter

import numpy as np

import docqn
from benchmarks import Row
from docqn.document import PARAGRAPH, Document
from docqn.errors import DocqnError
from docqn.readers import Reader, reader
from docqn.text.tokens import token_spans

READERS = os.environ.get("DOCQN_BENCH_READERS", "lexical,default")
HANDBOOK = Path(docqn.__file__).parent / "examples" / "handbook.md"
QUESTION = "How many days of leave may a member of the crew carry over into the next year?"
TOKENS, BATCH, ROUNDS = 200, 64, 3
MILLISECONDS = 30  # a paragraph


def run(seed: int) -> Iterable[Row]:
    """The best of three rounds; the first reader is what the others stand beside."""
    document = docqn.parse(HANDBOOK)
    paragraphs = [document.text_of(int(node)) for node in np.flatnonzero(document.kind == PARAGRAPH)]
    passages = cut(document)
    pieces = f"{len(paragraphs)} paragraphs, {len(document.token):,} tokens"
    first: tuple[str, float, float] | None = None
    for name in READERS.split(","):
        try:
            made = reader(name)
        except DocqnError as error:
            print(f"skipped: {error}", file=sys.stderr)
            continue
        single, whole = 1e3 * seconds(made, passages) / len(passages), 1e3 * seconds(made, paragraphs)
        rival, theirs, all_theirs = first or ("", None, None)
        yield Row(f"{name}: a paragraph of {TOKENS} tokens", single, unit="ms", at_most=MILLISECONDS)
        if first:
            yield Row(f"{name}: the same", single, rival, theirs, unit="ms")
        yield Row(f"{name}: a document ({pieces})", whole, rival, all_theirs, unit="ms")
        first = first or (name, single, whole)


def cut(document: Document) -> list[str]:
    """Passages of just so many tokens, from different places of the document's text."""
    spans = token_spans(document.text)
    begins = np.linspace(0, len(spans) - TOKENS, BATCH).astype(int)
    return [document.text[spans[at, 0] : spans[at + TOKENS - 1, 1]] for at in begins.tolist()]


def seconds(made: Reader, passages: list[str]) -> float:
    """The shortest time for one question on all of the passages."""
    times = []
    for _ in range(ROUNDS):
        start = perf_counter()
        made.read([QUESTION] * len(passages), passages)
        times.append(perf_counter() - start)
    return min(times)
