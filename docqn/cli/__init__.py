"""The command line. A command is one file of this package; its libraries are imported when it runs."""

import errno
import os
import sys
from io import TextIOWrapper
from typing import Annotated

import typer

from docqn import __version__
from docqn.cli import ask, corpus, evaluate, export, mcp, parse, reader, report, scent, serve, starts, train
from docqn.cli.messages import INTERRUPTED, complain
from docqn.errors import DocqnError

app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,  # rich would more than double the time that --help takes
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("ask")(ask.command)
app.command("parse")(parse.command)
app.command("serve")(serve.command)
app.command("mcp")(mcp.command)
app.add_typer(corpus.app, name="corpus")
app.add_typer(reader.app, name="reader")
app.command("train")(train.command)
app.command("export")(export.command)
app.command("scent")(scent.command)
app.command("evaluate")(evaluate.command)
app.command("report")(report.command)
app.command("starts")(starts.command)


def _print_version(asked: bool) -> None:
    if asked:
        print(f"docqn {__version__}")
        raise typer.Exit


@app.callback()
def _docqn(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    """Answer questions from long documents by walking their structure."""


def main(arguments: list[str] | None = None) -> None:
    """Run the command line. What is wrong with the input is one line on standard error and exit status 2."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:  # closed from outside
            setattr(sys, name, open(os.devnull, "w"))  # noqa: SIM115 (for as long as it runs)
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # what the terminal has no characters for
    try:
        try:
            app(arguments, prog_name="docqn")
        finally:
            sys.stdout.flush()  # here, so that a pipe closed at the other end is noticed below
    except DocqnError as error:
        complain(error)
        sys.exit(2)
    except BrokenPipeError:
        _discard_output()
        sys.exit(1)
    except KeyboardInterrupt:  # before a command has begun
        print("docqn: interrupted", file=sys.stderr)
        sys.exit(INTERRUPTED)
    except OSError as error:
        if error.errno != errno.ENOSPC:
            raise
        complain(DocqnError(f"the output cannot be written ({error.strerror})"))
        _discard_output()
        sys.exit(2)


def _discard_output() -> None:
    """What Python would still write at its end goes nowhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
