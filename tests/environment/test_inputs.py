"""Inputs of the network: the words that states see, whichever way the tasks are given, each word there once."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from docqn import readers
from docqn.document import NONE, PARAGRAPH
from docqn.environment.features import NODE_FEATURES, node_features
from docqn.environment.inputs import InputMaker, Inputs, Sequences, scaled_features, scaled_prediction
from docqn.environment.match import MATCH_FEATURES
from docqn.environment.mdp import States
from docqn.environment.pairs import Pair, environment_of
from docqn.environment.predictions import Predictions
from docqn.environment.readings import Readings, prediction_features
from docqn.environment.wording import LONGEST_QUESTION, Wording
from docqn.text.tokens import token_spans, token_texts
from tests.documents import document
from tests.evaluation.corpus import make_corpus

LONG = " ".join(f"word{i}" for i in range(30))
DOCUMENTS = [
    document(["## Leave", "One has 25 days of leave. Two more in winter.", LONG, "## Pay", "Nothing."]),
    document(["Only this."]),
]
PAIRS = [
    Pair("How many days of leave?", DOCUMENTS[0], answers=(2,)),
    Pair("Which pay " + "very " * 60 + "much?", DOCUMENTS[0]),
    Pair("Only?", DOCUMENTS[1]),
]


def maker_of(pairs: list[Pair], match: bool = False) -> InputMaker:
    wording = Wording.of_pairs(pairs, environment_of(pairs))
    return InputMaker(wording, Predictions(Readings(readers.reader("lexical"), pairs), pairs), match)


def states_of(nodes: list[tuple[int, int, bool]]) -> States:
    task, node, predicted = zip(*nodes, strict=True)
    steps = np.arange(len(nodes), dtype=np.int32)
    return States(np.array(task, np.int64), np.array(node, np.int32), steps, np.array(predicted))


def spelt(inputs: Inputs, maker: InputMaker, rows: Sequences, row: int) -> list[str]:
    assert (rows.word[row, rows.length[row] :] == NONE).all()
    numbers = inputs.words[rows.word[row, : rows.length[row]]]
    return [maker.wording.words[number] for number in numbers.tolist()]


def test_states_see_the_first_words_of_their_path_the_question_and_the_answer() -> None:
    maker = maker_of(PAIRS)
    paragraph = int(np.flatnonzero(DOCUMENTS[0].kind == PARAGRAPH)[0])
    states = states_of([(0, paragraph, True), (1, paragraph + 1, False), (2, 0, False), (0, paragraph, False)])
    inputs = maker.of(states)
    assert len(set(inputs.words.tolist())) == len(inputs.words)
    assert len(inputs.questions.length) == 3

    for row, (task, node) in enumerate(zip(states.task.tolist(), states.node.tolist(), strict=True)):
        pair = PAIRS[task]
        asked = token_texts(pair.question, token_spans(pair.question))[:LONGEST_QUESTION]
        assert spelt(inputs, maker, inputs.questions, int(inputs.question[row])) == asked
        assert spelt(inputs, maker, inputs.nodes, int(inputs.node[row])) == pair.document.tokens_of(node)[:20]
    reading = Readings(readers.reader("lexical"), PAIRS).of([0], [paragraph])[0]
    expected = token_texts(reading.text, token_spans(reading.text))
    assert expected
    assert spelt(inputs, maker, inputs.answers, 0) == expected
    assert inputs.answers.length[1:].tolist() == [0, 0, 0]
    assert inputs.prediction[0] == pytest.approx(scaled_prediction(prediction_features([reading]))[0])
    assert not inputs.prediction[1:].any()


def test_a_state_alone_has_the_inputs_that_it_has_among_others() -> None:
    maker = maker_of(PAIRS)
    nodes = [(0, node, bool(node % 2)) for node in range(len(DOCUMENTS[0]))] + [(2, 1, True)]
    states = states_of(nodes)
    together = maker.of(states)
    for row in range(len(nodes)):
        alone = maker.of(states.take(np.arange(len(nodes)) == row))
        for rows_alone, at_alone, rows, at in (
            (alone.nodes, alone.node[0], together.nodes, together.node[row]),
            (alone.questions, alone.question[0], together.questions, together.question[row]),
            (alone.answers, 0, together.answers, row),
        ):
            assert spelt(alone, maker, rows_alone, int(at_alone)) == spelt(together, maker, rows, int(at))
        assert alone.features[0] == pytest.approx(together.features[row])
        assert alone.prediction[0] == pytest.approx(together.prediction[row])


def test_features_are_scaled_and_not_lost() -> None:
    environment = environment_of(PAIRS)
    states = states_of([(0, node, False) for node in range(len(DOCUMENTS[0]))])
    features = node_features(environment.trees, environment.place(states), states.node, states.step)
    before = features.copy()
    scaled = scaled_features(features)
    assert (features == before).all()
    assert np.expm1(2 * scaled[:, [0, -4, -3, -2, -1]]) == pytest.approx(features[:, [0, -4, -3, -2, -1]], abs=1e-4)
    assert (scaled[:, 1:-4] == features[:, 1:-4]).all()


def test_what_matches_comes_after_the_features_if_it_is_wanted() -> None:
    states = states_of([(task, node, False) for task in (0, 1) for node in range(len(DOCUMENTS[0]))])
    without, with_match = (maker_of(PAIRS, match).of(states) for match in (False, True))
    assert without.features.shape == (len(states.node), NODE_FEATURES)
    assert with_match.features.shape == (len(states.node), NODE_FEATURES + MATCH_FEATURES)
    assert (with_match.features[:, :NODE_FEATURES] == without.features).all()
    assert with_match.features[:, NODE_FEATURES:].any(0).all()
    for name in ("words", "above", "node", "question", "prediction"):
        assert (getattr(with_match, name) == getattr(without, name)).all()


def test_a_corpus_gives_the_same_inputs_as_its_pairs(tmp_path: Path) -> None:
    split = make_corpus(tmp_path).split("dev")
    pairs = [Pair.of(example) for example in split]
    of_pairs = maker_of(pairs, match=True)
    wording = Wording.of_splits([split], limit=100, coupled=False)
    predictions = Predictions(Readings(readers.reader("lexical"), wording.pairs), wording.pairs)
    of_split = InputMaker(wording, predictions, match=True)
    tasks = [task for task, pair in enumerate(pairs) if pair.answers]
    assert len(wording.environment.tasks) == len(tasks)
    for row, task in enumerate(tasks):
        for node in range(len(pairs[task].document)):
            ours = of_split.of(states_of([(row, node, True)]))
            theirs = of_pairs.of(states_of([(task, node, True)]))
            for mine, other in (
                (ours.nodes, theirs.nodes),
                (ours.questions, theirs.questions),
                (ours.answers, theirs.answers),
            ):
                found = [spelt(ours, of_split, mine, at) for at in range(len(mine.length))]
                assert found == [spelt(theirs, of_pairs, other, at) for at in range(len(other.length))]
            assert ours.features == pytest.approx(theirs.features)
            assert ours.prediction == pytest.approx(theirs.prediction)
        assert wording.pairs[row].question == pairs[task].question


def test_pairs_of_little_coverage_are_left_out(tmp_path: Path) -> None:
    split = make_corpus(tmp_path).split("dev")
    split.arrays["coverage"] = np.linspace(0, 1, len(split), dtype=np.float32)
    whole = Wording.of_splits([split], limit=30, coupled=False)
    half = Wording.of_splits([split], limit=30, coupled=False, least=0.5)
    assert 0 < len(half.pairs) < len(whole.pairs)
    assert len(half.question) == len(half.environment.tasks) == len(half.pairs)
