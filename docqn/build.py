"""From the blocks that a parser finds, in reading order, to a Document."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import chain, count, islice
from pathlib import PurePath
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from docqn.document import NONE, PARAGRAPH, SECTION, SENTENCE, TITLE, Document
from docqn.errors import ParseError
from docqn.text.clean import INVISIBLE, clean
from docqn.text.sentences import sentence_spans
from docqn.text.tokens import token_spans, token_texts
from docqn.tree import link, trace_moves

Ints = NDArray[np.int32]
Marks = tuple[tuple[int, int], ...]  # (offset in a block's text, line or page from there on)

SEPARATOR = "\n\n"  # between the texts of two blocks
DEEPEST_LEVEL = 255
MOST_NODES = 4_000_000  # take about 2 GB; the longest document of ordinary prose has a fifth of them


class Block(NamedTuple):
    """A heading (level 1, 2, …) or a paragraph (level 0).

    A line feed in a paragraph is a hard break and ends a sentence. `lines` and `pages` say where the text goes on to
    another line or page of the source, so that each sentence knows its own.
    """

    text: str
    level: int = 0
    line: int = NONE  # of the first character, from 1
    page: int = NONE
    lines: Marks = ()
    pages: Marks = ()


def build_document(
    blocks: Iterable[Block], *, source: str, format: str, title: str | None = None, language: str = "en"
) -> Document:
    """Nest the blocks by level, divide paragraphs into sentences and tokens, and lay all out in arrays.

    Without a title, the heading that alone has level 1 and precedes all others is it; else the name of the source.
    Skipped levels do no harm: a heading belongs to the nearest one before it with a lower level.
    """
    kept = list(islice((block for block in map(_tidy, blocks) if block.text), MOST_NODES + 1))
    heading, kept = _take_title(kept, title, source)

    rows = [(TITLE, 0, NONE, 0, len(heading.text), heading.line, heading.page)]
    sections = [(0, 0)]  # (level, node) of the headings that are open
    offset = len(heading.text)
    for text, level, line, page, lines, pages in kept:
        offset += len(SEPARATOR)
        if level:
            while sections[-1][0] >= level:
                sections.pop()
            rows.append((SECTION, level, sections[-1][1], offset, offset + len(text), line, page))
            sections.append((level, len(rows) - 1))
        else:
            node = len(rows)
            rows.append((PARAGRAPH, 0, sections[-1][1], offset, offset + len(text), line, page))
            for start, end in sentence_spans(text, language):
                at = _at(lines, start, line) if lines else line, _at(pages, start, page) if pages else page
                rows.append((SENTENCE, 0, node, offset + start, offset + end, *at))
        offset += len(text)
        if len(rows) > MOST_NODES:
            raise ParseError(source, f"has more than {MOST_NODES:,} headings, paragraphs and sentences; split it")
    return _assemble(rows, SEPARATOR.join(chain((heading.text,), (block.text for block in kept))), source, format)


def sole_top_heading(blocks: Sequence[Block]) -> int | None:
    """Position of the heading that alone has level 1 and precedes all others: the document's title."""
    headings = [i for i, block in enumerate(blocks) if block.level]
    if headings and [blocks[i].level for i in headings].count(1) == 1 == blocks[headings[0]].level:
        return headings[0]
    return None


def _take_title(blocks: list[Block], title: str | None, source: str) -> tuple[Block, list[Block]]:
    """The title as a block, and the blocks without it. A first heading that repeats a given title goes too."""
    sole = sole_top_heading(blocks)
    given = _tidy(Block(title or ""))
    if sole is not None and given.text.casefold() in ("", blocks[sole].text.casefold()):
        return blocks[sole], blocks[:sole] + blocks[sole + 1 :]
    return (given if given.text else _tidy(Block(PurePath(source).stem or source))), blocks


def _tidy(block: Block) -> Block:
    """The block without invisible characters and surrounding space, its marks moved along."""
    text = clean(block.text).strip()
    if len(text) == len(block.text):
        return block if block.level <= DEEPEST_LEVEL else block._replace(level=DEEPEST_LEVEL)

    dropped = [match.start() for match in INVISIBLE.finditer(block.text)]
    lead = len(block.text) - len(dropped) - len(clean(block.text).lstrip())

    def moved(marks: Marks) -> Marks:
        return tuple((max(offset - bisect_left(dropped, offset) - lead, 0), at) for offset, at in marks)

    lines, pages = moved(block.lines), moved(block.pages)
    line, page = _at(lines, 0, block.line), _at(pages, 0, block.page)
    return Block(text, min(block.level, DEEPEST_LEVEL), line, page, lines, pages)


def _at(marks: Marks, offset: int, otherwise: int) -> int:
    """The line or page that holds the offset."""
    i = bisect_right(marks, offset, key=lambda mark: mark[0])
    return marks[i - 1][1] if i else otherwise


def _assemble(rows: Sequence[tuple[int, ...]], text: str, source: str, format: str) -> Document:
    """The arrays of a document from one row a node: kind, level, parent, start, end, line, page."""
    table = np.fromiter(chain.from_iterable(rows), np.int32, 7 * len(rows)).reshape(-1, 7).T
    kind, level, parent, start, end, line, page = (np.ascontiguousarray(column) for column in table)
    links = link(parent)

    spans = token_spans(text, breaks=start[kind == SENTENCE])
    token_start, token_end = np.ascontiguousarray(spans[:, 0]), np.ascontiguousarray(spans[:, 1])
    number: defaultdict[str, int] = defaultdict(count().__next__)  # gives each new word the next number
    token = np.fromiter(map(number.__getitem__, token_texts(text, spans)), np.int32, len(spans))

    document = Document(
        source=source,
        format=format,
        utf8=np.frombuffer(text.encode(), np.uint8),
        vocabulary_utf8=np.frombuffer("\n".join(number).encode(), np.uint8),
        kind=kind.astype(np.uint8),
        level=level.astype(np.uint8),
        parent=parent,
        **links._asdict(),
        index=np.cumsum(kind != SENTENCE, dtype=np.int32) - np.int32(1),
        start=start,
        end=end,
        line=line,
        page=page,
        first_token=np.searchsorted(token_start, start).astype(np.int32),
        end_token=np.searchsorted(token_start, end).astype(np.int32),
        moves=trace_moves(parent, links),
        token_start=token_start,
        token_end=token_end,
        token=token,
    )
    for array in vars(document).values():
        if isinstance(array, np.ndarray):
            array.flags.writeable = False
    vars(document).update(text=text, vocabulary=tuple(number))  # spares decoding what is at hand
    return document
