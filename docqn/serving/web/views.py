"""What the page shows of a document and of an exploration, ready for the templates."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from docqn.document import PARAGRAPH, SECTION, SENTENCE, Document
from docqn.environment.pairs import Pair
from docqn.policies.consumption import Ranges, consumed
from docqn.policies.trace import Trace
from docqn.serving.navigator import Exploration
from docqn.serving.result import Shade, Visit

Longs = NDArray[np.int64]

LEVELS = 5  # of attention that are told apart
MOST_LINES = 300  # of an outline
FIRST_WORDS = 64  # characters of a paragraph in the outline
NEIGHBOUR = 260  # characters of the paragraphs before and after
LONGEST = 6000  # characters of a paragraph
DEEPEST = 8  # levels of the outline that are told apart

ACTIONS_IN_WORDS = {
    "UpL": "goes up to the left",
    "UpR": "goes up to the right",
    "Down": "goes down",
    "Left": "goes left",
    "Right": "goes right",
    "Answer": "reads the paragraph",
    "Stop": "stops here",
}


class Piece(NamedTuple):
    """A part of a text with its attention, 0 to LEVELS, and whether it is the answer."""

    text: str
    level: int = 0
    answer: bool = False


@dataclass
class Line:
    """A line of the outline."""

    node: int
    depth: int
    text: str
    heading: bool
    steps: list[int] = field(default_factory=list)  # the numbers of the visits
    hidden: int = 0  # how many are left out in place of this line


class Panel(NamedTuple):
    """What is shown at a step."""

    number: int
    visit: Visit
    action: str
    path: list[list[Piece]]
    heading: bool  # whether the place is a heading, and not a paragraph
    before: str
    text: list[Piece]
    after: str
    question: list[Piece]  # where attention was paid to it
    values: list[tuple[str, float, bool]]  # each action's, and whether it was taken


class Stretch(NamedTuple):
    """A part of a document that was read at a step."""

    number: int
    start: int  # in tokens
    tokens: int


class Bar(NamedTuple):
    """A document from its first token to its last, and what was read of it."""

    title: str
    tokens: int
    stretches: list[Stretch]


def outline(document: Document, visited: Sequence[int] = ()) -> list[Line]:
    """Headings, and the paragraphs that were visited. Of a large document only what is near the way."""
    shown = _sections(document, visited)
    paragraphs = {int(document.parent[u]) if document.kind[u] == SENTENCE else u for u in visited}
    lines: list[Line] = []
    for node in sorted(shown | paragraphs):
        heading = bool(document.kind[node] <= SECTION)
        words = " ".join(document.text_of(node).split())
        if not heading and len(words) > FIRST_WORDS:
            words = words[:FIRST_WORDS].rsplit(" ", 1)[0] + " …"
        lines.append(Line(node, min(int(document.depth[node]), DEEPEST), words, heading))
    left = int((document.kind <= SECTION).sum()) - len(shown)
    if left:
        lines.append(Line(-1, 0, "", heading=False, hidden=left))
    places = {line.node: line for line in lines}
    for number, node in enumerate(visited, 1):
        at = int(document.parent[node]) if document.kind[node] == SENTENCE else node
        places[at].steps.append(number)
    return lines


def _sections(document: Document, visited: Sequence[int]) -> set[int]:
    sections = np.flatnonzero(document.kind <= SECTION)
    if len(sections) <= MOST_LINES:
        return {*sections.tolist()}
    way = {above for node in visited for above in document.path(node) if document.kind[above] <= SECTION} | {0}
    near = [child for node in sorted(way) for child in document.children(node) if document.kind[child] == SECTION]
    by_depth = sections[np.argsort(document.depth[sections], kind="stable")].tolist()
    chosen = set(way)
    for node in [*near, *by_depth]:
        if len(chosen) >= max(MOST_LINES, len(way)):
            break
        if int(document.parent[node]) in chosen:
            chosen.add(node)
    return chosen


def panels(found: Exploration) -> list[Panel]:
    """What is shown at each step."""
    steps = [(pair.document, visit) for pair, way in zip(found.pairs, found.ways, strict=True) for visit in way]
    return [_panel(number, visit, document, found.result.question) for number, (document, visit) in enumerate(steps, 1)]


def told(visit: Visit) -> str:
    """What is done at a visit."""
    return f"{ACTIONS_IN_WORDS[visit.action]}, at {visit.kind} {visit.index}"


def _panel(number: int, visit: Visit, document: Document, question: str) -> Panel:
    node = int(document.parent[visit.node]) if document.kind[visit.node] == SENTENCE else visit.node
    above = [u for u in document.path(visit.node) if document.kind[u] <= SECTION and u != node]
    span = (visit.reading.evidence.start, visit.reading.evidence.end) if visit.reading else None
    most = max((shade.weight for shade in visit.attention), default=0.0)
    loudest = max((shade.weight for shade in visit.question_attention), default=0.0)
    shaded = [[*pieces(document, u, visit.attention, most)] for u in above]
    return Panel(
        number,
        visit,
        ACTIONS_IN_WORDS[visit.action],
        shaded,
        bool(document.kind[node] <= SECTION),
        _neighbour(document, int(document.previous_sibling[node]), last=True),
        [*pieces(document, node, visit.attention, most, span)],
        _neighbour(document, int(document.next_sibling[node]), last=False),
        [*_pieces(question, 0, visit.question_attention, loudest)] if visit.question_attention else [],
        [(name, value, name == visit.action) for name, value in (visit.values or {}).items()],
    )


def pieces(
    document: Document, node: int, shades: Sequence[Shade], most: float, answer: tuple[int, int] | None = None
) -> Iterable[Piece]:
    """A node's text in pieces."""
    start, end = int(document.start[node]), int(document.end[node])
    first = start
    if end - start > LONGEST:  # what matters is in the middle
        middle = answer[0] if answer else start
        first = max(start, min(middle - LONGEST // 2, end - LONGEST))
        end = first + LONGEST
    return _pieces(document.text[first:end], first, shades, most, answer)


def _pieces(
    text: str, start: int, shades: Sequence[Shade], most: float, answer: tuple[int, int] | None = None
) -> Iterable[Piece]:
    level = np.zeros(len(text) + 1, np.int64)
    for shade in shades:
        strength = round(LEVELS * shade.weight / most) if most > 0 else 0
        level[max(shade.start - start, 0) : max(shade.end - start, 0)] = strength
    marked = np.zeros(len(text) + 1, np.int64)
    if answer:
        marked[max(answer[0] - start, 0) : max(answer[1] - start, 0)] = 1
    state = (2 * level + marked)[: len(text)]
    bounds = [0, *(np.flatnonzero(np.diff(state)) + 1).tolist(), len(text)]
    for a, b in pairwise(bounds):
        if b > a:
            yield Piece(text[a:b], int(state[a]) // 2, bool(state[a] % 2))


def _neighbour(document: Document, node: int, *, last: bool) -> str:
    if node < 0 or document.kind[node] != PARAGRAPH:
        return ""
    text = document.text_of(node)
    if len(text) <= NEIGHBOUR:
        return text
    return "… " + text[-NEIGHBOUR:].split(" ", 1)[-1] if last else text[:NEIGHBOUR].rsplit(" ", 1)[0] + " …"


def bars(found: Exploration) -> list[Bar]:
    """For each document what was read of it."""
    made, first = [], 1
    for pair, trace, way in zip(found.pairs, found.traces, found.ways, strict=True):
        made.append(Bar(pair.document.title, len(pair.document.token), stretches(pair, trace, way, first)))
        first += len(way)
    return made


def stretches(pair: Pair, trace: Trace, way: Sequence[Visit], first: int) -> list[Stretch]:
    """What was read of a document, by the step at which it was read first; the steps are numbered from `first`."""
    document = pair.document
    observes = consumed(document, (), trace.paragraphs) != trace.read
    step: Longs = np.zeros(len(document.token), np.int64)  # at which each token was read first; 0: never
    for number, visit in enumerate(way, first):
        node = int(document.parent[visit.node]) if document.kind[visit.node] == SENTENCE else visit.node
        read = [node] if node in trace.paragraphs and visit.reading else []
        _mark(step, consumed(document, [visit.node] if observes and trace.steps else [], read), number)
    _mark(step, trace.read, first + len(way) - 1)  # what no step accounts for
    edges = np.flatnonzero(np.diff(step, prepend=0, append=0)).tolist()
    return [Stretch(int(step[a]), a, b - a) for a, b in pairwise(edges) if step[a]]


def _mark(seen: Longs, ranges: Ranges, number: int) -> None:
    for start, end in ranges:
        part = seen[start:end]
        part[part == 0] = number


def read_by(found: Exploration) -> list[int]:
    """Tokens that had been read after each step, over all documents."""
    counts: Longs = np.zeros(len(found.result.trace) + 1, np.int64)
    for bar in bars(found):
        for stretch in bar.stretches:
            counts[stretch.number] += stretch.tokens
    after: list[int] = counts.cumsum()[1:].tolist()
    return after
