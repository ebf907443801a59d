"""Pairs, and the environment over them."""

import numpy as np

from docqn.environment.pairs import Pair, environment_of
from tests.documents import document, sections


def test_a_document_that_pairs_share_is_there_once() -> None:
    shared, other = document(sections(2)), document(sections(1))
    pairs = [Pair("A?", shared, answers=(2, 5)), Pair("B?", other), Pair("C?", shared, answers=(5,))]
    environment = environment_of(pairs, limit=7, coupled=True)
    assert (environment.limit, environment.coupled) == (7, True)
    assert environment.tasks.document.tolist() == [0, 1, 0]
    assert len(environment.trees.first) == 3
    index = shared.index[[2, 5]].tolist()
    assert pairs[0].answer_indices == index
    assert environment.tasks.distance(np.array([0, 2, 1]), np.array([index[0]] * 3, np.int32)).tolist()[:2] == [
        0,
        index[1] - index[0],
    ]


def test_labels_may_be_unknown() -> None:
    pair = Pair("A?", document(sections(1)))
    assert pair.answer_indices is None
    assert pair.supporting_indices is None
