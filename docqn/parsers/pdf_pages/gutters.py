"""Lines that were drawn across two columns, as some programs do, divided at the gutter."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from statistics import median
from typing import NamedTuple

import numpy as np

from docqn.parsers.pdf_pages.pdfium import Calls

Span = tuple[int, int]  # of a line in the text of its page

LONG = 40  # characters; lines across columns are
FEWEST = 8  # such lines on a page
SAMPLES = 3
WIDEST_SPACE = 1.2  # font heights; a wider gap is no space between words, even in justified text
SHARE = 0.6  # of the long lines that have a gap at the gutter
FILLED = 0.7  # of its column that a typical piece takes; the cells of a table take less


class Gap(NamedTuple):
    """A wide space in a line."""

    at: int  # offset in the text
    left: float  # where the word before ends
    right: float  # where the word after begins


class Ruler:
    """Measures lines of a page."""

    def __init__(self, calls: Calls, text_page: int, number: Callable[[int], int]) -> None:
        self._calls, self._page, self._number = calls, text_page, number
        self._box = (ctypes.c_float * 4)()  # left, top, right, bottom
        self._address = ctypes.addressof(self._box)

    def left(self, offset: int) -> float:
        """Where a character begins."""
        self._calls.box(self._page, self._number(offset), self._address)
        return self._box[0]

    def right(self, offset: int) -> float:
        """Where a character ends."""
        self._calls.box(self._page, self._number(offset), self._address)
        return self._box[2]

    def gaps(self, text: str, start: int, end: int) -> list[Gap]:
        """The wide spaces between two offsets of a line."""
        found = []
        at = text.find(" ", start, end)
        while at >= 0:
            word_end = self.right(at - 1)
            height = self._box[1] - self._box[3]
            word_start = self.left(at + 1)
            if word_start - word_end > WIDEST_SPACE * height:
                found.append(Gap(at, word_end, word_start))
            at = text.find(" ", at + 1, end)
        return found


def divided(
    calls: Calls, text_page: int, text: str, spans: Sequence[Span], number: Callable[[int], int]
) -> Sequence[Span]:
    """The lines, those divided that were drawn across columns. The middles of a few tell whether the page has any."""
    long = [span for span in spans if span[1] - span[0] >= LONG]
    if len(long) < FEWEST:
        return spans
    ruler = Ruler(calls, text_page, number)
    missing = 0
    for i in range(SAMPLES):
        start, end = long[(2 * i + 1) * len(long) // (2 * SAMPLES)]
        quarter = (end - start) // 4
        missing += not ruler.gaps(text, start + quarter, end - quarter)
        if missing > 1:
            return spans
    gaps = {span: ruler.gaps(text, *span) for span in spans}
    gutter = _gutter([gaps[span] for span in long])
    if gutter is None:
        return spans
    cuts = {span: gap for span in spans for gap in gaps[span] if gap.left <= gutter <= gap.right}
    if len(cuts) < FEWEST or not _filled(cuts, ruler, gutter):
        return spans
    return [piece for span in spans for piece in _pieces(span, cuts.get(span))]


def _pieces(span: Span, cut: Gap | None) -> list[Span]:
    return [(span[0], cut.at), (cut.at + 1, span[1])] if cut else [span]


def _gutter(gaps: Sequence[Sequence[Gap]]) -> float | None:
    """The place where most lines have a gap."""
    ends = sorted((x, step) for line in gaps for gap in line for x, step in ((gap.left, 1), (gap.right, -1)))
    if not ends:
        return None
    covered = np.cumsum([step for _, step in ends])
    best = int(covered.argmax())
    if covered[best] < SHARE * len(gaps) or best + 1 == len(ends):
        return None
    return (ends[best][0] + ends[best + 1][0]) / 2


def _filled(cuts: dict[Span, Gap], ruler: Ruler, gutter: float) -> bool:
    """Whether the pieces on both sides are lines of text that take the width of their column."""
    starts = [ruler.left(span[0]) for span in cuts]
    ends = [ruler.right(span[1] - 1) for span in cuts]
    left = median(gap.left - start for gap, start in zip(cuts.values(), starts, strict=True))
    right = median(end - gap.right for gap, end in zip(cuts.values(), ends, strict=True))
    return left > FILLED * (gutter - min(starts)) and right > FILLED * (max(ends) - gutter)
