"""What holds for every document, whatever it was parsed from; used on loading and by the tests."""

import numpy as np

from docqn.document import ARRAYS, MOVES, NONE, PARAGRAPH, SECTION, SENTENCE, TITLE, Document
from docqn.tree import Links, link, trace_moves


def violations(document: Document) -> list[str]:
    """What is wrong with the document, one line each; empty for a sound one."""
    found = _shapes(document) or _texts(document) or _nesting(document)
    return found or [*_derived(document), *_spans(document), *_tokens(document)]


def _shapes(d: Document) -> list[str]:
    """Shape and type of every array."""
    if not d.kind.size:
        return ["there is no title"]
    shapes = {"utf8": (d.utf8.size,), "vocabulary_utf8": (d.vocabulary_utf8.size,), "moves": (d.kind.size, len(MOVES))}
    shapes |= dict.fromkeys(("token", "token_start", "token_end"), (d.token.size,))
    found = []
    for name in ARRAYS:
        array = getattr(d, name)
        if array.shape != shapes.get(name, (d.kind.size,)):
            found.append(f"{name} is of the wrong shape")
        if array.dtype != (np.uint8 if name in ("utf8", "vocabulary_utf8", "kind", "level") else np.int32):
            found.append(f"{name} is of the wrong type")
    return found


def _texts(d: Document) -> list[str]:
    try:
        _ = d.text, d.vocabulary
    except UnicodeDecodeError:
        return ["the text or the vocabulary is not UTF-8"]
    return []


def _nesting(d: Document) -> list[str]:
    """Pre-order, and what may stand under what."""
    parent, kind = d.parent, d.kind
    found = []
    if parent[0] != NONE or kind[0] != TITLE:
        found.append("node 0 is not the title")
    here = np.arange(len(d))
    if (parent[1:] < 0).any() or (parent[1:] >= here[1:]).any():
        return [*found, "a parent does not precede its child"]
    if not _is_preorder(parent):
        found.append("nodes are not in pre-order")
    if (kind[1:] == TITLE).any() or (kind > SENTENCE).any():
        found.append("a node is of a wrong kind")
    above = kind[parent[1:]]
    if ((kind[1:] == SENTENCE) != (above == PARAGRAPH)).any() or (above == SENTENCE).any():
        found.append("sentences stand only in paragraphs, and paragraphs hold only sentences")
    section = np.flatnonzero(kind == SECTION)
    if (d.level[section] <= d.level[parent[section]]).any():
        found.append("a section's level is not below its parent's")
    if d.level[kind != SECTION].any():
        found.append("a node that is not a section has a level")
    return found


def _is_preorder(parent: np.ndarray) -> bool:
    """Whether each node's parent is the node before it or one of that node's ancestors."""
    path: list[int] = [0]
    for node, up in enumerate(parent[1:].tolist(), start=1):
        while path and path[-1] != up:
            path.pop()
        if not path:
            return False
        path.append(node)
    return True


def _derived(d: Document) -> list[str]:
    """Arrays that follow from the parents and kinds."""
    links = link(np.asarray(d.parent))
    differing = (name for name in Links._fields if (getattr(d, name) != getattr(links, name)).any())
    found = [f"{name} disagrees with the parents" for name in differing]
    if (d.moves != trace_moves(np.asarray(d.parent), links)).any():
        found.append("moves disagree with the parents")
    if (d.index != np.cumsum(d.kind != SENTENCE) - 1).any():
        found.append("node indices are not the pre-order numbers of non-sentences")
    return found


def _spans(d: Document) -> list[str]:
    start, end, parent = d.start, d.end, d.parent
    found = []
    length = len(d.text)
    if start[0] != 0 or (start > end).any() or (end > length).any():
        return ["a span lies outside the text"]
    if (np.diff(start) < 0).any():
        found.append("spans are not in the order of the nodes")
    inner = d.kind == SENTENCE
    if (start[inner] < start[parent[inner]]).any() or (end[inner] > end[parent[inner]]).any():
        found.append("a sentence reaches beyond its paragraph")
    outer = np.flatnonzero(~inner)
    if (end[outer[:-1]] > start[outer[1:]]).any():
        found.append("the texts of two nodes overlap")
    sentences = np.flatnonzero(inner)
    if (end[sentences[:-1]] > start[sentences[1:]]).any():
        found.append("two sentences overlap")
    if (start == end)[1:].any():
        found.append("a node has no text")
    for name in ("line", "page"):
        where = getattr(d, name)
        if ((where < 1) & (where != NONE)).any():
            found.append(f"a {name} is below 1")
    return found


def _tokens(d: Document) -> list[str]:
    start, end = d.token_start, d.token_end
    if (start >= end).any() or (end[:-1] > start[1:]).any() or (start < 0).any() or (end > len(d.text)).any():
        return ["tokens overlap, are empty, or lie outside the text"]
    found = []
    if (d.token < 0).any() or (d.token >= len(d.vocabulary)).any():
        found.append("a token is not in the vocabulary")
    if (d.first_token != np.searchsorted(start, d.start)).any() or (d.end_token != np.searchsorted(start, d.end)).any():
        return [*found, "a node's tokens are not those in its span"]
    filled = d.first_token < d.end_token
    if (end[d.end_token[filled] - 1] > d.end[filled]).any():
        found.append("a token reaches beyond its node")
    return found
