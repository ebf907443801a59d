"""Metrics that are shares: one metric, one module.

A metric's module, or an object named as `package.module:Name`, has

- `tally(outcomes: Outcomes) -> tuple[Floats, Floats]`: two arrays [questions], what each question adds to the top and
  to the bottom of the share. So intervals and comparisons can resample questions.

What is no share, such as the mean number of steps, is in `docqn.evaluation.summary`.
"""

from typing import Protocol, cast

import numpy as np
from numpy.typing import NDArray

from docqn import plugins
from docqn.evaluation.outcomes import Outcomes

Floats = NDArray[np.float64]
Tally = tuple[Floats, Floats]


class Metric(Protocol):
    """What a metric's module offers."""

    def tally(self, outcomes: Outcomes) -> Tally: ...


def builtin() -> tuple[str, ...]:
    """The built-in metrics, as results name them."""
    return tuple(name.replace("-", "_") for name in plugins.names(__name__, "tally"))


def metric(name: str) -> Metric:
    """The metric with this name, built in or `package.module:Name`."""
    return cast(Metric, plugins.find(__name__, name if ":" in name else name.replace("_", "-"), "tally"))


def of_pairs(outcomes: Outcomes, column: str) -> Tally:
    """The mean of a column of 0 and 1 over the pairs for which it is known."""
    questions, question, hits = len(outcomes.questions), outcomes["question"].astype(int), outcomes[column]
    top = np.bincount(question, np.nan_to_num(hits), questions)
    return top.astype(np.float64), np.bincount(question, np.isfinite(hits), questions).astype(np.float64)


def of_questions(values: Floats) -> Tally:
    """The mean over the questions for which there is a value."""
    return np.nan_to_num(values), np.isfinite(values).astype(np.float64)
