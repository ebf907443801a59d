"""The paper's Tables 5, 6 and 7 with ours beside them, what people judged, and how sure the differences are."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from docqn.document import KINDS
from docqn.evaluation.bootstrap import RESAMPLES
from docqn.evaluation.report import claims
from docqn.evaluation.report.load import Evaluation
from docqn.evaluation.report.paper import DATA, PAPER
from docqn.evaluation.report.paper import Row as Theirs
from docqn.evaluation.report.rows import Row
from docqn.evaluation.tables import MISSING, Table, number

Cells = Callable[[Row | None, Theirs], list[str]]

_QUESTIONS = "In brackets the 95 % interval from resampling questions"
_SEEDS = "the 95 % interval of the mean over the seeds, by Student's t from the spread between them"
_DIFFERENCES = (
    f"Points, on the same questions resampled together; p is two-sided, and {2 / (RESAMPLES + 1):.3f} the least."
)


def tables(evaluation: Evaluation) -> Iterator[Table]:
    """All tables of an evaluation."""
    data = f"Percent on {evaluation.name}; the paper's on {DATA}, another corpus. {_intervals(evaluation)}"
    if any(policy.startswith("oracle") for policy in evaluation.policies):
        data += " Oracles know the labels: they are bounds."
    reader = f"{data} Reader: {evaluation.header['reader']}."
    yield _beside(evaluation, "Table 5: navigation accuracy", ("accuracy", "aggregated"), data)
    yield _beside(evaluation, "Table 6: end to end", ("exact_match", "f1"), reader)
    yield _properties(evaluation)
    yield _stops(evaluation)
    if evaluation.judged:
        yield _verified(evaluation)
    if evaluation.limited:
        yield _limits(evaluation)
    yield from claims.tables(evaluation)
    if len(evaluation.rows) > 1:
        yield _differences(evaluation)


def _intervals(evaluation: Evaluation) -> str:
    """What the brackets hold."""
    several = any(len(row.measured) > 1 for row in evaluation.rows)
    return f"{_QUESTIONS}{f'; for a row of several seeds {_SEEDS}' if several else ''}."


def _rows(evaluation: Evaluation, cells: Cells, has: Callable[[Theirs], bool]) -> list[list[str]]:
    """Ours, then the rows that only the paper has."""
    found, covered = [], set()
    for row in evaluation.rows:
        name = evaluation.paper_row(row.policy)
        found.append([row.name, name or MISSING, *cells(row, PAPER[name] if name else Theirs())])
        covered.add(name)
    rest = [name for name, theirs in PAPER.items() if name not in covered and has(theirs)]
    return found + [[MISSING, name, *cells(None, PAPER[name])] for name in rest]


def _beside(evaluation: Evaluation, title: str, names: tuple[str, str], note: str) -> Table:
    def cells(row: Row | None, theirs: Theirs) -> list[str]:
        own = [row.cell(name) if row else MISSING for name in names]
        return own + [number(getattr(theirs, name)) for name in names]

    labels = [_label(name) for name in names]
    columns = ("policy", "paper's name", *labels, *(f"paper: {label}" for label in labels))
    rows = _rows(evaluation, cells, lambda theirs: getattr(theirs, names[0]) is not None)
    return Table(title, columns, rows, note, names=2)


def _label(metric: str) -> str:
    return metric.replace("_", " ").replace("f1", "F1")


def _properties(evaluation: Evaluation) -> Table:
    def cells(row: Row | None, theirs: Theirs) -> list[str]:
        own = [MISSING] * 5
        if row:
            ranges = np.array([metrics["steps_range"] for metrics in row.metrics])
            low, high = ranges[:, 0].min(), ranges[:, 1].max()
            walked = [row.cell("steps"), f"{low}–{high}"] if high else [MISSING, MISSING]
            index = "yes" if row.uses_index else "no"
            own = [*walked, row.cell("reader_calls"), row.cell("tokens_read", unit=" %"), index]
        paper = [number(theirs.steps), number(theirs.reader_calls), number(theirs.tokens_read)]
        return [*own[:4], *paper, own[4]]

    columns = ("policy", "paper's name", "steps", "range", "reader calls", "tokens read", "paper: steps")
    note = (
        "Means over the pairs. Tokens read: observed or read, each once, of the document's. Index: whether all of the "
        "document was indexed beforehand, which is not counted."
    )
    return Table(
        "Table 7: navigation",
        (*columns, "paper: reader calls", "paper: tokens read, %", "index"),
        _rows(evaluation, cells, lambda theirs: theirs.steps is not None),
        note + _of_seeds(evaluation),
        names=2,
    )


def _of_seeds(evaluation: Evaluation) -> str:
    several = any(len(row.measured) > 1 for row in evaluation.rows)
    return f" In brackets, for a row of several seeds, {_SEEDS}." if several else ""


def _stops(evaluation: Evaluation) -> Table:
    figures = ("title", "section", "paragraph", "sentence", "stopped")
    rows = [[row.name, row.cell("stop_index_median"), *(row.cell(name) for name in figures)] for row in evaluation.rows]
    columns = ("policy", "median stop", *(f"at a {kind}, %" for kind in KINDS), "by Stop, %")
    note = (
        "The median of the node index where a policy ends, and in what share of the pairs that is by Stop, not by time."
    )
    return Table("Where policies stop", columns, rows, note + _of_seeds(evaluation))


def _verified(evaluation: Evaluation) -> Table:
    pairs = max(int(np.isfinite(one.outcomes["verified"]).sum()) for one in evaluation.policies.values())
    rows = [[row.name, row.cell("verified_accuracy")] for row in evaluation.rows]
    note = f"Of the {pairs:,} pairs in which people found support. {_intervals(evaluation)}"
    return Table("Stops in a paragraph that supports the answer", ("policy", "verified accuracy"), rows, note)


def _limits(evaluation: Evaluation) -> Table:
    """The rows for which tokens were limited, with every limit and without."""
    limited = {row.name for one in evaluation.limited for row in one.rows}
    figures = ("tokens_read", evaluation.main, "exact_match", "f1")
    rows = [
        [row.name, one.limit or MISSING, *(row.cell(figure) for figure in figures)]
        for one in (evaluation, *evaluation.limited)
        for row in one.rows
        if row.name in limited
    ]
    columns = ("policy", "at most", "tokens read, %", *map(_label, figures[1:]))
    note = f"By what might be read of a document. {_intervals(evaluation)}"
    return Table("Limits of tokens", columns, sorted(rows, key=lambda row: row[0]), note, names=2)


def _differences(evaluation: Evaluation) -> Table:
    """Each row against the most accurate one that is no oracle."""
    rows = {row.name: row for row in evaluation.rows}
    fair = [name for name in rows if not name.startswith("oracle")] or list(rows)
    figures = (evaluation.main, "accuracy" if evaluation.judged else "aggregated", "f1")
    best = max(fair, key=lambda name: np.nan_to_num(rows[name].mean[evaluation.main]))
    found = []
    for name, row in rows.items():
        if name != best:
            ahead = row.mean.ahead_of(rows[best].mean)
            cells = []
            for figure in figures:
                one = ahead.get(figure)
                cells += [_signed(one.difference, *one.interval) if one else MISSING]
                cells += [f"{one.p_value:.3f}" if one else MISSING]
            found.append([name, *cells])
    columns = ["policy", *(cell for figure in figures for cell in (_label(figure), "p"))]
    several = any(len(row.measured) > 1 for row in rows.values())
    note = (
        f"{_DIFFERENCES}{' Of several seeds the mean is resampled; how they differ is not in it.' if several else ''}"
    )
    return Table(f"Difference to {best}", columns, found, note)


def _signed(value: float, low: float, high: float) -> str:
    return f"{value:+.1f} ({low:+.1f} … {high:+.1f})".replace("-", "−")
