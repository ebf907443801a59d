"""Walking: many cursors at once, each from the title until it stops or its time is over."""

from __future__ import annotations

from collections.abc import Sequence
from time import perf_counter
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from docqn.document import NONE
from docqn.environment.actions import ANSWER
from docqn.environment.mdp import Environment, States
from docqn.environment.pairs import Pair, environment_of
from docqn.environment.readings import Readings
from docqn.policies import Setting
from docqn.policies.budget import Budget
from docqn.policies.trace import Step, Trace
from docqn.policies.tracing import answer, answering_paragraph, step, trace

Bools = NDArray[np.bool_]


class Choice(NamedTuple):
    """What a navigator decides, one entry a cursor."""

    action: NDArray[np.int64]
    q_values: NDArray[np.float32] | None = None  # [cursors, 7]
    question_attention: Sequence[list[float]] | None = None  # a weight a token
    observation_attention: Sequence[list[float]] | None = None


class Walker(Protocol):
    """Decides for cursors, in one environment."""

    def __call__(self, states: States, legal: Bools) -> Choice:
        """An action for each cursor, of those that `legal` [cursors, 7] offers."""
        ...


class Navigator(Protocol):
    """Chooses actions."""

    name: str
    coupled: bool  # whether Answer is part of Stop
    observes: bool  # whether the words that it is shown count as read

    def enter(self, pairs: Sequence[Pair], setting: Setting, environment: Environment, readings: Readings) -> Walker:
        """Get ready for these pairs: task i of the environment is pair i. `readings` has the answer predictions."""
        ...


def walk(navigator: Navigator, pairs: Sequence[Pair], setting: Setting) -> list[Trace]:
    """The traces of a navigator."""
    if not pairs:
        return []
    start = perf_counter()
    environment = environment_of(pairs, limit=setting.limit, coupled=navigator.coupled)
    readings = Readings(setting.reader, pairs)
    walks = [_Walk(pair, setting.most(pair.document)) for pair in pairs]
    decide = navigator.enter(pairs, setting, environment, readings)
    states = _seeing(navigator, environment.start(np.arange(len(pairs))), walks)
    while len(states.task):
        states = _seeing(navigator, _step(environment, readings, decide, states, setting, walks), walks)

    ends = [answering_paragraph(walk.pair.document, walk.node) for walk in walks]
    read = [task for task, paragraph in enumerate(ends) if paragraph != NONE and walks[task].budget.read(paragraph)]
    final = dict(zip(read, readings.of(read, [ends[task] for task in read]), strict=True))
    seconds = (perf_counter() - start) / max(len(pairs), 1)
    return [
        trace(
            walk.pair,
            navigator.name,
            walk.node,
            final=answer(walk.pair.document, ends[task], final[task]) if task in final else None,
            paragraphs=[*walk.read, *([ends[task]] if task in final else [])],
            observed=[step.node for step in walk.steps] if navigator.observes else (),
            stopped=walk.stopped,
            steps=walk.steps,
            seconds=seconds,
        )
        for task, walk in enumerate(walks)
    ]


class _Walk:
    """What has come of one cursor."""

    def __init__(self, pair: Pair, tokens: int | None) -> None:
        self.pair = pair
        self.budget = Budget(pair.document, tokens)
        self.node = 0
        self.stopped = False
        self.steps: list[Step] = []
        self.read: list[int] = []  # paragraphs


def _seeing(navigator: Navigator, states: States, walks: list[_Walk]) -> States:
    """The cursors that may look at where they are: a walk whose budget does not reach so far is over."""
    if not navigator.observes:
        return states
    pairs = zip(states.task.tolist(), states.node.tolist(), strict=True)
    return states.take(np.array([walks[task].budget.observe(node) for task, node in pairs], bool))


def _step(
    environment: Environment, readings: Readings, decide: Walker, states: States, setting: Setting, walks: list[_Walk]
) -> States:
    """Take one action with every cursor, write down what came of it, and keep those that go on."""
    legal = environment.legal(states)
    offered = legal if setting.masked else np.ones_like(legal)
    paragraph = environment.trees.paragraph[environment.place(states)]
    if setting.tokens is not None or setting.share is not None:
        there = zip(states.task.tolist(), paragraph.tolist(), strict=True)
        offered[:, ANSWER] &= [node == NONE or walks[task].budget.allows(node) for task, node in there]
    choice = decide(states, offered)
    after, outcome = environment.step(states, choice.action)
    answered = (choice.action == ANSWER) & after.predicted
    predictions = iter(readings.of(states.task[answered], paragraph[answered]))
    for i, (task, node, action) in enumerate(
        zip(states.task.tolist(), states.node.tolist(), choice.action.tolist(), strict=True)
    ):
        walk = walks[task]
        done = step(walk.pair.document, node, action)
        if walk.pair.answers is not None:
            done.reward = round(float(outcome.reward[i]), 6)
        if choice.q_values is not None:
            done.q_values = choice.q_values[i].tolist()
        if choice.question_attention is not None:
            done.question_attention = choice.question_attention[i]
        if choice.observation_attention is not None:
            done.observation_attention = choice.observation_attention[i]
        if answered[i]:
            done.answer = answer(walk.pair.document, int(paragraph[i]), next(predictions))
            walk.budget.read(int(paragraph[i]))
            walk.read.append(int(paragraph[i]))
        walk.steps.append(done)
        if setting.watch:
            setting.watch(walk.pair, done)
        walk.node, walk.stopped = int(after.node[i]), bool(outcome.stopped[i])
    going = ~(outcome.stopped | outcome.truncated)
    return after.take(going)
