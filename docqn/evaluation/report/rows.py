"""The rows of a report's tables: a policy each, or the mean of an agent's seeds."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from docqn.evaluation import students
from docqn.evaluation.bootstrap import Interval
from docqn.evaluation.report.families import Family
from docqn.evaluation.summary import Measured, summary
from docqn.evaluation.tables import MISSING

Floats = NDArray[np.float64]

_PERCENT = ("tokens_read", "stopped", "title", "section", "paragraph", "sentence")  # shares in results


class Row:
    """One policy, or several that are one agent but for the seed."""

    def __init__(self, name: str, measured: Sequence[Measured], seeds: Sequence[tuple[int, ...]] = ()) -> None:
        self.name = name
        self.seeds = tuple(seeds)  # one entry each; of an ensemble all its agents'
        self.measured = tuple(measured)

    @property
    def policy(self) -> str:
        """The name of the first, to know it by."""
        return self.measured[0].outcomes.policy

    @cached_property
    def metrics(self) -> list[dict[str, Any]]:
        """As `docqn evaluate --json` has them, stops by kind among the rest."""
        found = [summary(one) for one in self.measured]
        return [metrics | metrics["stop_kinds"] for metrics in found]

    @cached_property
    def mean(self) -> Measured:
        """All of them as one."""
        return Measured.mean(self.measured)

    @property
    def uses_index(self) -> bool:
        return any(one.outcomes.uses_index for one in self.measured)

    def values(self, figure: str) -> Floats:
        """A figure of each, shares in percent; nan where it is not known."""
        if figure in self.mean.names:
            return np.array([one[figure] for one in self.measured])
        factor = 100 if figure in _PERCENT else 1
        found = (metrics.get(figure) for metrics in self.metrics)
        return np.array([np.nan if one is None else factor * one for one in found])

    def interval(self, figure: str) -> Interval | None:
        """By the spread between the seeds; of one policy by resampling questions, where that is done."""
        values = self.values(figure)
        if len(values) > 1:
            low, high = students.interval([values])
            share = figure in _PERCENT or f"{figure}_interval" in self.metrics[0]
            return Interval(max(low, 0), min(high, 100) if share else high)
        found = self.metrics[0].get(f"{figure}_interval")
        return Interval(*found) if found else None

    def cell(self, figure: str, digits: int = 1, unit: str = "") -> str:
        """The figure, with its interval if there is one."""
        value, interval = self.values(figure).mean(), self.interval(figure)
        if np.isnan(value):
            return MISSING
        between = f" ({interval.low:.{digits}f}–{interval.high:.{digits}f})" if interval else ""
        return f"{value:.{digits}f}{unit}{between}"

    def column(self, name: str) -> Floats:
        """[seeds, pairs]: a column of outcomes."""
        return np.stack([one.outcomes[name] for one in self.measured])


def rows(policies: dict[str, Measured], families: dict[str, Family]) -> list[Row]:
    """The policies, those of a family that have different seeds together, where the first of them stands."""
    found: dict[tuple[str, int], dict[tuple[int, ...], str]] = {}
    for policy in policies:
        label, seeds = families[policy]
        again = 0  # two agents of one seed are no two seeds
        while seeds in found.get((label, again), {}):
            again += 1
        found.setdefault((label, again), {})[seeds] = policy
    made = []
    for (label, _), members in found.items():
        names = [members[seeds] for seeds in sorted(members)]
        name = f"{label} ({len(names)} seeds)" if len(names) > 1 else names[0]
        made.append(Row(name, [policies[one] for one in names], [seeds for seeds in sorted(members) if seeds]))
    return made
