"""Links and moves, beside a tree of plain objects and the table of the semantics."""

import numpy as np
import pytest
from hypothesis import given

from docqn.document import NONE
from docqn.tree import Links, link, trace_moves
from tests.trees import Node, grow, ordered_trees, parents, random_parents


def number(node: Node | None) -> int:
    return NONE if node is None else node.number


def naive_links(nodes: list[Node]) -> dict[str, list[int]]:
    siblings = [node.parent.children if node.parent else [node] for node in nodes]
    return {
        "first_child": [node.children[0].number if node.children else NONE for node in nodes],
        "next_sibling": [number(node.sibling(1)) for node in nodes],
        "previous_sibling": [number(node.sibling(-1)) for node in nodes],
        "last": [node.last().number for node in nodes],
        "depth": [node.depth() for node in nodes],
        "height": [node.height() for node in nodes],
        "siblings_before": [group.index(node) for node, group in zip(nodes, siblings, strict=True)],
        "siblings_after": [len(group) - 1 - group.index(node) for node, group in zip(nodes, siblings, strict=True)],
    }


def naive_moves(node: Node) -> list[int]:
    """UpL, UpR, Down, Left, Right, as the paper and its authors' code have them."""
    if node.parent is None:
        up_left = up_right = node
    else:
        up_left = node.parent.sibling(-1) or node.parent
        up_right = node.parent.sibling(1) or node.parent
    down = node.children[0] if node.children else node
    return [to.number for to in (up_left, up_right, down, node.sibling(-1) or node, node.sibling(1) or node)]


def assert_true_of(links: Links, moves: list[list[int]], nodes: list[Node]) -> None:
    assert {name: array.tolist() for name, array in links._asdict().items()} == naive_links(nodes)
    assert moves == [naive_moves(node) for node in nodes]


@pytest.mark.parametrize(("nodes", "trees"), [(1, 1), (2, 1), (3, 2), (4, 5), (5, 14), (6, 42), (7, 132)])
def test_every_small_tree(nodes: int, trees: int) -> None:
    every = list(ordered_trees(nodes))
    assert len(every) == trees  # the Catalan numbers
    for parent in every:
        links = link(parents(parent))
        assert_true_of(links, trace_moves(parents(parent), links).tolist(), grow(parent))


@given(random_parents())
def test_trees_of_any_shape(parent: list[int]) -> None:
    links = link(parents(parent))
    assert_true_of(links, trace_moves(parents(parent), links).tolist(), grow(parent))


def test_a_chain_of_ten_thousand() -> None:
    depth = np.arange(10_000)
    links = link(parents([NONE, *range(9_999)]))
    assert np.array_equal(links.depth, depth)
    assert np.array_equal(links.height, depth[::-1])
    assert (links.last == 9_999).all()
    assert links.first_child.tolist() == [*range(1, 10_000), NONE]
    assert (links.next_sibling == NONE).all()
    assert (links.siblings_after == 0).all()


def test_a_star_of_a_hundred_thousand() -> None:
    parent = np.zeros(100_000, np.int32)
    parent[0] = NONE
    links = link(parent)
    assert np.array_equal(links.siblings_before, np.maximum(np.arange(100_000) - 1, 0))
    assert np.array_equal(links.siblings_before[1:], links.siblings_after[:0:-1])
    assert np.array_equal(links.last[1:], np.arange(1, 100_000))
    assert (links.last[0], links.height[0], links.depth.max()) == (99_999, 1, 1)
    moves = trace_moves(parent, links)
    assert moves[1].tolist() == [0, 0, 1, 1, 2]
    assert moves[-1].tolist() == [0, 0, 99_999, 99_998, 99_999]


def test_links_are_32_bit_integers() -> None:
    links = link(parents([NONE, 0, 1, 0]))
    assert {array.dtype for array in (*links, trace_moves(parents([NONE, 0, 1, 0]), links))} == {np.dtype(np.int32)}
