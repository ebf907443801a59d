"""`docqn parse`: documents as trees."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from docqn.cli.messages import complain, tracked
from docqn.errors import DocqnError

if TYPE_CHECKING:
    from rich.text import Text

    from docqn.document import Document
    from docqn.outline import Line

FORMAT = "docx, epub, html, jats, markdown, pdf, text or wikitext, instead of finding it out; or package.module:Name."
HELP = "A file, a folder, a glob in quotes, or - for standard input."


def command(
    source: Annotated[list[str], typer.Argument(metavar="SOURCE", help=HELP)],
    format: Annotated[str | None, typer.Option(metavar="NAME", help=FORMAT)] = None,
    json: Annotated[bool, typer.Option("--json", help="Print every node as JSON, one line a document.")] = False,
    outline: Annotated[bool, typer.Option("--outline", help="Print the sections as nested JSON.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Show no progress.")] = False,
) -> None:
    """Turn documents into trees of sections, paragraphs and sentences.

    Prints an outline with the number of tokens in each section: cut to the window on a terminal, whole anywhere else.

    \b
    Examples:
      docqn parse handbook.pdf
      docqn parse handbook.pdf --json > handbook.json
      docqn parse 'reports/**/*.docx' --outline > reports.jsonl
      curl -s https://example.org | docqn parse - --format html
    """  # noqa: D301 (the backslash keeps the lines of the examples)
    from docqn.parsers import parse

    if json and outline:
        raise typer.BadParameter("--json and --outline exclude each other.")
    show = _print_json if json else _print_nested_json if outline else _print_outline
    names, sound = _expand(source, format)
    for name in tracked(names, "Parsing", quiet):
        try:
            document = parse(name, format)
        except DocqnError as error:
            complain(error)
            sound = False
            continue
        show(document)
        if show is _print_outline and len(names) > 1:
            print()
    if not sound:
        raise typer.Exit(2)


def _expand(sources: list[str], format: str | None) -> tuple[list[str], bool]:
    """The documents that the sources stand for, each once, and whether every source stands for some."""
    from docqn.parsers import suffixes
    from docqn.parsers.sources import expand

    endings = suffixes(format)
    names: dict[str, None] = {}
    sound = True
    for source in sources:
        try:
            names.update(dict.fromkeys(expand(source, endings)))
        except DocqnError as error:
            complain(error)
            sound = False
    return list(names), sound


def _print_json(document: Document) -> None:
    from docqn.export import document_json

    _write(document_json(document))


def _print_nested_json(document: Document) -> None:
    from docqn.export import outline_json

    _write(outline_json(document))


def _write(pieces: Iterator[str]) -> None:
    sys.stdout.writelines(pieces)
    sys.stdout.write("\n")


def _print_outline(document: Document) -> None:
    from docqn.outline import outline

    if sys.stdout.isatty():
        _print_overview(document)
        return
    for line in outline(document):
        print(f"{'  ' * line.depth}{line.text}{_count(line)}")


def _print_overview(document: Document) -> None:
    """As much of the outline as the window holds."""
    from rich.console import Console
    from rich.tree import Tree

    from docqn.document import NONE
    from docqn.outline import overview

    console = Console(highlight=False)
    lines = list(overview(document, max(console.height - 3, 8)))
    path: list[Tree] = []
    for line in lines:
        label = _label(line, console.width - 4 * line.depth)
        del path[line.depth :]
        path.append(path[-1].add(label) if path else Tree(label, guide_style="dim"))
    console.print(path[0])
    nodes, shown = int(document.index[-1]) + 1, sum(line.node != NONE for line in lines)
    if shown < nodes:
        hint = f"{shown:,} of {nodes:,} headings and paragraphs; '| less' shows all"
        console.print(hint, style="dim", no_wrap=True, overflow="ellipsis")


def _label(line: Line, width: int) -> Text:
    """The line, cut to the width; the number of tokens goes last only if there is room for both."""
    from rich.text import Text

    count = _count(line)
    if len(count) > width // 2:
        count = ""
    label = Text(line.text, style="dim" if not line.tokens else "" if line.depth else "bold", no_wrap=True)
    label.truncate(max(width - len(count), 1), overflow="ellipsis")
    return label.append(count, style="dim")


def _count(line: Line) -> str:
    if not line.tokens:
        return ""
    return f" ({line.tokens:,})" if line.depth else f" ({line.tokens:,} tokens)"
