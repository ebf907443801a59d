"""What the trees know of all nodes, against plain objects."""

import numpy as np

from docqn.document import NONE, PARAGRAPH, SENTENCE
from docqn.environment.trees import Trees
from tests.documents import document, sections
from tests.environment.naive import environment, small_worlds


def test_shortest_path_is_the_length_of_a_breadth_first_search() -> None:
    worlds = list(small_worlds(6))
    shortest = environment(worlds).trees.shortest_path.tolist()
    assert shortest == [world.shortest_path(node) for world in worlds for node in range(len(world.parent))]


def test_paragraph_and_largest_index() -> None:
    worlds = list(small_worlds(5))
    trees = environment(worlds).trees
    assert trees.largest_index.tolist() == [max(world.index) for world in worlds]
    expected = [
        node if kind == PARAGRAPH else world.parent[node] if kind == SENTENCE else NONE
        for world in worlds
        for node, kind in enumerate(world.kinds)
    ]
    assert trees.paragraph.tolist() == expected


def test_trees_of_documents_hold_their_arrays_one_after_another() -> None:
    documents = [document(sections(2)), document(sections(1)), document(sections(3))]
    trees = Trees.of(documents)
    for i, (begin, end) in enumerate(zip(trees.first[:-1], trees.first[1:], strict=True)):
        assert (trees.kind[begin:end] == documents[i].kind).all()
        assert (trees.moves[begin:end] == documents[i].moves).all()
        tokens = trees.token[trees.first_word[i] : trees.first_word[i + 1]]
        assert (tokens == documents[i].token).all()
    rows, first = trees.sentences
    assert (trees.kind[rows] == SENTENCE).all()
    assert np.diff(first).tolist() == [int((d.kind == SENTENCE).sum()) for d in documents]
