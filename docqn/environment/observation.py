"""The observation of a node: the first words of every node on the path from the title."""

import numpy as np
from numpy.typing import NDArray

from docqn.document import NONE, SENTENCE, Document
from docqn.environment.trees import Trees

Ints = NDArray[np.int32]
Longs = NDArray[np.int64]

WORDS = 20  # k: tokens seen of each node
LONGEST = 120  # tokens of an observation
_NODES = LONGEST // WORDS  # nodes of a path that fit


def observed_parents(trees: Trees) -> Longs:
    """[rows]: the row whose observation each node's own words continue, NONE for titles.

    That is the parent, but for a sentence its section, and below the deepest path that fits the ancestor at its last
    but one place. So every observation is its parent's and at most `WORDS` more: encodings can be shared.
    """
    base = np.repeat(trees.first[:-1], np.diff(trees.first))
    parent = np.where(trees.parent == NONE, NONE, base + trees.parent)
    sentences = np.flatnonzero(trees.kind == SENTENCE)
    parent[sentences] = parent[parent[sentences]]
    length = np.ones(len(parent), np.int32)  # nodes on the observed path
    for depth in range(1, int(trees.depth.max(initial=0)) + 1):
        rows = np.flatnonzero(trees.depth == depth)
        length[rows] = length[parent[rows]] + 1
        full = rows[length[rows] > _NODES]
        parent[full] = parent[parent[full]]
        length[full] = _NODES
    return parent


def observed_words(trees: Trees, parents: Longs, place: Longs, document: Ints) -> tuple[Ints, Ints]:
    """Tokens of the observations, [n, 120] padded with NONE, and their lengths, [n]."""
    path = np.full((len(place), _NODES), NONE, np.int64)  # from the node upwards
    at = place
    for i in range(_NODES):
        path[:, i] = at
        at = np.where(at == NONE, NONE, parents[at])
    path = path[:, ::-1]
    there = path != NONE
    row = np.where(there, path, 0)
    length = np.where(there, np.minimum(trees.end_token[row] - trees.first_token[row], WORDS), 0)
    begin = trees.first_token[row] + trees.first_word[document][:, None]

    offset = np.cumsum(length, axis=1) - length
    words = np.full((len(place), LONGEST), NONE, np.int32)
    column = np.arange(WORDS)
    filled = column < length[:, :, None]  # [n, nodes, words]
    source = (begin[:, :, None] + column)[filled]
    columns = (offset[:, :, None] + column)[filled]
    words[np.repeat(np.arange(len(place)), length.sum(axis=1)), columns] = trees.token[source]
    return words, length.sum(axis=1).astype(np.int32)


def observed_path(document: Document, node: int) -> list[int]:
    """The nodes whose first words an observation shows: the path from the title, without a sentence's paragraph."""
    path = document.path(node)
    if document.kind[node] == SENTENCE:
        del path[-2]
    return path if len(path) <= _NODES else [*path[: _NODES - 1], node]
