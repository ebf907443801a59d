"""The title of a plain text: its first lines, if they read like one, or lines near the beginning that are centred."""

from collections.abc import Mapping, Sequence
from itertools import takewhile

from docqn.parsers.plaintext.lines import Run
from docqn.parsers.plaintext.paragraphs import is_item
from docqn.parsers.plaintext.titles import MOST_LINES, ROMAN_RANK, SPECIAL, Heading, is_title

FIRST_RUNS = 6  # among which a centred title may stand
MOST_LINES_OF_FIRST = 2  # of a title that is not centred


def title_run(runs: Sequence[Run], headings: Mapping[int, Heading], width: int) -> int | None:
    """The number of the run that begins with the title."""
    if 0 in headings:
        return 0 if _is_above_all(runs, headings, width) else None
    for i, run in enumerate(runs[: min([FIRST_RUNS, len(runs) - 1, *headings])]):
        lines = title_lines(run)
        first = i == 0 and lines == len(run.lines) <= MOST_LINES_OF_FIRST and not is_item(run.lines[0])
        if lines and (first or _is_centred(run, width)):
            return i
    return None


def title_lines(run: Run) -> int:
    """How many lines at the beginning of a run are the title; it may begin with a small letter, as commands do."""
    return len(list(takewhile(lambda line: is_title(line.text[0].upper() + line.text[1:]), run.lines[:MOST_LINES])))


def _is_above_all(runs: Sequence[Run], headings: Mapping[int, Heading], width: int) -> bool:
    """Whether the heading that begins the text is the title: only another heading or a subtitle stands below it."""
    rank = headings[0].rank
    if SPECIAL.fullmatch(headings[0].text) or is_item(runs[0].lines[0]):
        return False
    if 1 in headings:
        return rank >= headings[1].rank or sum(heading.rank == rank for heading in headings.values()) == 1
    subtitled = len(runs) > 1 and is_title(runs[1].lines[0].text)
    return rank >= ROMAN_RANK and (subtitled or _is_centred(runs[0], width))


def _is_centred(run: Run, width: int) -> bool:
    return run.lines[0].indent > width // 5
