"""`docqn reader`: readers, which find the answer in a passage. A command is one file."""

import typer

from docqn.cli.reader import calibrate, evaluate, export, predict, train

app = typer.Typer(no_args_is_help=True, rich_markup_mode=None, help="Train, measure and use readers.")
app.command("train")(train.command)
app.command("export")(export.command)
app.command("calibrate")(calibrate.command)
app.command("evaluate")(evaluate.command)
app.command("predict")(predict.command)
