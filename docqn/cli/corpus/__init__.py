"""`docqn corpus`: question–document corpora on disk. A command is one file."""

import typer

from docqn.cli.corpus import build, export, sample, show, stats

app = typer.Typer(no_args_is_help=True, rich_markup_mode=None, help="Build and look at question–document corpora.")
app.command("build")(build.command)
app.command("stats")(stats.command)
app.command("show")(show.command)
app.command("sample")(sample.command)
app.command("export")(export.command)
