"""The paper's RandomWalk: any of the actions at hand, each as likely as the others, until one of them is Stop."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from docqn.environment.mdp import Environment, States
from docqn.environment.pairs import Pair
from docqn.environment.readings import Readings
from docqn.policies import Setting
from docqn.policies.randomness import seeds, uniform
from docqn.policies.trace import Trace
from docqn.policies.walk import Bools, Choice, Walker, walk


def policy(argument: str = "") -> RandomWalk:
    """The random walk; it takes no argument."""
    return RandomWalk()


class RandomWalk:
    """Draws actions; looks at nothing."""

    name = "random-walk"
    coupled = False
    observes = False

    def traces(self, pairs: Sequence[Pair], setting: Setting) -> list[Trace]:
        return walk(self, pairs, setting)

    def enter(self, pairs: Sequence[Pair], setting: Setting, environment: Environment, readings: Readings) -> Walker:
        seed = seeds(pairs, setting.seed)

        def draw(states: States, legal: Bools) -> Choice:
            rank = (uniform(seed[states.task], states.step) * legal.sum(axis=1)).astype(np.int64)
            return Choice((legal.cumsum(axis=1) > rank[:, None]).argmax(axis=1))

        return draw
