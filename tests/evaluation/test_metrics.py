"""Metrics of made-up traces against plain loops."""

from collections import defaultdict
from dataclasses import replace
from statistics import mean, median
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

from docqn.document import KINDS
from docqn.errors import DocqnError
from docqn.evaluation import metrics
from docqn.evaluation.metrics import Tally, of_pairs
from docqn.evaluation.outcomes import Outcomes
from docqn.evaluation.summary import ALWAYS, Measured, comparisons, summary
from docqn.evaluation.thresholds import best_threshold
from docqn.policies.trace import Trace
from docqn.text.answers import normalize_triviaqa
from docqn.text.scores import exact_match, f1
from tests.evaluation.traces import answer, outcomes, trace, walk


def percent(hits: list[float]) -> float | None:
    return 100 * mean(hits) if hits else None


def by_question(traces: list[Trace]) -> dict[str, list[Trace]]:
    found = defaultdict(list)
    for one in traces:
        found[one.question_id].append(one)
    return dict(found)


def naive_answer(traces: list[Trace]) -> str | None:
    """The answer of a question: of all answers with the largest sum, its likeliest spelling."""
    given = [one for trace in traces for one in (trace.answer, *trace.others) if one]
    total: dict[str, float] = {}
    for one in given:
        key = normalize_triviaqa(one.text)
        total[key] = total.get(key, 0.0) + one.probability
    if not total:
        return None
    best = next(key for key in total if total[key] == max(total.values()))
    spelt = [one for one in given if normalize_triviaqa(one.text) == best]
    return max(spelt, key=lambda one: (one.probability, one.text)).text


def naive(traces: list[Trace]) -> dict[str, float | None]:
    labelled = [one for one in traces if one.answer_indices is not None]
    judged = [one for one in traces if one.supporting_indices]
    questions = by_question(traces)
    golds = {id: next((o.golds for o in some if o.golds), None) for id, some in questions.items()}
    said = {id: naive_answer(some) for id, some in questions.items()}
    right = {id: gold for id, gold in golds.items() if gold}
    return {
        "accuracy": percent([one.stop_index in (one.answer_indices or ()) for one in labelled]),
        "aggregated": percent([any(one.correct for one in some) for some in by_question(labelled).values()]),
        "exact_match": percent([exact_match(said[id] or "", gold) if said[id] else 0.0 for id, gold in right.items()]),
        "f1": percent([f1(said[id] or "", gold) if said[id] else 0.0 for id, gold in right.items()]),
        "verified_accuracy": percent([one.stop_index in (one.supporting_indices or ()) for one in judged]),
    }


@settings(max_examples=25)
@given(outcomes())
def test_figures_are_those_of_plain_loops(traces: list[Trace]) -> None:
    figures = Measured(Outcomes.of(traces)).figures()
    for name, expected in naive(traces).items():
        if expected is None:
            assert not figures[name].known
        else:
            assert figures[name].value == pytest.approx(expected)
            low, high = figures[name].interval
            assert low <= expected + 1e-9
            assert high >= expected - 1e-9


@settings(max_examples=15)
@given(outcomes())
def test_the_rest_of_the_summary_too(traces: list[Trace]) -> None:
    found = summary(Measured(Outcomes.of(traces)))
    steps = [len(one.steps) for one in traces]
    assert found["steps"] == pytest.approx(mean(steps), abs=1e-3)
    assert found["steps_range"] == [min(steps), max(steps)]
    assert found["reader_calls"] == pytest.approx(mean(one.reader_calls for one in traces), abs=1e-3)
    assert found["tokens_read"] == 0.15
    assert found["stop_index_median"] == median(one.stop_index for one in traces)
    for kind in KINDS:
        assert found["stop_kinds"][kind] == pytest.approx(mean(one.stop_kind == kind for one in traces), abs=1e-4)
    assert found["stopped"] == pytest.approx(mean(one.stopped for one in traces), abs=1e-4)
    assert found["seconds_per_pair"] == 0.25
    assert (found["pairs"], found["questions"]) == (len(traces), len(by_question(traces)))


def test_the_contract_names_these() -> None:
    found = summary(Measured(Outcomes.of([trace(), trace("q1")])))
    shares = "accuracy aggregated exact_match f1".split()
    others = "steps reader_calls tokens_read stop_index_median stop_kinds seconds_per_pair".split()
    assert {*shares, *(f"{name}_interval" for name in shares), *others} < found.keys()
    assert "verified_accuracy" not in found
    judged = summary(Measured(Outcomes.of([trace(supporting_indices=[2]), trace("q1", supporting_indices=[])])))
    assert judged["verified_accuracy"] == 100


def test_credit_for_any_document_of_a_question() -> None:
    traces = [trace("q0", "a"), trace("q0", "b", stop_index=3), trace("q1", "c", stop_index=3)]
    figures = Measured(Outcomes.of(traces)).figures()
    assert figures["accuracy"].value == pytest.approx(100 / 3)
    assert figures["aggregated"].value == 50


def test_probabilities_of_one_answer_add_up_over_documents() -> None:
    traces = [
        trace("q0", "a", answer=answer("Milk", 0.5)),
        trace("q0", "b", answer=answer("the Tea", 0.3)),
        trace("q0", "c", answer=answer("TEA!", 0.35)),
        trace("q1", "d", answer=None),
    ]
    outcomes = Outcomes.of(traces)
    assert outcomes.answers() == {"q0": "TEA!"}
    assert outcomes.scores().tolist() == [[1, 1], [0, 0]]  # no answer is a wrong one


def test_answers_are_scored_once_for_all_metrics_and_anew_after_another_trace(monkeypatch: pytest.MonkeyPatch) -> None:
    scored: list[str] = []

    def counting(answer: str, *rest: Any) -> float:
        scored.append(answer)
        return f1(answer, *rest)

    monkeypatch.setattr("docqn.evaluation.outcomes.f1", counting)
    outcomes = Outcomes.of([trace("q0", answer=answer("Tea")), trace("q1", answer=answer("Milk"))])
    Measured(outcomes)
    assert scored == ["Tea", "Milk"]
    outcomes.add(trace("q2", answer=answer("black tea")))
    assert outcomes.scores().tolist() == [[1, 1], [0, 0], [0, pytest.approx(2 / 3)]]


def test_a_question_without_id_is_known_by_its_text() -> None:
    traces = [replace(trace("", name), question=f"{name}?") for name in ("one", "two")]
    assert Outcomes.of(traces).questions == ["one?", "two?"]


def test_traces_of_two_policies_do_not_mix() -> None:
    with pytest.raises(ValueError, match="trace of q among those of p"):
        Outcomes.of([trace(), trace(policy="q")])


def test_comparisons_are_on_the_same_questions() -> None:
    first = [trace(f"q{i}", stop_index=2 if i % 3 else 3) for i in range(60)]
    second = [trace(f"q{i}", policy="q", stop_index=2 if i % 4 else 3) for i in range(60)]
    rows = comparisons([Measured(Outcomes.of(traces), 5) for traces in (first, second)])
    assert [row["metric"] for row in rows] == list(ALWAYS)
    accuracy = rows[0]
    assert accuracy["difference"] == pytest.approx(100 * (2 / 3 - 3 / 4), abs=0.01)
    low, high = accuracy["interval"]
    assert low < accuracy["difference"] < high
    assert 0 < accuracy["p_value"] < 1
    tea = next(row for row in rows if row["metric"] == "f1")
    assert (tea["difference"], tea["p_value"]) == (0, 1)
    with pytest.raises(DocqnError, match="different pairs"):
        comparisons([Measured(Outcomes.of(first)), Measured(Outcomes.of(second[1:]))])


def test_a_paired_comparison_is_sharper_than_two_intervals() -> None:
    """The second is right wherever the first is, and in five more of a hundred."""
    first = [trace(f"q{i}", stop_index=2 if i < 50 else 3) for i in range(100)]
    second = [trace(f"q{i}", policy="q", stop_index=2 if i < 57 else 3) for i in range(100)]
    one, other = (Measured(Outcomes.of(traces)) for traces in (first, second))
    assert one.figures()["accuracy"].interval.high > other.figures()["accuracy"].interval.low
    assert other.ahead_of(one)["accuracy"].p_value < 0.01


@settings(max_examples=25)
@given(outcomes(), outcomes())
def test_the_best_threshold_is_found(first: list[Trace], second: list[Trace]) -> None:
    count = min(len(first), len(second))

    def of(policy: str, one: Trace, number: int) -> Trace:
        return replace(one, policy=policy, question_id=str(number), answer_indices=one.answer_indices or [])

    pairs = [[of(p, some[i], i) for i in range(count)] for p, some in (("p", first), ("q", second))]
    pairs[1] = [replace(two, document=one.document) for one, two in zip(*pairs, strict=True)]
    found = best_threshold(*(Outcomes.of(traces) for traces in pairs))

    def right(threshold: int) -> int:
        return sum(bool((a if 0 < a.stop_index <= threshold else b).correct) for a, b in zip(*pairs, strict=True))

    every = [right(threshold) for threshold in range(11)]
    assert every[found] == max(every)
    assert max(every[:found], default=-1) < max(every)


def test_a_threshold_needs_the_same_labelled_pairs() -> None:
    one = Outcomes.of([trace()])
    with pytest.raises(DocqnError, match="different pairs"):
        best_threshold(one, Outcomes.of([trace("q1", policy="q")]))
    with pytest.raises(DocqnError, match="known which paragraphs"):
        best_threshold(one, Outcomes.of([trace(policy="q", answer_indices=None)]))


def test_numbers_are_columns() -> None:
    found = Outcomes.of([trace(steps=walk(3), supporting_indices=[5, 7]), trace("q1", answer_indices=[])])
    assert found["steps"].tolist() == [3, 0]
    assert found["first_answer"][0] == 2
    assert found["first_supporting"][0] == 5
    assert np.isnan([found["first_answer"][1], found["first_supporting"][1]]).all()


class EarlyStops:
    """A metric of somebody else: the share of stops up to index 3."""

    @staticmethod
    def tally(outcomes: Outcomes) -> Tally:
        _, pairs = of_pairs(outcomes, "stop_index")
        early = np.bincount(outcomes["question"].astype(int), outcomes["stop_index"] <= 3, len(pairs))
        return early.astype(float), pairs


def test_a_metric_may_be_somebody_elses() -> None:
    name = f"{__name__}:EarlyStops"
    outcomes = Outcomes.of([trace(), trace("q1", stop_index=9)])
    found = summary(Measured(outcomes, more=[name]))
    assert found[name] == 50
    assert found[f"{name}_interval"] == [0, 100]
    with pytest.raises(DocqnError, match="not among the metrics"):
        Measured(outcomes, more=["none"])


@pytest.mark.parametrize("name", metrics.builtin())
@settings(max_examples=10)
@given(traces=outcomes())
def test_every_metric_tallies_questions(name: str, traces: list[Trace]) -> None:
    found = Outcomes.of(traces)
    top, bottom = metrics.metric(name).tally(found)
    assert top.shape == bottom.shape == (len(found.questions),)
    assert (top >= 0).all()
    assert (top <= bottom + 1e-9).all()
