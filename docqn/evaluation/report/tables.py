"""The paper's Tables 5, 6 and 7 with ours beside them, what people judged, and how sure the differences are."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from docqn.evaluation.bootstrap import RESAMPLES
from docqn.evaluation.report.load import Evaluation
from docqn.evaluation.report.paper import DATA, PAPER, Row, row_of
from docqn.evaluation.tables import MISSING, Table, number, with_interval

Metrics = dict[str, Any]
Cells = Callable[[Metrics | None, Row], list[str]]

_NOTE = "In brackets the 95 % interval from resampling questions."
_DIFFERENCES = (
    f"Points, on the same questions resampled together; p is two-sided, and {2 / (RESAMPLES + 1):.3f} the least."
)


def tables(evaluation: Evaluation) -> Iterator[Table]:
    """All tables of an evaluation."""
    ours = evaluation.results["policies"]
    data = f"Percent on {evaluation.name}; the paper's on {DATA}, another corpus. {_NOTE}"
    if any(policy.startswith("oracle") for policy in ours):
        data += " Oracles know the labels: they are bounds."
    yield _beside(ours, "Table 5: navigation accuracy", ("accuracy", "aggregated"), data)
    yield _beside(ours, "Table 6: end to end", ("exact_match", "f1"), f"{data} Reader: {evaluation.header['reader']}.")
    yield _properties(ours)
    if evaluation.judged:
        yield _verified(evaluation, ours)
    if len(ours) > 1:
        yield _differences(evaluation)


def _rows(ours: dict[str, Metrics], cells: Cells, has: Callable[[Row], bool]) -> list[list[str]]:
    """Our policies, then the rows that only the paper has."""
    rows = []
    for policy, metrics in ours.items():
        name = row_of(policy)
        rows.append([policy, name or MISSING, *cells(metrics, PAPER[name] if name else Row())])
    covered = {row_of(policy) for policy in ours}
    rest = [name for name, row in PAPER.items() if name not in covered and has(row)]
    return rows + [[MISSING, name, *cells(None, PAPER[name])] for name in rest]


def _beside(ours: dict[str, Metrics], title: str, names: tuple[str, str], note: str) -> Table:
    def cells(metrics: Metrics | None, row: Row) -> list[str]:
        own = [with_interval(metrics, name) if metrics else MISSING for name in names]
        return own + [number(getattr(row, name)) for name in names]

    labels = [_label(name) for name in names]
    columns = ("policy", "paper's name", *labels, *(f"paper: {label}" for label in labels))
    return Table(title, columns, _rows(ours, cells, lambda row: getattr(row, names[0]) is not None), note, names=2)


def _label(metric: str) -> str:
    return metric.replace("_", " ").replace("f1", "F1")


def _properties(ours: dict[str, Metrics]) -> Table:
    def cells(metrics: Metrics | None, row: Row) -> list[str]:
        own = [MISSING] * 6
        if metrics:
            low, high = metrics["steps_range"]
            own = [
                f"{metrics['steps']:.1f} ({low}–{high})" if high else MISSING,
                number(metrics["reader_calls"]),
                f"{100 * metrics['tokens_read']:.1f} %",
                number(metrics["stop_index_median"], 0),
                " / ".join(f"{100 * share:.0f}" for share in metrics["stop_kinds"].values()),
                "yes" if metrics["uses_index"] else "no",
            ]
        theirs = [number(row.steps), number(row.reader_calls), number(row.tokens_read)]
        return [*own[:3], *theirs, *own[3:]]

    columns = ("policy", "paper's name", "steps", "reader calls", "tokens read", "paper: steps", "paper: reader calls")
    return Table(
        "Table 7: navigation",
        (*columns, "paper: tokens read, %", "median stop", "stops at, %", "index"),
        _rows(ours, cells, lambda row: row.steps is not None),
        "Steps: mean (range). Tokens read: observed or read, each once, of the document's. Stops at: title / sections "
        "/ paragraphs / sentences. Index: whether all of the document was indexed beforehand, which is not counted.",
        names=2,
    )


def _verified(evaluation: Evaluation, ours: dict[str, Metrics]) -> Table:
    pairs = max(int(np.isfinite(one.outcomes["verified"]).sum()) for one in evaluation.policies.values())
    rows = [[policy, with_interval(metrics, "verified_accuracy")] for policy, metrics in ours.items()]
    note = f"Of the {pairs:,} pairs in which people found support. {_NOTE}"
    return Table("Stops in a paragraph that supports the answer", ("policy", "verified accuracy"), rows, note)


def _differences(evaluation: Evaluation) -> Table:
    """Each policy against the most accurate one that is no oracle."""
    policies = evaluation.policies
    fair = [name for name in policies if not name.startswith("oracle")] or list(policies)
    figures = (evaluation.main, "accuracy" if evaluation.judged else "aggregated", "f1")
    best = max(fair, key=lambda name: np.nan_to_num(policies[name][evaluation.main]))
    rows = []
    for name, measured in policies.items():
        if name != best:
            found = measured.ahead_of(policies[best])
            cells = []
            for figure in figures:
                one = found.get(figure)
                cells += [_signed(one.difference, *one.interval) if one else MISSING]
                cells += [f"{one.p_value:.3f}" if one else MISSING]
            rows.append([name, *cells])
    columns = ["policy", *(cell for figure in figures for cell in (_label(figure), "p"))]
    return Table(f"Difference to {best}", columns, rows, _DIFFERENCES)


def _signed(value: float, low: float, high: float) -> str:
    return f"{value:+.1f} ({low:+.1f} … {high:+.1f})".replace("-", "−")
