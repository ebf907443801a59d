"""`docqn corpus export`: a split as SQuAD JSON."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def command(
    corpus: Annotated[Path, typer.Argument(metavar="CORPUS", help="A folder that `docqn corpus build` made.")],
    split: Annotated[str, typer.Option(metavar="NAME", help="The split to write.")],
    out: Annotated[Path, typer.Option(metavar="FILE", help="The JSON file to write.")],
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print nothing but errors.")] = False,
) -> None:
    """Write a split whose questions are about single paragraphs, such as SQuAD's, in SQuAD's form.

    \b
    Example:
      docqn corpus export corpus --split dev-v1.1 --out dev.json
    """  # noqa: D301 (the backslash keeps the lines of the examples)
    from docqn.corpora.formats.squad import write
    from docqn.corpora.store import Corpus

    chosen = Corpus(corpus).split(split)
    write(chosen, out)
    if not quiet:
        print(f"{len(chosen):,} questions in {out}")
