"""`docqn corpus stats`: the paper's Tables 1 and 2 and Figure 2."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from rich.table import Table

COUNTS = ("questions", "pairs", "documents")
MEANS = ("tokens", "words", "nodes", "all_nodes", "sections")
HEADINGS = ("tokens", "words", "nodes", "with\nsent.", "sections", "FAO")


def command(
    corpus: Annotated[Path, typer.Argument(metavar="CORPUS", help="A folder that `docqn corpus build` made.")],
    json: Annotated[bool, typer.Option("--json", help="Print all figures as JSON, by split.")] = False,
    figure: Annotated[Path | None, typer.Option(metavar="FILE", help="Draw Figure 2 (.png, .svg or .pdf).")] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print nothing but errors.")] = False,
) -> None:
    """Count questions, pairs and documents, before and after the rules; measure documents; draw first answers.

    \b
    Examples:
      docqn corpus stats corpus
      docqn corpus stats corpus --json --figure first-answers.svg
    """  # noqa: D301 (the backslash keeps the lines of the examples)
    from docqn.corpora.statistics import statistics, write_figure
    from docqn.corpora.store import Corpus

    opened = Corpus(corpus)
    numbers = {name: statistics(opened.split(name)) for name in opened.splits}
    if json:
        _print_json(numbers)
    elif not quiet:
        _print_tables(numbers)
    if figure is not None:
        write_figure(figure, numbers)


def _print_json(numbers: Mapping[str, Mapping[str, Any]]) -> None:
    import json

    print(json.dumps(numbers, indent=1))


def _print_tables(numbers: Mapping[str, Mapping[str, Any]]) -> None:
    """Counts and sizes, two rows a split; and what each rule took."""
    from rich.console import Console

    counts = _table("Table 1: questions, pairs and documents", COUNTS)
    sizes = _table("Table 2: means of a document; FAO: median first answer index", HEADINGS)
    dropped = _table("Dropped", ("pairs", "questions"))
    for split, kept in numbers.items():
        for label, variant in (("as read", kept["original"]), ("kept", kept)):
            counts.add_row(f"{split}, {label}", *(f"{variant[name]:,}" for name in COUNTS))
            means = (variant[f"{name}_mean"] for name in MEANS)
            sizes.add_row(f"{split}, {label}", *map(_figure, (*means, variant["fao_median"])))
        for reason, pairs in kept["dropped"].items():
            if pairs:
                lost = kept["dropped_questions"][reason]
                dropped.add_row(f"{split}, {reason.replace('_', ' ')}", f"{pairs:,}", f"{lost:,}")
    console = Console()
    for table in (counts, sizes, dropped):
        if table.row_count:
            console.print(table)


def _table(title: str, columns: tuple[str, ...]) -> Table:
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    table = Table(title=title, title_justify="left", box=SIMPLE_HEAD)
    table.add_column(no_wrap=True)
    for column in columns:
        table.add_column(column, justify="right", no_wrap=True)
    return table


def _figure(value: float | None) -> str:
    return "" if value is None else f"{value:,.0f}" if value >= 1000 else f"{value:.1f}"
