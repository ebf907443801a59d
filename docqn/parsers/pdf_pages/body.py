"""What lines are by their characters: running text, items of lists, entries of a table of contents."""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from docqn.parsers.pdf_pages.lines import Bools, Lines

IDEOGRAPHS = 0x2E7F  # characters from here on are wide and say as much as several letters
RUNNING = 0.05  # share of the characters in running text, from which this is what the body is
FEWEST_ENTRIES = 3  # among five lines that make them entries of contents
STRETCHED = 0.9  # in font sizes: width of an average character from which words stand far apart

BULLETS = "•‣◦■●○◆◇►▶➢➤❖✓✔▪∙⋅·–—*-"
ENUMERATOR = re.compile(
    r"(\(?\d{1,3}[.)]|\[[^\]]{1,20}\]|\(?[a-zA-Z][.)]|\(?[ivxIVX]{1,5}[.)]|\d{1,2}(\.\d{1,3}){1,4}\.?|[A-Z](\.\d{1,3}){1,3})\s"
)
NUMBER = re.compile(
    r"(?P<decimal>\d{1,2}(\.\d{1,3}){0,5})\.?\s+(?=\S)"
    r"|(?P<appendix>[A-Z](\.\d{1,3}){1,4})\.?\s+"
    r"|(?P<roman>[IVX]{1,5})\.\s+"
    r"|(?P<letter>[A-Z])\.\s+"
    r"|(?P<part>(?i:part|book|teil|partie|parte|deel))\s+(\d{1,2}|[IVXLC]+|[A-Z])\b"
    r"|(?P<chapter>(?i:chapter|appendix|kapitel|anhang|chapitre|annexe|cap[ií]tulo|capitolo|appendice|hoofdstuk|bijlage))"
    r"\s+(\d{1,2}|[IVXLC]+|[A-Z])\b"
)
CAPTION = re.compile(
    r"(?i:fig(ure|\.)?|tab(le|\.)?|listing|algorithm|plate|scheme|chart|exhibit|box)\s*(\d|[A-Z]\b|[IVX]+\b)"
)
_PAGE_NUMBER = re.compile(r"([.·…_]*)([ivxlc]{1,6}|[A-Z]?-?\d{1,4})")
_LEADERS = re.compile(r"(\s?[.·…_]){3,}$")
_SECTION = re.compile(r"(\d{1,2}|[A-Z])(\.\d{1,3})*\.?\s+[^\W\d_]{2}")


def _codes(characters: str) -> NDArray[np.int32]:
    return np.array([*map(ord, characters)], np.int32)


_BULLETS, _ENDS, _PAGE_ENDS = _codes(BULLETS), _codes(".!?:;”\"'’)…。！？：；"), _codes("0123456789ivxlc")
_ENUMERATORS, _AFTER_LETTER = _codes("0123456789([ivxIVX"), _codes(".)")


class Body(NamedTuple):
    """What most of the text looks like."""

    size: float
    face: int


def body_of(lines: Lines) -> Body:
    """The size and face of most characters: of those in running text if there is enough, for listings and tables may
    hold more."""
    size = np.clip(np.round(lines.size * 4).astype(np.int64), 0, 4000)
    if not size.any():
        return Body(1.0, 0)
    length = lines.length * np.where(lines.first > IDEOGRAPHS, 3, 1)  # a character of these is worth more
    running = np.zeros(len(size), bool)
    running[1:] = continuing(lines)[1:] & ~ended(lines)[:-1] & (size[1:] == size[:-1])
    if (length * running).sum() > RUNNING * length.sum():
        length = length * running
    common = int(np.bincount(size, length).argmax())
    face = int(np.bincount(lines.face[size == common], length[size == common]).argmax())
    return Body(common / 4, face)


def continuing(lines: Lines) -> Bools:
    """Lines that begin like the middle of a sentence. Letters without case do, too."""
    codes, which = np.unique(lines.first, return_inverse=True)
    within = np.array([char.isalpha() and not char.isupper() for char in map(chr, codes.tolist())], bool)
    return np.asarray(within[which], bool)


def ended(lines: Lines) -> Bools:
    """Lines that end like a sentence, or introduce something."""
    return np.isin(lines.last, _ENDS)


def bullets(lines: Lines) -> Bools:
    """Lines that begin with a bullet."""
    return np.asarray(np.isin(lines.first, _BULLETS) & (lines.second == ord(" ")), bool)


def enumerators(lines: Lines) -> Bools:
    """Lines that begin with the number or letter of a list's item."""
    found = np.zeros(len(lines.text), bool)
    for i in np.flatnonzero(np.isin(lines.first, _ENUMERATORS) | np.isin(lines.second, _AFTER_LETTER)).tolist():
        found[i] = ENUMERATOR.match(lines.text[i]) is not None
    return found


def contents_lines(lines: Lines) -> Bools:
    """Entries of a table of contents: neighbours that end in a page number after leaders or a wide gap, or that begin
    with a section's number as well."""
    found = np.zeros(len(lines.text), bool)
    if len(found) < FEWEST_ENTRIES:
        return found
    stretched = lines.right - lines.left > STRETCHED * lines.size * lines.length
    for i in np.flatnonzero(np.isin(lines.last, _PAGE_ENDS)).tolist():
        entry, _, page = lines.text[i].rpartition(" ")
        if entry and _PAGE_NUMBER.fullmatch(page):
            found[i] = stretched[i] or bool(_LEADERS.search(entry) or _SECTION.match(entry))
    near = np.pad(found, 2)
    found &= sum(near[i : len(near) - 4 + i].astype(int) for i in range(5)) >= FEWEST_ENTRIES
    found[1:-1] |= found[:-2] & found[2:]  # an entry of two lines
    return found
