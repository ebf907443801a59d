"""`docqn export`: the training of an agent becomes an agent."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

LICENCE = "Of what it was trained on or from, for the model card; may be repeated."


def command(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="The folder of an agent's training.")],
    out: Annotated[Path, typer.Option(metavar="AGENT", help="The folder to write.")],
    licence: Annotated[list[str] | None, typer.Option(metavar="TEXT", help=LICENCE)] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print nothing but errors.")] = False,
) -> None:
    """Write an agent's folder: the best weights so far as ONNX, its words, settings and a model card. Needs no torch.

    \b
    Examples:
      docqn export runs/a --out agents/a
      docqn evaluate corpus --split dev --policy agent:agents/a
    """  # noqa: D301 (the backslash keeps the lines of the examples)
    from docqn.policies.neural.export import export

    export(run, out, licences=licence or ())
    if not quiet:
        size = sum(path.stat().st_size for path in out.iterdir())
        print(f"{out}: {size / 1e6:.1f} MB; name it with --policy agent:{out}")
