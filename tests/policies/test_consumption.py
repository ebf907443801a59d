"""Tokens consumed, against a set of tokens."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from docqn.document import PARAGRAPH, SENTENCE, Document
from docqn.environment.observation import LONGEST, WORDS, observed_path
from docqn.policies.consumption import Ranges, consumed, united
from tests.documents import document

LONG = " ".join(f"word{i}" for i in range(30))
DOCUMENT = document(
    [
        "## One",
        f"{LONG}. Short.",
        "### Two",
        "Tiny.",
        "#### " + LONG,
        "##### A",
        "###### B",
        "####### C",
        LONG,
        "## End",
    ]
)


def tokens(ranges: Ranges) -> set[int]:
    return {token for start, end in ranges for token in range(start, end)}


def naive(document: Document, observed: set[int], read: set[int]) -> set[int]:
    seen: set[int] = set()
    for node in read:
        seen.update(range(document.first_token[node], document.end_token[node]))
    for node in observed:
        path = document.path(node)
        if document.kind[node] == SENTENCE:
            path.remove(int(document.parent[node]))
        if len(path) > LONGEST // WORDS:
            path = [*path[: LONGEST // WORDS - 1], node]
        for above in path:
            seen.update(list(range(document.first_token[above], document.end_token[above]))[:WORDS])
    return seen


nodes = st.sets(st.integers(0, len(DOCUMENT) - 1))


@given(nodes, nodes)
def test_each_token_counts_once(observed: set[int], read: set[int]) -> None:
    read = {node for node in read if DOCUMENT.kind[node] == PARAGRAPH}
    ranges = consumed(DOCUMENT, observed, read)
    assert tokens(ranges) == naive(DOCUMENT, observed, read)
    assert all(a[1] < b[0] for a, b in pairwise(ranges))


@given(nodes, nodes)
def test_a_union_is_that_of_the_tokens(one: set[int], other: set[int]) -> None:
    parts = [consumed(DOCUMENT, one), consumed(DOCUMENT, other)]
    assert tokens(united(DOCUMENT, *parts)) == tokens(parts[0]) | tokens(parts[1])
    assert united(DOCUMENT, *parts) == consumed(DOCUMENT, one | other)


def test_the_first_tokens() -> None:
    assert consumed(DOCUMENT, first=7) == [(0, 7)]
    assert consumed(DOCUMENT, first=10**6) == [(0, len(DOCUMENT.token))]
    assert consumed(DOCUMENT) == []


def test_a_path_has_at_most_six_nodes_and_no_paragraph_of_a_sentence() -> None:
    deepest = max(range(len(DOCUMENT)), key=lambda node: int(DOCUMENT.depth[node]))
    assert DOCUMENT.depth[deepest] > 7
    path = observed_path(DOCUMENT, deepest)
    assert len(path) == 6
    assert path[-1] == deepest
