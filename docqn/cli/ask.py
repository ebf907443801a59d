"""`docqn ask`: an answer, where it stands, and how it was found."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from docqn.cli.messages import INTERRUPTED, bar

SOURCE = "Files, folders, globs in quotes, addresses or - for standard input; last the question, in quotes."
POLICY = "What navigates: a policy, `name:argument` or `package.module:Name`."
READER = "What reads: a reader, the folder of a trained one, or `package.module:Name`."
TOKENS = "Never observe and read more than so many tokens."
TOP = "Show so many answers, the best first."
TRACE = "Show every step: the node, what was seen there, the action and its value."
CACHE = "Keep parsed documents, readings and the index of many documents on disk."


def command(
    words: Annotated[list[str], typer.Argument(metavar="SOURCE... QUESTION", help=SOURCE, show_default=False)],
    policy: Annotated[str, typer.Option(metavar="POLICY", help=POLICY)] = "default",
    reader: Annotated[str, typer.Option(metavar="READER", help=READER)] = "default",
    max_tokens: Annotated[int | None, typer.Option(min=1, metavar="N", help=TOKENS)] = None,
    top: Annotated[int, typer.Option(min=1, metavar="K", help=TOP)] = 1,
    trace: Annotated[bool, typer.Option("--trace", help=TRACE)] = False,
    json: Annotated[bool, typer.Option("--json", help="Print the result as JSON, on one line.")] = False,
    cache: Annotated[bool, typer.Option("--cache/--no-cache", help=CACHE)] = True,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print only the answer; no progress, no notes.")] = False,
) -> None:
    """Answer a question from a document, or from many: the answer, where it stands, how sure it is.

    Says so if the documents do not hold the answer.

    \b
    Examples:
      docqn ask handbook.pdf "How many days of leave does the other parent get?"
      docqn ask reports 'notes/**/*.md' "Who approved the budget?" --top 3
      docqn ask handbook.pdf "When is the salary paid?" --json --max-tokens 2000
    """  # noqa: D301 (the backslash keeps the lines of the examples)
    if len(words) < 2:
        raise typer.BadParameter("name a document and a question, as in: docqn ask handbook.pdf 'When is pay day?'")
    try:
        _ask(words[:-1], words[-1], policy, reader, max_tokens, top, trace, json, cache, quiet)
    except KeyboardInterrupt:
        print("docqn: interrupted", file=sys.stderr)
        raise typer.Exit(INTERRUPTED) from None


def _ask(
    sources: list[str],
    question: str,
    policy: str,
    reader: str,
    max_tokens: int | None,
    top: int,
    trace: bool,
    json: bool,
    cache: bool,
    quiet: bool,
) -> None:
    from docqn.errors import ParseError
    from docqn.serving.navigator import Navigator, checked

    question = checked(question)  # what is wrong is told before anything is loaded
    with (
        bar("Reading", quiet) as progress,
        Navigator(*sources, policy=policy, reader=reader, cache=cache, progress=progress) as navigator,
    ):
        try:
            result = navigator.ask(question, top=top, max_tokens=max_tokens)
        except ParseError as error:
            if len(sources) > 1 and error.reason == "no such file":
                raise ParseError(error.source, f"{error.reason}; the question goes in quotes") from error
            raise
    if not quiet:
        for note in result.notes:
            print("docqn: note:", note, file=sys.stderr)
    if json:
        from json import dumps

        print(dumps(result.as_json()))
    elif quiet:
        for answer in [result.answer, *(other.answer for other in result.alternatives)] if result.answer else []:
            print(answer)
    else:
        from docqn.cli.ask_output import show

        show(result, trace)
