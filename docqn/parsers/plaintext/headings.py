"""Headings of a plain text: underlined, numbered, in capitals, outdented, or short and alone.

A false heading is worse than none: except for underlines and words such as `Chapter 4`, a line is only a heading where
others of its kind stand in the text and agree with it.
"""

import re
from collections import defaultdict
from collections.abc import Sequence

from docqn.parsers.plaintext.lines import UNDERLINE, Line, Run, ends_sentence
from docqn.parsers.plaintext.numbered import numbered, parts
from docqn.parsers.plaintext.numbering import PARTS
from docqn.parsers.plaintext.titles import (
    ALONE,
    DECIMAL_RANK,
    FEWEST,
    FEWEST_ALONE,
    LONGEST,
    LONGEST_ALONE,
    MOST_LINES,
    ROMAN_RANK,
    SPECIAL,
    UNDERLINED,
    Found,
    Heading,
    alone_in_run,
    body_indent,
    has_body,
    is_prose,
    is_title,
    listed,
)

_CENTRED = 12  # columns from which a line is in the middle rather than indented
CONSISTENT = 0.8  # share of the lines of a kind that are headings, if any are

_SIGNS = "=-~"  # underlines whose order is the same everywhere
_COLUMNS = re.compile(r"\S\s{3,}\S")
_APPENDIX = re.compile(r"appendix|annex", re.IGNORECASE)
_CODE = re.compile(r"[_{}\[\]<>=*#|\\]|[A-Z]\d|\d[A-Z]")  # in what is in capitals but no heading


def find_headings(runs: Sequence[Run], width: int) -> Found:
    """The headings, each at the beginning of a run. Their ranks order them but are not levels yet."""
    contents = listed(runs)
    found: Found = {}

    def free() -> list[int]:
        return [i for i in range(len(runs)) if i not in found and i not in contents]

    found |= _underlined(runs)
    found |= parts(runs, free(), width)
    found |= numbered(runs, free(), width, found)
    rank = min((heading.rank for heading in found.values() if heading.rank >= ROMAN_RANK), default=DECIMAL_RANK)
    if not any(heading.rank < ROMAN_RANK and not _APPENDIX.match(heading.text) for heading in found.values()):
        found = {i: heading._replace(rank=max(heading.rank, rank)) for i, heading in found.items()}
    found |= _capitals(runs, free(), rank)
    found |= _outdented(runs, free(), rank)
    found = found or _alone(runs)
    found |= _special(runs, free(), found)
    return dict(sorted(found.items()))


def _underlined(runs: Sequence[Run]) -> Found:
    """Titles with a line of signs below, and perhaps one above; ranked by when each sign is first used."""
    styles: dict[tuple[bool, str], list[tuple[int, str, int]]] = {}
    for i, run in enumerate(runs):
        signs = [n for n, line in enumerate(run.lines[: MOST_LINES + 2]) if UNDERLINE.fullmatch(line.text)]
        over = signs[:1] == [0]
        under = next((n for n in signs if n), 0)
        if under > over and _fits(run.lines[over:under], run.lines[under], run.lines[0] if over else None):
            title = " ".join(line.text for line in run.lines[over:under])
            styles.setdefault((over, run.lines[under].text[0]), []).append((i, title, under + 1))
    order = list(styles)
    places = [n for n, (over, sign) in enumerate(order) if not over and sign in _SIGNS]
    known = sorted((order[n] for n in places), key=lambda style: _SIGNS.index(style[1]))
    for place, style in zip(places, known, strict=True):
        order[place] = style
    return {
        i: Heading(text, UNDERLINED + rank, lines)
        for rank, style in enumerate(order)
        for i, text, lines in styles[style]
    }


def _fits(title: Sequence[Line], under: Line, over: Line | None) -> bool:
    """Whether the signs are an underline of the title rather than a rule or a fence."""
    length = max(len(line.text) for line in title)
    tolerance = max(3, length // 3)
    if over:
        fits = over.text == under.text and len(under.text) >= length - tolerance
    else:
        fits = abs(len(under.text) - length) <= tolerance and abs(title[0].indent - under.indent) <= tolerance
    return (
        fits
        and len(title) <= MOST_LINES
        and length <= LONGEST
        and any(map(str.isalnum, title[0].text))
        and not any(_COLUMNS.search(line.text) or line.text[-1] == "." or "://" in line.text for line in title)
    )


def _capitals(runs: Sequence[Run], free: Sequence[int], rank: int) -> Found:
    """Lines in capitals, if there are several with text below them."""
    body = body_indent(runs)
    candidates = {i: lines for i in free if (lines := _capital_lines(runs[i], body))}
    bodied = sum(has_body(i, lines, runs, candidates) for i, lines in candidates.items())
    if len(candidates) < FEWEST or 2 * bodied < len(candidates):
        return {}
    return {i: Heading(" ".join(line.text for line in runs[i].lines[:n]), rank, n) for i, n in candidates.items()}


def _capital_lines(run: Run, body: int) -> int:
    """How many lines at the beginning of a run are a heading in capitals: all of it, or one above indented text."""
    lines = 0
    while lines < len(run.lines) and _is_capitals(run.lines[lines].text):
        lines += 1
    first = run.lines[0].indent
    if lines == 1 < len(run.lines) and run.lines[1].indent > first + 1:
        return 1
    return lines if lines == len(run.lines) and lines <= MOST_LINES and not body + 1 < first < _CENTRED else 0


def _is_capitals(text: str) -> bool:
    return (
        text.isupper()
        and text[0].isalnum()
        and is_title(text)
        and not _CODE.search(text)
        and sum(map(str.isalpha, text)) >= max(3, len(text) // 2)
    )


def _outdented(runs: Sequence[Run], free: Sequence[int], rank: int) -> Found:
    """Lines alone, further left than the text, where hardly anything else is; deeper ones are further right."""
    body = body_indent(runs)
    by_indent: dict[int, list[int]] = defaultdict(list)
    for i in free:
        if runs[i].lines[0].indent < body and (i or alone_in_run(runs[i])):
            by_indent[runs[i].lines[0].indent].append(i)
    found: Found = {}
    for group in (by_indent[indent] for indent in sorted(by_indent)):
        titles = [i for i in group if _heads_indented(runs[i], runs[i + 1 : i + 2])]
        if len(titles) >= FEWEST and len(titles) >= CONSISTENT * len(group):
            found |= {i: Heading(runs[i].lines[0].text, rank) for i in titles}
            rank += 1
    return found


def _heads_indented(run: Run, following: Sequence[Run]) -> bool:
    first = run.lines[0]
    return alone_in_run(run) and is_title(first.text) and any(run.lines[0].indent > first.indent for run in following)


def _alone(runs: Sequence[Run]) -> Found:
    """Short lines alone, if nearly all such lines of the text read like titles and stand above sentences."""
    spaced = any(run.blanks for run in runs[1:])
    short = [
        i
        for i, run in enumerate(runs)
        if i and alone_in_run(run) and len(run.lines[0].text) <= LONGEST_ALONE and not ends_sentence(run.lines[0].text)
    ]
    titles = [
        i
        for i in short
        if is_title(text := runs[i].lines[0].text)
        and text[0].isalnum()
        and (runs[i].blanks or not spaced)
        and any(map(is_prose, runs[i + 1 : i + 2]))
    ]
    if len(titles) < FEWEST_ALONE or len(titles) < CONSISTENT * len(short) or 2 * len(titles) > len(runs):
        return {}
    return {i: Heading(runs[i].lines[0].text, ALONE) for i in titles}


def _special(runs: Sequence[Run], free: Sequence[int], found: Found) -> Found:
    """`Preface`, `References` and the like alone on a line, in a text that has other headings."""
    if not found:
        return {}
    ranks = {heading.rank for heading in found.values()}
    rank = min((rank for rank in ranks if rank > PARTS["part"]), default=min(ranks))
    return {
        i: Heading(runs[i].lines[0].text, rank)
        for i in free
        if i not in found and i + 1 < len(runs) and alone_in_run(runs[i]) and SPECIAL.fullmatch(runs[i].lines[0].text)
    }
