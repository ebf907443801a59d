"""The running text of a scientific article: without citation marks, with formulas on one line."""

import re
from collections.abc import Iterable
from itertools import compress

from docqn.parsers.passage import Passage

Piece = tuple[str, int]  # text and its line
Attributes = dict[str, str]

BREAK, MARK = "\v", "\x01"  # a hard break, and where a mark stood; XML cannot hold these characters

REFERRED_BY_MARKS = frozenset("aff author-notes bibr corresp fn table-fn".split())  # types of cross-references
OPERATORS = {"mfrac": "/", "msup": "^"}  # between the first part of a formula and the second
SPANS = frozenset(["xref", "sup", "alternatives", "tex-math", *OPERATORS])

_BETWEEN = r"\-\s,;:–—−"
_PLACE = re.compile(rf"[\[(][{_BETWEEN}]*\x01[{_BETWEEN}\x01]*[\])]|\x01(?:[{_BETWEEN}]*\x01)*")
_WORD = re.compile(r"[^\W\d_]{2}")
_NUMBER = re.compile(r"\s*[+\-−–]?\d+\s*")
MOST_PIECES, LONGEST_SPAN = 200, 8000  # a longer element is neither a mark nor a formula; the latter is in characters


class _Span:
    """An inline element that is open."""

    def __init__(self, tag: str, attributes: Attributes, depth: int, paragraph: int, first: int) -> None:
        self.tag, self.attributes = tag, attributes
        self.depth = depth  # how many elements are open around it
        self.paragraph, self.first = paragraph, first  # where it begins: number of the paragraph, and of the piece
        self.in_first_part = True
        self.tex: list[Piece] = []


class RunningText:
    """Collects the pieces of one paragraph after another."""

    def __init__(self) -> None:
        self._pieces: list[Piece] = []
        self._paragraph = 0
        self._spans: list[_Span] = []

    def __bool__(self) -> bool:
        return bool(self._pieces)

    def add(self, text: str, line: int) -> None:
        """A piece of text that begins on this line."""
        if self._pieces or not text.isspace():
            self._pieces.append((text, line))

    def last(self) -> str:
        """The end of what has been collected."""
        return "".join(text for text, _ in self._pieces[-5:]).replace(MARK, "")

    def take(self) -> list[Piece]:
        """What has been collected; the next paragraph begins."""
        taken, self._pieces = self._pieces, []
        self._paragraph += 1
        return taken

    def start(self, tag: str, attributes: Attributes, depth: int) -> None:
        """One of SPANS begins, with `depth` elements open around it."""
        self._spans.append(_Span(tag, attributes, depth, self._paragraph, len(self._pieces)))

    def end(self, tag: str, depth: int, line: int) -> None:
        """Any element has ended, with `depth` elements open around it."""
        if tag in SPANS:
            self._end_span(self._spans.pop(), line)
        span = self._spans[-1] if self._spans else None
        if span and span.tag in OPERATORS and span.in_first_part and depth == span.depth + 1:
            self.add(OPERATORS[span.tag], line)
            span.in_first_part = False

    def _end_span(self, span: _Span, line: int) -> None:
        first = span.first if span.paragraph == self._paragraph else 0
        pieces = [text for text, _ in self._pieces[first : first + MOST_PIECES + 1]]
        if len(pieces) > MOST_PIECES or sum(map(len, pieces)) > LONGEST_SPAN:
            return
        content = "".join(pieces)
        if span.tag == "alternatives":
            if not content.strip():
                self._pieces += span.tex
        elif span.tag == "tex-math":
            self._end_tex(content, first, line)
        elif span.tag == "xref" and span.attributes.get("ref-type") in REFERRED_BY_MARKS:
            if not _WORD.search(content):
                self._pieces[first:] = [(MARK, line)]
        elif span.tag == "sup":
            if MARK in content and not any(map(str.isalnum, content)):
                self._pieces[first:] = [(MARK, line)]
            elif _NUMBER.fullmatch(content) and first and self._pieces[first - 1][0][-1:].isdecimal():
                self._pieces.insert(first, ("^", line))  # 10 to the 6th is not 106

    def _end_tex(self, tex: str, first: int, line: int) -> None:
        """TeX is kept without its preamble, and only where there is no other form of the formula."""
        del self._pieces[first:]
        body = tex.partition(r"\begin{document}")[2].rpartition(r"\end{document}")[0] or tex
        piece = (body.strip().strip("$"), line)
        around = self._spans[-1] if self._spans else None
        (around.tex if around and around.tag == "alternatives" else self._pieces).append(piece)


def passage(pieces: list[Piece]) -> Passage:
    """The pieces as a text with lines; citation marks and the brackets around them are left out."""
    passage = Passage()
    for text, line in _without_marks(pieces):
        for i, part in enumerate(text.split(BREAK)):
            if i:
                passage.line_break()
            passage.add(part, line)
    return passage


def _without_marks(pieces: list[Piece]) -> Iterable[Piece]:
    """The pieces without the places of marks and the spaces before these."""
    raw = "".join(text for text, _ in pieces)
    if MARK not in raw:
        return pieces
    keep = bytearray(b"\1" * len(raw))
    for place in _PLACE.finditer(raw):
        start = place.start()
        while start and raw[start - 1].isspace():
            start -= 1
        keep[start : place.end()] = bytes(place.end() - start)
    left = iter(keep)
    return [("".join(compress(text, left)), line) for text, line in pieces]
