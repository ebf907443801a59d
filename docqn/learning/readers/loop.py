"""The loop of a training: steps, a log, saved states; it stops at any time and goes on exactly where it was."""

from __future__ import annotations

import json
import signal
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from types import FrameType
from typing import Any, Protocol

from docqn.errors import DocqnError
from docqn.files import lock
from docqn.learning.readers.settings import Schedule
from docqn.learning.readers.state import STATE, Master

LOG = "log.jsonl"

Report = Callable[[int, Mapping[str, Any]], None]  # is told the number of steps done and what the log says of the last


class Task(Protocol):
    """What is learnt."""

    @property
    def settings(self) -> Schedule: ...

    @property
    def master(self) -> Master: ...

    @property
    def fixed(self) -> Mapping[str, Any]:
        """What a run that goes on must have in common with the one that began."""
        ...

    @property
    def steps_per_epoch(self) -> float: ...

    def gradients(self, step: int, stop: Stop) -> dict[str, float] | None:
        """Add up the gradients of a step, a function of its number; returns what to log, None if asked to stop."""
        ...

    def close(self) -> None:
        """End what works beside the training; no step follows."""
        ...


class Stop:
    """True from the first SIGINT or SIGTERM on, while it is entered."""

    def __init__(self) -> None:
        self._asked = False
        self._before: dict[int, Any] = {}

    def __bool__(self) -> bool:
        return self._asked

    def __enter__(self) -> Stop:
        for number in (signal.SIGINT, signal.SIGTERM):
            self._before[number] = signal.signal(number, self._ask)
        return self

    def __exit__(self, *_: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def _ask(self, number: int, frame: FrameType | None) -> None:
        self._asked = True


def train(task: Task, run: Path, *, resume: bool, report: Report = lambda step, row: None) -> int:
    """Train until the last step or until asked to stop; the state is saved. Returns the number of steps done."""
    state = run / STATE
    if state.exists() and not resume:
        raise DocqnError(f"{run}: holds a training already; resume it or name another folder")
    step = _resumed(task, state) if state.exists() else 0
    saved = time.monotonic()
    with closing(task), _locked(run), Stop() as stop, (run / LOG).open("a", encoding="utf-8", buffering=1) as log:
        while step < task.settings.steps and not stop:
            row = _step(task, step, stop)
            if row is not None:
                step += 1
                log.write(json.dumps(row) + "\n")
                report(step, row)
            if time.monotonic() - saved > 60 * task.settings.save_minutes:
                _save(task, state, step)
                saved = time.monotonic()
        _save(task, state, step)
        log.write(json.dumps({"saved": step, "done": step >= task.settings.steps}) + "\n")
    return step


def _step(task: Task, step: int, stop: Stop) -> dict[str, Any] | None:
    """One step, and its line in the log. A step that was not finished leaves its gradients, so no other must follow."""
    wall, cpu = time.perf_counter(), time.process_time()
    told = task.gradients(step, stop)
    if told is None:
        return None
    norm = task.master.update(step)
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    pairs = told.get("pairs", 0) or 1
    return {
        "step": step + 1,
        "epoch": round(step / task.steps_per_epoch, 4),
        **{name: round(value, 4) for name, value in told.items()},
        "norm": round(norm, 3),
        "rate": task.settings.rate_at(step),
        "pairs_per_s": round(pairs / wall, 2),
        "wall_ms_per_pair": round(1e3 * wall / pairs, 1),
        "cpu_ms_per_pair": round(1e3 * cpu / pairs, 1),
        "time": time.strftime("%Y-%m-%dT%H:%M:%S"),
    }


def _save(task: Task, state: Path, step: int) -> None:
    task.master.save(state, {"step": step, "fixed": dict(task.fixed)})


def _resumed(task: Task, state: Path) -> int:
    meta = task.master.load(state)
    if meta.get("fixed") != task.fixed:
        before = meta.get("fixed") or {}
        differing = [name for name in {**before, **task.fixed} if before.get(name) != task.fixed.get(name)]
        raise DocqnError(f"{state}: was begun with other values of {', '.join(differing)}; give the same or begin anew")
    return int(meta["step"])


@contextmanager
def _locked(run: Path) -> Iterator[None]:
    """Only one training at a time writes into a folder, where the system can tell."""
    with (run / "lock").open("w") as file:
        lock(file, f"{run}: another process trains there")
        yield
