"""Headings by what they look like: larger or bolder than the body, or set apart in capitals, italics or by a number."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

from docqn.parsers.pdf_pages.body import CAPTION, NUMBER, STRETCHED, Body
from docqn.parsers.pdf_pages.lines import BOLD, ITALIC, MONO, Lines
from docqn.parsers.pdf_pages.titles import Title

LARGER = 1.07  # times the body's size, from which short text is a heading
LARGE = 1.3  # times the body's size, from which it may even end like a sentence
SMALLEST = 0.85  # times the body's size
LONGEST = 200  # characters
LONGEST_SMALL = 100  # of a heading no larger than the body
MOST_LINES = 4
SPACE_ABOVE = 1.35  # in font sizes, from the line before: for headings no larger than the body
MOST_FRONT = 60  # paragraphs that may be no running text yet
PROSE = 150  # characters that a paragraph has and hardly a line of a title page
FEWEST_ALIKE = 2  # headings in italics
FEWEST = 3  # headings; with fewer, numbered lines that stand alone are taken, too

_LABEL = re.compile(
    r"([^\W\d_]{3,12}\s+)?(\d{1,2}|[IVXLC]+|[A-Z])[.:]?|第\s?\w{1,3}\s?[章部]"
)  # as above a chapter's heading
_WORD = re.compile(r"[^\W\d_]{2,}|[\u2e80-\u9fff]")


class Style(NamedTuple):
    """What headings of one kind look like; the greater, the more prominent."""

    size: float  # to half a point
    bold: bool
    capitals: bool
    upright: bool


class Candidate(NamedTuple):
    """A paragraph that may be a heading."""

    paragraph: int
    style: Style
    depth: int | None  # by its number: 1 for `2`, 2 for `2.1`; None without
    kind: str  # of its number: decimal, roman, letter, …
    plain: bool  # nothing but its number and its place sets it off


def with_labels_joined(paragraphs: list[list[int]], lines: Lines, body: Body) -> list[list[int]]:
    """The paragraphs, where `Chapter 1` stands above the heading that it belongs to, as one."""
    result: list[list[int]] = []
    for numbers in paragraphs:
        above = result[-1] if result else []
        if (
            len(above) == 1
            and lines.page[above[0]] == lines.page[numbers[0]]
            and lines.size[above[0]] > LARGER * body.size
            and lines.size[numbers[0]] > 0.9 * lines.size[above[0]]
            and _LABEL.fullmatch(lines.text[above[0]])
            and not NUMBER.match(lines.text[numbers[0]])
        ):
            above.extend(numbers)
        else:
            result.append(numbers)
    return result


def heading_levels(
    paragraphs: Sequence[Sequence[int]], lines: Lines, body: Body, contents: Sequence[bool], title: Title
) -> list[int]:
    """The level of each paragraph, 0 for one that is no heading; the title is none, nor are entries of the contents."""
    candidates: list[Candidate] = []
    for i, numbers in enumerate(paragraphs):
        if i in title.repeated or contents[numbers[0]]:
            continue
        above = candidates[-1] if candidates and candidates[-1].paragraph == i - 1 else None
        if found := _candidate(i, numbers, lines, body, above):
            candidates.append(found)
    lengths = [sum(len(lines.text[i]) for i in numbers) for numbers in paragraphs]
    candidates = _without(_front_matter(title.display, paragraphs, lengths, lines, contents), candidates)
    candidates = _with_depths(_in_telling_styles(candidates, paragraphs, lengths, lines))
    levels = [0] * len(paragraphs)
    for candidate, level in zip(candidates, _levels(candidates), strict=True):
        levels[candidate.paragraph] = level
    return levels


def _candidate(
    number: int, numbers: Sequence[int], lines: Lines, body: Body, above: Candidate | None
) -> Candidate | None:
    """The paragraph as a heading, if it looks like one; `above` is the one right above it."""
    first = numbers[0]
    size, face = float(lines.size[first]), int(lines.face[first] & ~body.face)
    larger, bold, italic = size > LARGER * body.size, bool(face & BOLD), bool(face & ITALIC)
    text = lines.text[first]
    match = NUMBER.match(text)
    capitals = text.isupper()
    if not (larger or bold or italic or match or capitals) or len(numbers) > MOST_LINES or size < SMALLEST * body.size:
        return None
    text = " ".join(lines.text[i] for i in numbers)
    if (
        len(text) > (LONGEST if larger else LONGEST_SMALL)
        or not _WORD.search(text)
        or CAPTION.match(text)
        or (face & MONO and not bold)
    ):
        return None
    if size < LARGE * body.size and (text[-1] in ",;" or (text[-1] in ".:" and not match)):
        return None
    plain = not (larger or bold or capitals or italic)
    below_larger = bold and above is not None and above.style.bold and above.style.size > _half(size)
    if (not larger and not below_larger and not _stands_alone(first, lines)) or (plain and text[-1] in ".:"):
        return None
    style = Style(_half(size), bool(lines.face[first] & BOLD), text.isupper(), not italic)
    return Candidate(number, style, _depth(match) if match else None, (match.lastgroup or "") if match else "", plain)


def _stands_alone(first: int, lines: Lines) -> bool:
    """Whether the line is set apart from the one above, and is not spread out like the head of a table."""
    if (lines.right[first] - lines.left[first]) / len(lines.text[first]) > STRETCHED * lines.size[first]:
        return False
    if first == 0 or lines.page[first] != lines.page[first - 1]:
        return True
    above = lines.y[first] - lines.y[first - 1]
    return bool(above < 0 or above > SPACE_ABOVE * lines.size[first])


def _depth(match: re.Match[str]) -> int:
    if decimal := match["decimal"] or match["appendix"]:
        return decimal.count(".") + 1
    return 0 if match["part"] else 1


def _front_matter(
    title: range, paragraphs: Sequence[Sequence[int]], lengths: Sequence[int], lines: Lines, contents: Sequence[bool]
) -> range:
    """Authors, affiliations and dates: what follows the title, on its page and on others with little on them, up to the
    first running text."""
    if not title:
        return title
    pages = [int(lines.page[numbers[0]]) for numbers in paragraphs[: title.stop + MOST_FRONT]]
    filling = Counter[int]()
    for page, length in zip(pages, lengths, strict=False):
        filling[page] += length
    stop = title.stop
    while (
        stop < len(pages)
        and (pages[stop] == pages[title.start] or filling[pages[stop]] < 2 * PROSE)
        and not contents[paragraphs[stop][0]]
        and lengths[stop] < PROSE
    ):
        stop += 1
    return range(title.stop, stop) if stop < len(pages) else range(0)


def _without(front: range, candidates: Sequence[Candidate]) -> list[Candidate]:
    """The candidates without front matter, but for what has a number and what stands right above the running text in a
    type of headings: `Abstract`."""
    later = {candidate.style for candidate in candidates if candidate.paragraph >= front.stop}

    def remains(candidate: Candidate) -> bool:
        style = candidate.style
        if candidate.paragraph not in front or candidate.depth is not None:
            return True
        return candidate.paragraph == front[-1] and (
            style in later or style.bold or style.capitals or not style.upright
        )

    return list(filter(remains, candidates))


def _in_telling_styles(
    candidates: Sequence[Candidate], paragraphs: Sequence[Sequence[int]], lengths: Sequence[int], lines: Lines
) -> list[Candidate]:
    """Without those in a type that sets more running text than headings, and without italics that come but once or that
    no text follows, such as labels in a figure."""
    excess: dict[tuple[float, bool], int] = defaultdict(int)
    for candidate in candidates:
        excess[candidate.style[:2]] -= 0 if candidate.plain else lengths[candidate.paragraph]
    for numbers, length in zip(paragraphs, lengths, strict=True):
        if length > LONGEST_SMALL and not CAPTION.match(lines.text[numbers[0]]):
            excess[_half(lines.size[numbers[0]]), bool(lines.face[numbers[0]] & BOLD)] += length
    alike = Counter(candidate.style for candidate in candidates)
    kept = [
        candidate
        for candidate in candidates
        if not candidate.plain
        and (excess[candidate.style[:2]] <= 0 or candidate.style.capitals or not candidate.style.upright)
        and (
            candidate.style.upright
            or (alike[candidate.style] >= FEWEST_ALIKE and _leads(candidate.paragraph, paragraphs, lengths, lines))
        )
    ]
    if len(kept) < FEWEST and _count_up(
        plain := [candidate for candidate in candidates if candidate.plain], paragraphs, lines
    ):
        kept = sorted([*kept, *plain])
    return kept


def _leads(number: int, paragraphs: Sequence[Sequence[int]], lengths: Sequence[int], lines: Lines) -> bool:
    """Whether running text that is no farther to the left follows on the page, as under a heading."""
    if number + 1 == len(paragraphs) or lengths[number + 1] < LONGEST_SMALL / 2:
        return False
    here, below = paragraphs[number][0], paragraphs[number + 1][-1]
    return bool(lines.left[below] > lines.left[here] - 1 and lines.page[paragraphs[number + 1][0]] == lines.page[here])


def _count_up(candidates: Sequence[Candidate], paragraphs: Sequence[Sequence[int]], lines: Lines) -> bool:
    """Whether the numbers grow from first to last, as those of sections do and those of several lists do not."""
    texts = [lines.text[paragraphs[candidate.paragraph][0]] for candidate in candidates]
    numbers = [
        [int(part) for part in re.findall(r"\d+", match["decimal"])]
        for t in texts
        if (match := NUMBER.match(t)) and match["decimal"]
    ]
    return len(numbers) >= FEWEST and all(a < b for a, b in pairwise(numbers))


def _with_depths(candidates: list[Candidate]) -> list[Candidate]:
    """With the depths of numbers that depend on those around: letters and plain numbers are below Roman ones."""
    if sum(candidate.kind == "roman" for candidate in candidates) < FEWEST_ALIKE:
        return candidates
    lettered = any(candidate.kind == "letter" for candidate in candidates)
    below = {"letter": 1, "decimal": 1 + lettered}
    return [c._replace(depth=c.depth + below.get(c.kind, 0)) if c.depth else c for c in candidates]


def _half(size: float) -> float:
    """A font size to half a point."""
    return round(2 * float(size)) / 2


def _levels(candidates: Sequence[Candidate]) -> Iterable[int]:
    """Levels from 1: by the number where there is one, else by the style's place among all."""
    by_style: dict[Style, list[int | None]] = defaultdict(list)
    for candidate in candidates:
        by_style[candidate.style].append(candidate.depth)
    depth_of: dict[Style, int] = {}  # of the styles that mostly have numbers: what they mostly have …
    highest_of: dict[Style, int] = {}  # … and the least
    for style, depths in by_style.items():
        numbered = sorted(depth for depth in depths if depth is not None)
        if 2 * len(numbered) >= len(depths):
            depth_of[style] = numbered[len(numbered) // 5]  # not the least: one may be no heading
            highest_of[style] = numbered[0]
    level_of: dict[Style, int] = {}
    shift: int | None = None  # from a number's depth to its level: headings without numbers may stand above all
    above = 0
    for style in sorted(by_style, reverse=True):
        if style not in depth_of:
            level_of[style] = above + 1
        else:
            shift = above + 1 - highest_of[style] if shift is None else shift
            level_of[style] = max(depth_of[style] + shift, 1)
        above = level_of[style]
    for candidate in candidates:
        yield level_of[candidate.style] if candidate.depth is None else max(candidate.depth + (shift or 0), 1)
