"""Two policies together."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from docqn.environment.pairs import Pair
from docqn.policies import Setting
from docqn.policies.choosing import choose
from docqn.policies.ensemble import Ensemble, by_answer, policy
from docqn.policies.trace import Answer, Trace
from docqn.readers.lexical import LexicalReader
from tests.documents import document, sections
from tests.policies.checks import faults

DOCUMENT = document(sections(3))
PAIRS = [Pair("Word?", DOCUMENT, f"q{i}", "tea", ("Word",), (2,)) for i in range(3)]
SETTING = Setting(LexicalReader())


class Fixed:
    """Goes to a given node of each document, by question."""

    def __init__(self, name: str, **nodes: int) -> None:
        self.name = name
        self.nodes = nodes
        self.asked: list[str] = []

    def traces(self, pairs: Sequence[Pair], setting: Setting) -> list[Trace]:
        self.asked += [pair.question_id for pair in pairs]
        return choose(pairs, setting, self.name, lambda pair: self.nodes[pair.question_id], uses_index=self.name == "b")


def test_the_first_choice_holds_up_to_the_threshold() -> None:
    first, second = Fixed("a", q0=2, q1=5, q2=9), Fixed("b", q0=12, q1=12, q2=2)
    assert DOCUMENT.index[[2, 5, 9]].tolist() == [2, 3, 5]
    traces = Ensemble(first, second, 3).traces(PAIRS, SETTING)
    assert [trace.stop_node for trace in traces] == [2, 5, 2]
    assert second.asked == ["q2"]
    assert {trace.policy for trace in traces} == {"ensemble:a,b,3"}
    assert [trace.uses_index for trace in traces] == [False, False, True]
    assert [trace.reader_calls for trace in traces] == [1, 1, 2]
    assert [faults(trace, pair) for trace, pair in zip(traces, PAIRS, strict=True)] == [[], [], []]


def test_a_stop_at_the_title_is_no_choice() -> None:
    first, second = Fixed("a", q0=0, q1=0, q2=2), Fixed("b", q0=5, q1=9, q2=12)
    assert [trace.stop_node for trace in Ensemble(first, second, 5).traces(PAIRS, SETTING)] == [5, 9, 2]
    assert [trace.stop_node for trace in Ensemble(first, second, 0).traces(PAIRS, SETTING)] == [5, 9, 12]


def test_what_both_read_counts_once() -> None:
    same = Ensemble(Fixed("a", q0=2, q1=2, q2=2), Fixed("b", q0=2, q1=2, q2=5), None).traces(PAIRS, SETTING)
    assert [(trace.reader_calls, trace.paragraphs) for trace in same] == [(1, [2]), (1, [2]), (2, [2, 5])]
    alone = Fixed("a", q0=2).traces(PAIRS[:1], SETTING)[0]
    assert same[0].read == alone.read


def answered(*given: tuple[str, float]) -> Trace:
    (trace,) = Fixed("a", q0=2).traces(PAIRS[:1], SETTING)
    answers = [Answer(2, 0, 1, one, 0.0, share, 0.0) for one, share in given]
    return replace(trace, answer=answers[0], others=answers[1:])


@pytest.mark.parametrize(
    ("first", "second", "chosen"),
    [
        ([("Tea", 0.4)], [("Milk", 0.3)], "Tea"),
        ([("Tea", 0.3)], [("Milk", 0.4)], "Milk"),
        ([("Tea", 0.4)], [("Milk", 0.4)], "Tea"),
        ([("Tea", 0.3)], [("Milk", 0.4), ("the TEA.", 0.2)], "Tea"),
        ([("Tea", 0.3)], [("the tea", 0.6)], "Tea"),
    ],
)
def test_the_answer_with_the_larger_sum_is_taken(
    first: list[tuple[str, float]], second: list[tuple[str, float]], chosen: str
) -> None:
    trace = by_answer(answered(*first), answered(*second))
    assert trace.answer is not None
    assert trace.answer.text == chosen
    assert {answer.text for answer in (trace.answer, *trace.others)} == {text for text, _ in (*first, *second)}


def test_who_answers_nothing_is_not_taken() -> None:
    silent = replace(answered(("x", 0.1)), answer=None)
    spoken = answered(("Tea", 0.0))
    assert by_answer(silent, spoken).answer == spoken.answer
    assert by_answer(spoken, silent).answer == spoken.answer
    assert by_answer(silent, silent).answer is None


def test_its_name_tells_the_parts() -> None:
    assert policy("bm25,read-top:40,7").name == "ensemble:bm25,read-top:40,7"
    assert policy("bm25,oracle:3").name == "ensemble:bm25,oracle:3"
