"""`docqn starts`: where training episodes begin in a document."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from docqn.environment.pairs import Pair


def command(
    corpus: Annotated[Path, typer.Argument(metavar="CORPUS", help="A folder that `docqn corpus build` made.")],
    id: Annotated[str, typer.Argument(metavar="ID", help="A pair, or a question for the first of its documents.")],
    distribution: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="A start distribution; may be repeated.")
    ] = None,
    figure: Annotated[Path | None, typer.Option(metavar="FILE.svg", help="Draw it: the paper's Figure 4.")] = None,
    json: Annotated[bool, typer.Option("--json", help="Print each distribution's share of each node as JSON.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print nothing but errors.")] = False,
) -> None:
    """Show how likely a training episode begins at each node of a document, by start distribution.

    \b
    Examples:
      docqn starts corpus qw_1234--Nile.html --figure starts.svg
      docqn starts corpus qw_1234 --distribution root --distribution mixture:root=1,uniform=3
    """  # noqa: D301 (the backslash keeps the lines of the examples)
    from docqn.evaluation.report import starts
    from docqn.evaluation.tables import plain
    from docqn.files import write_text

    pair = _pair(corpus, id)
    found = starts.shares(pair, distribution or starts.PAPERS)
    if figure is not None:
        write_text(figure, starts.figure(pair, found).svg)
    if json:
        _print_json({name: share.tolist() for name, share in found.items()})
    elif not quiet:
        print(plain(starts.table(pair, found)))


def _pair(corpus: Path, id: str) -> Pair:
    from docqn.corpora.store import Corpus
    from docqn.environment.pairs import Pair
    from docqn.errors import DocqnError

    opened = Corpus(corpus)
    for name in opened.splits:
        split = opened.split(name)
        if (found := split.find(id)) and len(found[1]):
            return Pair.of(split[found[1][0]])
    raise DocqnError(f"{corpus}: no pair has the id {id!r}")


def _print_json(shares: dict[str, list[float]]) -> None:
    import json

    print(json.dumps(shares))
