"""`docqn reader calibrate`: a reader's probabilities come to mean what they say."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from docqn.cli.messages import bar

HELD_OUT = "Only questions that trainings leave out: one of twenty."
SOURCE = "Only questions from there, as the corpus says."


def command(
    folder: Annotated[Path, typer.Argument(metavar="READER", help="A folder that `docqn reader export` wrote.")],
    corpus: Annotated[Path, typer.Argument(metavar="CORPUS", help="A folder that `docqn corpus build` made.")],
    split: Annotated[str, typer.Option(metavar="NAME", help="One that the reader was not trained on, or the next.")],
    held_out: Annotated[bool, typer.Option("--held-out", help=HELD_OUT)] = False,
    source: Annotated[str | None, typer.Option(metavar="NAME", help=SOURCE)] = None,
    limit: Annotated[int, typer.Option(min=1, metavar="N", help="How many pairs, drawn at random.")] = 500,
    best_of: Annotated[int, typer.Option(min=1, metavar="K", help="Paragraphs read of each document.")] = 8,
    seed: Annotated[int, typer.Option(metavar="N", help="Another seed draws other pairs.")] = 0,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print nothing but errors.")] = False,
) -> None:
    """Fit the score to the choice among the paragraphs closest to the question, and to how often it is right there.

    The fit is written into the folder's config; the reader then scores by it.

    \b
    Example:
      docqn reader calibrate readers/mine corpus --split train --held-out
    """  # noqa: D301 (the backslash keeps the lines of the examples)
    from docqn.evaluation.readers.calibrating import Sampled, calibrate

    with bar("Reading", quiet) as advance:
        found = calibrate(folder, corpus, Sampled(split, held_out, source, seed), limit, best_of, advance)
    if not quiet:
        values = ", ".join(f"{name} {value:.3f}" for name, value in vars(found.calibration).items())
        print(f"fitted to {found.readings:,} readings, {found.right:,} of them right: {values}")
