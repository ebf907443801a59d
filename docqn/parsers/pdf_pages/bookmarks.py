"""Bookmarks: the outline that a PDF carries, and the lines that its titles name."""

from __future__ import annotations

import ctypes
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from docqn.parsers.pdf_pages.lines import BOLD, Lines
from docqn.parsers.pdf_pages.pdfium import handle, wide_text
from docqn.text.clean import collapse

MOST = 100_000  # bookmarks read
LONGEST_TITLE = 500  # characters
KEY = 3  # letters by which lines are looked up
LONGEST_LABEL = 15  # letters and digits before the title
MOST_LINES = 5  # of a heading
ABOVE, BELOW = 12.0, 60.0  # points around its destination within which a heading is looked for first

_NUMBERING = re.compile(
    r"^\W*(((chapter|part|book|section|appendix|kapitel|teil|abschnitt|anhang|chapitre|partie|annexe|cap[ií]tulo|capitolo)\s+)"
    r"(\d+(\.\d+)*|[ivxlc]+|[a-z])|第\s*\w{1,3}\s*[章节節部篇]|§?\s*(\d+(\.\d+)*|[a-z](\.\d+)+|[ivxlc]+|[a-z])(?=[.:)\s]|$))(\W+|$)",
    re.IGNORECASE,
)
_NOTE_MARK = re.compile(r"\d{1,2}")  # of a footnote, behind a title
_DIVISIONS = re.compile(r"[\s-]+")
_OTHER = re.compile(r"[\W_]+")


class Bookmark(NamedTuple):
    """An entry of the outline."""

    title: str
    level: int  # from 1
    page: int  # from 0
    x: float | None
    y: float | None  # downwards, as of `Lines`


class Sections(NamedTuple):
    """Where the sections of an outline begin."""

    heading: NDArray[np.int64]  # of each line: the bookmark that it is the heading of, or -1
    unnamed: dict[int, list[int]]  # bookmarks that no line names, by the line they stand before


def read_bookmarks(pdf: Any) -> list[Bookmark]:
    """The outline in its order. A bookmark that leads nowhere has the place of the next one, if that is below it."""
    found: list[Bookmark | None] = []
    nowhere: list[tuple[int, str, int]] = []  # position, title and level of those waiting for a place
    for title, level, place in _walk(pdf):
        if not title:
            continue
        while nowhere and nowhere[-1][2] >= level:
            nowhere.pop()
        if place is None:
            nowhere.append((len(found), title, level))
            found.append(None)
            continue
        for position, name, depth in nowhere:
            found[position] = Bookmark(name, depth, *place)
        nowhere.clear()
        found.append(Bookmark(title, level, *place))
    return [bookmark for bookmark in found if bookmark]


def _walk(pdf: Any) -> Iterator[tuple[str, int, tuple[int, float | None, float | None] | None]]:
    """Title, level and place of each bookmark, depth first; each once, though the outline may run in circles."""
    import pypdfium2.raw as raw

    seen: set[int] = set()
    path = [raw.FPDFBookmark_GetFirstChild(pdf.raw, None)]
    while path:
        bookmark = path[-1]
        address = handle(bookmark)
        if not address or address in seen or len(seen) >= MOST:
            path.pop()
            if path:
                path[-1] = raw.FPDFBookmark_GetNextSibling(pdf.raw, path[-1])
            continue
        seen.add(address)
        yield (
            collapse(wide_text(raw.FPDFBookmark_GetTitle, bookmark))[:LONGEST_TITLE],
            len(path),
            _place(raw, pdf, bookmark),
        )
        path.append(raw.FPDFBookmark_GetFirstChild(pdf.raw, bookmark))


def _place(raw: Any, pdf: Any, bookmark: Any) -> tuple[int, float | None, float | None] | None:
    destination = raw.FPDFBookmark_GetDest(pdf.raw, bookmark)
    if not destination:
        action = raw.FPDFBookmark_GetAction(bookmark)
        destination = raw.FPDFAction_GetDest(pdf.raw, action) if action else None
    page = raw.FPDFDest_GetDestPageIndex(pdf.raw, destination) if destination else -1
    if not 0 <= page < len(pdf):
        return None
    kind, count, values = ctypes.c_ulong(), ctypes.c_ulong(), (ctypes.c_float * 4)()
    kind.value = raw.FPDFDest_GetView(destination, count, values)
    given = list(values)[: count.value]
    if kind.value == raw.PDFDEST_VIEW_XYZ and len(given) >= 2:
        return page, given[0], -given[1]
    if kind.value in (raw.PDFDEST_VIEW_FITH, raw.PDFDEST_VIEW_FITBH) and given:
        return page, None, -given[0]
    return page, None, None


def locate(bookmarks: Sequence[Bookmark], lines: Lines) -> Sections:
    """The lines that the bookmarks name, and the places of those that name none."""
    heading = np.full(len(lines.text), -1, np.int64)
    unnamed: dict[int, list[int]] = defaultdict(list)
    pages: dict[int, _Page] = {}
    for number, bookmark in enumerate(bookmarks):
        if bookmark.page not in pages:
            pages[bookmark.page] = _Page(bookmark.page, lines)
        page = pages[bookmark.page]
        if named := page.find(bookmark):
            heading[named.start : named.stop] = number
        else:
            unnamed[page.position(bookmark)].append(number)
    return Sections(heading, dict(unnamed))


class _Page:
    """The lines of a page, and which of them a title names. Letters and digits count, numbers if both have them."""

    def __init__(self, number: int, lines: Lines) -> None:
        start, end = np.searchsorted(lines.page, (number, number + 1)).tolist()
        self.numbers = range(start, end)
        self.y, self.right = lines.y[start:end], lines.right[start:end]
        self.weight = list(zip(lines.size[start:end].tolist(), (lines.face[start:end] & BOLD).tolist(), strict=True))
        self.taken = [False] * len(self.numbers)
        self._lines = lines.text[start:end]
        self._bare: list[tuple[str, str] | None] = [None] * len(self.numbers)

    def find(self, bookmark: Bookmark) -> range | None:
        """The lines that the bookmark names: near its destination, else anywhere; the largest if several are."""
        title = _bare_title(bookmark.title)
        if not title[1]:
            return None
        found: list[range] = []
        if bookmark.y is not None:
            below = self.y - bookmark.y
            near = np.flatnonzero((below > -ABOVE) & (below < BELOW)).tolist()
            found = [match for start in near if (match := self._match(title, start))]
        if not found:
            keys = {text[:length] for text in title for length in range(KEY + 1)}
            found = [
                match for key in keys for start in self._by_start.get(key, ()) if (match := self._match(title, start))
            ]
        if not found:
            found = [range(i, i + 1) for i in self._by_end.get(title[1][-KEY:], ()) if self._labelled(title[1], i)]
        if not found:
            return None
        best = max(found, key=lambda match: (self.weight[match[-1]], -match.start))
        best = self._with_signs(best, _squeezed(bookmark.title))
        self.taken[best.start : best.stop] = [True] * len(best)
        return range(self.numbers[best.start], self.numbers[best.stop - 1] + 1)

    def _with_signs(self, named: range, title: str) -> range:
        """The lines with the next one, if it has but the signs that the title ends with: `])`."""
        if named.stop == len(self.numbers) or self._text(named.stop)[1]:
            return named
        text = _squeezed("".join(self._lines[named.start : named.stop + 1]))
        return range(named.start, named.stop + (text.endswith(title) or title.endswith(text)))

    def _text(self, number: int) -> tuple[str, str]:
        """A line's letters and digits, without its number and with it."""
        text = self._bare[number]
        if text is None:
            text = self._bare[number] = _bare_title(self._lines[number])
        return text

    @cached_property
    def _by_start(self) -> dict[str, list[int]]:
        """Lines by how they begin."""
        found: dict[str, list[int]] = defaultdict(list)
        for i in range(len(self.numbers)):
            for key in {text[:KEY] for text in self._text(i)}:
                found[key].append(i)
        return found

    @cached_property
    def _by_end(self) -> dict[str, list[int]]:
        """Lines by how they end."""
        found: dict[str, list[int]] = defaultdict(list)
        for i in range(len(self.numbers)):
            found[self._text(i)[1][-KEY:]].append(i)
        return found

    def position(self, bookmark: Bookmark) -> int:
        """The line that a bookmark's destination stands before."""
        if bookmark.y is None or not self.numbers:
            return self.numbers.start
        below = self.y > bookmark.y - 2
        if bookmark.x is not None:
            below &= self.right > bookmark.x
        return self.numbers.start + int(below.argmax()) if below.any() else self.numbers.stop

    def _match(self, title: tuple[str, str], start: int) -> range | None:
        """The lines from `start` that together are the title, with or without its number."""
        (without, full), (line_without, line_full) = title, self._text(start)
        for wanted, text in ((without, line_without), (full, line_full), (full, line_without), (without, line_full)):
            if not wanted.startswith(text[: len(wanted)]):
                continue
            stop = start + 1
            while wanted != text and stop < min(len(self.numbers), start + MOST_LINES) and wanted.startswith(text):
                text += self._text(stop)[1 if text else 0]
                stop += 1
            named = wanted == text or _NOTE_MARK.fullmatch(text.removeprefix(wanted))
            if wanted and named and not any(self.taken[start:stop]):
                return range(start, stop)
        return None

    def _labelled(self, full: str, number: int) -> bool:
        """Whether a line is the title behind a label such as `Exercise 5.7:`."""
        text = self._text(number)[1]
        label = text.removesuffix(full)
        return label != text and len(label) <= LONGEST_LABEL and any(map(str.isdigit, label)) and not self.taken[number]


def spelt(heading: str, title: str) -> str:
    """The heading as its bookmark has it, if they differ only in where words are divided."""
    same = _squeezed(heading) == _squeezed(title)
    # Some bookmarks lack hyphens.
    return title if same and title.count("-") >= heading.count("-") else heading


def _squeezed(text: str) -> str:
    return _DIVISIONS.sub("", text)


def _bare_title(text: str) -> tuple[str, str]:
    """The letters and digits of a title without its number, and with it."""
    full = _bare(text)
    numbering = _NUMBERING.match(text)
    return _bare(text[numbering.end() :]) if numbering else full, full


def _bare(text: str) -> str:
    return _OTHER.sub("", text).casefold()
