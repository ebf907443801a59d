"""Inputs: all that the network is given of some states, as plain arrays in which every word and node is there once."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from docqn.document import NONE
from docqn.environment.features import node_features
from docqn.environment.forest import Forest, forest, own_words
from docqn.environment.match import Match
from docqn.environment.mdp import States
from docqn.environment.observation import observed_parents
from docqn.environment.predictions import Predictions
from docqn.environment.wording import Wording

Ints = NDArray[np.int32]
Longs = NDArray[np.int64]
Floats = NDArray[np.float32]


class Sequences(NamedTuple):
    """Rows of words, padded with NONE at their ends."""

    word: Ints  # [rows, longest]: which of the distinct words
    length: Ints  # [rows]


class Inputs(NamedTuple):
    """Of some states."""

    words: Longs  # [w]: the distinct words
    nodes: Sequences  # own words of each node of the forest
    above: Longs  # [nodes]: entry of the node above, which is on the level before; NONE at the first level
    levels: tuple[int, ...]  # where each level of the forest begins, and the end
    questions: Sequences  # distinct ones
    answers: Sequences  # the prediction's, one row a state
    node: Longs  # [states]: entry of each state's node
    question: Longs  # [states]: which of the questions
    prediction: Floats  # [states, 3]: φz, scaled
    features: Floats  # [states, 23]: φn, scaled; 27 with what matches


class InputMaker:
    """Makes inputs of states in one environment."""

    def __init__(self, wording: Wording, predictions: Predictions, match: bool = False) -> None:
        self.wording = wording
        self.environment = wording.environment
        self.predictions = predictions
        self.parents = observed_parents(wording.environment.trees)
        self._match = Match(wording, self.parents) if match else None
        self._number = np.full(
            len(wording.words) + 1, NONE, np.int32
        )  # of each word among the distinct; NONE's is NONE

    def of(self, states: States) -> Inputs:
        """All that is known of the states."""
        trees = self.environment.trees
        place = self.environment.place(states)
        wood: Forest = forest(self.parents, place)
        node_words, node_length = own_words(trees, wood.place)
        tasks, question = np.unique(states.task, return_inverse=True)
        question_words, question_length = self.wording.questions(tasks)
        told = self.predictions.at(self.environment, states)
        words, (nodes, questions, answers) = self._distinct(node_words, question_words, told.words)
        return Inputs(
            words,
            Sequences(nodes, node_length),
            wood.entry(wood.above),
            wood.first,
            Sequences(questions, question_length),
            Sequences(answers, told.length),
            wood.entry(place),
            question.astype(np.int64),
            scaled_prediction(told.features),
            self.features(states, place),
        )

    def features(self, states: States, place: Longs) -> Floats:
        """φn of the states at these places, scaled, and what matches if that is wanted."""
        features = scaled_features(node_features(self.environment.trees, place, states.node, states.step))
        return features if self._match is None else np.hstack((features, self._match.of(states.task, place)))

    def _distinct(self, *parts: Ints) -> tuple[Longs, list[Ints]]:
        """The distinct words of all parts, and the parts with their places among them. Each word finds its number in a
        table of all words, so none need be sorted but the distinct."""
        flat = np.concatenate([part.ravel() for part in parts])
        number, here = self._number, np.arange(len(flat), dtype=np.int32)
        number[flat] = here
        words = np.sort(flat[number.take(flat) == here])  # of all that wrote there only the last is still found
        words = words[words != NONE]
        number[words] = np.arange(len(words))
        number[NONE] = NONE
        pieces = np.split(number.take(flat), np.cumsum([part.size for part in parts])[:-1])
        return words.astype(np.int64), [piece.reshape(part.shape) for piece, part in zip(pieces, parts, strict=True)]


def scaled_prediction(prediction: Floats) -> Floats:
    """φz in the range of a network's other inputs: the length by its logarithm."""
    logit, entropy, tokens = prediction.T
    return np.stack([logit / 4, entropy / 4, np.log1p(tokens) / 4], 1).astype(np.float32)


def scaled_features(features: Floats) -> Floats:
    """φn likewise: the step and the distances by their logarithm; the rest is 0 or 1."""
    scaled = features.copy()
    for counts in (scaled[:, :1], scaled[:, -4:]):
        np.divide(np.log1p(counts), 2, out=counts)
    return scaled
