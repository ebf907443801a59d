"""What follows from the parents of a pre-order tree: links, distances, and where the five moves lead."""

from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from docqn.document import DOWN, LEFT, MOVES, NONE, RIGHT, UP_LEFT, UP_RIGHT

Ints = NDArray[np.int32]


class Links(NamedTuple):
    """Arrays over nodes; see `Document`."""

    first_child: Ints
    next_sibling: Ints
    previous_sibling: Ints
    last: Ints
    depth: Ints
    height: Ints
    siblings_before: Ints
    siblings_after: Ints


def link(parent: Ints) -> Links:
    """All links of a tree whose nodes are in pre-order, from the parent of each (NONE for node 0)."""
    nodes = len(parent)
    first_child, next_sibling, previous_sibling, before, after = (np.full(nodes, NONE, np.int32) for _ in range(5))

    # Siblings are neighbours once the nodes are sorted by parent, which keeps their order.
    order = np.argsort(parent, kind="stable").astype(np.int32)
    of = parent[order]
    opens = np.ones(nodes, bool)  # the first sibling of each group
    opens[1:] = of[1:] != of[:-1]
    first = np.flatnonzero(opens)
    size = np.diff(first, append=nodes)
    rank = np.arange(nodes) - np.repeat(first, size)
    before[order] = rank
    after[order] = np.repeat(size, size) - 1 - rank
    left, right = order[:-1][~opens[1:]], order[1:][~opens[1:]]
    next_sibling[left] = right
    previous_sibling[right] = left
    first_child[of[first[1:]]] = order[first[1:]]

    depth, height, last = _levels(parent, next_sibling)
    return Links(first_child, next_sibling, previous_sibling, last, depth, height, before, after)


def _levels(parent: Ints, next_sibling: Ints) -> tuple[Ints, Ints, Ints]:
    """Depth, height and last descendant of each node, one level of the tree at a time."""
    nodes = len(parent)
    depth = np.zeros(nodes, np.int32)
    ancestor = np.maximum(parent, 0)
    depth[1:] = 1
    while ancestor.any():  # doubles the stride: depth is known up to `ancestor`
        depth += depth[ancestor]
        ancestor = ancestor[ancestor]

    by_depth = np.argsort(depth, kind="stable")
    bounds = np.searchsorted(depth[by_depth], np.arange(depth.max(initial=0) + 2))
    levels = [by_depth[a:b] for a, b in pairwise(bounds)]

    last = np.full(nodes, nodes - 1, np.int32)
    for level in levels[1:]:
        following = next_sibling[level]
        last[level] = np.where(following != NONE, following - 1, last[parent[level]])

    height = np.zeros(nodes, np.int32)
    for level in levels[:0:-1]:
        np.maximum.at(height, parent[level], height[level] + 1)
    return depth, height, last


def trace_moves(parent: Ints, links: Links) -> Ints:
    """[nodes, 5]: where each move leads. Up goes to the parent's neighbour, or to the parent if it has none there;
    a move that is not possible stays in place."""
    here = np.arange(len(parent), dtype=np.int32)
    up = np.maximum(parent, 0)
    moves = np.empty((len(parent), len(MOVES)), np.int32)
    moves[:, UP_LEFT] = _or(links.previous_sibling[up], up)
    moves[:, UP_RIGHT] = _or(links.next_sibling[up], up)
    moves[:, DOWN] = _or(links.first_child, here)
    moves[:, LEFT] = _or(links.previous_sibling, here)
    moves[:, RIGHT] = _or(links.next_sibling, here)
    return moves


def _or(target: Ints, otherwise: Ints) -> Ints:
    return np.where(target == NONE, otherwise, target)
