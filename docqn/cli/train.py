"""`docqn train`: the agent learns to find answers in the documents of a corpus."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from docqn.cli.messages import INTERRUPTED
from docqn.errors import DocqnError

if TYPE_CHECKING:
    from docqn.learning.agents.run import Report, Run
    from docqn.learning.agents.settings import AgentSettings

PRESET = "docqn, docqn-uniform, docqn-backward, dqn, docqn-coupled or dqn-coupled; with -small after it, for a laptop."
VECTORS = "A file of word vectors: GloVe's or word2vec's text form, or .npz."
CONFIG = "Settings as JSON or TOML, over those of the preset."
SET = "Change a setting; may be repeated."
DEVICE = "cpu, cuda, or auto: the GPU where there is one."
RESUME = (
    "Go on with the training in the folder; of the settings only steps, decay_steps, log and save_minutes may change."
)

_OF_THE_BEGINNING = ("preset", "config", "split", "dev", "vectors", "reader", "cache")  # options of what stays


def command(
    context: typer.Context,
    corpus: Annotated[
        Path | None,
        typer.Argument(metavar="[CORPUS]", help="A folder that `docqn corpus build` made.", show_default=False),
    ] = None,
    out: Annotated[Path, typer.Option(metavar="RUN", help="The folder of the training.")] = Path("run"),
    preset: Annotated[str, typer.Option(metavar="NAME", help=PRESET)] = "docqn-small",
    config: Annotated[Path | None, typer.Option(metavar="FILE", help=CONFIG)] = None,
    set: Annotated[list[str] | None, typer.Option(metavar="KEY=VALUE", help=SET)] = None,
    split: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="What to learn from; may be repeated.")
    ] = None,
    dev: Annotated[str, typer.Option(metavar="NAME", help="The split of the evaluations on the way.")] = "dev",
    vectors: Annotated[Path | None, typer.Option(metavar="FILE", help=VECTORS)] = None,
    reader: Annotated[str, typer.Option(metavar="READER", help="Who reads the paragraphs.")] = "lexical",
    resume: Annotated[bool, typer.Option("--resume", help=RESUME)] = False,
    cache: Annotated[bool, typer.Option("--cache/--no-cache", help="Keep readings on disk.")] = True,
    tensorboard: Annotated[bool, typer.Option("--tensorboard", help="Also log for TensorBoard.")] = False,
    threads: Annotated[int | None, typer.Option(min=1, metavar="N", help="As many as cores, if not said.")] = None,
    device: Annotated[str, typer.Option(metavar="NAME", help=DEVICE)] = "auto",
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Show no progress.")] = False,
) -> None:
    """Train the agent. Ctrl-C saves the state; --resume goes on from it as if nothing had happened.

    `docqn export RUN --out AGENT` makes an agent of the folder at any time, for `--policy agent:AGENT`.

    \b
    Examples:
      docqn train corpus --out runs/a --vectors glove.6B.100d.txt
      docqn train corpus --out runs/b --preset docqn --set seed=2 --vectors glove.840B.300d.txt --reader rasor:rasor
      docqn train --out runs/a --resume --set steps=400000
    """  # noqa: D301 (the backslash keeps the lines of the examples)
    if resume == (corpus is not None):
        raise typer.BadParameter("name a CORPUS to begin a training, or --resume the one in the folder.")
    given = [
        name
        for name in _OF_THE_BEGINNING
        if (source := context.get_parameter_source(name)) and source.name == "COMMANDLINE"
    ]
    if resume and given:
        raise typer.BadParameter(f"a training that goes on keeps its {', '.join(given)}.")
    try:
        from docqn.learning.agents.run import Data, Run, begin, change
        from docqn.learning.hardware import device_of, use_threads
        from docqn.learning.readers.loop import Stop
    except ImportError as error:
        raise DocqnError("training needs torch: pip install 'docqn[train]'") from error

    place = device_of(device)
    if threads or place.type != "cpu":
        use_threads(threads or 1)  # beside a GPU more of them only wait for each other
    if resume:
        change(out, set or [])
    else:
        assert corpus is not None
        if vectors is None:
            raise typer.BadParameter("name a file of word vectors (--vectors).")
        data = Data(corpus, tuple(split or ("train",)), dev or None, reader, cache)
        begin(out, preset, _settings(preset, config, set or []), vectors, data)
    run = Run(out, place)
    with Stop() as stop, _reports(run, quiet, tensorboard) as report:
        done = run.train(resume=resume, stop=lambda: bool(stop), report=report)
    if not run.trainer.done:
        print(f"docqn: stopped after {done:,} steps; go on with --out {out} --resume", file=sys.stderr)
        raise typer.Exit(INTERRUPTED)
    if not quiet:
        print(f"{done:,} steps; docqn export {out} --out FOLDER makes an agent of it.")


def _settings(preset: str, config: Path | None, changes: list[str]) -> AgentSettings:
    from docqn.learning.agents.settings import PRESETS
    from docqn.learning.settings import changed, replaced

    if preset not in PRESETS:
        raise DocqnError(f"{preset!r} is not a preset; choose {', '.join(PRESETS)}")
    settings = PRESETS[preset]
    if config:
        settings = replaced(settings, _read(config), config)
    return changed(settings, changes)


def _read(config: Path) -> dict[str, Any]:
    import json
    import tomllib

    try:
        text = config.read_text(encoding="utf-8")
        found = tomllib.loads(text) if config.suffix == ".toml" else json.loads(text)
    except (OSError, ValueError) as error:
        raise DocqnError(f"{config}: cannot be read ({error})") from error
    if not isinstance(found, dict):
        raise DocqnError(f"{config}: holds no settings by name")
    return found


@contextmanager
def _reports(run: Run, quiet: bool, tensorboard: bool) -> Iterator[Report]:
    """A bar on standard error with the last figures, and curves for TensorBoard."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    from docqn.learning.agents.curves import curves

    console = Console(stderr=True, highlight=False)
    columns = (BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), TextColumn("{task.fields[told]}"))
    drawn = curves(run.folder / "tensorboard") if tensorboard else nullcontext()
    with drawn as told_too, Progress(*columns, console=console, disable=quiet or not console.is_terminal) as bars:
        bar = bars.add_task("Training", total=run.settings.steps, told="")

        def report(row: dict[str, Any]) -> None:
            if "alarm" in row and not quiet:
                console.print(f"docqn: the agent {row['alarm']}")
            if "evaluation" in row and not quiet:
                figures = " ".join(f"{name} {value:g}" for name, value in row["evaluation"].items())
                console.print(f"step {row['step']:,}: {figures}")
            if "updates" in row:
                seconds = row.get("acting_s", 0.0) + row.get("learning_s", 0.0)
                rate = run.settings.log / max(seconds, 1e-9)
                told = f"ε {row['epsilon']:.2f}  loss {row.get('loss', 0.0):.3f}  {rate:,.0f} steps/s"
                bars.update(bar, completed=row["step"], told=told)
            if told_too:
                told_too(row)

        yield report
