"""`docqn reader evaluate`: how good a reader is by itself."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from docqn.cli.messages import bar

SOURCE = "Questions in SQuAD's form, or a folder that `docqn corpus build` made."
LIKE = "Also compare each question's paragraph with the likest other of its article."
RECORD = "Write the scores into the reader's folder and its model card."


def command(
    reader: Annotated[str, typer.Argument(metavar="READER", help="A reader's name or folder.")],
    source: Annotated[Path, typer.Argument(metavar="SOURCE", help=SOURCE)],
    split: Annotated[str | None, typer.Option(metavar="NAME", help="The split of a corpus.")] = None,
    limit: Annotated[int | None, typer.Option(min=1, metavar="N", help="Only so many, drawn at random.")] = None,
    seed: Annotated[int, typer.Option(metavar="N", help="Another seed draws others.")] = 0,
    best_of: Annotated[int, typer.Option(min=1, metavar="K", help="Paragraphs read of each document.")] = 8,
    answerable: Annotated[bool, typer.Option("--answerable", help=LIKE)] = False,
    record: Annotated[bool, typer.Option("--record", help=RECORD)] = False,
    json: Annotated[bool, typer.Option("--json", help="Print the scores as JSON.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print nothing but errors.")] = False,
) -> None:
    r"""Measure a reader: on SQuAD by its answers, on a corpus by its choice among the lexically closest paragraphs.

    \b
    Examples:
      docqn reader evaluate readers/mine dev-v1.1.json --answerable
      docqn reader evaluate readers/mine corpus --split dev --limit 500 --json
      docqn reader evaluate lexical dev-v1.1.json --limit 1000
    """
    from time import perf_counter

    from docqn.evaluation.readers.measure import name_of, on_corpus, on_squad, record_scores
    from docqn.readers import reader as reader_named

    made = reader_named(reader)
    start = perf_counter()
    with bar("Reading", quiet) as advance:
        if source.is_dir():
            if split is None:
                raise typer.BadParameter("name a split of the corpus (--split).")
            found = on_corpus(made, source, split, limit, seed, best_of, advance)
        else:
            found = on_squad(made, source, limit, seed, answerable=answerable, advance=advance)
    if record:
        record_scores(Path(reader), name_of(source, split), found)
    found |= {"seconds": round(perf_counter() - start, 2)}
    if json:
        _print_json({"reader": reader, "fingerprint": made.fingerprint, "source": source.name, "split": split, **found})
    elif not quiet:
        _print(found)


def _print(found: dict[str, Any]) -> None:
    for name, value in found.items():
        shown = "  ".join(map(str, value)) if isinstance(value, list) else value
        print(f"{name.replace('_', ' '):20} {shown}")


def _print_json(found: dict[str, Any]) -> None:
    import json

    print(json.dumps(found))
