"""Reads one paragraph after the other, the most promising first, until more reading would not pay.

How promising a paragraph is, its scent, is the chance p that it answers by what an index over the document tells; dear
ones are put off: they are read in order of p / cost^½, where the cost is the share of the document's tokens. After each
reading P is the probability of the best answer so far, and the next paragraph is read if

    (1 − P)² · √(p · r) ≥ price · cost

where r is the chance that an answer is in what was not read yet. In the end it stops at the answer whose logit, with a
tenth of the logarithm of its paragraph's p, is the highest. `forage:0.3` sets the price: what reading all of the
document would have to gain; `forage:FOLDER` or `forage:FOLDER,0.3` names a scent of one's own, learnt with
`docqn scent`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from docqn.environment.pairs import Pair
from docqn.environment.readings import Readings
from docqn.errors import DocqnError
from docqn.policies import Setting
from docqn.policies.budget import Budget
from docqn.policies.scent.index import index_of
from docqn.policies.scent.model import BUNDLED, Scent, load
from docqn.policies.trace import Trace
from docqn.policies.tracing import answer, reading_step, trace
from docqn.readers import Reading

PRICE = 2.0
MOST = 16  # paragraphs of a document
_AGAINST_COST = 0.5  # exponent
_FLOOR = 0.002  # of the cost, where the order is made: no paragraph is for nothing
_TRUST = 0.1  # in the scent, beside the reader's logit


def policy(argument: str = "") -> Forage:
    """The argument may name a folder, a price, or both."""
    folder, comma, last = argument.rpartition(",")
    price = _price(last)
    if price is None and comma:
        raise DocqnError(f"'forage:{argument}': {last!r} is no price, such as 0.3")
    if price is None:
        folder, price = argument, PRICE
    parts = [folder] * bool(folder) + [f"{price:.12g}"] * (price != PRICE)
    name = f"forage:{','.join(parts)}" if parts else "forage"
    return Forage(name, load(Path(folder) if folder else BUNDLED), price)


def _price(text: str) -> float | None:
    """None if it is no number, and so perhaps a folder."""
    try:
        price = float(text)
    except ValueError:
        return None
    return price if 0 <= price < math.inf else None


class Forage:
    """See the module."""

    def __init__(self, name: str, scent: Scent, price: float) -> None:
        self.name, self.price = name, price
        self._scent = scent

    def traces(self, pairs: Sequence[Pair], setting: Setting) -> list[Trace]:
        start = perf_counter()
        hunts = [Hunt.begin(pair, self._scent, Budget(pair.document, setting.most(pair.document))) for pair in pairs]
        readings = Readings(setting.reader, pairs)
        while asked := [task for task, hunt in enumerate(hunts) if hunt.choose(self.price)]:
            nodes = [hunts[task].next_node for task in asked]
            for task, reading in zip(asked, readings.of(asked, nodes), strict=True):
                if setting.watch:
                    setting.watch(pairs[task], reading_step(pairs[task].document, hunts[task].next_node, reading))
                hunts[task].take(reading)
        seconds = (perf_counter() - start) / max(len(pairs), 1)
        return [self._trace(pair, hunt, seconds) for pair, hunt in zip(pairs, hunts, strict=True)]

    def _trace(self, pair: Pair, hunt: Hunt, seconds: float) -> Trace:
        answers = [answer(pair.document, *one) for one in zip(hunt.nodes, hunt.readings, strict=True)]
        best = hunt.best
        return trace(
            pair,
            self.name,
            0 if best is None else hunt.nodes[best],
            final=None if best is None else answers[best],
            paragraphs=hunt.nodes,
            answers=[one for one in answers if one is not None],
            seconds=seconds,
            uses_index=True,
        )


@dataclass
class Hunt:
    """What is known of one document."""

    paragraph: NDArray[np.int32]  # nodes, in the order in which they would be read
    chance: NDArray[np.float64]  # p, logarithms
    cost: NDArray[np.float64]
    budget: Budget
    at: int = 0  # the next one
    left: float = 1.0  # r
    nodes: list[int] = field(default_factory=list)  # that were read
    readings: list[Reading] = field(default_factory=list)
    scores: list[float] = field(default_factory=list)

    @classmethod
    def begin(cls, pair: Pair, scent: Scent, budget: Budget) -> Hunt:
        """Put the paragraphs in order."""
        index = index_of(pair.document)
        chance = scent.chances(index, pair.question)
        cost = index.tokens / max(len(pair.document.token), 1)
        order = np.argsort(_AGAINST_COST * np.log(cost + _FLOOR) - chance, kind="stable")
        return cls(index.paragraph[order], chance[order], cost[order], budget)

    @property
    def next_node(self) -> int:
        return int(self.paragraph[self.at])

    @property
    def best(self) -> int | None:
        """Which of the readings."""
        return int(np.argmax(self.scores)) if self.scores else None

    def choose(self, price: float) -> bool:
        """Whether to read on; what does not fit into the budget is passed over."""
        while self.at < len(self.paragraph) and len(self.nodes) < MOST:
            if self.readings and not self._pays(price):
                return False
            if self.budget.read(self.next_node):
                return True
            self.at += 1
        return False

    def _pays(self, price: float) -> bool:
        sure = max(reading.probability for reading in self.readings)
        hope = np.sqrt(np.exp(self.chance[self.at]) * max(self.left, 0.0))
        return bool((1 - sure) ** 2 * hope >= price * self.cost[self.at])

    def take(self, reading: Reading) -> None:
        """What the reader said of the next one."""
        self.nodes.append(self.next_node)
        self.readings.append(reading)
        answers = reading.end > reading.start
        self.scores.append(reading.logit + _TRUST * float(self.chance[self.at]) if answers else -math.inf)
        self.left -= float(np.exp(self.chance[self.at]))
        self.at += 1
