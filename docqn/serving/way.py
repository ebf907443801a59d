"""The way to an answer: visits to one document after the other, told as soon as they are made."""

from __future__ import annotations

from collections.abc import Callable

from docqn.environment.pairs import Pair
from docqn.policies.trace import Step, Trace
from docqn.serving.result import Visit
from docqn.serving.visits import visit, visits

Tell = Callable[[Visit], None]


class Way:
    """Tells each visit once, in the order that the result has them."""

    def __init__(self, tell: Tell) -> None:
        self._tell = tell
        self._told: list[Visit] = []  # of the document that is gone through

    def step(self, pair: Pair, step: Step) -> None:
        """What a policy shows while it goes through a document."""
        self._go([visit(pair, step)])

    def end(self, pair: Pair, trace: Trace) -> list[Visit]:
        """All visits to the document: those that were told, and what else its trace says."""
        way = visits(pair, trace)
        told = len(self._told)
        if way[:told] == self._told:
            self._go(way[told:])
        else:  # where nothing was found, the trace does not say that the last paragraph was read
            self._go([one for one in way if one not in self._told])
        way, self._told = self._told, []
        return way

    def _go(self, visits: list[Visit]) -> None:
        for one in visits:
            self._told.append(one)
            self._tell(one)
