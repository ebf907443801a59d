"""Trees to test with, and a tree of plain objects that says what is true of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from docqn.build import Block
from docqn.document import NONE

Ints = NDArray[np.int32]


@dataclass(eq=False)
class Node:
    """A node as one would first write it down."""

    number: int
    parent: Node | None = None
    children: list[Node] = field(default_factory=list)

    def sibling(self, step: int) -> Node | None:
        """The one so many places to the right, or to the left if negative."""
        siblings = self.parent.children if self.parent else [self]
        place = siblings.index(self) + step
        return siblings[place] if 0 <= place < len(siblings) else None

    def depth(self) -> int:
        return self.parent.depth() + 1 if self.parent else 0

    def height(self) -> int:
        return max((child.height() + 1 for child in self.children), default=0)

    def last(self) -> Node:
        return self.children[-1].last() if self.children else self


def grow(parent: list[int]) -> list[Node]:
    """Nodes in pre-order, from the parent of each."""
    nodes = [Node(0)]
    for number, up in enumerate(parent[1:], start=1):
        node = Node(number, nodes[up])
        nodes[up].children.append(node)
        nodes.append(node)
    return nodes


def parents(children: Ints | list[int]) -> Ints:
    return np.asarray(children, np.int32)


def ordered_trees(nodes: int) -> Iterator[list[int]]:
    """The parents of every ordered tree with so many nodes, in pre-order."""

    def extend(parent: list[int], path: list[int]) -> Iterator[list[int]]:
        if len(parent) == nodes:
            yield parent
            return
        for i in range(len(path)):  # the next node hangs below any node on the path to the last one
            yield from extend([*parent, path[i]], [*path[: i + 1], len(parent)])

    yield from extend([NONE], [0])


@st.composite
def random_parents(draw: st.DrawFn, most: int = 300) -> list[int]:
    """The parents of a tree of any shape, in pre-order."""
    parent, path = [NONE], [0]
    for back in draw(st.lists(st.integers(0, 20), max_size=most)):
        del path[max(len(path) - back, 1) :]
        parent.append(path[-1])
        path.append(len(parent) - 1)
    return parent


# Words, all kinds of space, invisible characters, and what sentence splitters and tokenizers stumble over.
PIECES = (
    *("a", "The dog", "Dr.", "U.S.", "3.14", "x.Y", "don't", "end.", "Why?", "“Yes!”", "…", "e.g.", "—", "·", "_"),
    *(" ", "  ", "\t", "\n", "\n\n", "\r\n", "\u00a0", "\u2003", "\u2028", "\x0b", "\x0c", "\x1c", "\x85"),
    *("\ufeff", "\u200b", "\u00ad", "\u2060", "\x00", "\x07", "\x9d", "\ud800", "\u200d", "\u0301", "\u200f"),
    *("é", "e\u0301", "大学", "。", "カタカナ", "ひら", "กขค", "हिन्दी", "👩‍👩‍👧", "🇫🇷", "ﬁ", "𝒳", "İ", "ß"),
)
texts = st.lists(st.sampled_from(PIECES), max_size=12).map("".join) | st.text(max_size=12)
marks = st.lists(st.tuples(st.integers(0, 40), st.integers(1, 99)), max_size=4).map(lambda m: tuple(sorted(m)))
levels = st.sampled_from([0, 0, 0, 1, 2, 2, 3, 4, 6, 9, 255, 256, 1000])
places = st.sampled_from([NONE, 1, 7])
blocks = st.builds(Block, texts, levels, places, places, marks, marks)
block_lists = st.lists(blocks, max_size=25)
