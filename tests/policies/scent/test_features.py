"""Features against counting word by word, and BM25 among them against bm25s."""

import tracemalloc

import bm25s
import numpy as np
import pytest
from hypothesis import given, settings

from docqn.document import Document
from docqn.policies.scent.features import FEATURES, features
from docqn.policies.scent.index import index_of
from docqn.policies.words import words_of
from docqn.text.stems import stem
from tests.documents import document
from tests.policies.scent.naive import documents, naive_features, paragraphs_of, questions, stems_of


def rarity(stem: str) -> float:
    """Something that differs from stem to stem."""
    return 0.5 + len(stem) / 4 + (stem < "m")


@settings(max_examples=200)
@given(documents, questions)
def test_they_are_those_of_counting(made: Document, question: str) -> None:
    expected = naive_features(made, question, rarity)
    told = features(index_of(made), question, rarity)
    assert told.shape == (len(expected), len(FEATURES))
    assert np.isfinite(told).all()
    for row, one in zip(told, expected, strict=True):
        assert dict(zip(FEATURES, row.tolist(), strict=True)) == pytest.approx(one, abs=1e-9)


@settings(max_examples=60)
@given(documents, questions)
def test_bm25_is_that_of_bm25s(made: Document, question: str) -> None:
    stems = [stems_of(made, node) for node in paragraphs_of(made)]
    held = {one for paragraph in stems for one in paragraph}
    asked = [one for one in dict.fromkeys(stem(word) for word in words_of(question)) if one in held]
    in_headings = {one for node in range(len(made)) for one in stems_of(made, node)} - held
    if not asked or in_headings & {stem(word) for word in words_of(question)}:
        return
    rival = bm25s.BM25(k1=1.5, b=0.75, method="lucene")
    rival.index(stems, show_progress=False)
    frequency = np.array([sum(one in paragraph for paragraph in stems) for one in asked])
    most = np.log(1 + (len(stems) - frequency + 0.5) / (frequency + 0.5)).sum()
    column = features(index_of(made), question, rarity)[:, FEATURES.index("bm25")]
    assert column * most == pytest.approx(sum(rival.get_scores([one]) for one in asked), abs=1e-5)


@pytest.mark.parametrize(
    ("question", "numbers", "names"),
    [
        ("How many rivers?", True, False),
        ("WHEN did it end?", True, False),
        ("whenever", False, False),
        ("What show many see?", False, False),
        ("Who named it in which year?", True, True),
        ("Somewhere", False, False),
    ],
)
def test_what_is_asked_for(question: str, numbers: bool, names: bool) -> None:
    (row,) = features(index_of(document(["It has 7 rivers in Egypt."])), question, rarity)
    told = dict(zip(FEATURES, row, strict=True))
    assert (told["digits_asked"] > 0, told["capitals_asked"] > 0) == (numbers, names)


def test_a_question_without_a_known_word_tells_of_form_alone() -> None:
    made = document(["## Rivers", "The Nile is long.", "Lakes are not."])
    told = features(index_of(made), "Wie viel?", rarity)
    assert not told[:, : FEATURES.index("is_best_bm25")].any()
    assert told[:, FEATURES.index("length")].all()


def test_a_question_may_be_a_page_long() -> None:
    """What is held grows with the words that are found, not with the paragraphs times the words of the question."""
    names = [f"Name{number}" for number in range(800)]
    made = document([f"{name} came." for name in names * 10])
    tracemalloc.start()
    told = features(index_of(made), " ".join(names), rarity)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 8000 * 800
    assert told[:, FEATURES.index("covered")].all()
