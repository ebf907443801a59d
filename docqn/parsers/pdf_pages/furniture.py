"""Running heads, running feet and page numbers: what stands at the same place at the edge of many pages."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from docqn.parsers.pdf_pages.lines import Lines

Bools = NDArray[np.bool_]

DEEPEST = 3  # rows at each edge of a page that may be furniture
SLOT = 6.0  # points: rows within are at the same place
LARGEST = 1.25  # times the body's size; larger text is a heading, as on slides
FEWEST_NUMBERS = 8  # that count the lines of a page
SHARE = 0.3  # of the rows at a place that must be furniture

_NUMBER = re.compile(r"\d+")
_ROMAN = re.compile(r"m{0,3}(c[md]|d?c{0,3})(x[cl]|l?x{0,3})(i[xv]|v?i{0,3})", re.IGNORECASE | re.ASCII)
_LONE_NUMBER = re.compile(r"\W*(page |p\. ?)?\d{1,4}( ?(of|/) ?\d{1,4})?\W*", re.IGNORECASE)
_ROMAN_VALUE = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100, "d": 500, "m": 1000}


class Row(NamedTuple):
    """What stands at one height of a page."""

    page: int
    y: float
    text: str
    members: NDArray[np.int64]  # numbers of the lines
    apart: bool  # from the next row towards the middle

    @property
    def slot(self) -> int:
        return round(self.y / SLOT)


def without_furniture(lines: Lines, body_size: float) -> Lines:
    """The lines that belong to the text."""
    if not lines:
        return lines
    kept = ~_line_numbers(lines)
    rows = _edge_rows(lines, body_size)
    for edge in rows:
        remaining = edge
        for _ in range(DEEPEST):
            outermost = [page[0] for page in remaining if page]
            found = _furniture(outermost)
            for row in outermost:
                if row.page in found:
                    kept[row.members] = False
            remaining = [page[1:] for page in remaining if page and page[0].page in found]
    return lines.take(kept) if kept.any() and not kept.all() else lines


def _line_numbers(lines: Lines) -> Bools:
    """Numbers in the margin that count the lines of a page."""
    found = np.zeros(len(lines.text), bool)
    number = np.full(len(found), -1)
    for i in np.flatnonzero((lines.length < 5) & (lines.first >= ord("0")) & (lines.first <= ord("9"))).tolist():
        number[i] = int(lines.text[i]) if lines.text[i].isdecimal() else -1
    at = np.flatnonzero(number >= 0)
    for members in np.split(at, np.flatnonzero(np.diff(lines.page[at])) + 1):
        steps = np.diff(number[members])
        if (
            len(members) >= FEWEST_NUMBERS
            and np.isin(steps, (1, 5)).mean() > 0.9
            and np.ptp(lines.right[members]) < SLOT
        ):
            found[members] = True
    return found


def _edge_rows(lines: Lines, body_size: float) -> tuple[list[list[Row]], list[list[Row]]]:
    """For each page its topmost rows downwards, and its lowest rows upwards."""
    order = np.lexsort((lines.left, lines.y, lines.page))
    page, y = lines.page[order], lines.y[order]
    opens = np.ones(len(order), bool)
    opens[1:] = (page[1:] != page[:-1]) | (np.diff(y) > SLOT / 2)
    first = np.flatnonzero(opens)
    of_page = page[first]
    bounds = np.append(first, len(order)).tolist()
    page_first = np.flatnonzero(np.diff(of_page, prepend=-1))
    page_end = np.append(page_first[1:], len(first))

    def row(number: int, inner: int | None) -> Row | None:
        members = order[bounds[number] : bounds[number + 1]]
        size = lines.size[members].max()
        if size > LARGEST * body_size:
            return None
        height = float(lines.y[members[0]])
        apart = inner is None or abs(height - y[bounds[inner]]) > 1.5 * size
        return Row(int(of_page[number]), height, " ".join(lines.text[i] for i in members.tolist()), members, apart)

    def edge(numbers: list[int]) -> list[Row]:
        rows = []
        for number, inner in zip(numbers[:DEEPEST], [*numbers[1:], None], strict=False):
            if (found := row(number, inner)) is None:
                break
            rows.append(found)
        return rows

    spans = [list(range(a, b)) for a, b in zip(page_first.tolist(), page_end.tolist(), strict=True)]
    return [edge(span) for span in spans], [edge(span[::-1]) for span in spans]


def _furniture(rows: list[Row]) -> set[int]:
    """Pages whose row, of one a page at the same edge, is furniture."""
    need = 2 if len(rows) <= 4 else 3
    lone = {row.page for row in rows if row.apart and _LONE_NUMBER.fullmatch(row.text)} if len(rows) <= 2 else set()
    signs = {row.page: [*_signs(row)] for row in rows}
    seen = Counter(sign for page in signs.values() for sign in page)
    found = {page for page, its in signs.items() if any(seen[sign] >= need for sign in its)}

    at = Counter(row.slot for row in rows)
    furnished = Counter(row.slot for row in rows if row.page in found)
    slots = {slot for slot in furnished if furnished[slot] >= SHARE * at[slot]}
    regular = {slot for slot in slots if furnished[slot] >= max(need, 0.5 * at[slot])}
    return lone | {
        row.page for row in rows if row.slot in slots and (row.page in found or (row.slot in regular and row.apart))
    }


def _signs(row: Row) -> Iterable[tuple[object, ...]]:
    """What furniture has in common with that of other pages: its text but for the digits, or a number that counts along
    with the pages. Both at the same height, which may fall on either side of a slot's edge."""
    text = row.text.casefold()
    words = text.split()
    values = [value for word in {words[0], words[-1]} if (value := _value(word)) is not None] if words else []
    plain = _NUMBER.sub("#", text) if not _ROMAN.fullmatch(text) else "#"
    telling = any(map(str.isalpha, plain)) or _LONE_NUMBER.fullmatch(text)  # not the figures of a table
    for slot in {round(row.y / SLOT - 0.25), round(row.y / SLOT + 0.25)}:
        if telling:
            yield slot, plain
        for value in values:
            yield slot, value - row.page


def _value(word: str) -> int | None:
    """The number that a word like `12`, `7/30`, `xii` or `-3-` stands for."""
    if match := _NUMBER.search(word):
        return int(match.group()) if len(match.group()) < 6 else None
    bare = word.strip(".-–—()[]|")
    if not bare or not _ROMAN.fullmatch(bare):
        return None
    values = [_ROMAN_VALUE[letter] for letter in bare.lower()]
    return sum(-a if a < b else a for a, b in zip(values, [*values[1:], 0], strict=True))
