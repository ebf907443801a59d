"""`docqn reader export`: a training, or a model's folder in Hugging Face's form, becomes a reader's folder."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer


class Precision(StrEnum):
    """Of the transformer's matrices."""

    INT8 = "int8"
    FLOAT32 = "float32"


def command(
    folder: Annotated[
        Path, typer.Argument(metavar="FOLDER", help="A training, or a question-answering model's folder.")
    ],
    out: Annotated[Path, typer.Option(metavar="READER", help="The folder to write.")],
    precision: Annotated[
        Precision, typer.Option(help="Of a transformer; int8 is three times as fast.")
    ] = Precision.INT8,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print nothing but errors.")] = False,
) -> None:
    """Write a reader's folder: the network as ONNX, its words, settings and a model card. Needs no torch.

    \b
    Examples:
      docqn reader export runs/reader --out readers/mine
      docqn reader export bert-large-squad --out readers/large --precision float32
    """  # noqa: D301 (the backslash keeps the lines of the examples)
    from docqn.readers.neural.export import export

    export(folder, out, int8=precision is Precision.INT8)
    if not quiet:
        size = sum(path.stat().st_size for path in out.iterdir())
        print(f"{out}: {size / 1e6:.1f} MB; name it with --reader {out}")
