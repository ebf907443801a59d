"""Runs of lines as paragraphs: wrapped lines joined, list items apart, columns left as they are."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise

from docqn.build import Block
from docqn.parsers.passage import Passage
from docqn.parsers.plaintext.lines import Line, ends_sentence
from docqn.parsers.plaintext.numbering import roman

FULL = 0.75  # of the width: a line that reaches this far has been wrapped
EVEN = 0.7  # of the longest: lines of a run that all reach this far have been wrapped
FEWEST_EVEN = 3
NARROWEST = 30
_INDENTED = 2  # columns by which a first line is at least
_LONGEST_WORD = 60

_BULLETS = frozenset("-*+•‣▪◦·–—●○■□o")
_BULLET = re.compile(rf"[{re.escape(''.join(sorted(_BULLETS)))}]\s+(?=\S)")
_ORDINAL = re.compile(r"(\(?)(\d{1,3}|[a-zA-Z]|[ivxIVX]{2,5})([.)])\s+(?=\S)")
_COLUMNS = re.compile(r"\S(?:\s{3,}|\t)\S|\|.*\||\.{4}|(?:\. ){3}")
_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_LAST_WORD = re.compile(r"([^\W\d_]+)-$")
_WIDE = re.compile("[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]")  # written without spaces


class Words:
    """The words of the text, gathered when first asked for: they tell a divided word from a compound."""

    def __init__(self, lines: Sequence[Line]) -> None:
        self._lines = lines
        self._known: set[str] | None = None
        self._usually = False

    def divides(self, text: str, following: str) -> bool:
        """Whether the hyphen at the end of a line only divides a word. In doubt, what is so most often in this text."""
        if self._known is None:
            self._known = set(self._whole_words())
            told = [self._told(last.text, line.text) for last, line in pairwise(self._lines) if last.text.endswith("-")]
            self._usually = told.count(True) > 2 * told.count(False)
        told_here = self._told(text, following)
        return self._usually and _halves(text, following) is not None if told_here is None else told_here

    def _told(self, text: str, following: str) -> bool | None:
        """What the rest of the text says: it has the whole word, or the compound, or neither."""
        halves = _halves(text, following)
        known = self._known or ()
        if halves and "".join(halves) in known:
            return True
        return False if halves and "-".join(halves) in known else None

    def _whole_words(self) -> Iterator[str]:
        divided = False
        for line in self._lines:
            words = _WORD.findall(line.text.lower())
            begin, divided = int(divided), line.text.endswith("-")
            yield from words[begin : len(words) - divided]


def _halves(text: str, following: str) -> tuple[str, str] | None:
    """The halves of the word that a hyphen at a line's end divides, if they can be those of one word."""
    start = _LAST_WORD.search(text, max(len(text) - _LONGEST_WORD, 0))
    end = _WORD.match(following)
    return (start[1].lower(), end[0]) if start and end and following[0].islower() else None


def paragraphs(lines: Sequence[Line], width: int, words: Words) -> Iterator[Block]:
    """The paragraphs and list items of a run."""
    if _in_columns(lines):
        yield _as_it_is(lines)
        return
    even = _is_even(lines)
    for group in _divided(lines, width):
        yield _joined(group, 0 if even else width, words)


def _in_columns(lines: Sequence[Line]) -> bool:
    """Whether most lines have gaps, as tables and drawings have."""
    return 2 * sum(1 for line in lines if _COLUMNS.search(line.text)) > len(lines)


def _as_it_is(lines: Sequence[Line]) -> Block:
    passage = Passage()
    left = min(line.indent for line in lines)
    for i, line in enumerate(lines):
        passage.add_literal(" " * (line.indent - left) + line.text, i)
    return _placed(passage, lines)


def _is_even(lines: Sequence[Line]) -> bool:
    """Whether all lines but the last reach about as far and sentences cross them: only the margin can end them."""
    longest = max(line.end for line in lines)
    return (
        len(lines) >= FEWEST_EVEN
        and longest >= NARROWEST
        and all(line.end >= EVEN * longest for line in lines[:-1])
        and any(line.text[0].islower() for line in lines[1:])
    )


def _divided(lines: Sequence[Line], width: int) -> Iterator[Sequence[Line]]:
    """The paragraphs of a run: at list marks, and at first lines that are indented or the others are."""
    base = Counter(line.indent for line in lines).most_common(1)[0][0]
    hanging = lines[0].indent < base
    items = _Items()
    begin = 0
    items.opens(lines[0], None)
    for i, (last, line) in enumerate(pairwise(lines), start=1):
        if items.opens(line, last):
            starts = True
        elif items.indent is not None:
            starts = line.indent <= items.indent and ends_sentence(last.text) and last.end < FULL * width
        elif hanging:
            starts = line.indent == lines[0].indent and last.indent > line.indent
        else:
            starts = line.indent >= base + _INDENTED and last.indent <= base and ends_sentence(last.text)
        if starts:
            yield lines[begin:i]
            begin = i
    yield lines[begin:]


def is_item(line: Line) -> bool:
    """Whether the line begins with a list mark."""
    return bool(_mark(line.text)[0])


class _Items:
    """The list marks of a run so far."""

    def __init__(self) -> None:
        self.indent: int | None = None  # of the last mark
        self._last: dict[str, int] = {}  # the last number of each kind of mark

    def opens(self, line: Line, last: Line | None) -> bool:
        """Whether the line begins an item: it has a mark, and is not just a wrapped line that looks as if."""
        kind, values = _mark(line.text)
        if not kind:
            return False
        apart = last is None or ends_sentence(last.text) or line.indent != last.indent
        if kind in _BULLETS:
            goes_on, value = kind in self._last, 0
        else:
            expected = self._last.get(kind, 0) + 1
            goes_on = expected > 1 and expected in values
            value = expected if expected in values else values[0]
            apart = apart and (last is None or 1 in values)
        if not (goes_on or apart):
            return False
        self._last[kind] = value
        self.indent = line.indent
        return True


def _mark(text: str) -> tuple[str, tuple[int, ...]]:
    """The kind of list mark that a line begins with, and what its number may be."""
    if text[0] in _BULLETS:
        return (text[0], ()) if _BULLET.match(text) else ("", ())
    match = _ORDINAL.match(text) if text[0] == "(" or text[0].isalnum() else None
    if not match:
        return "", ()
    opening, number, closing = match.groups()
    if number.isdigit():
        return opening + "1" + closing, (int(number),)
    upper = number.upper()
    values = [ord(upper) - ord("A") + 1] if len(upper) == 1 else []
    if value := roman(upper):
        values.append(value)
    return (opening + ("A" if number.isupper() else "a") + closing, tuple(values)) if values else ("", ())


def _joined(lines: Sequence[Line], width: int, words: Words) -> Block:
    """Lines as one paragraph, without the bullet; a line that was not wrapped ends with a break."""
    passage = Passage()
    bullet = _BULLET.match(lines[0].text)
    text = lines[0].text[bullet.end() :] if bullet else lines[0].text
    for i, (last, line) in enumerate(pairwise(lines)):
        kept, between = _end(text, last, line, width, words)
        passage.add(kept, i)
        if between == "\n":
            passage.line_break()
        elif between:
            passage.space()
        text = line.text
    passage.add(text, len(lines) - 1)
    return _placed(passage, lines)


def _placed(passage: Passage, lines: Sequence[Line]) -> Block:
    """The paragraph of a passage whose places are the positions of these lines, with their numbers and pages."""
    places = [(offset, lines[i]) for offset, i in passage.marks()]
    numbers = tuple((offset, line.number) for offset, line in places[1:])
    paged = lines[-1].page > lines[0].page
    pages = tuple((offset, line.page) for offset, line in places[1:]) if paged else ()
    return Block(passage.text(), 0, places[0][1].number, places[0][1].page, numbers, pages)


def _end(text: str, last: Line, line: Line, width: int, words: Words) -> tuple[str, str]:
    """A line as it stands in the paragraph, and what comes between it and the next."""
    following = line.text
    if text[-1] in "-‐—–" and len(text) > 1 and text[-2].isalnum() and following[0].isalnum():
        divided = text[-1] == "‐" or (text[-1] == "-" and words.divides(text, following))  # `man` uses U+2010 for that
        return (text[:-1] if divided else text), ""
    if text.endswith("--") and not text.endswith(" --"):
        return text, ""
    if text[-1] > "\u2e7f" and _WIDE.match(text[-1]) and _WIDE.match(following):
        return text, ""
    word = following.find(" ")
    wrapped = last.end + 1 + (word if word > 0 else len(following)) > FULL * width
    return text, " " if wrapped or following[0].islower() or text[-1] == "," else "\n"
