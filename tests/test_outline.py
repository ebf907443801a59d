"""The outline for people, whole and cut."""

from collections import defaultdict
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from docqn.build import Block, build_document
from docqn.document import NONE, PARAGRAPH, SECTION, SENTENCE, Document
from docqn.outline import Line, outline, overview
from tests.trees import block_lists


def build(*blocks: Block) -> Document:
    return build_document(blocks, source="a.md", format="markdown", title="Guide")


def test_headings_with_the_tokens_below_them_and_paragraphs_by_their_first_words() -> None:
    document = build(
        Block("Preface."), Block("One\ttwo", 1), Block("A word " * 40), Block("Deep", 2), Block("大" * 100)
    )
    assert list(outline(document)) == [
        Line(0, 0, "Guide", 1 + 2 + 2 + 80 + 1 + 100),
        Line(1, 1, "Preface."),
        Line(1, 3, "One two", 2 + 80 + 1 + 100),
        Line(2, 4, "A word " * 10 + "…"),
        Line(2, 6, "Deep", 1 + 100),
        Line(3, 7, "大" * 72 + " …"),
    ]


@settings(max_examples=50)
@given(block_lists)
def test_every_node_has_its_line(blocks: list[Block]) -> None:
    document = build(*blocks)
    lines = list(outline(document))
    assert [line.node for line in lines] == [u for u in range(len(document)) if document.kind[u] != SENTENCE]
    for line in lines:
        below = [other for other in lines if line.node <= other.node <= document.last[line.node]]
        counts = [len(document.tokens_of(other.node)) for other in below]
        assert line.depth == document.depth[line.node]
        assert line.tokens == (0 if document.kind[line.node] == PARAGRAPH else sum(counts))
        assert "\n" not in line.text


@settings(max_examples=60)
@given(block_lists, st.integers(1, 30))
def test_an_overview_shows_the_most_important_and_says_how_many_more_there_are(blocks: list[Block], most: int) -> None:
    document = build(*blocks)
    whole, lines = list(outline(document)), list(overview(document, most))
    if len(whole) <= most:
        assert lines == whole
        return
    assert len(lines) <= most
    shown = {line.node for line in lines} - {NONE}
    assert [line for line in lines if line.node != NONE] == [line for line in whole if line.node in shown]
    assert all(node == 0 or document.parent[node] in shown for node in shown)
    sections = {node for node in range(len(document)) if document.kind[node] == SECTION}
    deepest = max((document.depth[node] for node in shown & sections), default=0)
    assert all(node in shown for node in sections if document.depth[node] < deepest)
    assert sections <= shown or not any(document.kind[node] == PARAGRAPH for node in shown)

    groups: dict[tuple[int, int], list[int]] = defaultdict(list)
    for line in whole[1:]:
        groups[int(document.parent[line.node]), int(document.kind[line.node])].append(line.node)
    expected = []
    for nodes in groups.values():
        count = sum(node in shown for node in nodes)
        assert shown.issuperset(nodes[:count])
        if 0 < count < len(nodes):
            expected.append((nodes[count - 1], f"… {len(nodes) - count} more"))
    told = [(above.node, line.text) for above, line in pairwise(lines) if line.node == NONE]
    assert sorted(told) == sorted(expected)


def test_where_the_number_of_those_left_out_stands() -> None:
    document = build(*(Block(f"{n}", level) for n in range(3) for level in (1, 2)), *[Block("p")] * 1500)
    assert [(line.depth, line.text) for line in overview(document, 5)] == [
        (0, "Guide"),
        (1, "0"),
        (2, "0"),
        (1, "1"),
        (1, "2"),
    ]
    assert [(line.depth, line.text) for line in overview(document, 3)] == [(0, "Guide"), (1, "0"), (1, "… 2 more")]
    assert [(line.depth, line.text) for line in overview(document, 9)] == [
        (0, "Guide"),
        *[(depth, str(n)) for n in range(3) for depth in (1, 2)],
        (3, "p"),
        (3, "… 1,499 more"),
    ]


@pytest.mark.parametrize("most", [1, 2, 3])
def test_the_smallest_overviews(most: int) -> None:
    document = build(*(Block(f"{n}", 1) for n in range(100)))
    assert len(list(overview(document, most))) == (1 if most < 3 else 3)
    assert len(list(overview(build(), most))) == 1


def test_a_large_document_is_cut_at_once() -> None:
    document = build(*(Block(f"{n}", 1 + n % 5) for n in range(20_000)))
    lines = list(overview(document, 40))
    assert 30 <= len(lines) <= 40
    assert np.array_equal([line.depth for line in lines[:3]], [0, 1, 1])
