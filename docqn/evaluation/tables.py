"""Tables: the same rows as plain text, Markdown and HTML."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from itertools import zip_longest
from typing import Any, NamedTuple

from docqn.evaluation.limits import TokenLimit

MISSING = "–"


class Table(NamedTuple):
    """Cells as text; the first columns are text, the others numbers."""

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    note: str = ""
    names: int = 1  # columns that are text, and stand to the left


def plain(table: Table) -> str:
    """For a terminal."""
    lines = [list(table.columns), *map(list, table.rows)]
    widths = [max(map(len, column)) for column in zip_longest(*lines, fillvalue="")]
    printed = [
        "  ".join(
            cell.ljust(width) if i < table.names else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in lines
    ]
    return "\n".join([table.title, "", *printed, *(["", table.note] if table.note else [])])


def markdown(table: Table) -> str:
    """For a page that is read as text."""
    cells = [[escaped(cell).replace("|", "\\|") for cell in row] for row in (table.columns, *table.rows)]
    rule = ["---" if i < table.names else "--:" for i in range(len(table.columns))]
    lines = ["| " + " | ".join(row) + " |" for row in (cells[0], rule, *cells[1:])]
    note = ["", escaped(table.note)] if table.note else []
    return "\n".join([f"### {escaped(table.title)}", "", *lines, *note, ""])


def escaped(text: str) -> str:
    """Text on one line in which Markdown sees no HTML."""
    return " ".join(text.split()).replace("<", "\\<")


def html(table: Table) -> str:
    """For a browser."""
    note = f"<p class=note>{escape(table.note)}</p>" if table.note else ""
    rows = _row(table, "th", table.columns) + "".join(_row(table, "td", row) for row in table.rows)
    return f"<h3>{escape(table.title)}</h3><div class=wide><table>{rows}</table></div>{note}"


def _row(table: Table, tag: str, cells: Sequence[str]) -> str:
    kinds = (" class=name" if i < table.names else "" for i in range(len(cells)))
    return (
        f"<tr>{''.join(f'<{tag}{kind}>{escape(cell)}</{tag}>' for kind, cell in zip(kinds, cells, strict=True))}</tr>"
    )


def number(value: float | None, digits: int = 1) -> str:
    """A figure, or a dash where there is none."""
    return MISSING if value is None else f"{value:.{digits}f}"


def with_interval(metrics: dict[str, Any], name: str) -> str:
    """A figure and its interval."""
    if metrics.get(name) is None:
        return MISSING
    low, high = metrics[f"{name}_interval"]
    return f"{metrics[name]:.1f} ({low:.1f}–{high:.1f})"


def results_table(found: dict[str, Any]) -> Table:
    """What `docqn evaluate` prints."""
    judged = any("verified_accuracy" in metrics for metrics in found["policies"].values())
    shares = ["accuracy", "aggregated", *(["verified_accuracy"] if judged else []), "exact_match", "f1"]
    columns = [
        "policy",
        *(name.replace("_", " ") for name in shares),
        "steps",
        "reader calls",
        "tokens read",
        "median stop",
    ]
    rows = [
        [
            name,
            *(with_interval(metrics, share) for share in shares),
            number(metrics["steps"] or None),
            number(metrics["reader_calls"]),
            f"{100 * metrics['tokens_read']:.1f} %",
            number(metrics["stop_index_median"], 0),
        ]
        for name, metrics in found["policies"].items()
    ]
    title = (
        f"{found['corpus']}, {found['split']}: {found['pairs']:,} pairs, {found['questions']:,} questions; "
        f"reader {found['reader']}, seed {found['seed']}"
    )
    limit = str(TokenLimit.of(found.get("max_tokens")))
    title += f", at most {limit}" if limit else ""
    return Table(title, columns, rows, "Percent, with 95 % intervals from resampling questions.")
