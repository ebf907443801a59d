"""The paper's Figure 4: where episodes begin in a document, by start distribution."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from docqn.document import KINDS
from docqn.environment.pairs import Pair, environment_of
from docqn.environment.starts import start_distribution
from docqn.evaluation.report.drawing import COLOURS, Figure, on_canvas
from docqn.evaluation.tables import Table

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

PAPERS = ("uniform", "backward", "uniform-backward")
_TEXT = 50  # characters of a node in the table

Shares = dict[str, NDArray[np.float64]]


def shares(pair: Pair, names: Sequence[str] = PAPERS) -> Shares:
    """[nodes] for each distribution: how likely an episode begins at the node."""
    environment = environment_of([pair])
    return {name: start_distribution(name).probabilities(environment, 0) for name in names}


def table(pair: Pair, found: Shares) -> Table:
    """A node a row, those at which no episode begins left out."""
    document = pair.document
    nodes = np.flatnonzero(sum(found.values(), np.zeros(len(document))) > 0).tolist()
    rows = []
    for node in nodes:
        text = " ".join(document.text_of(node)[:_TEXT].split())
        mark = " *" if node in (pair.answers or ()) else ""
        cells = [f"{'  ' * int(document.depth[node])}{document.index[node]} {text}", KINDS[document.kind[node]] + mark]
        rows.append([*cells, *(f"{100 * share[node]:.2f}" for share in found.values())])
    note = "Percent of the episodes that begin at a node; * holds an answer."
    return Table(f"{document.title}: {pair.question}", ("node", "kind", *found), rows, note)


def figure(pair: Pair, found: Shares) -> Figure:
    """The shares along the document, one row a distribution."""
    document, answers = pair.document, list(pair.answers or ())

    def compose(canvas: Canvas) -> None:
        rows = canvas.subplots(len(found), 1, sharex=True, squeeze=False)[:, 0]
        for axes, (name, share) in zip(rows, found.items(), strict=True):
            for kind, label in enumerate(KINDS):
                nodes = np.flatnonzero(document.kind == kind)
                axes.bar(nodes, 100 * share[nodes], width=1, color=COLOURS[kind], label=label)
            above = {"transform": axes.get_xaxis_transform(), "clip_on": False}
            axes.plot(answers, [1.03] * len(answers), "kv", markersize=5, label="answer", **above)
            axes.set_title(name, loc="left", fontsize=9, pad=8)
            axes.set(ylabel="percent", xlim=(-1, len(document)))
        rows[-1].set_xlabel("nodes in the order of the document")
        canvas.legend(*rows[0].get_legend_handles_labels(), loc="outside upper center", ncols=5, frameon=False)

    svg = on_canvas(compose, "starts", 1.8 * len(found) + 0.6)
    return Figure("starts", f"Figure 4: where episodes begin in {document.title}", svg)
