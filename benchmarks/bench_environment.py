"""Random legal walks through documents: 1,024 cursors as arrays, beside one cursor in a tree of Python objects.

Both work out what is legal, draw one of it, move, reward, begin anew when an episode ends, and show what the agent is
shown: features of the node and the first words on the path to it. Arrays take the words from a table that is made once
a document, or put them together at every step, as the objects do. Moves alone are neither with features nor with words.
Seconds are those of the one core that each works on.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from time import process_time

import numpy as np
from numpy.typing import NDArray

from benchmarks import Row, race
from docqn.build import Block, build_document
from docqn.document import PARAGRAPH, SENTENCE, Document
from docqn.environment.features import CLIP, node_features
from docqn.environment.mdp import TRAINING_LIMIT, Environment, States
from docqn.environment.observation import LONGEST, WORDS, observed_parents, observed_words
from docqn.environment.pairs import Pair, environment_of
from docqn.environment.trees import Trees

CURSORS = 1024
DOCUMENTS = 64
SECONDS = 1.0  # measured, three times each
TIMES_AS_FAST = 100
FEWEST = 2e6  # moves a second on one core


def run(seed: int) -> Iterable[Row]:
    """Moves a second of both."""
    rng = np.random.default_rng(seed)
    pairs = [_pair(rng) for _ in range(DOCUMENTS)]
    many = _Many(environment_of(pairs, limit=TRAINING_LIMIT), rng)
    one = _One([_Tree(pair) for pair in pairs], random.Random(seed))
    ours, theirs = _rates(many.show, one.show)
    yield Row("steps, with what is shown", ours, "objects", theirs, unit="steps/s", at_least=TIMES_AS_FAST)
    ours, theirs = _rates(many.gather, one.show)
    yield Row("the same, without a table of words", ours, "objects", theirs, unit="steps/s")
    ours, theirs = _rates(many.go, one.go)
    yield Row("moves alone", ours, "objects", theirs, unit="moves/s")
    yield Row("the same", ours, unit="moves/s", at_least=FEWEST)
    trees = many.environment.trees
    (gathering,) = race(lambda: _words(trees))
    nodes = len(trees.kind) // DOCUMENTS
    yield Row(f"words of all {nodes} nodes of a document", 1000 * gathering / DOCUMENTS, unit="ms")


def _words(trees: Trees) -> NDArray[np.int32]:
    """[rows, 120]: what is seen at each node."""
    place, document = np.arange(len(trees.kind)), np.repeat(np.arange(DOCUMENTS, dtype=np.int32), np.diff(trees.first))
    words, _ = observed_words(trees, observed_parents(trees), place, document)
    return words


def _rates(ours: Callable[[], int], theirs: Callable[[], int]) -> list[float]:
    """The best moves a second of each, measured in turn."""
    return [max(rates) for rates in zip(*((_rate(ours), _rate(theirs)) for _ in range(3)), strict=True)]


def _rate(go: Callable[[], int]) -> float:
    start, moves = process_time(), 0
    while process_time() - start < SECONDS:
        moves += go()
    return moves / (process_time() - start)


def _pair(rng: np.random.Generator) -> Pair:
    """A document of about the size of a Wikipedia page: 300 nodes, three levels of sections."""
    blocks = []
    for _ in range(7):
        blocks.append(Block("Heading", 2))
        for _ in range(int(rng.integers(1, 5))):
            blocks += [Block("One sentence here. Another one. And a third.")] * int(rng.integers(1, 4))
            blocks.append(Block("Smaller heading", int(rng.integers(3, 5))))
            blocks += [Block("One sentence here. Another one. And a third.")] * int(rng.integers(1, 4))
    document = build_document(blocks, source="bench", format="bench", title="Title")
    paragraphs = np.flatnonzero(document.kind == PARAGRAPH)
    return Pair("Which?", document, answers=tuple(sorted(rng.choice(paragraphs, 3, replace=False).tolist())))


class _Many:
    """Cursors as arrays."""

    def __init__(self, environment: Environment, rng: np.random.Generator) -> None:
        self.environment = environment
        self.rng = rng
        self.states = environment.start(rng.integers(DOCUMENTS, size=CURSORS))
        self.words = _words(environment.trees)
        self.parents = observed_parents(environment.trees)

    def go(self) -> int:
        """A step of each cursor."""
        legal = self.environment.legal(self.states)
        # Of random keys, those of illegal actions are below all others: the largest is a legal action drawn evenly.
        action = (self.rng.random(legal.shape, np.float32) + legal).argmax(axis=1)
        states, outcome = self.environment.step(self.states, action)
        going = ~(outcome.stopped | outcome.truncated)
        self.states = States(states.task, states.node * going, states.step * going, states.predicted & going)
        return CURSORS

    def show(self) -> int:
        """The same, and what is shown: features and words, from the table."""
        count = self.go()
        self.words.take(self._featured(), axis=0)
        return count

    def gather(self) -> int:
        """The same with the words put together."""
        count = self.go()
        document = self.environment.tasks.document.take(self.states.task)
        observed_words(self.environment.trees, self.parents, self._featured(), document)
        return count

    def _featured(self) -> NDArray[np.int64]:
        """The cursors' places, once their features are computed."""
        place = self.environment.place(self.states)
        node_features(self.environment.trees, place, self.states.node, self.states.step)
        return place


class _Node:
    """A node as an object that knows its parent and its children, and finds out the rest, as in the paper's code."""

    def __init__(self, index: int, parent: _Node | None, kind: int, words: list[int]) -> None:
        self.index = index
        self.parent = parent
        self.readable = kind in (PARAGRAPH, SENTENCE)
        self.words = words
        self.children: list[_Node] = []
        self.kind = kind

    def sibling(self, step: int) -> _Node | None:
        if self.parent is None:
            return None
        siblings = self.parent.children
        place = siblings.index(self) + step
        return siblings[place] if 0 <= place < len(siblings) else None

    def legal(self) -> list[str]:
        if self.parent is None:
            return ["Down", "Stop"]
        actions = ["UpL", "UpR", "Stop"]
        if self.children:
            actions.append("Down")
        if self.sibling(-1):
            actions.append("Left")
        if self.sibling(1):
            actions.append("Right")
        if self.readable:
            actions.append("Answer")
        return actions

    def path(self) -> list[_Node]:
        return [*(self.parent.path() if self.parent else []), self]

    def height(self) -> int:
        return max((child.height() + 1 for child in self.children), default=0)

    def observation(self) -> NDArray[np.int32]:
        """The first words on the path without a sentence's paragraph, padded."""
        path = self.path()
        if self.kind == SENTENCE:
            del path[-2]
        words = [word for node in path for word in node.words[:WORDS]][:LONGEST]
        return np.array(words + [-1] * (LONGEST - len(words)), np.int32)

    def features(self, step: int) -> NDArray[np.float32]:
        """Step, depth, height, and the distances to the first and last sibling, its own and its parent's."""
        features = np.zeros(2 * (CLIP + 1) + 5, np.float32)
        features[0] = step
        features[1 + min(len(self.path()) - 1, CLIP)] = 1
        features[2 + CLIP + min(self.height(), CLIP)] = 1
        for at, node in ((-4, self), (-2, self.parent or self)):
            siblings = node.parent.children if node.parent else [node]
            place = siblings.index(node)
            features[at] = place
            features[at + 1] = len(siblings) - 1 - place
        return features


class _Tree:
    """A document as objects."""

    def __init__(self, pair: Pair) -> None:
        document: Document = pair.document
        nodes: list[_Node] = []
        for i in range(len(document)):
            parent = nodes[document.parent[i]] if i else None
            words = document.token[document.first_token[i] : document.end_token[i]].tolist()
            nodes.append(_Node(int(document.index[i]), parent, int(document.kind[i]), words))
            if parent:
                parent.children.append(nodes[i])
        self.root = nodes[0]
        self.largest = nodes[-1].index
        self.answers = [nodes[answer].index for answer in pair.answers or ()]

    def stop_reward(self, node: _Node) -> float:
        distance = min(abs(node.index - answer) for answer in self.answers)
        return 2.0 if distance == 0 else 1 - distance / self.largest


class _One:
    """One cursor in a tree of objects."""

    def __init__(self, trees: list[_Tree], rng: random.Random) -> None:
        self.trees = trees
        self.rng = rng
        self._begin()

    def _begin(self) -> None:
        self.tree = self.rng.choice(self.trees)
        self.node, self.step, self.predicted = self.tree.root, 0, False

    def go(self) -> int:
        """As many steps as all cursors take together, so that what surrounds a step weighs as little."""
        for _ in range(CURSORS):
            self._step()
        return CURSORS

    def show(self) -> int:
        """The same, and what is shown after each."""
        for _ in range(CURSORS):
            self._step()
            self.node.features(self.step)
            self.node.observation()
        return CURSORS

    def _step(self) -> None:
        _, ended = self._move(self.rng.choice(self.node.legal()))
        if ended or self.step >= TRAINING_LIMIT:
            self._begin()

    def _move(self, action: str) -> tuple[float, bool]:
        self.step += 1
        if action == "Stop":
            return self.tree.stop_reward(self.node), True
        if action == "Answer":
            self.predicted = True
            return -0.06, False
        node = self.node
        if action == "Down":
            self.node = node.children[0]
        elif action in ("Left", "Right"):
            self.node = node.sibling(-1 if action == "Left" else 1) or node
        elif node.parent is not None:
            self.node = node.parent.sibling(-1 if action == "UpL" else 1) or node.parent
        self.predicted = False
        return -0.02, False
