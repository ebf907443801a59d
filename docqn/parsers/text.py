"""Plain text: headings by underlines, numbers, capitals and indentation; wrapped lines joined to paragraphs."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from docqn.build import Block, build_document
from docqn.document import Document
from docqn.errors import ParseError
from docqn.parsers.decoding import guess_encoding
from docqn.parsers.source_text import source_text

if TYPE_CHECKING:
    from docqn.parsers.plaintext.lines import Line

SUFFIXES = (".txt", ".text", ".rst", ".asc")

NARROWEST = 60  # columns of a page
_LIKELIHOOD = 0.1  # anything may be plain text, and anything else is more likely
_RULE = re.compile(r"[\s\-=_*~+#.|:<>^'\"`/\\]{3,}")


def likelihood(data: bytes) -> float:
    """Any text is plain text if it is nothing else."""
    return 0.0 if guess_encoding(data) is None else _LIKELIHOOD


def parse(data: bytes, source: str) -> Document:
    """The document in plain text."""
    from docqn.parsers.plaintext.lines import read_lines

    lines = read_lines(source_text(data, source))
    blocks = list(_blocks(lines))
    if not blocks:
        raise ParseError(source, "holds no words")
    return build_document(blocks, source=source, format="text")


def _blocks(lines: list["Line"]) -> Iterator[Block]:
    from docqn.parsers.plaintext.document_title import title_lines, title_run
    from docqn.parsers.plaintext.glued import unglued
    from docqn.parsers.plaintext.headings import find_headings
    from docqn.parsers.plaintext.lines import runs
    from docqn.parsers.plaintext.outline import outline
    from docqn.parsers.plaintext.paragraphs import Words, paragraphs

    inked = unglued(runs(lines))
    ends = sorted(line.end for run in inked for line in run.lines)
    width = max(ends[int(0.9 * len(ends))] if ends else 0, NARROWEST)  # where wrapped lines end
    headings = find_headings(inked, width)
    if not headings and (entries := outline(lines)):
        inked, headings = entries
    title = title_run(inked, headings, width)

    above = 1 if title is None and 0 in headings else 2  # level 1 is the title's
    level = {rank: above + n for n, rank in enumerate(sorted({h.rank for i, h in headings.items() if i != title}))}
    words = Words(lines)
    for i, run in enumerate(inked):
        first, below = run.lines[0], 0
        if heading := headings.get(i):
            below = heading.lines
            first = next((line for line in run.lines[:below] if not _RULE.fullmatch(line.text)), first)
            yield Block(_one_line(heading.text), 1 if i == title else level[heading.rank], first.number, first.page)
        elif i == title:
            below = title_lines(run)
            yield Block(_one_line(" ".join(line.text for line in run.lines[:below])), 1, first.number, first.page)
        if rest := [line for line in run.lines[below:] if not _RULE.fullmatch(line.text)]:
            yield from paragraphs(rest, width, words)


def _one_line(text: str) -> str:
    return " ".join(text.split())
