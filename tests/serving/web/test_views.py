"""What the page shows, against what is in the trace."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from docqn.document import SECTION
from docqn.serving.navigator import Navigator
from docqn.serving.result import Shade
from docqn.serving.web.views import LEVELS, MOST_LINES, bars, outline, panels, pieces, read_by
from tests.documents import document, sections
from tests.serving.readers import Signs
from tests.serving.walkers import Attentive

MADE = document(sections(6), title="Words")
LARGE = document([f"{'#' * (2 + n % 3)} Part {n}" for n in range(2000)] + ["The end. It is [here 90]."])


@settings(max_examples=40)
@given(st.sampled_from(["read-best", "random-walk", "bm25", "first-paragraph"]), st.integers(0, 50))
def test_every_token_that_was_read_is_in_a_bar_once(name: str, seed: int) -> None:
    found = Navigator(MADE, policy=name, reader=Signs(), cache=False).explore("Which word stands?", seed=seed)
    (bar,) = bars(found)
    shown = np.zeros(bar.tokens, int)
    for stretch in bar.stretches:
        assert 1 <= stretch.number <= found.result.steps
        shown[stretch.start : stretch.start + stretch.tokens] += 1
    read = np.zeros(bar.tokens, int)
    for start, end in found.traces[0].read:
        read[start:end] = 1
    assert (shown == read).all()
    after = read_by(found)
    assert after == sorted(after)
    assert (len(after), after[-1]) == (found.result.steps, found.result.tokens_read)


def test_each_document_has_its_bar_and_its_steps() -> None:
    other = document(["Which word stands? [None 40]"], title="Other")
    found = Navigator(MADE, other, reader=Signs(), cache=False).explore("Which word stands?")
    first, second = bars(found)
    assert (first.title, second.title) == ("Words", "Other")
    assert max(one.number for one in first.stretches) < min(one.number for one in second.stretches)
    assert [panel.number for panel in panels(found)] == [*range(1, found.result.steps + 1)]


def test_the_outline_has_every_heading_and_the_steps() -> None:
    found = Navigator(MADE, reader=Signs(), cache=False).explore("Which word stands?")
    visited = [visit.node for visit in found.result.trace]
    lines = outline(MADE, visited)
    assert [line.node for line in lines if line.heading] == np.flatnonzero(MADE.kind <= SECTION).tolist()
    assert {line.node: line.steps for line in lines if line.steps} == {
        node: [number for number, at in enumerate(visited, 1) if at == node] for node in visited
    }
    assert [line.node for line in lines] == sorted(line.node for line in lines)


def test_of_a_large_outline_what_is_near_the_way_is_shown() -> None:
    last = int(LARGE.parent[-1])
    lines = outline(LARGE, [last])
    way = [node for node in LARGE.path(last) if LARGE.kind[node] <= SECTION]
    shown = {line.node for line in lines}
    assert {*way} <= shown
    assert len(lines) == MOST_LINES + 1 + (LARGE.kind[last] > SECTION)
    assert lines[-1].hidden == 2001 - MOST_LINES
    assert all(line.node <= 0 or int(LARGE.parent[line.node]) in shown for line in lines)


@given(st.data())
def test_pieces_are_the_text_with_its_marks(data: st.DataObject) -> None:
    node = data.draw(st.sampled_from(range(len(MADE))))
    start, end = int(MADE.start[node]), int(MADE.end[node])
    places = st.integers(start, end)
    spans = data.draw(st.lists(st.tuples(places, places, st.floats(0, 1)), max_size=4))
    shades = [Shade(min(a, b), max(a, b), "", weight) for a, b, weight in spans]
    a, b = data.draw(places), data.draw(places)
    answer = (min(a, b), max(a, b))
    parts = [*pieces(MADE, node, shades, 1.0, answer)]
    assert "".join(part.text for part in parts) == MADE.text_of(node)
    assert "".join(part.text for part in parts if part.answer) == MADE.text[answer[0] : answer[1]]
    at = start
    for part in parts:
        for place in range(at, at + len(part.text)):
            over = [shade for shade in shades if shade.start <= place < shade.end]
            assert part.level == (round(LEVELS * over[-1].weight) if over else 0)
        at += len(part.text)


def test_a_long_paragraph_is_shown_around_its_answer() -> None:
    words = " ".join(f"word{number}" for number in range(5000))
    made = document([words])
    start = made.text.index("word4000")
    parts = [*pieces(made, 1, (), 0.0, (start, start + 8))]
    assert [part.text for part in parts if part.answer] == ["word4000"]
    assert sum(len(part.text) for part in parts) < 7000


def test_a_walk_is_shown_with_its_attention_and_values() -> None:
    found = Navigator(MADE, policy=Attentive(), reader=Signs(), cache=False).explore("Which word stands?")
    shown = panels(found)
    assert [panel.visit.action for panel in shown] == ["Down", "Down", "Answer", "Stop"]
    title, section, answer, _ = shown
    assert (title.path, [tuple(part) for part in title.text]) == ([], [("Words", LEVELS, False)])
    assert [tuple(part) for part in section.text] == [("Part ", 0, False), ("0", LEVELS, False)]
    assert [part.text for line in section.path for part in line] == ["Words"]
    assert [tuple(part) for part in answer.text] == [
        ("Word", 0, True),
        (" 0 stands here. It is alone", 0, False),
        (".", LEVELS, False),
    ]
    assert answer.after == "Then came 0 more. They left again."
    assert [part.text for part in title.question if part.level] == ["Which"]
    assert [(name, value) for name, value, taken in title.values if taken] == [("Down", 1.5)]
    assert len(title.values) == 7


@given(st.integers(1, 60))
def test_what_a_walk_observes_is_in_the_bar(most: int) -> None:
    found = Navigator(MADE, policy=Attentive(), reader=Signs(), cache=False).explore("Which word?", max_tokens=most)
    after = read_by(found)
    assert (after[-1] if after else 0) == found.result.tokens_read <= most
