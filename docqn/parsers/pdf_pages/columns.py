"""Reading order: columns one after the other, bands of full width between them, what was drawn late put in its place.

The order in which a page is drawn is nearly always the order in which it reads, and where it is, it stays: it knows
more than geometry does of tables and formulas. It is corrected where two columns were drawn across, and where text
above other text was drawn after it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from docqn.parsers.pdf_pages.lines import Lines

Numbers = NDArray[np.int64]

FEWEST = 4  # lines that make a column
FILLED = 0.7  # of its column's width that a typical line takes; the cells of a table take less
MARGIN = 0.15  # of the page's text, at either side, in which no gutter is
ASTRAY = 0.03  # of the lines that may jut into the gutter
NARROW = 0.6  # of the page's text: lines of columns are narrower
MOST_LINES = 1_000  # of a page that is put in order
MOST_STRETCHES = 200
WIDEST_GAP = 4.0  # font sizes between two parts of a row
CLOSE = 0.15  # font sizes; with less between them two parts are one word
LARGEST = 0.97  # of the size of the largest line
LARGER = 1.1  # times the usual size of the lines around
NEAR = 3.0  # font sizes from a heading to the first line below
LEVEL = 2.0  # points
DEEPEST = 3  # divisions into columns within columns


class Boxes(NamedTuple):
    """Where lines are; `Lines` of a page without their texts."""

    left: NDArray[np.float64]
    right: NDArray[np.float64]
    y: NDArray[np.float64]
    size: NDArray[np.float64]

    def take(self, chosen: Numbers) -> Boxes:
        return Boxes(*(column[chosen] for column in self))


def in_reading_order(lines: Lines) -> Lines:
    """The lines in the order in which a person reads them."""
    if len(lines.text) < 2:
        return lines
    order = np.arange(len(lines.text))
    for start, end in _unruly_pages(lines):
        if end - start > MOST_LINES:
            continue
        boxes = Boxes(lines.left[start:end], lines.right[start:end], lines.y[start:end], lines.size[start:end])
        order[start:end] = start + _page_order(boxes)
    return lines.take(order) if (np.diff(order) < 0).any() else lines


def with_rows_joined(lines: Lines) -> Lines:
    """The lines, where one goes on at the same height, as behind a raised number, as one."""
    if len(lines.text) < 2:
        return lines
    size = np.minimum(lines.size[1:], lines.size[:-1])
    gap = lines.left[1:] - lines.right[:-1]
    onward = (lines.page[1:] == lines.page[:-1]) & (abs(np.diff(lines.y)) < 0.5 * size)
    onward &= (gap > -size) & (gap < WIDEST_GAP * size)
    if not onward.any():
        return lines
    first = np.flatnonzero(np.append(True, ~onward))
    end = np.append(first[1:], len(lines.text))
    main = np.array([a + int(lines.length[a:b].argmax()) for a, b in zip(first.tolist(), end.tolist(), strict=True)])
    joined = lines.take(main)  # with the size and face of the longest part
    for row in np.flatnonzero(end - first > 1).tolist():
        parts = range(first[row] + 1, end[row])
        close = (gap[i - 1] < CLOSE * lines.size[i] for i in parts)
        rest = (("" if near else " ") + lines.text[i] for i, near in zip(parts, close, strict=True))
        joined.text[row] = lines.text[first[row]] + "".join(rest)
    return joined._replace(
        left=lines.left[first],
        right=lines.right[end - 1],
        length=np.fromiter(map(len, joined.text), np.int32, len(joined.text)),
        first=lines.first[first],
        second=lines.second[first],
        last=lines.last[end - 1],
    )


def _unruly_pages(lines: Lines) -> list[tuple[int, int]]:
    """Ranges of the lines of pages on which not every line stands below the one before and overlaps with it."""
    same = lines.page[1:] == lines.page[:-1]
    upwards = np.diff(lines.y) < -0.5 * np.minimum(lines.size[1:], lines.size[:-1])
    beside = (lines.left[1:] > lines.right[:-1]) | (lines.right[1:] < lines.left[:-1])
    unruly = np.unique(lines.page[1:][same & (upwards | beside)])
    starts, ends = np.searchsorted(lines.page, unruly), np.searchsorted(lines.page, unruly, "right")
    return list(zip(starts.tolist(), ends.tolist(), strict=True))


def _page_order(boxes: Boxes, depth: int = 0) -> Numbers:
    """The order of the lines of a page or a column."""
    gutter = _gutter(boxes) if depth < DEEPEST else None
    if gutter is None:
        return _top_down(boxes)
    width = boxes.right.max() - boxes.left.min()
    reach = MARGIN * width  # a line that merely juts into the gutter does not cross it
    crossing = (boxes.left < gutter - reach) & (boxes.right > gutter + reach)
    crossing |= _short_headings(boxes, gutter)
    side = np.where(crossing, 0, np.where(boxes.left + boxes.right < 2 * gutter, 1, 2))
    band = np.searchsorted(np.sort(boxes.y[crossing]), boxes.y + 0.1, "right")
    parts = []
    for group in np.unique(3 * band + side):
        members = np.flatnonzero(3 * band + side == group)
        parts.append(members[_page_order(boxes.take(members), depth + 1)])
    return np.concatenate(parts)


def _short_headings(boxes: Boxes, gutter: float) -> NDArray[np.bool_]:
    """Headings over both columns that are too short to reach across: the largest lines of the page, if all of them have
    both columns end above, begin at one height below, and nothing between."""
    largest = boxes.size >= LARGEST * boxes.size.max()
    apart = boxes.size.max() > LARGER * _middle(boxes.size) and bool((boxes.left[largest] < gutter).all())
    apart = apart and all(_parts_columns(boxes, gutter, i) for i in np.flatnonzero(largest).tolist())
    return np.asarray(largest & apart, bool)


def _parts_columns(boxes: Boxes, gutter: float, number: int) -> bool:
    """Whether both columns end above a line and begin below it."""
    y, size = boxes.y[number], boxes.size[number]
    columns = boxes.y[boxes.right < gutter], boxes.y[boxes.left > gutter]
    above, below = [side[side < y - 1] for side in columns], [side[side > y + 1] for side in columns]
    if (abs(columns[1] - y) < size).any() or not all(map(len, below)) or any(map(len, above)) != all(map(len, above)):
        return False
    begins = [float(side.min()) for side in below]
    ends = [float(side.max()) for side in above if len(side)] or [0.0]
    return begins[0] - y < NEAR * size and abs(begins[0] - begins[1]) < LEVEL and max(ends) - min(ends) < size


def _gutter(boxes: Boxes) -> float | None:
    """Where a white strip divides the lines into two columns of text, or None."""
    left, right = boxes.left, boxes.right
    start = left.min()
    width = right.max() - start
    narrow = np.flatnonzero(right - left < NARROW * width)
    if len(narrow) < 2 * FEWEST or not 0 < width < 1e5:
        return None
    opens = np.bincount(np.floor(left[narrow] - start).astype(int), minlength=int(width) + 2)
    closes = np.bincount(np.ceil(right[narrow] - start).astype(int), minlength=int(width) + 2)
    covered = np.cumsum(opens)[: int(width)] - np.cumsum(closes)[: int(width)]
    middle = slice(int(MARGIN * width), int((1 - MARGIN) * width))
    lowest = covered[middle].min(initial=len(narrow))
    if lowest > ASTRAY * len(narrow):
        return None
    edges = np.flatnonzero(np.diff(np.pad(covered[middle] == lowest, 1)))  # where white strips begin and end, in turn
    widest = int((edges[1::2] - edges[::2]).argmax())
    gutter = float(start + middle.start + edges[2 * widest : 2 * widest + 2].mean())
    on_left = narrow[right[narrow] < gutter + 1]
    on_right = narrow[left[narrow] > gutter - 1]
    if min(len(on_left), len(on_right)) < FEWEST or not _abreast(boxes.y[on_left], boxes.y[on_right]):
        return None
    filled = _middle(right[on_left] - left[on_left]) >= FILLED * (gutter - left[on_left].min())
    filled &= _middle(right[on_right] - left[on_right]) >= FILLED * (right[on_right].max() - gutter)
    return gutter if filled else None


def _middle(values: NDArray[np.float64]) -> float:
    """The median, for short arrays five times as fast as NumPy's."""
    return float(np.sort(values)[len(values) // 2])


def _abreast(left: NDArray[np.float64], right: NDArray[np.float64]) -> bool:
    """Whether the two stand side by side, not one below the other."""
    both = min(left.max(), right.max()) - max(left.min(), right.min())
    return bool(both > 0.3 * min(np.ptp(left), np.ptp(right)))


def _top_down(boxes: Boxes) -> Numbers:
    """The order as drawn, but for stretches that were drawn after something below them."""
    y, size = boxes.y, boxes.size
    step = np.diff(y)
    upwards = step < -0.5 * size[1:]
    if not upwards.any() or not _late(boxes).any():
        return np.arange(len(y))
    beside = (boxes.left[1:] > boxes.right[:-1]) | (boxes.right[1:] < boxes.left[:-1])
    breaks = np.flatnonzero(beside | upwards | (step > 3 * np.maximum(size[1:], size[:-1]))) + 1
    stretches = np.split(np.arange(len(y)), breaks)
    if len(stretches) > MOST_STRETCHES:
        return np.lexsort((boxes.left, y))
    order = stretches[0]
    for stretch in stretches[1:]:
        first, left, right = stretch[0], boxes.left[stretch].min(), boxes.right[stretch].max()
        whole = Boxes(*(np.array([value]) for value in (left, right, y[first], size[first])))
        late = np.flatnonzero(_above(whole, boxes.take(order))[0])
        order = np.insert(order, late[0], stretch) if len(late) else np.append(order, stretch)
    return order


def _late(boxes: Boxes) -> NDArray[np.bool_]:
    """[lines]: whether each was drawn after one that it stands above."""
    return np.asarray(np.tril(_above(boxes, boxes), -1).any(axis=1), bool)


def _above(upper: Boxes, lower: Boxes) -> NDArray[np.bool_]:
    """[upper, lower]: whether the one stands above the other and shares most of its width."""
    shared = np.minimum.outer(upper.right, lower.right) - np.maximum.outer(upper.left, lower.left)
    width = np.minimum.outer(upper.right - upper.left, lower.right - lower.left)
    return (np.subtract.outer(upper.y + 0.5 * upper.size, lower.y) < 0) & (shared > 0.5 * width)
