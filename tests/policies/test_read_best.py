"""Retrieve, then read, against doing it by hand."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docqn.environment.pairs import Pair
from docqn.policies import Setting, policy
from docqn.policies.bm25 import scores
from docqn.policies.budget import Budget, affordable
from docqn.policies.consumption import consumed
from docqn.policies.ranking import ranked
from docqn.readers import Reading
from docqn.text.tokens import token_spans
from tests.documents import document, sections

DOCUMENT = document(
    [
        "## Cakes",
        "Bob ate 17 cakes.",
        "Alice ate cakes too, and cakes again.",
        "## Pies",
        "There were 20 pies for Bob.",
        "Nobody counted.",
    ]
)
PAIR = Pair("How many cakes did Bob eat?", DOCUMENT)


class Sure:
    """Answers with the first word, sure of the passage that holds a certain one."""

    def __init__(self, sign: str) -> None:
        self.fingerprint = f"sure-{sign}"
        self._sign = sign
        self.asked: list[str] = []

    def read(self, questions: Sequence[str], passages: Sequence[str]) -> list[Reading]:
        self.asked += passages
        return [self._one(passage) for passage in passages]

    def _one(self, passage: str) -> Reading:
        start, end = token_spans(passage).tolist()[0]
        return Reading(start, end, passage[start:end], 0.0, 0.9 if self._sign in passage else 0.1, 0.0, 1)


@pytest.mark.parametrize(("count", "sign", "stop"), [(2, "again", 4), (1, "again", 2), (3, "pies", 7), (2, "none", 2)])
def test_it_stops_at_the_likeliest_of_the_best(count: int, sign: str, stop: int) -> None:
    reader = Sure(sign)
    (trace,) = policy(f"read-best:{count}").traces([PAIR], Setting(reader))
    best = ranked(PAIR, scores)[:count]
    assert trace.paragraphs == best
    assert reader.asked == [DOCUMENT.text_of(node) for node in best]
    assert trace.stop_node == stop
    assert trace.answer in trace.readings
    assert [reading.paragraph for reading in trace.readings] == best


def test_a_paragraph_that_is_too_long_is_passed_over() -> None:
    order = ranked(PAIR, scores)
    length = {node: int(DOCUMENT.end_token[node] - DOCUMENT.first_token[node]) for node in order}
    most = length[order[0]] + length[order[2]]
    assert length[order[1]] > length[order[2]]
    (trace,) = policy("read-best").traces([PAIR], Setting(Sure("none"), tokens=most))
    assert trace.paragraphs == [order[0], order[2]]
    assert trace.tokens_read == most


LONG = document(sections(4))


@given(
    st.lists(st.tuples(st.booleans(), st.integers(0, len(LONG) - 1)), max_size=12),
    st.integers(0, 60),
)
def test_a_budget_is_never_exceeded_and_costs_what_is_consumed(moves: list[tuple[bool, int]], most: int) -> None:
    budget, unlimited = Budget(LONG, most), Budget(LONG, None)
    observed: list[int] = []
    read: list[int] = []
    for reads, node in moves:
        both = consumed(LONG, [*observed, *([] if reads else [node])], [*read, *([node] if reads else [])])
        fits = sum(end - start for start, end in both) <= most
        if reads:
            assert budget.allows(node) == fits
        assert (budget.read(node) if reads else budget.observe(node)) == fits
        assert unlimited.read(node) if reads else unlimited.observe(node)
        if fits:
            (read if reads else observed).append(node)


def test_affordable_takes_what_fits_in_order() -> None:
    paragraphs = ranked(PAIR, scores)
    assert affordable(DOCUMENT, paragraphs, 2, None) == paragraphs[:2]
    assert affordable(DOCUMENT, paragraphs, 9, 0) == []
