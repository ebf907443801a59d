"""Document: an immutable tree of title, sections, paragraphs and sentences, as arrays in pre-order.

Node 0 is the title. A section's own text is its heading; what stands below it are its descendants, the nodes
`u + 1 … last[u]`. All node texts lie in one string, in order, so a span is two integers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from docqn.arrays import load_arrays, save_arrays
from docqn.errors import DocqnError

Ints = NDArray[np.int32]
Bytes = NDArray[np.uint8]

TITLE, SECTION, PARAGRAPH, SENTENCE = range(4)
KINDS = ("title", "section", "paragraph", "sentence")

UP_LEFT, UP_RIGHT, DOWN, LEFT, RIGHT = range(5)
MOVES = ("UpL", "UpR", "Down", "Left", "Right")

NONE = -1  # no such node, line or page

FORMAT_VERSION = 1


@dataclass(frozen=True, eq=False)
class Document:
    """A tree of nodes in pre-order (arrays of length `nodes`) over one text.

    Arrays may be views into a memory-mapped file; nothing is copied or written.
    """

    source: str  # file name or address, as given
    format: str  # name of the parser
    utf8: Bytes  # the text, [bytes]
    vocabulary_utf8: Bytes  # distinct tokens joined by line feeds, [bytes]

    kind: Bytes  # TITLE, SECTION, PARAGRAPH or SENTENCE
    level: Bytes  # heading level in the source (h2: 2); 0 for the title, paragraphs and sentences
    parent: Ints  # NONE for the title
    first_child: Ints  # NONE for a leaf
    next_sibling: Ints
    previous_sibling: Ints
    last: Ints  # the last descendant, or the node itself
    depth: Ints  # 0 for the title
    height: Ints  # 0 for a leaf
    siblings_before: Ints  # horizontal distance to the first sibling
    siblings_after: Ints  # horizontal distance to the last sibling
    index: Ints  # n(u): pre-order number among non-sentences; a sentence has its paragraph's
    start: Ints  # character span of the node's own text
    end: Ints
    line: Ints  # where it begins in the source, from 1; NONE if the format has no lines
    page: Ints
    first_token: Ints  # the node's own tokens: first_token[u] … end_token[u] - 1
    end_token: Ints
    moves: Ints  # [nodes, 5]: where UpL, UpR, Down, Left and Right lead

    token_start: Ints  # [tokens]: character spans
    token_end: Ints
    token: Ints  # [tokens]: number in `vocabulary`

    def __len__(self) -> int:
        return len(self.kind)

    @cached_property
    def text(self) -> str:
        """The text of all nodes in order."""
        return self.utf8.tobytes().decode()

    @cached_property
    def vocabulary(self) -> Sequence[str]:
        """The distinct tokens, in order of first appearance."""
        joined = self.vocabulary_utf8.tobytes().decode()
        return tuple(joined.split("\n")) if joined else ()

    @property
    def title(self) -> str:
        return self.text_of(0)

    def text_of(self, node: int) -> str:
        """The node's own text: title, heading, paragraph or sentence."""
        return self.text[self.start[node] : self.end[node]]

    def tokens_of(self, node: int) -> list[str]:
        """The node's own tokens."""
        return [self.vocabulary[i] for i in self.token[self.first_token[node] : self.end_token[node]].tolist()]

    def children(self, node: int) -> Iterator[int]:
        """Children from left to right."""
        child = int(self.first_child[node])
        while child != NONE:
            yield child
            child = int(self.next_sibling[child])

    def path(self, node: int) -> list[int]:
        """Nodes from the title down to the node, itself included."""
        path = [node]
        while path[-1] != 0:
            path.append(int(self.parent[path[-1]]))
        return path[::-1]

    def save(self, path: Path) -> None:
        """Write the document to one file (safetensors layout), whole or not at all."""
        arrays = {name: getattr(self, name) for name in ARRAYS}
        save_arrays(path, arrays, {"docqn": f"document {FORMAT_VERSION}", "source": self.source, "format": self.format})

    @classmethod
    def load(cls, path: Path) -> Document:
        """Open a saved document; its arrays are views of the memory-mapped file."""
        from docqn.invariants import violations

        arrays, meta = load_arrays(path)
        if meta.get("docqn") != f"document {FORMAT_VERSION}":
            raise DocqnError(f"{path}: not a docqn document of format {FORMAT_VERSION}; parse the source again")
        if missing := [name for name in ("source", "format", *ARRAYS) if name not in (arrays.keys() | meta.keys())]:
            raise DocqnError(f"{path}: damaged document, {missing[0]} is missing; parse the source again")
        document = cls(meta["source"], meta["format"], **{name: arrays[name] for name in ARRAYS})
        if found := violations(document):
            raise DocqnError(f"{path}: damaged document, {found[0]}; parse the source again")
        return document


ARRAYS = tuple(field.name for field in fields(Document) if field.name not in ("source", "format"))
