"""The lines of a PDF: their texts, and where and how they are set, as arrays."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int32]
Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

BOLD, ITALIC, MONO = 1, 2, 4  # faces
DIVIDED = "\u00ad"  # ends a line whose last word goes on in the next

# What PDFium is asked for each line, written by it straight into such a row: the origin of the first character, the box
# (left, top, right, bottom) of the last, and the matrix (a b c d e f) of a typical one.
PLACE = np.dtype([("x", "f8"), ("y", "f8"), ("box", "f4", 4), ("matrix", "f4", 6)])
BOX_OFFSET, MATRIX_OFFSET = 16, 32  # bytes

FARTHEST = 1e6  # points; places beyond are absurd
ASLANT = 0.02  # share of its direction by which a line may deviate from the level


class Lines(NamedTuple):
    """Lines of text in some order, as columns of one length. Places are in points, x to the right and y downwards."""

    text: list[str]
    page: Ints  # from 0
    left: Floats
    right: Floats
    y: Floats  # of the baseline
    size: Floats  # of the font
    face: Ints  # BOLD | ITALIC | MONO where the whole line is
    length: Ints  # of the text
    first: Ints  # code of the first character …
    second: Ints  # … of the second, or again the first …
    last: Ints  # … and of the last

    def __bool__(self) -> bool:
        return bool(self.text)

    def take(self, chosen: NDArray[Any]) -> Lines:
        """The lines with these numbers, or under this mask."""
        numbers = np.flatnonzero(chosen) if chosen.dtype == bool else chosen
        columns: list[NDArray[Any]] = list(self[1:])
        return Lines([self.text[i] for i in numbers.tolist()], *(column[numbers] for column in columns))


def upright_lines(text: list[str], page: Ints, places: NDArray[Any], size: Floats, face: Ints) -> Lines:
    """The lines that run in their page's main direction, turned so that this is to the right. Others are stamps in the
    margin, labels of axes and watermarks."""
    x, y = _bounded(places["x"]), _bounded(places["y"])
    box, matrix = _bounded(places["box"]), _bounded(places["matrix"])
    along, across = matrix[:, 0], matrix[:, 1]
    straight = np.minimum(abs(along), abs(across)) <= ASLANT * np.maximum(abs(along), abs(across))
    turn = np.where(abs(along) >= abs(across), np.where(along >= 0, 0, 2), np.where(across > 0, 1, 3))

    length = np.fromiter(map(len, text), np.int32, len(text))
    pages = int(page.max(initial=-1)) + 1
    weight = np.bincount(4 * page + turn, length * straight, 4 * pages).reshape(-1, 4)
    main = weight.argmax(axis=1)[page] if pages else turn

    begin = np.choose(turn, (x, y, -x, -y))
    left = np.minimum(begin, np.choose(turn, (box[:, 0], box[:, 3], -box[:, 2], -box[:, 1])))
    right = np.maximum(begin, np.choose(turn, (box[:, 2], box[:, 1], -box[:, 0], -box[:, 3])))
    down = np.choose(turn, (-y, x, y, -x))
    first, second, last = _outer_codes(text, length)
    leftwards = (first >= 0x590) & (first < 0x900)
    if (length * leftwards).sum() > 0.5 * length.sum():  # Hebrew or Arabic: as in a mirror
        left, right = -right, -left
    size = _bounded(size * np.hypot(matrix[:, 2], matrix[:, 3]))
    lines = Lines(text, page, left, right, down, size, face, length, first, second, last)
    return lines.take(straight & (turn == main))


def _outer_codes(text: list[str], length: Ints) -> tuple[Ints, Ints, Ints]:
    """The codes of the first, second and last character of each line."""
    codes = np.frombuffer("".join(text).encode("utf-32-le", "surrogatepass"), np.int32)
    ends = np.cumsum(length, dtype=np.int64)
    starts = ends - length
    return codes[starts], codes[np.minimum(starts + 1, ends - 1)], codes[ends - 1]


def _bounded(values: NDArray[Any]) -> Floats:
    """Absurd places made merely far, so that arithmetic on them stays finite."""
    return np.clip(np.nan_to_num(values.astype(np.float64), nan=0.0), -FARTHEST, FARTHEST)
