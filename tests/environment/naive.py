"""The MDP as one would first write it down from the paper: objects, one cursor, no arrays."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from typing import NamedTuple

import numpy as np

from docqn.document import NONE, PARAGRAPH, SECTION, SENTENCE, TITLE
from docqn.environment.mdp import Environment
from docqn.environment.tasks import Tasks
from docqn.environment.trees import Trees
from docqn.tree import link, trace_moves
from tests.trees import Node, grow, ordered_trees, parents

ACTIONS = ["UpL", "UpR", "Down", "Left", "Right", "Answer", "Stop"]


class State(NamedTuple):
    """Where the one cursor is."""

    node: int
    step: int
    predicted: bool


@dataclass
class World:
    """A document with the kind and the words of each node, and the paragraphs that answer."""

    parent: list[int]
    kinds: list[int]
    answers: list[int] = field(default_factory=list)
    words: list[list[int]] = field(default_factory=list)  # of each node; a paragraph's are its sentences'
    limit: int = 5
    coupled: bool = False

    def __post_init__(self) -> None:
        self.nodes = grow(self.parent)
        self.index: list[int] = []
        for number, kind in enumerate(self.kinds):
            self.index.append(self.index[-1] + (kind != SENTENCE) if number else 0)

    def legal(self, node: int) -> set[str]:
        u = self.nodes[node]
        legal = {"Stop"}
        if u.children:
            legal.add("Down")
        if u.parent is None:
            return legal
        legal |= {"UpL", "UpR"}
        if u is not u.parent.children[0]:
            legal.add("Left")
        if u is not u.parent.children[-1]:
            legal.add("Right")
        if self.kinds[node] in (PARAGRAPH, SENTENCE) and not self.coupled:
            legal.add("Answer")
        return legal

    def move(self, node: int, action: str) -> int:
        u = self.nodes[node]
        target: Node | None = u
        if action == "Down" and u.children:
            target = u.children[0]
        elif action in ("Left", "Right"):
            target = u.sibling(-1 if action == "Left" else 1) or u
        elif action in ("UpL", "UpR") and u.parent:
            target = u.parent.sibling(-1 if action == "UpL" else 1) or u.parent
        assert target is not None
        return target.number

    def step(self, state: State, action: str) -> tuple[State, float, bool, bool]:
        """The next state, the reward, and whether the episode ended by Stop or by the limit."""
        node, step, predicted = state
        if action == "Stop":
            return State(node, step + 1, predicted), self.stop_reward(node), True, False
        out_of_time = step + 1 >= self.limit
        if action == "Answer":
            return State(node, step + 1, predicted or "Answer" in self.legal(node)), -0.06, False, out_of_time
        target = self.move(node, action)
        return State(target, step + 1, predicted and target == node), -0.02, False, out_of_time

    def stop_reward(self, node: int) -> float:
        distances = [abs(self.index[node] - self.index[answer]) for answer in self.answers]
        if not distances:
            return 0.0
        return 2.0 if min(distances) == 0 else 1 - min(distances) / max(self.index)

    def observed(self, node: int) -> list[int]:
        """The nodes of the path, the paragraph of a sentence left out."""
        path = [self.nodes[node]]
        while path[0].parent:
            path.insert(0, path[0].parent)
        if self.kinds[node] == SENTENCE:
            del path[-2]
        if len(path) > 6:
            path = [*path[:5], path[-1]]
        return [u.number for u in path]

    def path_words(self, node: int) -> list[int]:
        """The observation: the first 20 words of each of these nodes."""
        return [word for number in self.observed(node) for word in self.words[number][:20]]

    def features(self, node: int, step: int) -> list[float]:
        def distances(u: Node) -> list[float]:
            row = u.parent.children if u.parent else [u]
            return [row.index(u), len(row) - 1 - row.index(u)]

        u = self.nodes[node]
        depth, height = min(u.depth(), 8), min(u.height(), 8)
        one_hot = [float(i == depth) for i in range(9)] + [float(i == height) for i in range(9)]
        return [step, *one_hot, *distances(u), *distances(u.parent or u)]

    def shortest_path(self, node: int) -> int:
        reached, seen, steps = {0}, {0}, 0
        while node not in seen:
            reached = {self.move(at, action) for at in reached for action in ACTIONS[:5]} - seen
            seen |= reached
            steps += 1
        return steps

    def f_u(self) -> list[Fraction]:
        sentences = self.kinds.count(SENTENCE)
        others = len(self.kinds) - sentences
        if not sentences:
            return [Fraction(1, others)] * others
        return [Fraction(1, 5 * sentences) if kind == SENTENCE else Fraction(4, 5 * others) for kind in self.kinds]

    def f_b(self) -> list[Fraction]:
        shares = [Fraction(0)] * len(self.kinds)
        if not self.answers:
            return [Fraction(1), *shares[1:]]

        def walk(node: int, share: Fraction, left: int) -> None:
            if not left:
                shares[node] += share
                return
            moves = self.legal(node) & set(ACTIONS[:5])
            for action in moves:
                walk(self.move(node, action), share / len(moves), left - 1)

        for answer, moves in product(self.answers, (1, 2, 3)):
            walk(answer, Fraction(1, 3 * len(self.answers)), moves)
        return shares


def environment(worlds: list[World]) -> Environment:
    """The same worlds as arrays; task i is world i."""
    fields: dict[str, list[np.ndarray]] = {}
    for world in worlds:
        parent = parents(world.parent)
        links = link(parent)
        spans, tokens = _token_spans(world)
        arrays = {
            "kind": np.array(world.kinds, np.uint8),
            "parent": parent,
            "moves": trace_moves(parent, links),
            "index": np.array(world.index, np.int32),
            "first_token": spans[:, 0],
            "end_token": spans[:, 1],
            "token": tokens,
            **{name: getattr(links, name) for name in ("depth", "height", "siblings_before", "siblings_after")},
        }
        for name, array in arrays.items():
            fields.setdefault(name, []).append(array)
    first = np.cumsum([0, *map(len, fields["kind"])])
    first_word = np.cumsum([0, *map(len, fields["token"])])
    trees = Trees.over(first, first_word, {name: np.concatenate(parts) for name, parts in fields.items()})
    answers = [world.answers for world in worlds]
    indices = [[world.index[answer] for answer in world.answers] for world in worlds]
    tasks = Tasks.of(range(len(worlds)), answers, indices)
    return Environment(trees, tasks, limit=worlds[0].limit, coupled=worlds[0].coupled)


def _token_spans(world: World) -> tuple[np.ndarray, np.ndarray]:
    """First and end token of each node, and all tokens; a paragraph's are those of its sentences, if it has any."""
    words = world.words or [[] for _ in world.kinds]
    spans = np.zeros((len(world.kinds), 2), np.int32)
    tokens: list[int] = []
    for number in range(len(world.kinds)):
        spans[number, 0] = len(tokens)
        if world.kinds[number] != PARAGRAPH or not world.nodes[number].children:
            tokens += words[number]
        spans[number, 1] = len(tokens)
    for number, kind in enumerate(world.kinds):
        if kind == PARAGRAPH and world.nodes[number].children:
            spans[number, 1] = spans[world.nodes[number].children[-1].number, 1]
    return spans, np.array(tokens, np.int32)


def kindings(parent: list[int]) -> Iterator[list[int]]:
    """All ways to give the nodes of a tree kinds: sentences stand in paragraphs, which hold nothing else."""
    nodes = grow(parent)

    def fits(kinds: tuple[int, ...]) -> bool:
        above = [kinds[u.parent.number] if u.parent else NONE for u in nodes]
        return SENTENCE not in above and all(
            (kind == SENTENCE) == (up == PARAGRAPH) for kind, up in zip(kinds, above, strict=True)
        )

    for rest in product((SECTION, PARAGRAPH, SENTENCE), repeat=len(parent) - 1):
        if fits((TITLE, *rest)):
            yield [TITLE, *rest]


def small_worlds(most: int) -> Iterator[World]:
    """Every tree of at most so many nodes, with every way to give kinds."""
    for size in range(1, most + 1):
        for parent in ordered_trees(size):
            for kinds in kindings(parent):
                yield World(list(parent), kinds)
