"""What is told while a question is worked on, against the result."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from docqn.environment.pairs import Pair
from docqn.policies import Policy, Setting, builtin
from docqn.policies.read_best import ReadBest
from docqn.policies.trace import Step, Trace
from docqn.readers import Reading
from docqn.serving.navigator import Navigator
from docqn.serving.result import Visit
from tests.documents import document, sections
from tests.serving.readers import Signs
from tests.serving.walkers import Attentive

QUESTION = "Which word stands?"
TWO = [replace(document(sections(count)), source=f"{count}.txt") for count in (2, 3)]
POLICIES: list[str | Policy] = [
    *sorted({*builtin()} - {"agent", "ensemble"}),
    "ensemble:random-walk,read-best",
    "ensemble:random-walk,read-best,3",
    Attentive(),
]


@pytest.mark.parametrize("policy", POLICIES, ids=str)
@settings(max_examples=8)
@given(st.integers(0, 50), st.none() | st.integers(1, 90))
def test_what_is_told_is_what_the_result_has(policy: str | Policy, seed: int, most: int | None) -> None:
    navigator = Navigator(*TWO, policy=policy, reader=Signs(), cache=False)
    told: list[Visit] = []
    watched = navigator.explore(QUESTION, seed=seed, max_tokens=most, watch=told.append)
    plain = navigator.explore(QUESTION, seed=seed, max_tokens=most)
    assert told == watched.result.trace
    assert replace(watched.result, seconds=0) == replace(plain.result, seconds=0)
    assert watched.ways == plain.ways


class Passing(Signs):
    """Counts what had been read when each visit was told."""

    def __init__(self) -> None:
        super().__init__()
        self.told: list[int] = []

    def tell(self, visit: Visit) -> None:
        self.told.append(len(self.read_passages))


@pytest.mark.parametrize(
    ("policy", "told"), [("forage:0", [1, 2, 3, 3]), ("read-best:3", [1, 2, 3, 3]), (Attentive(), [0, 1, 1])]
)
def test_a_visit_is_told_before_the_next_paragraph_is_read(policy: str | Policy, told: list[int]) -> None:
    reader = Passing()
    made = document(["One word stands.", "Two words stand.", "Three words stand."])
    Navigator(made, policy=policy, reader=reader, cache=False).explore(QUESTION, watch=reader.tell)
    assert reader.told == told


class Silent(Signs):
    """Finds nothing."""

    def read(self, questions: Sequence[str], passages: Sequence[str]) -> list[Reading]:
        return [Reading(0, 0, "", 0.0, 0.0, 0.0, 1) for _ in passages]


@pytest.mark.parametrize("paragraphs", [1, 3])
def test_each_visit_is_told_once_where_nothing_was_found(paragraphs: int) -> None:
    navigator = Navigator(document(["A word stands."] * paragraphs), policy="read-best", reader=Silent(), cache=False)
    told: list[Visit] = []
    found = navigator.explore(QUESTION, watch=told.append)
    assert [visit.action for visit in told] == ["Answer"] * paragraphs + ["Stop"]
    assert found.result.trace == found.ways[0] == told


def test_what_the_watcher_raises_ends_the_work() -> None:
    class Enough(Exception):
        pass

    def tell(visit: Visit) -> None:
        raise Enough

    reader = Signs()
    with pytest.raises(Enough):
        Navigator(*TWO, policy="read-best", reader=reader, cache=False).explore(QUESTION, watch=tell)
    assert len(reader.read_passages) == 1


def test_policies_show_pairs_as_they_were_given() -> None:
    shown: list[tuple[Pair, Step]] = []
    pairs = [Pair(QUESTION, made) for made in TWO]
    setting = Setting(Signs(), watch=lambda pair, step: shown.append((pair, step)))
    traces: list[Trace] = Attentive().traces(pairs, setting)
    for pair, trace in zip(pairs, traces, strict=True):
        assert [step for of, step in shown if of is pair] == trace.steps
    shown.clear()
    traces = ReadBest(3).traces(pairs, setting)
    for pair, trace in zip(pairs, traces, strict=True):
        assert [step.answer for of, step in shown if of is pair] == trace.readings
