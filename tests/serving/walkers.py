"""A policy that walks to the first paragraph with all that a trained one can tell of its steps."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from docqn.document import DOWN, PARAGRAPH
from docqn.environment.actions import ACTIONS, ANSWER, STOP
from docqn.environment.mdp import Environment, States
from docqn.environment.pairs import Pair
from docqn.environment.readings import Readings
from docqn.policies import Setting
from docqn.policies.consumption import observed_ranges
from docqn.policies.trace import Trace
from docqn.policies.walk import Bools, Choice, Walker, walk
from docqn.text.tokens import token_spans


class Attentive:
    """Down, Answer, Stop; all its attention is on the last word that it sees, and on the question's first."""

    name = "attentive"
    coupled = False
    observes = True

    def traces(self, pairs: Sequence[Pair], setting: Setting) -> list[Trace]:
        return walk(self, pairs, setting)

    def enter(self, pairs: Sequence[Pair], setting: Setting, environment: Environment, readings: Readings) -> Walker:
        def go(states: States, legal: Bools) -> Choice:
            tasks = [pairs[task] for task in states.task.tolist()]
            nodes = states.node.tolist()
            kinds = np.array([pair.document.kind[node] for pair, node in zip(tasks, nodes, strict=True)])
            action = np.where(kinds < PARAGRAPH, DOWN, np.where(states.predicted, STOP, ANSWER))
            values = np.zeros((len(action), len(ACTIONS)), np.float32)
            values[np.arange(len(action)), action] = 1.5
            sizes = [
                sum(end - start for start, end in observed_ranges(pair.document, node))
                for pair, node in zip(tasks, nodes, strict=True)
            ]
            asked = [len(token_spans(pair.question)) for pair in tasks]
            return Choice(
                action,
                values,
                [[1.0] + [0.0] * (size - 1) for size in asked],
                [[0.0] * (size - 1) + [1.0] for size in sizes],
            )

        return go
