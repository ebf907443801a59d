"""`docqn corpus sample`: a sheet of pairs for a person to judge, and the judged sheet as the paper's Table 3."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from docqn.corpora.sample import Share


def command(
    corpus: Annotated[Path, typer.Argument(metavar="CORPUS", help="A folder that `docqn corpus build` made.")],
    split: Annotated[str | None, typer.Option(metavar="NAME", help="The split to draw from.")] = None,
    number: Annotated[int, typer.Option(min=1, metavar="N", help="How many pairs.")] = 100,
    seed: Annotated[int, typer.Option(metavar="N", help="Another seed draws other pairs.")] = 0,
    out: Annotated[Path | None, typer.Option(metavar="SHEET", help="The CSV file to write.")] = None,
    judged: Annotated[Path | None, typer.Option(metavar="SHEET", help="A sheet that was filled in.")] = None,
    json: Annotated[bool, typer.Option("--json", help="Print the table as JSON.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print nothing but errors.")] = False,
) -> None:
    """Write a random sample of pairs to a sheet, or read the judged sheet: how many can be answered?

    In the column `answerable`, write yes or no; what is left empty does not count.

    \b
    Examples:
      docqn corpus sample corpus --split dev --number 100 --out sheet.csv
      docqn corpus sample corpus --judged sheet.csv
    """  # noqa: D301 (the backslash keeps the lines of the examples)
    from docqn.corpora.sample import read_sheet, write_sheet
    from docqn.corpora.store import Corpus

    opened = Corpus(corpus)
    if judged is not None:
        if split is not None or out is not None:
            raise typer.BadParameter("--judged stands alone: the sheet says what was drawn.")
        shares = read_sheet(opened, judged)
        (_print_json if json else _print)(shares)
        return
    if split is None or out is None:
        raise typer.BadParameter("say what to draw from and where to (--split and --out), or name a sheet (--judged).")
    written = write_sheet(opened.split(split), number, seed, out)
    if not quiet:
        print(f"{written:,} pairs in {out}; write yes or no in the first column.")


def _print(shares: list[Share]) -> None:
    for share in shares:
        low, high = share.interval
        percent = f"{share.answerable / share.judged:.1%}" if share.judged else "none judged"
        print(
            f"{share.split}: {percent} answerable (95 %: {low:.1%} to {high:.1%}); "
            f"{share.answerable} of {share.judged} judged, {share.sampled} drawn"
        )


def _print_json(shares: list[Share]) -> None:
    import json

    rows = [{**share._asdict(), "interval": share.interval} for share in shares]
    print(json.dumps(rows))
