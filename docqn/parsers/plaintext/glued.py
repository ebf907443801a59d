"""Headings without a blank line above them: the runs are divided there, so that each begins a run."""

import re
from collections.abc import Container, Iterator, Sequence

from docqn.parsers.plaintext.lines import UNDERLINE, Line, Run, ends_sentence
from docqn.parsers.plaintext.titles import FEWEST, LONGEST_ALONE, is_title

_NUMBERED = re.compile(r"\d{1,3}(?P<deeper>(?:\.\d{1,3})*)\.?\s+[^\W\d_]")


def unglued(runs: Sequence[Run]) -> list[Run]:
    """The runs, divided at underlined titles and, if there are several like `2.1 Title`, at all numbered ones."""
    numbered = {n: _numbered(run.lines) for n, run in enumerate(runs) if len(run.lines) > 1}
    if sum(deeper for found in numbered.values() for deeper in found.values()) < FEWEST:
        numbered = {}
    return [part for n, run in enumerate(runs) for part in _divided(run, numbered.get(n, ()))]


def _divided(run: Run, numbered: Container[int]) -> Iterator[Run]:
    lines, begin, blanks = run.lines, 0, run.blanks
    for i in range(1, len(lines)):
        if i in numbered or _underlined(lines, i):
            yield Run(lines[begin:i], blanks)
            begin, blanks = i, 0
    yield Run(lines[begin:], blanks) if begin else run


def _underlined(lines: Sequence[Line], i: int) -> bool:
    """Whether the line is a title with its underline below, after the end of a sentence."""
    if i + 1 == len(lines) or not UNDERLINE.fullmatch(lines[i + 1].text) or UNDERLINE.fullmatch(lines[i].text):
        return False
    return ends_sentence(lines[i - 1].text) and is_title(lines[i].text) and _alike(lines[i].text, lines[i + 1].text)


def _alike(title: str, signs: str) -> bool:
    return abs(len(title) - len(signs)) <= max(3, len(title) // 3)


def _numbered(lines: Sequence[Line]) -> dict[int, bool]:
    """Numbered titles between sentences or other titles, and whether each has a number like 2.1. Contents have none."""
    found: dict[int, bool] = {}
    for i, line in enumerate(lines):
        if len(line.text) <= LONGEST_ALONE and (match := _NUMBERED.match(line.text)) and is_title(line.text):
            below = lines[i + 1].text if i + 1 < len(lines) else ""
            if not i or ((ends_sentence(lines[i - 1].text) or i - 1 in found) and not below[:1].islower()):
                found[i] = bool(match["deeper"])
    return found if 2 * len(found) <= len(lines) else {}
