"""Answers over several documents, against sums done by hand."""

from __future__ import annotations

from dataclasses import replace

from docqn.environment.pairs import Pair
from docqn.policies import Setting, policy
from docqn.policies.trace import Answer, Trace
from docqn.serving.answering import ranked_answers
from tests.documents import document
from tests.serving.readers import Signs

QUESTION = "How many cakes?"


def pair(*paragraphs: str) -> Pair:
    made = document(["## Cakes", *paragraphs])
    return Pair(QUESTION, made, name="cakes.txt")


def traced(*pairs: Pair) -> list[Trace]:
    return policy("read-best").traces(pairs, Setting(Signs()))


def ranked(*pairs: Pair) -> list[tuple[str, float]]:
    return [(one.answer, round(one.score, 6)) for one in ranked_answers(pairs, traced(*pairs))]


def test_the_same_answer_in_two_documents_beats_a_likelier_one() -> None:
    pairs = (pair("Cakes: [Ten 40]"), pair("Cakes: [Two 60]"), pair("Cakes: [the-ten 30]", "Cakes: [other 20]"))
    assert ranked(*pairs) == [("Ten", 0.7), ("Two", 0.6), ("other", 0.2)]
    best = ranked_answers(pairs, traced(*pairs))[0]
    assert best.evidence.paragraph == "Cakes: [Ten 40]"


def test_a_sum_is_no_more_than_certain() -> None:
    assert ranked(pair("[ten 80]"), pair("[ten 90]")) == [("ten", 1.0)]


def test_what_was_read_on_the_way_comes_behind_the_answer() -> None:
    (trace,) = traced(one := pair("Cakes: [ten 40]"))
    way = Answer(2, 0, 3, "Tea", 1.0, 0.9, 0.0)
    assert [a.answer for a in ranked_answers([one], [replace(trace, readings=[way])])] == ["ten", "Tea"]


def test_where_the_last_paragraph_was_not_read_the_likeliest_on_the_way_counts() -> None:
    (trace,) = traced(one := pair("Cakes: [ten 40]", "Cakes [two 20]"))
    assert [a.answer for a in ranked_answers([one], [replace(trace, answer=None)])] == ["ten", "two"]
    assert ranked_answers([one], [replace(trace, answer=None, readings=[])]) == []


def test_others_count_with_the_answer() -> None:
    (trace,) = traced(one := pair("Cakes: [ten 40]"))
    assert trace.answer is not None
    two = replace(trace.answer, text="two", probability=0.3)
    found = ranked_answers([one], [replace(trace, others=[two, two])])
    assert [(a.answer, round(a.score, 6)) for a in found] == [("two", 0.6), ("ten", 0.4)]


def test_an_answer_of_nothing_but_an_article_is_an_answer() -> None:
    assert ranked(pair("[The 50]"), pair("[A 40]")) == [("The", 0.5), ("A", 0.4)]
