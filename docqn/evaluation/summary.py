"""The metrics of a policy with their intervals, and policies compared. Shares are in percent, as in the paper."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from docqn.document import KINDS
from docqn.errors import DocqnError
from docqn.evaluation import metrics
from docqn.evaluation.bootstrap import Comparison, Interval, compared, interval, ratio, resampled
from docqn.evaluation.outcomes import Outcomes

ALWAYS = ("accuracy", "aggregated", "exact_match", "f1")  # named in results also where they are not known


class Figure(NamedTuple):
    """A measured share in percent; nan where nothing could be measured."""

    value: float
    interval: Interval

    @property
    def known(self) -> bool:
        return bool(np.isfinite(self.value))


class Measured:
    """A policy's shares and their resamples. The same questions and seed are resampled alike."""

    def __init__(self, outcomes: Outcomes, seed: int = 0, more: Sequence[str] = ()) -> None:
        self.outcomes = outcomes
        self.names = tuple(dict.fromkeys((*metrics.builtin(), *more)))
        tallies = [metrics.metric(name).tally(outcomes) for name in self.names]
        top, bottom = (np.stack(part, axis=1).astype(float) for part in zip(*tallies, strict=True))
        self.values = 100 * ratio(top.sum(axis=0), bottom.sum(axis=0))
        self.samples = 100 * resampled(top, bottom, seed)

    @classmethod
    def mean(cls, several: Sequence[Measured]) -> Measured:
        """The mean over policies on the same pairs, such as one agent of several seeds; it has the first's outcomes."""
        for other in several[1:]:
            several[0].check_same(other)
        made = copy(several[0])
        made.values = np.mean([one.values for one in several], axis=0)
        made.samples = np.mean([one.samples for one in several], axis=0)
        return made

    def check_same(self, other: Measured) -> None:
        """That the other is about the same pairs and metrics."""
        if self.outcomes.pairs != other.outcomes.pairs or self.names != other.names:
            names = f"{self.outcomes.policy} and {other.outcomes.policy}"
            raise DocqnError(f"{names} cannot be compared: they are about different pairs")

    def __getitem__(self, name: str) -> float:
        """The value of a metric."""
        return float(self.values[self.names.index(name)])

    def figures(self) -> dict[str, Figure]:
        """Each metric with its interval."""
        return {name: Figure(self[name], interval(self.samples[:, i])) for i, name in enumerate(self.names)}

    def ahead_of(self, other: Measured) -> dict[str, Comparison]:
        """How far it is ahead of another in each metric that both have, on the same pairs."""
        self.check_same(other)
        differences, apart = self.values - other.values, self.samples - other.samples
        return {
            name: compared(float(differences[i]), apart[:, i])
            for i, name in enumerate(self.names)
            if np.isfinite(differences[i])
        }


def summary(measured: Measured) -> dict[str, Any]:
    """All metrics of a policy by name, as `docqn evaluate --json` writes them."""
    outcomes = measured.outcomes
    found: dict[str, Any] = {}
    for name, figure in measured.figures().items():
        if figure.known or name in ALWAYS:
            found[name] = round(figure.value, 2) if figure.known else None
            found[f"{name}_interval"] = [round(edge, 2) for edge in figure.interval] if figure.known else None
    steps = outcomes["steps"]
    kinds = np.bincount(outcomes["stop_kind"].astype(int), minlength=len(KINDS)) / len(outcomes)
    return found | {
        "pairs": len(outcomes),
        "questions": len(outcomes.questions),
        "steps": round(float(steps.mean()), 3),
        "steps_range": [int(steps.min()), int(steps.max())],
        "reader_calls": round(float(outcomes["reader_calls"].mean()), 3),
        "tokens_read": round(float(outcomes["tokens"].mean()), 5),
        "stop_index_median": float(np.median(outcomes["stop_index"])),
        "stop_kinds": {kind: round(float(share), 4) for kind, share in zip(KINDS, kinds, strict=True)},
        "stopped": round(float(outcomes["stopped"].mean()), 4),
        "uses_index": outcomes.uses_index,
        "seconds_per_pair": round(float(outcomes["seconds"].mean()), 6),
    }


def comparisons(policies: Sequence[Measured]) -> list[dict[str, Any]]:
    """Each two policies, as `docqn evaluate --json` writes it."""
    rows = []
    for first, second in combinations(policies, 2):
        for metric, comparison in first.ahead_of(second).items():
            rows.append(
                {
                    "first": first.outcomes.policy,
                    "second": second.outcomes.policy,
                    "metric": metric,
                    "difference": round(comparison.difference, 2),
                    "interval": [round(edge, 2) for edge in comparison.interval],
                    "p_value": round(comparison.p_value, 4),
                }
            )
    return rows
