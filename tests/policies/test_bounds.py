"""Oracles and ReadTop: what the conformance tests do not say of them."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from docqn.document import PARAGRAPH
from docqn.environment.pairs import Pair
from docqn.policies import Setting, policy
from docqn.policies.bm25 import scores
from docqn.policies.ranking import ranked
from docqn.policies.trace import Trace
from docqn.readers import Reading
from docqn.readers.lexical import LexicalReader
from docqn.text.tokens import token_spans, token_texts
from tests.documents import document, sections

DOCUMENT = document(sections(4))
PARAGRAPHS = [node for node in range(len(DOCUMENT)) if DOCUMENT.kind[node] == PARAGRAPH]
SETTING = Setting(LexicalReader())
PAIR = Pair("Then what came more?", DOCUMENT, "q", "tea", ("Word", "3"), (9, 12, 26))


def one(name: str, pair: Pair = PAIR, setting: Setting = SETTING) -> Trace:
    (trace,) = policy(name).traces([pair], setting)
    return trace


@pytest.mark.parametrize("node", PARAGRAPHS)
def test_the_oracle_walks_the_shortest_way(node: int) -> None:
    trace = one("oracle", replace(PAIR, answers=(node,)))
    down = DOCUMENT.path(node)[1:]
    assert trace.stop_node == node
    assert len(trace.steps) == sum(1 + int(DOCUMENT.siblings_before[u]) for u in down) + 1
    assert trace.steps[-1].reward == 2


def test_the_oracle_prefers_what_people_found() -> None:
    assert one("oracle").stop_node == 9
    assert one("oracle", replace(PAIR, supporting=(26,))).stop_node == 26
    assert one("oracle", replace(PAIR, answers=())).stop_node == 0


def test_the_oracle_of_a_few_takes_the_best_by_bm25_if_none_is_right() -> None:
    order = ranked(PAIR, scores)
    right = [order.index(node) for node in (9, 12, 26)]
    assert one(f"oracle:{min(right) + 1}").stop_node == order[min(right)]
    assert one("oracle:1", replace(PAIR, answers=(order[-1],))).stop_node == order[0]


def test_the_oracle_of_reading_takes_the_paragraph_that_is_answered_best() -> None:
    made = document(["Bob saw a dog.", "Bob ate 17 cakes.", "Alice ate 17 cakes and 17 pies."])
    pair = Pair("How many cakes did Bob eat?", made, golds=("17",), answers=(1, 3, 5))
    assert one("oracle:read", pair).stop_node == 3


def test_read_top_stops_where_its_answer_stands() -> None:
    made = document(["## Food", "Bob ate 17 cakes.", "Alice ate 18 cakes."])
    pair = Pair("How many cakes did Alice eat?", made)
    whole, half, none = (
        one("read-top", pair),
        one("read-top:8", pair),
        one("read-top:1", replace(pair, question="Tea?")),
    )
    assert (whole.answer and whole.answer.text, whole.stop_node, whole.tokens_read) == ("18", 4, len(made.token))
    assert (half.answer and half.answer.text, half.stop_node, half.read) == ("17", 2, [(0, 8)])
    assert none.tokens_read == 1
    assert (whole.reader_calls, whole.paragraphs) == (1, [])


class Recording(LexicalReader):
    """The lexical reader, keeping what it was given."""

    def __init__(self) -> None:
        self.given: list[str] = []

    def read(self, questions: Sequence[str], passages: Sequence[str]) -> list[Reading]:
        self.given += passages
        return super().read(questions, passages)


def test_read_top_gives_the_reader_800_tokens() -> None:
    made = document([" ".join(f"word{i}" for i in range(begin, begin + 300)) + "." for begin in range(0, 1200, 300)])
    reader = Recording()
    trace = one("read-top", Pair("Which word?", made), Setting(reader))
    assert trace.read == [(0, 800)]
    (passage,) = reader.given
    assert token_texts(passage, token_spans(passage)) == [made.vocabulary[token] for token in made.token[:800]]
