"""`docqn reader predict`: answers to questions in SQuAD's form."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from docqn.cli.messages import bar


class Form(StrEnum):
    """Of the predictions."""

    PREDICTIONS = "predictions"
    SQUAD = "squad"


FORM = "predictions: the official form, id to text. squad: the questions again, with the answers found."
NULL = "Below this probability the answer is that there is none."


def command(
    reader: Annotated[str, typer.Argument(metavar="READER", help="A reader's name or folder.")],
    questions: Annotated[Path, typer.Argument(metavar="QUESTIONS.json", help="Questions in SQuAD's form.")],
    out: Annotated[Path, typer.Option(metavar="FILE", help="The JSON file to write.")],
    form: Annotated[Form, typer.Option(help=FORM)] = Form.PREDICTIONS,
    least: Annotated[float, typer.Option(min=0, max=1, metavar="P", help=NULL)] = 0.0,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print nothing but errors.")] = False,
) -> None:
    """Answer questions on paragraphs with any reader.

    \b
    Examples:
      docqn reader predict readers/mine dev-v1.1.json --out predictions.json
      docqn reader predict lexical dev-v2.0.json --out answered.json --form squad --least 0.3
    """  # noqa: D301 (the backslash keeps the lines of the examples)
    import json

    from docqn.evaluation.readers.on_squad import readings
    from docqn.evaluation.readers.squad import check_ids, load_squad, with_predictions
    from docqn.files import write_text
    from docqn.readers import reader as reader_named

    file = load_squad(questions)
    if form is Form.PREDICTIONS:
        check_ids(file)
    with bar("Reading", quiet) as advance:
        read = readings(reader_named(reader), file, list(range(len(file.questions))), advance)
    found = [(reading.text, reading.start) if reading.probability >= least else ("", 0) for reading in read]
    if form is Form.SQUAD:
        written = with_predictions(file, found)
    else:
        written = {question.id: text for question, (text, _) in zip(file.questions, found, strict=True)}
    write_text(out, json.dumps(written, ensure_ascii=False))
    if not quiet:
        print(f"{len(found):,} answers in {out}")
