"""The answer prediction: read once, asked often; its features."""

from collections.abc import Sequence

import numpy as np
import pytest

from docqn.environment.actions import ANSWER
from docqn.environment.mdp import States
from docqn.environment.pairs import Pair, environment_of
from docqn.environment.readings import Readings, prediction_features
from docqn.readers import Reading
from tests.documents import document

DOCUMENT = document(["## A", "One stands here. Two too.", "Three.", "## B", "Four."])
PAIRS = [Pair("What?", DOCUMENT), Pair("Who?", DOCUMENT)]
FIRST, SECOND = 2, 5


class Counting:
    """A reader that remembers what it was asked."""

    fingerprint = "counting"

    def __init__(self) -> None:
        self.asked: list[tuple[str, str]] = []
        self.batches = 0

    def read(self, questions: Sequence[str], passages: Sequence[str]) -> list[Reading]:
        self.batches += 1
        self.asked += zip(questions, passages, strict=True)
        return [Reading(0, 3, passage[:3], len(passage), 0.5, 0.25, len(passage.split())) for passage in passages]


def test_each_paragraph_is_read_once_a_question_and_all_in_one_batch() -> None:
    reader = Counting()
    readings = Readings(reader, PAIRS)
    asked = readings.of([0, 1, 0, 0], [FIRST, FIRST, SECOND, FIRST])
    again = readings.of([0, 1], [FIRST, FIRST])
    assert reader.batches == 1
    assert reader.asked == [
        ("What?", "One stands here. Two too."),
        ("Who?", "One stands here. Two too."),
        ("What?", "Three."),
    ]
    assert asked[0] is asked[3] is again[0]
    assert [reading.text for reading in asked] == ["One", "One", "Thr", "One"]


def test_only_states_with_a_prediction_have_one_and_a_sentence_has_its_paragraphs() -> None:
    environment = environment_of(PAIRS)
    nodes = np.array([FIRST, FIRST + 1, FIRST, 0], np.int32)
    states = States(np.zeros(4, np.int64), nodes, np.zeros(4, np.int32), np.array([True, True, False, True]))
    found = Readings(Counting(), PAIRS).at(environment, states)
    assert [z and z.text for z in found] == ["One", "One", None, None]
    assert prediction_features(found) == pytest.approx(np.array([[25, 0.25, 5], [25, 0.25, 5], [0, 0, 0], [0, 0, 0]]))


def test_after_answer_the_prediction_is_there() -> None:
    environment = environment_of(PAIRS)
    states = States(np.zeros(1, np.int64), np.array([SECOND], np.int32), np.zeros(1, np.int32), np.zeros(1, bool))
    readings = Readings(Counting(), PAIRS)
    assert readings.at(environment, states) == [None]
    after, _ = environment.step(states, np.array([ANSWER]))
    assert [z and z.text for z in readings.at(environment, after)] == ["Thr"]


def test_no_states_have_no_features() -> None:
    assert prediction_features([]).shape == (0, 3)
