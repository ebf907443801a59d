"""What titles look like, and what is known of the runs they stand in."""

import re
from collections import defaultdict
from collections.abc import Container, Sequence
from typing import NamedTuple

from docqn.parsers.plaintext.lines import Run, ends_sentence

LONGEST = 80  # characters
LONGEST_ALONE = 60  # of a heading that little else tells
MOST_LINES = 3  # of a heading
FEWEST = 2  # headings of a kind
FEWEST_ALONE = 3

# Kinds of headings from the highest down; the words of `numbering.PARTS` come before all these.
UNDERLINED = 10
ROMAN_RANK, LETTER_RANK, DECIMAL_RANK = 40, 41, 42  # deeper decimals add their depth
ALONE = 80
OUTLINE = 100  # deeper lines add their depth

_MOST_LISTED = 500  # runs of a table of contents

LEADERS = re.compile(r"\.{4}|(?:\. ){3}|…{2}|\s{2,}\d+$")  # of a table of contents
_NOT_A_TITLE = re.compile(rf"[.,;:!]$|\S\s{{4,}}\S|://|\S@\S|{LEADERS.pattern}")
SPECIAL = re.compile(
    r"(?:abstract|acknowledge?ments?|afterword|authors?['’]? address(?:es)?|bibliography|conclusions?|dedication|"
    r"epilogue|foreword|glossary|index|introduction|name|preface|prologue|references|summary|(?:table of )?contents):?",
    re.IGNORECASE,
)
_CONTENTS = re.compile(r"(?:table of )?contents\W*", re.IGNORECASE)
_NUMBER = re.compile(r"(?:[^\W\d]+ +)?(?:\d+(?:\.\d+)*|[IVXLC]+|[A-Z])\.?(?=\s)|[\s.…]+\d*$")


class Heading(NamedTuple):
    """A run's first lines as a heading."""

    text: str
    rank: int  # the lower, the higher it stands
    lines: int = 1


Found = dict[int, Heading]  # by the number of the run


def is_title(text: str, longest: int = LONGEST) -> bool:
    """Whether a line reads like a title: short, in words, without the beginning or end of a sentence."""
    return (
        len(text) <= longest and not text[0].islower() and any(map(str.isalpha, text)) and not _NOT_A_TITLE.search(text)
    )


def alone_in_run(run: Run) -> bool:
    return len(run.lines) == 1


def has_body(number: int, lines: int, runs: Sequence[Run], others: Container[int]) -> bool:
    """Whether something other than another of its kind follows a heading."""
    return len(runs[number].lines) > lines or (number + 1 < len(runs) and number + 1 not in others)


def is_prose(run: Run) -> bool:
    """Whether the run ends a sentence, and is longer than headings are."""
    return ends_sentence(run.lines[-1].text) and sum(len(line.text) for line in run.lines) > LONGEST_ALONE


def listed(runs: Sequence[Run]) -> set[int]:
    """Runs in a table of contents: after that title, before any prose, and with the same title again further down."""
    starts = {i for i, run in enumerate(runs) if _CONTENTS.fullmatch(run.lines[0].text)}
    if not starts:
        return set()
    names = [_name(run) for run in runs]
    last = {name: i for i, name in enumerate(names)}
    found = set()
    end = 0  # of the list
    for i, run in enumerate(runs):
        if i in starts:
            end = i + _MOST_LISTED
        elif is_prose(run):
            end = i
        elif i < end and last[names[i]] > i:
            found.add(i)
    return found


def _name(run: Run) -> str:
    """A heading without its number and page."""
    return " ".join(_NUMBER.sub("", run.lines[0].text[:LONGEST]).casefold().split())


def body_indent(runs: Sequence[Run]) -> int:
    """The column where most text begins."""
    letters: dict[int, int] = defaultdict(int)
    for run in runs:
        for line in run.lines:
            letters[line.indent] += len(line.text)
    return max(letters, key=lambda indent: letters[indent], default=0)
