"""The agent's network in onnxruntime. What it has encoded it keeps: a word, a question and a node are encoded once."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from docqn.arrays import Array
from docqn.document import NONE
from docqn.environment.forest import forest, own_words
from docqn.environment.inputs import InputMaker, scaled_prediction
from docqn.environment.mdp import States
from docqn.environment.observation import WORDS as OWN_WORDS
from docqn.errors import DocqnError
from docqn.policies.neural.graphs import ANSWER, HEAD, NODE, QUESTION, STATES
from docqn.policies.neural.graphs import WORDS as WORD
from docqn.readers.neural.folder import ModelFolder
from docqn.readers.neural.session import Session
from docqn.readers.neural.words import WORDS, load_words
from docqn.text.characters import characters

Ints = NDArray[np.int32]
Longs = NDArray[np.int64]
Floats = NDArray[np.float32]

_HIGHEST = -1e4  # logit of no words


class Valued(NamedTuple):
    """What the network says of some states."""

    q: Floats  # [states, 7]
    question_attention: list[list[float]]  # a weight a word of the question
    observation_attention: list[list[float]]  # a weight a word of the observation


class Network:
    """The graphs of a folder."""

    def __init__(self, folder: ModelFolder) -> None:
        self.sessions = {
            name: Session(folder.read(f"{name}.onnx"), folder.path / f"{name}.onnx", 1)
            for name in (WORD, QUESTION, NODE, ANSWER, HEAD)
        }
        self.table = load_words(folder.path / WORDS)
        self.folder = folder

    def run(self, name: str, **inputs: Array) -> dict[str, Array]:
        """The outputs of a graph."""
        return self.sessions[name].run([inputs])[0]


class _Rows:
    """Rows of numbers that grow in number; the first one is that of nothing."""

    def __init__(self, nothing: dict[str, Array]) -> None:
        self.arrays = {name: value[None] for name, value in nothing.items()}
        self.count = 1

    def add(self, rows: dict[str, Array]) -> Longs:
        """Where the rows are now."""
        count = len(next(iter(rows.values())))
        while self.count + count > len(self.arrays[next(iter(rows))]):
            self.arrays = {name: np.concatenate((a, np.zeros_like(a))) for name, a in self.arrays.items()}
        place = np.arange(self.count, self.count + count)
        for name, values in rows.items():
            self.arrays[name][place] = values
        self.count += count
        return place


class Values:
    """Q-values of states in one environment."""

    def __init__(self, network: Network, maker: InputMaker) -> None:
        self._network = network
        self._maker = maker
        spelt = list(maker.wording.words)
        self._number = network.table.words.numbers(spelt)
        self._characters = characters(spelt)
        self._word = np.zeros(len(spelt), np.int64)  # [words]: row of each word that is encoded, else 0
        self._words = _Rows({"told": np.zeros(self._width(WORD, "told"), np.float32)})
        rows = len(maker.environment.trees.kind)
        self._slot = np.zeros(rows, np.int64)  # [rows of the trees]: row of each node that is encoded, else 0
        width = self._width(NODE, "total_after")
        nothing: dict[str, Array] = {name: np.zeros(width, np.float32) for name in ("hidden", "total")}
        nothing["cell"] = np.zeros(self._width(NODE, "cell_after"), np.float32)
        nothing |= {"highest": np.array(_HIGHEST, np.float32), "weight": np.zeros((), np.float32)}
        nothing |= {"logits": np.zeros(OWN_WORDS, np.float32), "length": np.zeros((), np.float32)}
        self._nodes = _Rows(nothing)
        self._answer_width = self._width(ANSWER, "answer")
        self._questions: dict[int, tuple[Floats, list[float]]] = {}

    def __call__(self, states: States) -> Valued:
        """What the network says of them."""
        maker, network = self._maker, self._network
        environment = maker.environment
        place = environment.place(states)
        self._encode_nodes(place)
        slot = self._slot[place]
        told = maker.predictions.at(environment, states)
        asked = [self._question(task) for task in states.task.tolist()]
        nodes = self._nodes.arrays
        q = network.run(
            HEAD,
            question=np.concatenate([encoded for encoded, _ in asked]),
            observation=nodes["total"][slot] / np.maximum(nodes["weight"][slot], 1e-9)[:, None],
            answer=self._answers(told.words, told.length),
            prediction=scaled_prediction(told.features),
            features=maker.features(states, place),
        )["q"]
        return Valued(q, [weights for _, weights in asked], [self._attention(at) for at in place.tolist()])

    def _encode_nodes(self, place: Longs) -> None:
        """Encode the nodes that are not yet, and those above them."""
        trees = self._maker.environment.trees
        wood = forest(self._maker.parents, place, self._slot > 0)
        for begin, end in zip(wood.first[:-1], wood.first[1:], strict=True):
            rows, above = wood.place[begin:end], wood.above[begin:end]
            before = np.where(above == NONE, 0, self._slot[above])
            carried = {name: self._nodes.arrays[name][before] for name in STATES}
            words, length = own_words(trees, rows)
            logits = np.zeros((len(rows), words.shape[1]), np.float32)
            there = np.flatnonzero(length)
            if len(there):
                given = {name: array[there] for name, array in carried.items()}
                found = self._network.run(NODE, **self._sequences(words[there], length[there]), **given)
                for name in STATES:
                    carried[name][there] = found[f"{name}_after"]
                logits[there, : len(found["logits"])] = found["logits"].T
            self._slot[rows] = self._nodes.add({**carried, "logits": logits, "length": length})

    def _question(self, task: int) -> tuple[Floats, list[float]]:
        if task not in self._questions:
            words = self._maker.wording.question[task]
            if len(words):
                found = self._network.run(QUESTION, words=self._encoded(words))
                self._questions[task] = found["question"], _rounded(found["attention"])
            else:
                self._questions[task] = np.zeros((1, self._width(QUESTION, "question")), np.float32), []
        return self._questions[task]

    def _answers(self, words: Ints, length: Ints) -> Floats:
        answers = np.zeros((len(words), self._answer_width), np.float32)
        there = np.flatnonzero(length)
        if len(there):
            answers[there] = self._network.run(ANSWER, **self._sequences(words[there], length[there]))["answer"]
        return answers

    def _sequences(self, words: Ints, length: Ints) -> dict[str, Array]:
        """Words [rows, longest] as [time, rows, told], and their numbers."""
        shown = np.ascontiguousarray(words[:, : int(length.max())].T)
        return {"words": self._encoded(shown), "length": length.astype(np.int32)}

    def _encoded(self, words: Array) -> Floats:
        """[…, told]: zeros where there is no word."""
        new = np.unique(words)
        new = new[new != NONE]
        new = new[self._word[new] == 0]
        if len(new):
            given, character = self._network.table.vectors(self._number[new]), self._characters[new].astype(np.int64)
            self._word[new] = self._words.add(self._network.run(WORD, given=given, character=character))
        encoded: Floats = self._words.arrays["told"][np.where(words == NONE, 0, self._word[words])]
        return encoded

    def _attention(self, place: int) -> list[float]:
        """The weight of each word of an observation."""
        path = []
        at = place
        while at != NONE:
            path.append(self._slot[at])
            at = int(self._maker.parents[at])
        nodes = self._nodes.arrays
        highest, total = nodes["highest"][path[0]], nodes["weight"][path[0]]
        logits = np.concatenate([nodes["logits"][slot][: int(nodes["length"][slot])] for slot in reversed(path)])
        return _rounded(np.exp(logits - highest) / max(float(total), 1e-9))

    def _width(self, graph: str, output: str) -> int:
        """The last dimension of an output, as the folder says."""
        value = self._network.folder.config.get("widths", {}).get(f"{graph}.{output}")
        if not isinstance(value, int):
            raise DocqnError(f"{self._network.folder.path}: lacks the width of {output}; export it again")
        return value


def _rounded(weights: Array) -> list[float]:
    return [round(float(weight), 4) for weight in weights]
