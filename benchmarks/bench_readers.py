"""Readers side by side: a paragraph of 200 tokens in a batch of 64, and a whole document, paragraph by paragraph.

DOCQN_BENCH_READERS names them, with commas between: names, folders or ONNX files. Two threads; nothing is cached. The
text is the handbook that comes with docqn. Time of the processor is that of both threads, and does not depend on what
else the machine does.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from pathlib import Path
from time import perf_counter, process_time

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
        (single, used), (whole, _) = milliseconds(made, passages), milliseconds(made, paragraphs)
        single, used = single / len(passages), used / len(passages)
        rival, theirs, all_theirs = first or ("", None, None)
        yield Row(f"{name}: a paragraph of {TOKENS} tokens", single, unit="ms", at_most=MILLISECONDS)
        yield Row(f"{name}: the same, of a processor", used, rival, theirs, unit="ms")
        yield Row(f"{name}: a document ({pieces})", whole, rival, all_theirs, unit="ms")
        first = first or (name, used, whole)


def cut(document: Document) -> list[str]:
    """Passages of just so many tokens, from different places of the document's text."""
    spans = token_spans(document.text)
    begins = np.linspace(0, len(spans) - TOKENS, BATCH).astype(int)
    return [document.text[spans[at, 0] : spans[at + TOKENS - 1, 1]] for at in begins.tolist()]


def milliseconds(made: Reader, passages: list[str]) -> tuple[float, float]:
    """The shortest times for one question on all of the passages: that which passed, and that of the processor."""
    times = []
    for _ in range(ROUNDS):
        start, used = perf_counter(), process_time()
        made.read([QUESTION] * len(passages), passages)
        times.append((1e3 * (perf_counter() - start), 1e3 * (process_time() - used)))
    passed, spent = zip(*times, strict=True)
    return min(passed), min(spent)
