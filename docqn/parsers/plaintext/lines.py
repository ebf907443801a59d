"""The lines of a plain text, and the runs of them between blank ones, without what is printed on every page."""

import re
from collections import defaultdict
from collections.abc import Sequence
from itertools import groupby, islice
from typing import NamedTuple

from docqn.document import NONE

MOST_COLUMNS = 120  # lines longer than this are not wrapped: each is a paragraph
FEWEST_PAGES = 3  # on which a line must recur to be a running head
EDGE = 2  # lines at the top and bottom of a page that may be running heads or page numbers

_MOST_PAGES_APART = 3  # on average, from one to the next of the same running head
_ABOVE_ALL = 99  # blank lines above the first line

_NUMBERS = re.compile(r"\d+|\b[ivxlc]+\b", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_]{3}")
_PAGE_FOOT = re.compile(r"\[Page \d+\]$|^[ \t]*Page \d+(?: of \d+)?$", re.IGNORECASE | re.MULTILINE)
_PART_NUMBER = re.compile(r"(?:chapter|part|section|appendix|book|act|scene|volume|article)\W+#\W*", re.IGNORECASE)
UNDERLINE = re.compile(r"([=\-~^\"'*+#_.:`])\1{2,}")
_ENDS_SENTENCE = re.compile(r"[.!?:][\"'”’)\]]*$")


class Line(NamedTuple):
    """A line with its text, without the space around it, and where it stands."""

    text: str
    indent: int  # columns, with tabs as in a terminal
    number: int  # from 1
    page: int  # from 1; NONE without form feeds

    @property
    def end(self) -> int:
        """The column after its last character."""
        return self.indent + len(self.text)


class Run(NamedTuple):
    """Lines without a blank one between them."""

    lines: Sequence[Line]
    blanks: int  # lines above it


def ends_sentence(text: str) -> bool:
    """Whether a line ends as sentences do."""
    return bool(_ENDS_SENTENCE.search(text))


def read_lines(text: str) -> list[Line]:
    """The lines; blank ones have no text. A form feed turns the page, and ends a line without counting as a line end.

    Page numbers at the foot of pages do as well where there are no form feeds.
    """
    lines: list[Line] = []
    feeds = "\f" in text
    feet = not feeds and sum(1 for _ in islice(_PAGE_FOOT.finditer(text), FEWEST_PAGES)) == FEWEST_PAGES
    page = 1 if feeds or feet else NONE
    for number, whole in enumerate(text.lstrip("\f").split("\n"), start=1):
        for i, part in enumerate(whole.split("\f") if feeds and "\f" in whole else (whole,)):
            page += i > 0
            stripped = part.strip()
            lead = part[: len(part) - len(part.lstrip())]
            lines.append(Line(stripped, len(lead.expandtabs() if "\t" in lead else lead), number, page))
            page += feet and bool(_PAGE_FOOT.search(stripped))
    return lines


def is_wrapped(lines: Sequence[Line]) -> bool:
    """Whether lines end where the page does rather than the paragraph: most text is in lines of some length at most."""
    lengths = [len(line.text) for line in lines]
    return 2 * sum(length for length in lengths if length > MOST_COLUMNS) <= sum(lengths)


def runs(lines: Sequence[Line]) -> list[Run]:
    """The lines between blank ones; where the text is not wrapped, each line alone."""
    heads = _running_heads(lines)
    wrapped = is_wrapped(lines)
    found: list[Run] = []
    begin: int | None = None
    blanks = _ABOVE_ALL
    for i, line in enumerate(lines):
        gone = not line.text or i in heads
        apart = not wrapped and not UNDERLINE.fullmatch(line.text)
        if begin is not None and (gone or apart or line.page != lines[begin].page):
            found.append(Run(lines[begin:i], blanks))
            begin, blanks = None, 0
        if gone:
            blanks += 1
        elif begin is None:
            begin = i
    if begin is not None:
        found.append(Run(lines[begin:], blanks))
    return _joined_over_pages(found)


def _running_heads(lines: Sequence[Line]) -> set[int]:
    """Positions of lines that stand at the top or bottom of many pages, except where one appears first."""
    seen: dict[tuple[bool, str], list[int]] = defaultdict(list)
    full: set[int] = set()  # pages with more on them than such lines
    for _, page in groupby((i for i, line in enumerate(lines) if line.text), key=lambda i: lines[i].page):
        inked = list(page)
        if len(inked) > 2 * EDGE:
            full.add(lines[inked[0]].page)
        for i in inked[:EDGE]:
            seen[True, _recurring(lines[i].text)].append(i)
        for i in inked[EDGE:][-EDGE:]:
            seen[False, _recurring(lines[i].text)].append(i)
    found: set[int] = set()
    for (_, text), at in seen.items():
        if text[-1] == "." or (text.count("#") > 1 and not _WORD.search(text)):  # a sentence, or a row of numbers
            continue
        pages = sorted({lines[i].page for i in at} & full)
        fewest = FEWEST_PAGES if "   " not in text else 2  # few lines but running heads are spread over the page
        if len(pages) >= fewest and pages[-1] - pages[0] < _MOST_PAGES_APART * len(pages):
            found.update(at if "#" in text else at[1:])
    return found


def _recurring(text: str) -> str:
    """What of a line is the same on every page; the number of a chapter is its own."""
    numberless = _NUMBERS.sub("#", text)
    return text if _PART_NUMBER.fullmatch(numberless) else numberless


def _joined_over_pages(found: Sequence[Run]) -> list[Run]:
    """Runs whose last sentence goes on at the top of the next page, with what follows there."""
    joined: list[tuple[list[Line], int]] = []
    for lines, blanks in found:
        last = joined[-1][0][-1] if joined else lines[0]
        if last.page != lines[0].page and lines[0].text[0].islower() and not ends_sentence(last.text):
            joined[-1][0].extend(lines)
        else:
            joined.append((list(lines), blanks))
    return [Run(lines, blanks) for lines, blanks in joined]
