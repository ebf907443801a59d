"""Answers in documents, against a plain search through the words of each node."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from docqn.build import Block, build_document
from docqn.corpora.matching import Answers, Numbers, WordIndex, aliases
from docqn.document import PARAGRAPH, SENTENCE, Document
from tests.corpora.small import naive_matches

WORDS = """art party The a an I U.S. u s AT&T don't can't n't N'T 'tis rock'n'roll O'Brien St. 3.14 1,000 10:30 x ½
    “art” – e.g. the-party _art_ naïve İstanbul 東京 état l'art a@b.org C++ $5 … John's Ph.D. ''""".split()
texts = st.lists(st.tuples(st.sampled_from(WORDS), st.sampled_from([" ", " ", "-", ", ", ". ", "/", "\n", ""]))).map(
    lambda parts: "".join(map("".join, parts))
)
answers = st.lists(
    st.lists(st.sampled_from(WORDS), min_size=1, max_size=3).map(" ".join) | texts.filter(str.strip), max_size=3
)
documents = st.lists(st.tuples(texts, st.sampled_from([0, 0, 0, 1, 2])), max_size=6).map(
    lambda rows: build_document([Block(*row) for row in rows], source="s", format="f", title="Party of one")
)


def search(document: Document, given: list[str]) -> Answers:
    numbers: Numbers = {}
    index = WordIndex(document, numbers)
    (words,) = aliases([given], numbers)
    return index.answers(words)


@given(documents, answers)
def test_nodes_are_those_that_a_plain_search_finds(document: Document, given: list[str]) -> None:
    found = search(document, given)
    holding = [node for node in range(len(document)) if naive_matches(document.text_of(node), given)]
    kinds = {node: int(document.kind[node]) for node in holding}
    assert found.answer_paragraphs.tolist() == [node for node in holding if kinds[node] == PARAGRAPH]
    assert found.answer_sentences.tolist() == [node for node in holding if kinds[node] == SENTENCE]
    assert found.in_titles == any(kind < PARAGRAPH for kind in kinds.values())
    assert found.anywhere == any(kind != SENTENCE for kind in kinds.values())


@given(documents, answers)
def test_spans_hold_an_answer_and_every_answer_paragraph_has_one(document: Document, given: list[str]) -> None:
    found = search(document, given)
    holders = set()
    for start, end in found.answer_spans.tolist():
        holder = int(
            np.flatnonzero((document.start <= start) & (end <= document.end) & (document.kind == PARAGRAPH))[0]
        )
        assert naive_matches(document.text[start:end], given)
        holders.add(holder)
    assert holders == set(found.answer_paragraphs.tolist())
    assert len(set(map(tuple, found.answer_spans.tolist()))) == len(found.answer_spans)


@given(st.lists(answers, min_size=1, max_size=4))
def test_questions_are_read_together_as_they_are_alone(given: list[list[str]]) -> None:
    numbers: Numbers = {}
    together = aliases(given, numbers)
    names = list(numbers)
    for row, words in zip(given, together, strict=True):
        own: Numbers = {}
        (alone,) = aliases([row], own)
        assert [[names[i] for i in alias] for alias in words] == [[list(own)[i] for i in alias] for alias in alone]


@pytest.mark.parametrize(
    ("text", "answer", "matches"),
    [
        ("The party was large.", "art", False),
        ("The art was large.", "Art", True),
        ("Made in the U.S. and in Peru", "U.S.", True),
        ("Made for us", "U.S.", False),
        ("I don't know", "Don’t", True),
        ("I don't know", "do", False),
        ("I cannot, or can't", "can t", True),
        ("The Rolling, the Stones", "Rolling Stones", True),
        ("They say “Heroes” is good", '"Heroes"', True),
        ("It has 1 moon", "1", False),
        ("It has 12 moons", "12", True),
        ("Born in New York. Yorkshire is far", "New York Yorkshire", True),
        ("", "nothing", False),
    ],
)
def test_examples(text: str, answer: str, matches: bool) -> None:
    document = build_document([Block(text)], source="s", format="f", title="x")
    assert search(document, [answer]).anywhere == matches


def test_an_answer_may_cross_sentences_but_not_paragraphs() -> None:
    document = build_document(
        [Block("In New York. Yorkshire is far."), Block("New"), Block("York")], source="s", format="f"
    )
    across = search(document, ["York Yorkshire"])
    assert (across.answer_paragraphs.tolist(), across.answer_sentences.tolist()) == ([1], [])
    assert search(document, ["New York"]).answer_paragraphs.tolist() == [1]


def test_a_document_without_words() -> None:
    document = build_document([Block("– … –")], source="…", format="f")
    assert not search(document, ["anything", "…"]).anywhere
