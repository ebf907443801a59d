"""The figures of a training as curves for TensorBoard."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from docqn.errors import DocqnError


@contextmanager
def curves(folder: Path) -> Iterator[Callable[[Mapping[str, Any]], None]]:
    """Takes lines of the log."""
    try:
        from torch.utils.tensorboard import SummaryWriter
    except ImportError as error:
        raise DocqnError("--tensorboard needs TensorBoard: pip install 'docqn[train]'") from error
    writer = SummaryWriter(folder)

    def report(row: Mapping[str, Any]) -> None:
        room, figures = ("evaluation", row["evaluation"]) if "evaluation" in row else ("training", row)
        for name, value in figures.items():
            if isinstance(value, int | float) and name != "step":
                writer.add_scalar(f"{room}/{name}", value, row["step"])

    try:
        yield report
    finally:
        writer.close()
