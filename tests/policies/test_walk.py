"""Walking with a navigator that follows a script."""

from collections.abc import Sequence

import numpy as np
import pytest

from docqn.document import DOWN, RIGHT, UP_LEFT
from docqn.environment.actions import ACTIONS, ANSWER, STOP
from docqn.environment.mdp import TEST_LIMIT, TRAINING_LIMIT, Environment, States
from docqn.environment.pairs import Pair
from docqn.environment.readings import Readings, prediction_features
from docqn.policies import Setting, policy
from docqn.policies.randomness import seeds, uniform
from docqn.policies.trace import Trace
from docqn.policies.walk import Bools, Choice, Walker, walk
from docqn.readers import Reading
from docqn.readers.lexical import LexicalReader
from tests.documents import document, sections
from tests.policies.checks import faults

DOCUMENT = document(sections(2))  # 0 title, 1 section, 2 paragraph (3, 4), 5 paragraph (6, 7), 8 section …
PAIR = Pair("What word stands?", DOCUMENT, "q", "tea", ("Word",), (2,))


class Scripted:
    """Takes the actions of a list for each pair, and remembers what it was shown."""

    name = "scripted"

    def __init__(self, *scripts: list[int], coupled: bool = False, observes: bool = True) -> None:
        self.scripts = scripts
        self.coupled = coupled
        self.observes = observes
        self.features: list[np.ndarray] = []
        self.offered: list[np.ndarray] = []

    def enter(self, pairs: Sequence[Pair], setting: Setting, environment: Environment, readings: Readings) -> Walker:
        def follow(states: States, legal: Bools) -> Choice:
            self.features.append(prediction_features(readings.at(environment, states)))
            self.offered.append(legal)
            action = [self.scripts[task][step] for task, step in zip(states.task, states.step, strict=True)]
            values = np.tile(states.step[:, None], (1, len(ACTIONS))).astype(np.float32)
            weights = [[0.25, 0.75]] * len(action)
            return Choice(np.array(action), values, weights, weights)

        return follow


class Counting(LexicalReader):
    """The lexical reader, counting what it reads."""

    reads = 0

    def read(self, questions: Sequence[str], passages: Sequence[str]) -> list[Reading]:
        self.reads += len(passages)
        return super().read(questions, passages)


def test_a_walk_is_written_down_step_by_step() -> None:
    reader = Counting()
    navigator = Scripted([DOWN, DOWN, ANSWER, UP_LEFT, STOP])
    (trace,) = walk(navigator, [PAIR], Setting(reader))
    assert faults(trace, PAIR) == []
    assert [step.node for step in trace.steps] == [0, 1, 2, 2, 1]
    assert [step.reward for step in trace.steps] == pytest.approx([-0.02, -0.02, -0.06, -0.02, 1 - 1 / 6])
    assert [step.answer is not None for step in trace.steps] == [False, False, True, False, False]
    assert [step.q_values for step in trace.steps] == [[float(i)] * 7 for i in range(5)]
    assert trace.steps[0].question_attention == [0.25, 0.75]
    assert (trace.stop_node, trace.stop_kind, trace.stopped) == (1, "section", True)
    assert trace.answer == trace.steps[2].answer  # the first paragraph below the section
    assert (trace.paragraphs, trace.reader_calls, reader.reads) == ([2], 1, 1)


def test_the_navigator_sees_the_prediction_until_it_moves_away() -> None:
    navigator = Scripted([DOWN, DOWN, ANSWER, DOWN, ANSWER, STOP])
    walk(navigator, [PAIR], Setting(LexicalReader()))
    assert [bool(features.any()) for features in navigator.features] == [False, False, False, True, False, True]


def test_at_a_sentence_its_paragraph_is_read() -> None:
    """By Answer, and for the final answer of a Stop, with an Answer or without one."""
    for script, coupled in (
        ([DOWN, DOWN, DOWN, RIGHT, ANSWER, STOP], False),
        ([DOWN, DOWN, DOWN, STOP], False),
        ([DOWN, DOWN, DOWN, STOP], True),
    ):
        (trace,) = walk(Scripted(script, coupled=coupled), [PAIR], Setting(LexicalReader()))
        (alone,) = walk(Scripted([DOWN, DOWN, STOP]), [PAIR], Setting(LexicalReader()))
        assert faults(trace, PAIR) == []
        assert (trace.stop_kind, trace.stop_index, trace.steps[-1].reward) == ("sentence", 2, 2)
        assert (trace.paragraphs, trace.reader_calls) == ([2], 1)
        assert trace.answer == alone.answer is not None
        assert all(step.answer in (None, alone.answer) for step in trace.steps)
        assert sum(step.answer is not None for step in trace.steps) == script.count(ANSWER)


def test_the_papers_limits() -> None:
    """Thirty steps in training, a hundred in testing; who never stops gets no reward for where it is."""
    assert (TRAINING_LIMIT, TEST_LIMIT) == (30, 100)
    (trace,) = walk(Scripted([DOWN] + [UP_LEFT, DOWN] * 99), [PAIR], Setting(LexicalReader()))
    assert (len(trace.steps), trace.stopped) == (100, False)
    assert {step.reward for step in trace.steps} == {-0.02}


def test_walks_end_one_by_one() -> None:
    pairs = [PAIR, Pair("Who?", document(sections(1)), "q2", "x"), Pair("Who?", DOCUMENT, "q3", "tea")]
    traces = walk(Scripted([DOWN, STOP], [STOP], [DOWN, RIGHT, DOWN, STOP]), pairs, Setting(LexicalReader()))
    assert [[faults(trace, pair), trace.stop_node] for trace, pair in zip(traces, pairs, strict=True)] == [
        [[], 1],
        [[], 0],
        [[], 9],
    ]
    assert [len(trace.steps) for trace in traces] == [2, 1, 4]


def test_time_runs_out_at_the_limit() -> None:
    (trace,) = walk(Scripted([DOWN, RIGHT] + [UP_LEFT] * 9), [PAIR], Setting(LexicalReader(), limit=5))
    assert faults(trace, PAIR) == []
    assert (len(trace.steps), trace.stopped, trace.stop_node) == (5, False, 0)


def test_what_is_observed_is_read_unless_the_navigator_does_not_look() -> None:
    script = [DOWN, STOP]
    (seeing,) = walk(Scripted(script), [PAIR], Setting(LexicalReader()))
    (blind,) = walk(Scripted(script, observes=False), [PAIR], Setting(LexicalReader()))
    paragraph = range(DOCUMENT.first_token[2], DOCUMENT.end_token[2])
    assert blind.read == [(paragraph.start, paragraph.stop)]
    assert seeing.tokens_read == len(paragraph) + 1 + 2  # `Tea` and `Part 0`


def test_without_a_mask_illegal_actions_are_offered_and_stay_in_place() -> None:
    navigator = Scripted([RIGHT, ANSWER, STOP])
    (trace,) = walk(navigator, [PAIR], Setting(LexicalReader(), masked=False))
    assert faults(trace, PAIR) == []
    assert all(offered.all() for offered in navigator.offered)
    assert [(step.node, step.reward) for step in trace.steps[:2]] == [(0, -0.02), (0, -0.06)]
    assert trace.steps[1].answer is None
    masked = Scripted([STOP])
    walk(masked, [PAIR], Setting(LexicalReader()))
    assert masked.offered[0].sum() == 2


def test_a_coupled_navigator_is_offered_no_answer() -> None:
    navigator = Scripted([DOWN, DOWN, STOP], coupled=True)
    (trace,) = walk(navigator, [PAIR], Setting(LexicalReader()))
    assert not navigator.offered[2][0, ANSWER]
    assert trace.answer is not None


def test_a_random_walk_takes_each_legal_action_as_often() -> None:
    pairs = [Pair("?", DOCUMENT, f"q{i}", "tea") for i in range(2000)]
    traces: list[Trace] = policy("random-walk").traces(pairs, Setting(LexicalReader()))
    at_section = [step.action for trace in traces for step in trace.steps if step.node == 1]
    share = np.bincount(at_section, minlength=len(ACTIONS)) / len(at_section)
    legal = [ACTIONS.index(name) for name in ("UpL", "UpR", "Down", "Right", "Stop")]
    assert share[legal] == pytest.approx(np.full(5, 0.2), abs=5 * np.sqrt(0.16 / len(at_section)))
    assert share.sum() == pytest.approx(share[legal].sum())
    at_once = float(np.mean([len(trace.steps) == 1 for trace in traces]))
    assert at_once == pytest.approx(0.5, abs=5 * np.sqrt(0.25 / len(traces)))


def test_chance_is_even_and_differs_by_pair_seed_and_turn() -> None:
    pairs = [Pair("?", DOCUMENT, f"q{i}", "tea") for i in range(2000)]
    drawn = np.stack([uniform(seeds(pairs, seed), turn) for seed in (0, 1) for turn in (0, 1, 2)])
    assert ((drawn >= 0) & (drawn < 1)).all()
    assert len(np.unique(drawn)) == drawn.size
    assert np.abs(np.corrcoef(drawn) - np.eye(6)).max() < 0.11
    for row in drawn:
        counts = np.bincount((row * 10).astype(int), minlength=10)
        assert ((counts - 200) ** 2 / 200).sum() < 40  # χ² with 9 degrees of freedom


def test_random_paragraphs_are_drawn_evenly() -> None:
    pairs = [Pair("?", DOCUMENT, f"q{i}", "tea") for i in range(2000)]
    stops = [trace.stop_node for trace in policy("random-para").traces(pairs, Setting(LexicalReader()))]
    nodes, counts = np.unique(stops, return_counts=True)
    assert nodes.tolist() == [2, 5, 9, 12]
    assert counts / 2000 == pytest.approx(np.full(4, 0.25), abs=5 * np.sqrt(0.1875 / 2000))
