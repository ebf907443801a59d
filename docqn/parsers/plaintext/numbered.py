"""Numbered headings: `Chapter 4`, `2.3 Title`, `IV.`, `B. Title`."""

from bisect import bisect
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from docqn.parsers.plaintext.lines import Run, ends_sentence
from docqn.parsers.plaintext.numbering import DECIMAL, LETTER, PARTS, ROMAN, Number, begins, follows, part, readings
from docqn.parsers.plaintext.titles import (
    DECIMAL_RANK,
    FEWEST,
    FEWEST_ALONE,
    LEADERS,
    LETTER_RANK,
    LONGEST,
    LONGEST_ALONE,
    ROMAN_RANK,
    Found,
    Heading,
    alone_in_run,
    body_indent,
    has_body,
    is_title,
)

_RANKS = {ROMAN: ROMAN_RANK, LETTER: LETTER_RANK, DECIMAL: DECIMAL_RANK, LETTER + DECIMAL: DECIMAL_RANK}
WEAK = 0.6  # of the text's width: a numbered line shorter than this is not a wrapped one
_STARTS = 8  # places where the numbering is tried to begin


class _Numbered(NamedTuple):
    """A run that may begin with a numbered heading."""

    run: int
    lines: int
    number: Number


def parts(runs: Sequence[Run], free: Sequence[int], width: int) -> Found:
    """`Chapter 4`, `PART II: Title` and the like."""
    candidates = [
        candidate
        for i in free
        if (number := part(runs[i].lines[0].text)) and (candidate := _part(i, runs[i], number, width))
    ]
    by_word: dict[str, list[_Numbered]] = defaultdict(list)
    for candidate in candidates:
        by_word[candidate.number.family].append(candidate)
    found: Found = {}
    for word, group in by_word.items():
        kept = [
            c for cluster in _clusters(group, runs) if len(cluster) < 3 for c in cluster
        ]  # more are a table of contents
        titled = _titled_below(kept, runs)
        for run, lines, number in kept:
            rank = PARTS[word] + (len(number.values) - 1 if word == "section" else 0)
            text = " ".join(line.text for line in runs[run].lines[:lines])
            if titled:
                text += " " + runs[run + 1].lines[0].text
                found[run + 1] = Heading("", rank)
            found[run] = Heading(text, rank, lines)
    return found


def _part(i: int, run: Run, number: Number, width: int) -> _Numbered | None:
    first = run.lines[0].text
    if len(first) > LONGEST or first[-1] in ",;" or LEADERS.search(first):
        return None
    if len(run.lines) == 2 and not number.title and is_title(run.lines[1].text):
        return _Numbered(i, 2, number)
    if alone_in_run(run) or (
        run.lines[0].end < WEAK * width and not part(run.lines[1].text) and not ends_sentence(first)
    ):
        return _Numbered(i, 1, number)
    return None


def _titled_below(group: Sequence[_Numbered], runs: Sequence[Run]) -> bool:
    """Whether each of these numbers stands above its title, which is a run of its own."""
    return len(group) >= FEWEST and all(
        not c.number.title
        and c.run + 2 < len(runs)
        and alone_in_run(runs[c.run])
        and alone_in_run(runs[c.run + 1])
        and is_title(runs[c.run + 1].lines[0].text)
        and not (alone_in_run(runs[c.run + 2]) and is_title(runs[c.run + 2].lines[0].text))
        for c in group
    )


def _clusters(group: Sequence[_Numbered], runs: Sequence[Run]) -> Iterator[list[_Numbered]]:
    """The candidates, those together that are numbered on without anything between them, as the items of a list are."""
    others = {c.run for c in group}
    cluster: list[_Numbered] = []
    for candidate in group:
        if cluster:
            last = cluster[-1]
            *above, number = last.number.values
            on = candidate.number.values == (*above, number + 1)
            if not on or last.run + 1 != candidate.run or has_body(last.run, last.lines, runs, others):
                yield cluster
                cluster = []
        cluster.append(candidate)
    if cluster:
        yield cluster


def numbered(runs: Sequence[Run], free: Sequence[int], width: int, taken: Found) -> Found:
    """`2.3 Title`, `IV. Title`, `B. Title`: numbers that follow one another through the text, with text in between."""
    by_family: dict[str, list[_Numbered]] = defaultdict(list)
    body = body_indent(runs)
    for i in free:
        for number in readings(runs[i].lines[0].text):
            if _may_be_numbered(runs[i], number, width, body):
                by_family[number.family].append(_Numbered(i, 1, number))
    found: Found = {}
    for family, rank in _RANKS.items():
        higher = sorted(i for i, heading in (taken | found).items() if heading.rank < rank)
        group = [c for c in by_family[family] if c.run not in found]
        chain = _longest_chain(list(_clusters(group, runs)), higher)
        sure = chain and begins(chain[0].number.values) and any(c.number.title for c in chain)
        if len(chain) >= (FEWEST if sure else FEWEST_ALONE):
            for c in chain:
                text = runs[c.run].lines[0].text
                found[c.run] = Heading(text, rank + len(c.number.values) - 1, c.lines)
    return found


def _may_be_numbered(run: Run, number: Number, width: int, body: int) -> bool:
    """Whether the line has a title after its number, or nothing after a Roman one, and stands out from the text."""
    first, title = run.lines[0], number.title
    if title:
        ended = title[-1] == "." and "." not in title[:-1] and _in_title_case(title)  # as in `1. Definitions.`
        if not is_title(first.text[:-1] if ended else first.text) or (title[0].islower() and len(number.values) == 1):
            return False
    elif number.family != ROMAN:
        return False
    if body + 1 < first.indent <= width // 5:
        return False
    if alone_in_run(run):
        return True
    following = run.lines[1].text
    return bool(title) and first.end < WEAK * width and not following[0].islower() and not readings(following)


def _in_title_case(text: str) -> bool:
    """Whether all longer words begin with a capital."""
    return len(text) <= LONGEST_ALONE and not any(word[0].islower() for word in text.split() if len(word) > 4)


def _longest_chain(clusters: Sequence[list[_Numbered]], higher: Sequence[int]) -> list[_Numbered]:
    """The longest sequence of numbers that follow one another; it begins anew below each higher heading."""
    best: list[_Numbered] = []
    starts = [n for n, cluster in enumerate(clusters) if begins(cluster[0].number.values)][:_STARTS]
    for start in {0, *starts} if clusters else ():
        chain = _chain(clusters[start:], higher)
        best = max(best, chain, key=len)
    return best


def _chain(clusters: Sequence[list[_Numbered]], higher: Sequence[int]) -> list[_Numbered]:
    """What follows from the first cluster on. Several of one depth without text between them only continue a chain."""
    chains: list[list[_Numbered]] = [[]]
    for cluster in clusters:
        if chains[-1] and bisect(higher, cluster[0].run) > bisect(higher, chains[-1][-1].run):
            chains.append([])
        for candidate in cluster:
            values = candidate.number.values
            if chains[-1]:
                goes_on = follows(chains[-1][-1].number.values, values)
            else:
                goes_on = len(cluster) == 1 and (begins(values) or len(chains) == 1)
            if not goes_on:
                break
            chains[-1].append(candidate)
    return [candidate for chain in chains if len(chain) >= FEWEST for candidate in chain]
