"""`docqn scent`: the policy `forage` learns from a corpus which paragraphs are promising."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from docqn.cli.messages import bar
from docqn.errors import DocqnError

SPLIT = "A split to learn from; may be repeated."
SET = "Change a setting; may be repeated."
LICENCE = "Of what it was learnt from, for the model card; may be repeated."


def command(
    corpus: Annotated[Path, typer.Argument(metavar="CORPUS", help="A folder that `docqn corpus build` made.")],
    out: Annotated[Path, typer.Option(metavar="SCENT", help="The folder to write.")],
    split: Annotated[list[str] | None, typer.Option(metavar="NAME", help=SPLIT, show_default="train")] = None,
    set: Annotated[list[str] | None, typer.Option(metavar="KEY=VALUE", help=SET)] = None,
    licence: Annotated[list[str] | None, typer.Option(metavar="TEXT", help=LICENCE)] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Show no progress.")] = False,
) -> None:
    """Learn the scent of paragraphs: how likely each answers, by what an index over its document tells. Takes minutes.

    \b
    Examples:
      docqn scent corpus --out scents/mine
      docqn evaluate corpus --split dev --policy forage:scents/mine
    """  # noqa: D301 (the backslash keeps the lines of the examples)
    try:
        from docqn.learning.hardware import use_threads
        from docqn.learning.scent import ScentSettings, frequencies, learn, told
    except ImportError as error:
        raise DocqnError("learning needs torch: pip install 'docqn[train]'") from error
    from docqn.corpora.store import Corpus
    from docqn.files import check_writable
    from docqn.learning.settings import changed
    from docqn.policies.scent.card import described
    from docqn.policies.scent.model import save
    from docqn.readers.neural.folder import whole_folder

    use_threads(1)  # the network is too small for more to help
    settings = changed(ScentSettings(), set or ())
    check_writable(out, folder=True)
    opened, names = Corpus(corpus), split or ["train"]
    splits = [opened.split(name) for name in names]
    with whole_folder(out) as part:
        with bar("Counting", quiet) as advance:
            known = frequencies(splits, settings.stems, advance)
        with bar("Indexing", quiet) as advance:
            data = told(splits, settings.coverage, known.rarity, advance)
        with bar("Learning", quiet) as advance:
            scent = learn(data, known, settings, advance)
        about = described(settings, corpus.resolve().name, opened.manifest.fingerprint, names, len(data.first) - 1)
        save(part, scent, about | {"licences": list(licence or ())})
    if not quiet:
        print(f"{out}: learnt from {len(data.first) - 1:,} pairs; name it with --policy forage:{out}")
