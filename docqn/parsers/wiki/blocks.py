"""Lines of wikitext whose inline mark-up is gone, as headings, list items, tables and paragraphs."""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from html import unescape

from docqn.build import Block
from docqn.document import NONE
from docqn.parsers.passage import Passage
from docqn.parsers.wiki.pieces import (
    APART,
    ASIDE,
    ASIDE_END,
    BREAK,
    FIRST_SIGN,
    LAST_SIGN,
    LITERAL,
    PIPE,
    Piece,
    unprotected,
)
from docqn.parsers.wiki.tables import Table, without_attributes

Line = list[tuple[str, int]]  # segments of a line with the line of the source where each begins

DEEPEST_HEADING = 6
DEEPEST_TABLE = 8

_SPLIT = re.compile(f"([\n{BREAK}{ASIDE}{ASIDE_END}])")
_SIGNS = re.compile(f"[{FIRST_SIGN}-{LAST_SIGN}]")
_LIST = re.compile(r"[*#:;]+")
_RULE = re.compile(r"-{4,}")
_GALLERY = re.compile(r"(?:file|image)\s*:[^|]*(?:\||$)", re.IGNORECASE)
_TABLE = re.compile(r"[:\s]*\{\|")
_DEFINITION = re.compile(r"\s:\s*|:\s+")


def lines(pieces: Iterable[Piece], text: str) -> Iterator[Line]:
    """The pieces as lines."""
    ends = [match.start() for match in re.finditer("\n", text)]
    line: Line = []
    for part, at in pieces:
        number = bisect_right(ends, at - 1) + 1
        for segment in _SPLIT.split(part):
            if segment == "\n":
                yield line
                line = []
                number += 1
            elif segment:
                line.append((segment, number))
                number += segment == BREAK and len(part) > 1  # a line end within a poem
    yield line


def blocks(found: Iterable[Line]) -> Iterator[Block]:
    """The blocks that the lines make."""
    reader = _Reader()
    for line in found:
        yield from reader.read(line)
    yield from reader.end()


class _Reader:
    """What is open: a paragraph or literal text, captions beside it, and tables."""

    def __init__(self) -> None:
        self._passage = Passage()
        self._is_literal = False
        self._asides: list[Block] = []
        self._tables: list[Table] = []

    def read(self, line: Line) -> Iterator[Block]:
        """The blocks that end above this line or with it."""
        text = "".join([segment for segment, _ in line])
        first = text[:1]
        if first == "=" and (heading := _heading(text)):
            yield from self.end()
            passage = Passage()
            _write([(heading[0], line[0][1])], passage)
            yield passage.block(heading[1])
        elif _TABLE.match(text):
            yield from self._flush()
            if len(self._tables) < DEEPEST_TABLE:
                self._tables.append(Table())
        elif self._tables:
            yield from self._read_in_table(text, line)
        elif first == LITERAL or (first == " " and text.strip() and (self._is_literal or not self._passage.marks())):
            if not self._is_literal:
                yield from self._flush()
                self._is_literal = True
            self._passage.add_literal(unescape(_plain(text.removeprefix(LITERAL))), line[0][1])
        else:
            yield from self._read_text(text, line)

    def end(self) -> Iterator[Block]:
        """The blocks that end where a section or the page does, though their mark-up may be unclosed."""
        yield from self._flush()
        while self._tables:
            yield from self._tables.pop().end()

    def _read_text(self, text: str, line: Line) -> Iterator[Block]:
        if self._is_literal or not text.strip():
            yield from self._flush()
        if marks := _LIST.match(text):
            yield from self._flush()
            term = _DEFINITION.search(text, marks.end()) if text[marks.end() - 1] == ";" else None
            if term:
                self._write(_cut(line, marks.end(), term.start()))
                yield from self._flush()
            self._write(_cut(line, term.end() if term else marks.end()))
            yield from self._flush()
        elif text.startswith(APART) or (own := _RULE.match(text) or _GALLERY.match(text)):
            yield from self._flush()
            self._write(_cut(line, 1 if text.startswith(APART) else own.end() if own else 0))
            yield from self._flush()
        else:
            self._write(_cut(line, 1) if text.startswith("|") else line)  # of a box that is not closed
            self._passage.space()

    def _write(self, line: Line) -> None:
        self._asides += _write(line, self._passage)

    def _flush(self) -> Iterator[Block]:
        yield from self._asides
        yield self._passage.block()
        self._passage, self._is_literal, self._asides = Passage(), False, []

    def _read_in_table(self, text: str, line: Line) -> Iterator[Block]:
        table = self._tables[-1]
        text = _plain(text)
        start = text.lstrip()
        number = line[0][1] if line else NONE
        if start.startswith("|}"):
            yield from self._tables.pop().end()
        elif start.startswith("|-"):
            yield from table.end_row()
        elif start.startswith("|+"):
            passage = Passage()
            passage.add_entities(without_attributes(start[2:])[1], number)
            yield passage.block()
        elif start.startswith(("|", "!")):
            table.add_cells(start, number)
        else:
            table.go_on(_LIST.sub("", text, count=1) if text[:1] in "*#:;" else text, number)


def _heading(text: str) -> tuple[str, int] | None:
    """The title and level of `== Title ==`; what one side has more of is part of the title."""
    text = text.rstrip()
    before, after = len(text) - len(text.lstrip("=")), len(text) - len(text.rstrip("="))
    level = min(before, after, DEEPEST_HEADING)
    title = text[level:-level].strip() if level else ""
    return (title, level) if title else None


def _cut(line: Line, begin: int, end: int | None = None) -> Line:
    """The segments between two offsets of a line."""
    cut: Line = []
    at = 0
    for segment, number in line:
        part = segment[max(begin - at, 0) : None if end is None else max(end - at, 0)]
        if part:
            cut.append((part, number))
        at += len(segment)
    return cut


def _write(line: Line, passage: Passage) -> list[Block]:
    """Add a line to a passage; captions in it come back as paragraphs of their own."""
    asides: list[Passage] = []
    open_asides: list[Passage] = []
    for segment, number in line:
        into = open_asides[-1] if open_asides else passage
        if segment == ASIDE:
            open_asides.append(Passage())
            asides.append(open_asides[-1])
        elif segment == ASIDE_END:
            del open_asides[-1:]
        elif segment == BREAK:
            into.line_break()
        else:
            into.add_entities(_plain(segment), number)
    return [aside.block() for aside in asides]


def _plain(text: str) -> str:
    """Text without signs."""
    return text if text.isascii() else _SIGNS.sub("", unprotected(text).replace(PIPE, "|").replace(BREAK, " "))
