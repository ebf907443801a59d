"""The paper's Figures 7 and 8, and accuracy against tokens read, as SVG."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from docqn.evaluation.report.drawing import Figure, line, on_axes, short
from docqn.evaluation.report.load import Evaluation
from docqn.evaluation.summary import Measured

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
    outcomes = [measured.outcomes for measured in _drawn(evaluation).values()]
    first, correct = _RIGHT[evaluation.judged]
    answers = outcomes[0][first]
    shares = 100 * counts(answers) / max(np.isfinite(answers).sum(), 1)

    def draw(axes: Axes) -> None:
        axes.bar(range(len(bins)), shares, color="#e3e3e3", width=0.9, label="share of the pairs", zorder=0)
        for i, one in enumerate(outcomes):
            axes.plot(accuracies(one[first], one[correct]), label=short(one.policy), **line(i))
        axes.set_xticks(range(len(bins)), [label(low, high) for low, high in bins])
        axes.set(xlabel=f"index of the {_NAMES[first]}", ylabel="percent", ylim=(0, None))

    main = evaluation.main.replace("_", " ")
    note = f"{main.capitalize()} by the index of the {_NAMES[first]}; not drawn for fewer than {FEW} pairs."
    return Figure("first-answer", f"Figure 7: {main} by {_NAMES[first]}", on_axes(draw, "first-answer"), note)


def stops(evaluation: Evaluation) -> Figure:
    """Figure 8."""
    outcomes = [measured.outcomes for measured in _drawn(evaluation).values()]
    first, _ = _RIGHT[evaluation.judged]
    edges = (0, *EDGES[:-1])
    bins = [*pairwise(edges), (edges[-1], None)]

    def draw(axes: Axes) -> None:
        for i, one in enumerate(outcomes):
            stop = one["stop_index"]
            share = 100 * np.bincount(np.searchsorted(edges, stop, side="right") - 1, minlength=len(bins)) / len(stop)
            axes.plot(share, label=f"{short(one.policy)} (median {np.median(stop):.0f})", **line(i))
        answers = outcomes[0][first]
        answers = answers[np.isfinite(answers)]
        if len(answers):
            held = np.bincount(np.searchsorted(edges, answers, side="right") - 1, minlength=len(bins))
            name = f"{_NAMES[first]} (median {np.median(answers):.0f})"
            axes.bar(range(len(bins)), 100 * held / len(answers), color="#e3e3e3", width=0.9, label=name, zorder=0)
        axes.set_xticks(range(len(bins)), [label(low, high) for low, high in bins])
        axes.set(xlabel="index of the node", ylabel="percent of the pairs", ylim=(0, None))

    note = f"Where the policies stop, beside the {_NAMES[first]} of each pair that has one; index 0 is the title."
    return Figure("stops", "Figure 8: stopping nodes", on_axes(draw, "stops"), note)


def reading(evaluation: Evaluation) -> Figure:
    """Accuracy against tokens read, all policies."""
    points = {
        name: (100 * measured.outcomes["tokens"].mean(), measured[evaluation.main])
        for name, measured in _drawn(evaluation).items()
    }

    def draw(axes: Axes) -> None:
        for i, (name, (tokens, accuracy)) in enumerate(points.items()):
            marker = {**line(i), "linestyle": "none", "markersize": 7, "clip_on": False}
            axes.plot([max(tokens, 0.1)], [accuracy], label=short(name), **marker)
        axes.set_xscale("log")
        axes.set_xticks([1, 2, 5, 10, 20, 50, 100], ["1", "2", "5", "10", "20", "50", "100"])
        axes.minorticks_off()
        axes.set_xlim(min(1.0, *(max(tokens, 0.1) for tokens, _ in points.values())) * 0.8, 110)
        axes.set(xlabel="tokens read, percent of the document", ylim=(0, None))
        axes.set_ylabel(f"{evaluation.main.replace('_', ' ')}, percent")
        axes.grid(color="#eeeeee")

    note = "What an index over the document takes is not counted among the tokens read."
    return Figure("reading", "Accuracy against tokens read", on_axes(draw, "reading"), note)


def _drawn(evaluation: Evaluation) -> dict[str, Measured]:
    """The policies without oracles, which are no rivals; all if there are no others."""
    return {n: one for n, one in evaluation.policies.items() if not n.startswith("oracle")} or evaluation.policies


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
