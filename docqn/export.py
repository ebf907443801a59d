"""A document as JSON for other programs, in pieces, so that a million nodes need no second copy in memory."""

import json
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from docqn.document import KINDS, NONE, SECTION, Document

_AT_ONCE = 10_000  # nodes

Ints = NDArray[np.int32]


def document_json(document: Document) -> Iterator[str]:
    """Every node in pre-order. `id` counts all nodes, `index` is n(u); `start` and `end` are offsets into `text`."""
    head = {
        "title": document.title,
        "source": document.source,
        "format": document.format,
        "tokens": len(document.token),
        "text": document.text,
    }
    yield json.dumps(head)[:-1] + ', "nodes": ['
    for first in range(0, len(document), _AT_ONCE):
        yield (", " if first else "") + json.dumps(_records(document, slice(first, first + _AT_ONCE)))[1:-1]
    yield "]}"


def _records(document: Document, nodes: slice) -> list[dict[str, object]]:
    start, end = document.start[nodes].tolist(), document.end[nodes].tolist()
    columns = {
        "id": range(nodes.start, nodes.start + len(start)),
        "index": document.index[nodes].tolist(),
        "kind": [KINDS[kind] for kind in document.kind[nodes].tolist()],
        "parent": _or_null(document.parent[nodes]),
        "depth": document.depth[nodes].tolist(),
        "height": document.height[nodes].tolist(),
        "start": start,
        "end": end,
        "text": [document.text[a:b] for a, b in zip(start, end, strict=True)],
        "page": _or_null(document.page[nodes]),
        "line": _or_null(document.line[nodes]),
    }
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def _or_null(column: Ints) -> list[int | None]:
    return [None if value == NONE else value for value in column.tolist()]


def outline_json(document: Document) -> Iterator[str]:
    """Title and sections, nested: `title`, `node_id`, `start_index`, `end_index`, `nodes`.

    `node_id` is n(u) in four digits or more. The indices are the first and the last page that the section covers, where
    the document has pages; else offsets into its text, from the heading's start to the end of all that stands below it.
    """
    sections = np.flatnonzero(document.kind <= SECTION)
    first, last = (indices[sections].tolist() for indices in _extents(document))
    depths = document.depth[sections].tolist()
    numbers = document.index[sections].tolist()
    above = -1  # depth of the section before
    for node, number, depth, start, end in zip(sections.tolist(), numbers, depths, first, last, strict=True):
        if depth <= above:
            yield "]}" * (above - depth + 1) + ", "
        entry = {"title": document.text_of(node), "node_id": f"{number:04}", "start_index": start, "end_index": end}
        yield json.dumps(entry)[:-1] + ', "nodes": ['
        above = depth
    yield "]}" * (above + 1)


def _extents(document: Document) -> tuple[Ints, Ints]:
    """Where each node's subtree begins and ends: pages if there are any, else character offsets."""
    known = np.flatnonzero(document.page != NONE)
    if not known.size:
        return document.start, document.end[document.last]
    at = np.zeros(len(document), np.intp)
    at[known] = known
    page = document.page[np.maximum(np.maximum.accumulate(at), known[0])]  # of the nearest node before that has one
    return page, np.maximum(page, page[document.last])
