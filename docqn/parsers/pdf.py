"""PDF: lines by PDFium, put in reading order, become headings, by the bookmarks or by their looks, and paragraphs."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from docqn.build import Block, build_document
from docqn.document import Document
from docqn.errors import ParseError

if TYPE_CHECKING:
    from docqn.parsers.pdf_pages.bookmarks import Bookmark
    from docqn.parsers.pdf_pages.lines import Lines

SUFFIXES = (".pdf",)
FEWEST_BOOKMARKS = 2  # that make an outline

_MAGIC = b"%PDF-"
_MAGIC_WITHIN = 1024  # bytes; rubbish before the magic number is common


def likelihood(data: bytes) -> float:
    """A PDF says so near its beginning."""
    return 1.0 if _MAGIC in data[:_MAGIC_WITHIN] else 0.0


def parse(data: bytes, source: str) -> Document:
    """The document in a PDF file."""
    from docqn.parsers.pdf_pages.bookmarks import read_bookmarks
    from docqn.parsers.pdf_pages.pdfium import opened
    from docqn.parsers.pdf_pages.reader import read_lines
    from docqn.parsers.pdf_pages.streams import check_streams
    from docqn.parsers.pdf_pages.titles import read_title

    check_streams(data, source)
    with opened(data, source) as pdf:
        lines = read_lines(pdf, source)
        if not lines:
            raise ParseError(
                source, "holds no text, only images or nothing; run OCR on it first (for example ocrmypdf IN OUT)"
            )
        bookmarks = read_bookmarks(pdf)
        bookmarks = bookmarks if len(bookmarks) >= FEWEST_BOOKMARKS else []
        title = read_title(pdf)
    title, blocks = _blocks(lines, bookmarks, title)
    return build_document(blocks, source=source, format="pdf", title=title)


def _blocks(lines: Lines, bookmarks: list[Bookmark], given_title: str) -> tuple[str, Iterator[Block]]:
    """The title, and the headings and paragraphs without it."""
    import numpy as np

    from docqn.parsers.pdf_pages.body import body_of, contents_lines
    from docqn.parsers.pdf_pages.bookmarks import locate
    from docqn.parsers.pdf_pages.columns import in_reading_order, with_rows_joined
    from docqn.parsers.pdf_pages.continuations import with_continuations
    from docqn.parsers.pdf_pages.furniture import without_furniture
    from docqn.parsers.pdf_pages.headings import heading_levels, with_labels_joined
    from docqn.parsers.pdf_pages.joins import blocks
    from docqn.parsers.pdf_pages.paragraphs import layout
    from docqn.parsers.pdf_pages.titles import find_title

    lines = with_rows_joined(in_reading_order(without_furniture(lines, body_of(lines).size)))
    body = body_of(lines)
    contents = contents_lines(lines)
    sections = locate(bookmarks, lines)
    shape = layout(lines, body, contents, sections.heading)
    shape.starts[[number for number in sections.unnamed if number < len(lines.text)]] = True

    begins = np.flatnonzero(shape.starts).tolist()
    paragraphs = [list(range(a, b)) for a, b in zip(begins, [*begins[1:], len(shape.starts)], strict=True)]
    if not bookmarks:
        paragraphs = with_labels_joined(paragraphs, lines, body)
    title = find_title(given_title, paragraphs, lines, body)
    if bookmarks:
        levels = [bookmarks[number].level if number >= 0 else 0 for number in sections.heading[begins].tolist()]
    else:
        levels = heading_levels(paragraphs, lines, body, contents.tolist(), title)
    if not any(levels[i] for i in title.repeated):
        del paragraphs[title.repeated.start : title.repeated.stop], levels[title.repeated.start : title.repeated.stop]
    paragraphs, levels = with_continuations(paragraphs, levels, lines, body, shape)
    unnamed = [
        (position, Block(bookmarks[number].title, bookmarks[number].level, page=bookmarks[number].page + 1))
        for position, numbers in sorted(sections.unnamed.items())
        for number in numbers
    ]
    found = zip(paragraphs, blocks(paragraphs, levels, lines), strict=True)
    named = ((numbers[0], _named(block, bookmarks, int(sections.heading[numbers[0]]))) for numbers, block in found)
    return title.text, _with_sections(unnamed, named)


def _named(block: Block, bookmarks: list[Bookmark], number: int) -> Block:
    """The block, spelt like the bookmark that it is the heading of."""
    from docqn.parsers.pdf_pages.bookmarks import spelt

    return block._replace(text=spelt(block.text, bookmarks[number].title)) if block.level and number >= 0 else block


def _with_sections(sections: list[tuple[int, Block]], blocks: Iterable[tuple[int, Block]]) -> Iterator[Block]:
    """The blocks, given with the number of their first line, and the headings that stand before certain lines."""
    headings = deque(sections)
    for number, block in blocks:
        while headings and headings[0][0] <= number:
            yield headings.popleft()[1]
        yield block
    yield from (heading for _, heading in headings)
