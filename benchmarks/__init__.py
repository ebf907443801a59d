"""What a benchmark is made of: rows that set our figure beside a rival's, and a fair way to time both.

A benchmark is a module `benchmarks/bench_NAME.py` with a docstring that says what is compared, and a function
`run(seed: int) -> Iterable[Row]`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import inf
from time import perf_counter


@dataclass(frozen=True, slots=True)
class Row:
    """Our figure for some work and, where there is one, a rival's for the same work in the same run.

    The aim bounds the ratio of the two, or our figure where there is no rival.
    """

    work: str
    ours: float
    rival: str = ""
    theirs: float | None = None
    unit: str = "s"
    at_most: float = inf
    at_least: float = -inf

    @property
    def judged(self) -> float:
        """The figure that the aim is about."""
        return self.ours if self.theirs is None else self.ours / self.theirs

    @property
    def reached(self) -> bool:
        """Whether it is within the aim."""
        return self.at_least <= self.judged <= self.at_most


def race(*contestants: Callable[[], object], rounds: int = 5) -> list[float]:
    """The best seconds of each; they run in turn, so that a busy moment of the machine is shared by all."""
    best = [inf] * len(contestants)
    for _ in range(rounds):
        for i, contestant in enumerate(contestants):
            start = perf_counter()
            contestant()
            best[i] = min(best[i], perf_counter() - start)
    return best
