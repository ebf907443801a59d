"""The outline of a document for people: headings with the size of what is below, paragraphs by their first words."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from docqn.document import NONE, PARAGRAPH, SENTENCE, Document

FIRST_WORDS = 72  # characters of a paragraph, at most


class Line(NamedTuple):
    """A node, or the number of those left out (`node` is NONE)."""

    depth: int
    node: int
    text: str
    tokens: int = 0  # of a heading and all below it; 0 for paragraphs


def outline(document: Document) -> Iterator[Line]:
    """A line for every node but sentences."""
    return (_line(document, node) for node in np.flatnonzero(document.kind != SENTENCE).tolist())


def overview(document: Document, most: int) -> Iterator[Line]:
    """At most so many lines: headings before paragraphs, higher ones before lower ones, the first of each group before
    later ones; and after a group of which only some are shown, how many more there are."""
    nodes = np.flatnonzero(document.kind != SENTENCE)
    group, rank = _groups(document, nodes)
    paragraph = document.kind[nodes] == PARAGRAPH
    order = np.lexsort((rank, np.where(paragraph, 0, document.depth[nodes]), paragraph))
    size = np.bincount(group)
    count = min(most, len(nodes))
    while True:
        shown = np.bincount(group[order[:count]], minlength=len(size))
        cut = (shown > 0) & (shown < size)
        if count + np.count_nonzero(cut) <= most or count == 1:
            break
        count -= 1
    for i in np.sort(order[:count]).tolist():
        yield _line(document, int(nodes[i]))
        if cut[group[i]] and rank[i] == shown[group[i]] - 1:
            yield Line(int(document.depth[nodes[i]]), NONE, f"… {size[group[i]] - shown[group[i]]:,} more")


def _groups(document: Document, nodes: NDArray[np.intp]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """For each of the nodes, which group it is in, sections or paragraphs of one parent, and its place there."""
    key = 2 * document.parent[nodes].astype(np.int64) + (document.kind[nodes] == PARAGRAPH)
    order = np.argsort(key, kind="stable")
    opens = np.diff(key[order], prepend=key[order[0]] - 1) != 0
    first = np.flatnonzero(opens)
    group, rank = np.empty_like(order), np.empty_like(order)
    group[order] = np.cumsum(opens) - 1
    rank[order] = np.arange(len(order)) - np.repeat(first, np.diff(first, append=len(order)))
    return group, rank


def _line(document: Document, node: int) -> Line:
    depth, start, end = int(document.depth[node]), int(document.start[node]), int(document.end[node])
    if document.kind[node] != PARAGRAPH:
        tokens = int(document.end_token[document.last[node]] - document.first_token[node])
        return Line(depth, node, " ".join(document.text[start:end].split()), tokens)
    text = " ".join(document.text[start : min(end, start + FIRST_WORDS)].split())
    return Line(depth, node, text if end - start <= FIRST_WORDS else f"{text.rsplit(' ', 1)[0]} …")
