"""A training so small that it takes seconds."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import torch

from docqn.learning.agents.run import Run
from docqn.learning.agents.settings import PRESETS

CPU = torch.device("cpu")
QUICK = replace(
    PRESETS["docqn-small"],
    hidden=16,
    attention=8,
    filters=8,
    character=4,
    joint=32,
    branch=16,
    words=50,
    buckets=20,
    memory=4000,
    initial=200,
    steps=1000,
    decay_steps=0,
    anneal=800,
    target=200,
    evaluate=400,
    log=100,
    cursors=8,
    batch=16,
)


def after(count: int) -> Callable[[], bool]:
    """Asks to stop when it was asked so often."""
    left = iter(range(count))
    return lambda: next(left, None) is None


def finished(run: Path, resume: bool = False) -> Run:
    training = Run(run, CPU)
    assert training.train(resume=resume, stop=lambda: False) >= training.settings.steps
    return training


def log_of(run: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (run / "log.jsonl").read_text().splitlines()]


def timeless(row: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in row.items() if name != "time" and not name.endswith(("_s", "seconds"))}
