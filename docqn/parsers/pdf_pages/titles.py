"""The title: what the metadata say if it makes sense, else the largest text at the top of the first page."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

from docqn.parsers.pdf_pages.body import NUMBER, Body
from docqn.parsers.pdf_pages.lines import Lines
from docqn.parsers.pdf_pages.paragraphs import OTHER_SIZE
from docqn.parsers.pdf_pages.pdfium import wide_text
from docqn.text.clean import collapse

LONGEST = 300  # characters
PROSE = 100  # characters that running text has, and what stands right below a title has not
TITLE_PAGE = 400  # characters that a page with little but the title has
TOP = 50  # paragraphs
FEWEST_LETTERS = 4
LARGER = 1.15  # times the body's size

_PROGRAM = re.compile(r"(microsoft|powerpoint|word|excel|adobe|libreoffice|openoffice)\b[^-]{0,20}-\s*", re.IGNORECASE)
_FILE_NAME = re.compile(
    r"\S*[/\\]\S*|.*\.(docx?|odt|rtf|tex|dvi|pdf|ps|eps|pptx?|xlsx?|indd|qxd|fm|pmd|wpd|html?|txt|pages|md|xml)",
    re.IGNORECASE,
)
_NO_TITLE = re.compile(
    r"(untitled|no ?title|title|document|dokument|presentation|main|paper|article|report|thesis|draft|slide|layout"
    r"|output|template|book|microsoft word|about:blank|powerpoint|print|doi|pii|isbn)?\W*\d*",
    re.IGNORECASE,
)
_OTHER = re.compile(r"[\W_]+")


def read_title(pdf: Any) -> str:
    """The title in the metadata, or nothing if it is no title: a file name, a program's placeholder."""
    import pypdfium2.raw as raw

    title = collapse(wide_text(raw.FPDF_GetMetaText, pdf.raw, b"Title"))[:LONGEST]
    named = _PROGRAM.sub("", title, count=1) if _PROGRAM.match(title) else title
    if _FILE_NAME.fullmatch(named) or _NO_TITLE.fullmatch(named) or sum(map(str.isalpha, named)) < 3:
        return ""
    return named


class Title(NamedTuple):
    """The title, and the paragraphs by their numbers that are set like one on the first page."""

    text: str
    display: range
    repeated: range  # those that say it, which the text does without


def find_title(given: str, paragraphs: Sequence[Sequence[int]], lines: Lines, body: Body) -> Title:
    """The given title, else the largest text on the first page, if it is larger than the body and than headings."""
    top = [i for i, numbers in enumerate(paragraphs[:TOP]) if lines.page[numbers[0]] == lines.page[0]]
    sizes = [float(lines.size[paragraphs[i][0]]) for i in top]
    worded = [i for i in top if sum(map(str.isalpha, lines.text[paragraphs[i][0]])) >= FEWEST_LETTERS]
    if not worded:
        return Title(given, range(0), range(0))
    first = max(worded, key=lambda i: (sizes[i], -i))
    stop = first + 1
    while (
        stop < len(top)
        and sizes[first] / OTHER_SIZE < sizes[stop]
        and _near(paragraphs[stop - 1], paragraphs[stop], lines)
    ):
        stop += 1
    text = collapse(" ".join(lines.text[line] for i in range(first, stop) for line in paragraphs[i]))
    display = range(first, stop)
    if len(text) > LONGEST or sizes[first] < LARGER * body.size or NUMBER.match(text):
        display = range(0)
    if given:
        said = [i for i in top if _bare(" ".join(lines.text[j] for j in paragraphs[i])) == _bare(given)]
        repeated = display if _bare(text) == _bare(given) else range(said[0], said[0] + 1) if said else range(0)
        return Title(given, display or repeated, repeated)
    if display and _unequalled(display, paragraphs, lines):
        return Title(text, display, display)
    return Title("", range(0), range(0))


def _unequalled(display: range, paragraphs: Sequence[Sequence[int]], lines: Lines) -> bool:
    """Whether nothing else is as large, as chapters may be; on a title page that is no matter."""
    first, last = paragraphs[display.start][0], paragraphs[display.stop - 1][-1]
    equal = (lines.size > lines.size[first] / OTHER_SIZE) & (lines.length >= FEWEST_LETTERS)
    equal[first : last + 1] = False
    here = lines.page == lines.page[first]
    if not equal.any() or int(lines.length[here].sum()) < TITLE_PAGE:
        return True
    below = paragraphs[display.stop] if display.stop < len(paragraphs) else []
    return not (equal & here).any() and sum(len(lines.text[i]) for i in below) < PROSE


def _near(above: Sequence[int], below: Sequence[int], lines: Lines) -> bool:
    step = lines.y[below[0]] - lines.y[above[-1]]
    return bool(0 < step < 2.2 * lines.size[below[0]])


def _bare(text: str) -> str:
    return _OTHER.sub("", text).casefold()
