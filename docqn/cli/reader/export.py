"""`docqn reader export`: a training, or a model's folder in Hugging Face's form, becomes a reader's folder."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from docqn.cli.messages import bar


class Precision(StrEnum):
    """Of the transformer's matrices."""

    INT8 = "int8"
    FLOAT32 = "float32"


CORPUS = "Calibrate the reader on questions of this corpus that trainings leave out."
CALIBRATE = "The split of those questions."
SOURCE = "Of those, only questions from there, as the corpus says."
SPLIT = "Measure the reader on this split of the corpus too; may be repeated."
SQUAD = "Measure it on these questions in SQuAD's form too."
LICENCE = "What the weights or data stand under, for the model card; may be repeated."
LIMIT = "Calibrate and measure on only so many, drawn at random."


def command(
    folder: Annotated[
        Path, typer.Argument(metavar="FOLDER", help="A training, or a question-answering model's folder.")
    ],
    out: Annotated[Path, typer.Option(metavar="READER", help="The folder to write.")],
    precision: Annotated[
        Precision, typer.Option(help="Of a transformer; int8 is more than twice as fast.")
    ] = Precision.INT8,
    corpus: Annotated[Path | None, typer.Option(metavar="CORPUS", help=CORPUS)] = None,
    calibrate: Annotated[str, typer.Option(metavar="NAME", help=CALIBRATE)] = "train",
    source: Annotated[str | None, typer.Option(metavar="NAME", help=SOURCE)] = None,
    split: Annotated[list[str] | None, typer.Option(metavar="NAME", help=SPLIT)] = None,
    squad: Annotated[Path | None, typer.Option(metavar="FILE", help=SQUAD)] = None,
    licence: Annotated[list[str] | None, typer.Option(metavar="TEXT", help=LICENCE)] = None,
    limit: Annotated[int | None, typer.Option(min=1, metavar="N", help=LIMIT)] = None,
    seed: Annotated[int, typer.Option(metavar="N", help="Another seed draws others.")] = 0,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print nothing but errors.")] = False,
) -> None:
    """Write a reader's folder: the network as ONNX, its words, settings and a model card. Needs no torch.

    \b
    Examples:
      docqn reader export runs/reader --out readers/mine
      docqn reader export bert-large-squad --out readers/large --precision float32
      docqn reader export runs/reader --out readers/mine --corpus corpus --split dev --squad dev-v1.1.json \\
          --licence "SQuAD 1.1: CC BY-SA 4.0"
    """  # noqa: D301 (the backslash keeps the lines of the examples)
    from docqn.errors import DocqnError
    from docqn.readers.neural.export import export
    from docqn.readers.neural.folder import whole_folder

    if split and corpus is None:
        raise DocqnError("--split names splits of a corpus; name the corpus too (--corpus)")
    with whole_folder(out) as part:
        export(folder, part, int8=precision is Precision.INT8, licences=licence or ())
        if corpus is not None:
            _calibrate(part, corpus, calibrate, source, limit, seed, quiet)
            for name in split or ():
                _measure(part, corpus, name, limit, seed, quiet)
        if squad is not None:
            _measure(part, squad, None, limit, seed, quiet)
    if not quiet:
        size = sum(path.stat().st_size for path in out.iterdir())
        print(f"{out}: {size / 1e6:.1f} MB; name it with --reader {out}")


def _calibrate(
    folder: Path, corpus: Path, split: str, source: str | None, limit: int | None, seed: int, quiet: bool
) -> None:
    from docqn.evaluation.readers.calibrating import Sampled
    from docqn.evaluation.readers.calibrating import calibrate as fit

    with bar("Calibrating", quiet) as advance:
        fit(folder, corpus, Sampled(split, True, source, seed), limit, advance=advance)


def _measure(folder: Path, source: Path, split: str | None, limit: int | None, seed: int, quiet: bool) -> None:
    """Record the scores on a split of a corpus, or on questions in SQuAD's form."""
    from docqn.evaluation.readers.measure import name_of, on_corpus, on_squad, record_scores
    from docqn.readers import reader

    made = reader(str(folder))
    with bar(f"Measuring on {name_of(source, split)}", quiet) as advance:
        if split is None:
            found = on_squad(made, source, limit, seed, answerable=True, advance=advance)
        else:
            found = on_corpus(made, source, split, limit, seed, advance=advance)
    record_scores(folder, name_of(source, split), found)
