"""`docqn report`: the paper's tables and figures, ours beside the paper's."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

EVALUATION = "What `docqn evaluate` or `docqn reader evaluate --json` wrote, or a reader's folder with its scores."


def command(
    evaluation: Annotated[list[Path], typer.Argument(metavar="EVALUATION", help=EVALUATION)],
    out: Annotated[Path, typer.Option(metavar="DIR", help="The folder to write the report into.")],
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Do not say where it is.")] = False,
) -> None:
    """Write a report: the paper's tables and figures, ours beside the paper's, as one HTML page and as Markdown. Of
    readers: answers, the best of k paragraphs, and whether their probabilities mean what they say.

    \b
    Examples:
      docqn report dev.json --out report
      docqn report dev.json verified.json agent.traces.jsonl.gz --out report
      docqn report readers/mine readers/other lexical.json dev.json --out report
    """  # noqa: D301 (the backslash keeps the lines of the examples)
    from docqn.evaluation.report.load import load
    from docqn.evaluation.report.page import write_report
    from docqn.evaluation.report.readers import split_off

    measured, others = split_off(evaluation)
    page, *_ = write_report(out, load(others), measured)
    if not quiet:
        print(page)
