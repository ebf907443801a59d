"""Reads the lines of a PDF's pages with their places and faces, at about the cost of extracting the bare text.

PDFium knows the lines. Asking it for the place of every character would cost more than all the rest, so only the first
and last character of a line are asked for, and a few between where the line was drawn in pieces of several kinds. A
question is put to all lines of a page before the next one: a loop over lines would cost twice as much.
"""

from __future__ import annotations

import ctypes
import re
from collections import deque
from collections.abc import Callable, Sequence
from functools import partial
from itertools import repeat
from math import hypot
from typing import Any
from unicodedata import normalize

import numpy as np
from numpy.typing import NDArray

from docqn.errors import ParseError
from docqn.parsers.decoding import MOST_TEXT
from docqn.parsers.pdf_pages.faces import Faces
from docqn.parsers.pdf_pages.gutters import divided
from docqn.parsers.pdf_pages.lines import (
    BOLD,
    BOX_OFFSET,
    DIVIDED,
    ITALIC,
    MATRIX_OFFSET,
    MONO,
    PLACE,
    Lines,
    upright_lines,
)
from docqn.parsers.pdf_pages.pdfium import calls, handle, loaded_page

SAMPLES = 5  # characters of a line drawn in several pieces; a word of code at its start is not its size

# From one inked character to another; U+FFFE is PDFium's sign for a hyphen at the end of a line.
_HYPHEN = "\ufffe"
_LINE = re.compile("[^\\s\ufffe](?:[^\r\n\ufffe]*[^\\s\ufffe])?\ufffe?")
_TIDY = str.maketrans(
    {"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st"}
    | {"\ufffe": DIVIDED, "\u2010": "-", "\u2011": "-"}
    | dict(zip("\uf0b7\uf0a7\uf0d8\uf0fc\uf076", "•▪➢✓❖", strict=True))  # bullets of symbol fonts
    | dict.fromkeys("\xa0\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u3000", " ")
)
_SURROGATE = re.compile("[\ud800-\udfff]")
_ODD = re.compile("[\ud800-\udfff´¨ˆ˜ˇ˘˚]")
_ACCENT = re.compile(r"(?P<space>(?<=[^\W\d_]) )?(?P<accent>[´¨ˆ˜ˇ˘˚]) ?(?P<letter>[^\W\d_])")
_COMBINING = dict(zip("´¨ˆ˜ˇ˘˚", "\u0301\u0308\u0302\u0303\u030c\u0306\u030a", strict=True))


def read_lines(pdf: Any, source: str) -> Lines:
    """All lines of a pypdfium2 document in the order in which they are drawn, page by page."""
    reader = Reader()
    for number in range(len(pdf)):
        with loaded_page(pdf, number) as text_page:
            if text_page:
                reader.read(handle(text_page), number)
        if reader.characters > MOST_TEXT:
            raise ParseError(source, f"holds more than the {MOST_TEXT >> 20} MB of text docqn reads; split it")
    return reader.lines()


class Reader:
    """Gathers the lines of page after page."""

    def __init__(self) -> None:
        self.characters = 0
        self._calls = calls()
        self._text: list[str] = []
        self._page: list[int] = []
        self._size: list[float] = []
        self._face: list[int] = []
        self._places: list[NDArray[Any]] = []
        self._faces = Faces(self._calls)
        self._matrix = (ctypes.c_float * 6)()

    def read(self, text_page: int, number: int) -> None:
        """Append the lines of a page."""
        text, shifted = self._page_text(text_page)
        number_of: Callable[[int], int] = partial(self._calls.offset, text_page) if shifted else int
        spans = divided(self._calls, text_page, text, [match.span() for match in _LINE.finditer(text)], number_of)
        starts, ends = [start for start, _ in spans], [end - 1 for _, end in spans]
        if shifted:
            starts, ends = list(map(number_of, starts)), list(map(number_of, ends))
        typical, size, face = self._look(text_page, starts, ends)

        self._text += [line if line.isascii() else tidied(line) for line in (text[start:end] for start, end in spans)]
        self._page += [number] * len(spans)
        self._size += size
        self._face += face
        self._places.append(self._measure(text_page, starts, typical, ends))
        self.characters += len(text)

    def lines(self) -> Lines:
        """All that was read, turned upright."""
        places = np.concatenate(self._places) if self._places else np.zeros(0, PLACE)
        page, face = np.array(self._page, np.int32), np.array(self._face, np.int32)
        return upright_lines(self._text, page, places, np.array(self._size), face)

    def _page_text(self, text_page: int) -> tuple[str, bool]:
        """The text, a character for each UTF-16 unit, and whether offsets in it differ from PDFium's numbers."""
        count = max(self._calls.count(text_page), 0)
        buffer = (ctypes.c_ushort * (count + 1))()
        units = max(self._calls.text(text_page, 0, count, ctypes.addressof(buffer)) - 1, 0)
        raw = ctypes.string_at(buffer, 2 * units)
        text = raw.decode("utf-16-le", "surrogatepass")
        if len(text) != units:
            text = np.frombuffer(raw, "<u2").astype("<u4").tobytes().decode("utf-32-le", "surrogatepass")
        return text, units != count

    def _measure(
        self, text_page: int, starts: Sequence[int], typical: Sequence[int], ends: Sequence[int]
    ) -> NDArray[Any]:
        """Where the lines of a page are."""
        places = np.zeros(len(starts), PLACE)
        row, size, step = places.ctypes.data, places.nbytes, PLACE.itemsize

        def ask(call: Callable[..., int], numbers: Sequence[int], *offsets: int) -> None:
            into = (range(row + offset, row + offset + size, step) for offset in offsets)
            deque(map(call, repeat(text_page), numbers, *into), maxlen=0)

        ask(self._calls.origin, starts, 0, 8)
        ask(self._calls.box, ends, BOX_OFFSET)
        ask(self._calls.matrix, typical, MATRIX_OFFSET)
        return places

    def _look(
        self, text_page: int, starts: Sequence[int], ends: Sequence[int]
    ) -> tuple[list[int], list[float], list[int]]:
        """For each line a typical character, its size before it is scaled, and the face of the whole line."""
        calls, faces = self._calls, self._faces
        faces.turn_page()
        typical = list(starts)
        pieces, others = (list(map(calls.piece, repeat(text_page), numbers)) for numbers in (starts, ends))
        face = [faces[font] for font in map(calls.font, pieces)]
        size = list(map(calls.size, repeat(text_page), starts))
        for i, (piece, other) in enumerate(zip(pieces, others, strict=True)):
            if piece != other and not self._uniform(text_page, starts[i], ends[i], other, face[i], size[i]):
                typical[i], face[i] = self._typical(text_page, starts[i], ends[i])
                size[i] = calls.size(text_page, typical[i])
        return typical, size, face

    def _uniform(self, text_page: int, start: int, end: int, other: int | None, face: int, size: float) -> bool:
        """Whether a line drawn in several pieces has one face and size, by its end and, unless plain, its middle."""
        calls, faces = self._calls, self._faces
        if faces[calls.font(other)] != face or calls.size(text_page, end) != size:
            return False
        return not face or faces[calls.font(self._piece(text_page, (start + end) // 2))] == face

    def _typical(self, text_page: int, start: int, end: int) -> tuple[int, int]:
        """Of a line drawn in several pieces: a character of its typical size, and the face that is common to all."""
        sizes, face = [], BOLD | ITALIC | MONO
        for sample in range(SAMPLES):
            number = start + (end - start) * sample // (SAMPLES - 1)
            if piece := self._piece(text_page, number):
                self._calls.matrix(text_page, number, ctypes.addressof(self._matrix))
                sizes.append((self._calls.size(text_page, number) * hypot(self._matrix[2], self._matrix[3]), number))
                if not sample % (SAMPLES // 2):  # at the ends and in the middle; a word between may well differ
                    face &= self._faces[self._calls.font(piece)]
        return sorted(sizes)[len(sizes) // 2][1] if sizes else start, face if sizes else 0

    def _piece(self, text_page: int, number: int) -> int | None:
        """The piece of a character, or of the next one: a space that PDFium put in has none."""
        return self._calls.piece(text_page, number) or self._calls.piece(text_page, number + 1)


def tidied(line: str) -> str:
    """The line with plain spaces and hyphens, without ligatures and with whole characters beyond the first plane."""
    if line[-1] == _HYPHEN and line[:-1].isascii():
        return line[:-1] + DIVIDED
    line = line.translate(_TIDY) if line[-1] != "\u2010" else line[:-1].translate(_TIDY) + DIVIDED
    if not _ODD.search(line):
        return line
    if _SURROGATE.search(line):
        line = line.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "ignore")
    return _ACCENT.sub(_accented, line) or " "


def _accented(match: re.Match[str]) -> str:
    """An accent set as a character of its own, put onto its letter."""
    letter = "i" if match["letter"] == "ı" else match["letter"]
    return (match["space"] or "") * letter.isupper() + normalize("NFC", letter + _COMBINING[match["accent"]])
