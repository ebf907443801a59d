"""The paper's Figures 7 and 8 as SVG."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from docqn.evaluation.report.drawing import Figure, line, on_axes, short
from docqn.evaluation.report.load import Evaluation
from docqn.evaluation.report.reading import reading
from docqn.evaluation.report.rows import Row

if TYPE_CHECKING:
    from matplotlib.axes import Axes

EDGES = (1, 3, 6, 11, 21, 41, 81, 161, 701)  # of node indices; the paper drops pairs with a later answer
FEW = 20  # pairs; an accuracy over fewer is not drawn

# Columns of outcomes: where the first right paragraph stands and whether the stop was right, by whether people judged.
_RIGHT = {False: ("first_answer", "correct"), True: ("first_supporting", "verified")}
_NAMES = {"first_answer": "first answer", "first_supporting": "first supporting paragraph"}


def figures(evaluation: Evaluation) -> list[Figure]:
    """All figures of an evaluation."""
    return [by_first_answer(evaluation), stops(evaluation), reading(evaluation)]


def by_first_answer(evaluation: Evaluation) -> Figure:
    """Figure 7; where people judged the paragraphs, of those that support the answer."""
    bins = list(pairwise(EDGES))
    rows = _drawn(evaluation)
    first, correct = _RIGHT[evaluation.judged]
    answers = rows[0].column(first)[0]
    shares = 100 * counts(answers) / max(np.isfinite(answers).sum(), 1)

    def draw(axes: Axes) -> None:
        axes.bar(range(len(bins)), shares, color="#e3e3e3", width=0.9, label="share of the pairs", zorder=0)
        for i, row in enumerate(rows):
            mean = row.column(correct).mean(axis=0)
            axes.plot(accuracies(row.column(first)[0], mean), label=short(row.name), **line(i))
        axes.set_xticks(range(len(bins)), [label(low, high) for low, high in bins])
        axes.set(xlabel=f"index of the {_NAMES[first]}", ylabel="percent", ylim=(0, None))

    main = evaluation.main.replace("_", " ")
    note = f"{main.capitalize()} by the index of the {_NAMES[first]}; not drawn for fewer than {FEW} pairs."
    return Figure("first-answer", f"Figure 7: {main} by {_NAMES[first]}", on_axes(draw, "first-answer"), note)


def stops(evaluation: Evaluation) -> Figure:
    """Figure 8."""
    rows = _drawn(evaluation)
    first, _ = _RIGHT[evaluation.judged]
    edges = (0, *EDGES[:-1])
    bins = [*pairwise(edges), (edges[-1], None)]

    def draw(axes: Axes) -> None:
        for i, row in enumerate(rows):
            stop = row.column("stop_index").ravel()
            share = 100 * np.bincount(np.searchsorted(edges, stop, side="right") - 1, minlength=len(bins)) / len(stop)
            median = row.values("stop_index_median").mean()
            axes.plot(share, label=f"{short(row.name)} (median {median:.0f})", **line(i))
        answers = rows[0].column(first)[0]
        answers = answers[np.isfinite(answers)]
        if len(answers):
            held = np.bincount(np.searchsorted(edges, answers, side="right") - 1, minlength=len(bins))
            name = f"{_NAMES[first]} (median {np.median(answers):.0f})"
            axes.bar(range(len(bins)), 100 * held / len(answers), color="#e3e3e3", width=0.9, label=name, zorder=0)
        axes.set_xticks(range(len(bins)), [label(low, high) for low, high in bins])
        axes.set(xlabel="index of the node", ylabel="percent of the pairs", ylim=(0, None))

    note = f"Where the policies stop, beside the {_NAMES[first]} of each pair that has one; index 0 is the title."
    return Figure("stops", "Figure 8: stopping nodes", on_axes(draw, "stops"), note)


def _drawn(evaluation: Evaluation) -> list[Row]:
    """The rows without oracles, which are no rivals; all if there are no others."""
    return [row for row in evaluation.rows if not row.name.startswith("oracle")] or evaluation.rows


def counts(index: NDArray[np.float64]) -> NDArray[np.int64]:
    """How many of the indices lie in each of the bins between EDGES."""
    inside = index[(index >= EDGES[0]) & (index < EDGES[-1])]
    return np.bincount(np.searchsorted(EDGES, inside, side="right") - 1, minlength=len(EDGES) - 1)


def accuracies(index: NDArray[np.float64], correct: NDArray[np.float64]) -> NDArray[np.float64]:
    """Percent that are correct of those with an index in each bin; nan where there are few."""
    found = []
    for low, high in pairwise(EDGES):
        inside = correct[(index >= low) & (index < high)]
        found.append(100 * inside.mean() if len(inside) >= FEW else np.nan)
    return np.array(found)


def label(low: int, high: int | None) -> str:
    """A bin's name."""
    if high is None:
        return f"{low}+"
    return str(low) if high == low + 1 else f"{low}–{high - 1}"
