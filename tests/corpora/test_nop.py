"""The rules of TriviaQA-NoP, against documents built without the preface and rules written down plainly."""

from collections.abc import Sequence
from dataclasses import fields

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from docqn.build import Block, build_document
from docqn.corpora.findings import Finder, Finding
from docqn.corpora.matching import Numbers, aliases
from docqn.corpora.nop import Fate, fate, preface, remove_preface
from docqn.corpora.records import PageRecord
from docqn.document import NONE, Document
from docqn.invariants import violations
from tests.corpora.small import naive_fate

TITLE = "Party of one"

texts = st.lists(st.sampled_from("art party tea — é x Don't stop. U.S. 東京 The".split()), min_size=1, max_size=4).map(
    " ".join
)
blocks = st.lists(
    st.tuples(texts, st.sampled_from([0, 0, 1, 2, 3]), st.integers(1, 9)).map(lambda row: Block(*row[:2], line=row[2])),
    max_size=7,
)


def built(some: Sequence[Block]) -> Document:
    return build_document(some, source="s", format="f", title=TITLE)


def without_preface(some: list[Block]) -> list[Block]:
    return some[next((i for i, block in enumerate(some) if block.level), 0) :]


@given(blocks)
def test_a_document_without_preface_is_as_if_it_had_been_written_without(some: list[Block]) -> None:
    removed, expected = remove_preface(built(some)), built(without_preface(some))
    for field in fields(Document):
        assert np.array_equal(getattr(removed, field.name), getattr(expected, field.name)), field.name
    assert removed.text == expected.text
    assert list(removed.vocabulary) == list(expected.vocabulary)
    assert violations(removed) == []


@given(blocks)
def test_nodes_and_spans_beyond_the_preface_keep_their_text(some: list[Block]) -> None:
    before = built(some)
    after, cut = remove_preface(before), preface(before)
    nodes = np.arange(1, len(before), dtype=np.int32)
    kept = nodes[nodes > cut.nodes]
    assert [before.text_of(u) for u in kept] == [after.text_of(u) for u in cut.nodes_beyond(nodes)]
    spans = np.stack([before.start, before.end], axis=1)[1:]
    texts = [after.text[a:b] for a, b in cut.spans_beyond(spans)]
    assert texts == [before.text_of(u) for u in kept]


def find(document: Document, answers: list[str], rules: str = "nop") -> Finding:
    numbers: Numbers = {}
    finder = Finder(document, rules, numbers)
    return finder.find(PageRecord("s"), answers, aliases([answers], numbers)[0])


@given(blocks, st.lists(texts | st.just("x"), min_size=1, max_size=2))
def test_the_fate_of_a_pair_is_that_of_the_plain_rules(some: list[Block], answers: list[str]) -> None:
    found = find(built(some), answers)
    expected, index = naive_fate(some, TITLE, answers)
    assert Fate(found.fate).label == expected
    assert found.first_answer == (NONE if index is None else index)


@given(blocks, texts)
def test_what_is_found_is_what_is_there_after_the_preface(some: list[Block], answer: str) -> None:
    found, expected = find(built(some), [answer]), find(built(without_preface(some)), [answer])
    for name in ("answer_paragraphs", "answer_sentences", "answer_spans", "first_answer"):
        assert np.array_equal(getattr(found, name), getattr(expected, name)), name
    assert find(built(some), [answer], "original").first_answer == found.original_first_answer


@pytest.mark.parametrize(("paragraphs", "expected"), [(699, Fate.KEPT), (700, Fate.LATE)])
def test_an_answer_after_node_700_is_late(paragraphs: int, expected: Fate) -> None:
    some = [Block("Only section", 2), *[Block("x")] * (paragraphs - 1), Block("the answer")]
    found = find(built(some), ["answer"])
    assert found.first_answer == paragraphs + 1
    assert found.fate == expected


def test_a_document_without_sections_has_no_preface() -> None:
    document = built([Block("All of it.")])
    assert remove_preface(document) is document


def test_without_rules_everything_is_kept() -> None:
    some = [Block("answer"), Block("Section", 2), Block("other")]
    found = find(built(some), ["answer"], "original")
    assert (found.fate, found.first_answer, found.answer_paragraphs.tolist()) == (Fate.KEPT, 1, [1])
    assert find(built(some), ["x"], "original").fate == Fate.KEPT


def test_a_question_whose_answer_is_not_known_is_kept() -> None:
    assert find(built([Block("Section", 2), Block("other")]), []).fate == Fate.KEPT


def test_the_first_rule_that_fits_names_the_reason() -> None:
    assert fate(single_character=True, anywhere=False, in_titles=False, first_answer=NONE) == Fate.SINGLE_CHARACTER
    assert fate(single_character=False, anywhere=False, in_titles=False, first_answer=NONE) == Fate.NO_ANSWER
    assert fate(single_character=False, anywhere=True, in_titles=False, first_answer=NONE) == Fate.ONLY_IN_PREFACE
    assert fate(single_character=False, anywhere=True, in_titles=True, first_answer=NONE) == Fate.ONLY_IN_TITLES
