"""Bounds: what could be reached by somebody who knows the labels. They take part in no comparison.

- `oracle`: walks the shortest way to the first answer paragraph, or to the first supporting one where people judged
  them; no navigation is better. What the reader answers there bounds what reading one right paragraph gives.
- `oracle:read`: of all answer paragraphs, the one that the reader answers best from; what is left is its fault.
- `oracle:8`: of the best eight paragraphs by BM25, the first that answers, else the best: a bound on choosing among
  them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from docqn.document import DOWN, RIGHT
from docqn.environment.actions import STOP
from docqn.environment.mdp import Environment, States
from docqn.environment.pairs import Pair
from docqn.environment.readings import Readings
from docqn.errors import DocqnError
from docqn.policies import Policy, Setting
from docqn.policies.bm25 import scores
from docqn.policies.choosing import choose
from docqn.policies.ranking import ranked
from docqn.policies.trace import Trace
from docqn.policies.walk import Bools, Choice, Walker, walk
from docqn.text.scores import f1


def policy(argument: str = "") -> Policy:
    """The oracle; the argument says which."""
    if not argument:
        return ShortestWay()
    if argument == "read":
        return BestRead()
    if argument.isdecimal() and int(argument):
        return BestOf(int(argument))
    raise DocqnError(f"'oracle:{argument}' is none of 'oracle', 'oracle:read' and 'oracle:8' (or another number)")


def right(pair: Pair) -> Sequence[int]:
    """The paragraphs where a stop is right: those that support the answer if people found some, else all with it."""
    return pair.supporting or pair.answers or ()


class ShortestWay:
    """Down and to the right, to the first paragraph that is right; the title where there is none."""

    name = "oracle"
    coupled = False
    observes = False

    def traces(self, pairs: Sequence[Pair], setting: Setting) -> list[Trace]:
        return walk(self, pairs, setting)

    def enter(self, pairs: Sequence[Pair], setting: Setting, environment: Environment, readings: Readings) -> Walker:
        targets = np.array([next(iter(right(pair)), 0) for pair in pairs])
        last = np.concatenate([pair.document.last for pair in pairs])
        first = np.cumsum([0, *(len(pair.document) for pair in pairs)])

        def go(states: States, legal: Bools) -> Choice:
            target = targets[states.task]
            below = target <= last[first[states.task] + states.node]
            return Choice(np.where(target == states.node, STOP, np.where(below, DOWN, RIGHT)))

        return go


class BestOf:
    """The first right one of the best few by BM25."""

    def __init__(self, count: int) -> None:
        self.name = f"oracle:{count}"
        self._count = count

    def traces(self, pairs: Sequence[Pair], setting: Setting) -> list[Trace]:
        return choose(pairs, setting, self.name, self._pick, uses_index=True)

    def _pick(self, pair: Pair) -> int:
        best = ranked(pair, scores)[: self._count]
        return next((node for node in best if node in right(pair)), next(iter(best), 0))


class BestRead:
    """The right paragraph that the reader's answer from has the best F1; the first of those that are as good."""

    name = "oracle:read"

    def traces(self, pairs: Sequence[Pair], setting: Setting) -> list[Trace]:
        return choose(pairs, setting, self.name, _best_read(pairs, setting))


def _best_read(pairs: Sequence[Pair], setting: Setting) -> Callable[[Pair], int]:
    asked = [(task, node) for task, pair in enumerate(pairs) for node in right(pair)]
    readings = Readings(setting.reader, pairs).of([task for task, _ in asked], [node for _, node in asked])
    best: dict[int, tuple[float, int]] = {}
    for (task, node), reading in zip(asked, readings, strict=True):
        score = f1(reading.text, pairs[task].golds or ())
        if task not in best or score > best[task][0]:
            best[task] = (score, node)
    chosen = {id(pair): best[task][1] for task, pair in enumerate(pairs) if task in best}
    return lambda pair: chosen.get(id(pair), 0)
