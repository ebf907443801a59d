"""`docqn mcp`: documents for assistants, by the Model Context Protocol."""

from __future__ import annotations

from typing import Annotated

import typer

from docqn.errors import DocqnError

HELP = "Documents that may be asked: files, folders, globs in quotes, addresses."


def command(
    source: Annotated[list[str], typer.Argument(metavar="SOURCE...", help=HELP, show_default=False)],
    policy: Annotated[str, typer.Option(metavar="POLICY", help="What navigates, as for `docqn ask`.")] = "default",
    reader: Annotated[str, typer.Option(metavar="READER", help="What reads, as for `docqn ask`.")] = "default",
    cache: Annotated[
        bool, typer.Option("--cache/--no-cache", help="Keep parsed documents and readings on disk.")
    ] = True,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print nothing but errors.")] = False,
) -> None:
    """Let assistants ask documents and cite the place, by the Model Context Protocol over standard input and output.

    No file but those named can be read through it.

    \b
    Examples:
      docqn mcp handbook.pdf reports
      claude mcp add handbook -- docqn mcp handbook.pdf
    """  # noqa: D301 (the backslash keeps the lines of the examples)
    try:
        from docqn.serving.mcp_server import create_server
    except ModuleNotFoundError as error:
        raise DocqnError(f"{error.name} is missing; install what serving needs: pip install 'docqn[serve]'") from error
    create_server(source, policy=policy, reader=reader, cache=cache).run()
