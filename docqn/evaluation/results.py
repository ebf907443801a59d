"""The results of an evaluation as one JSON file: settings, metrics of each policy, and each two compared."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from docqn import __version__
from docqn.errors import DocqnError
from docqn.evaluation.outcomes import Outcomes
from docqn.evaluation.summary import Measured, comparisons, summary
from docqn.files import write_text

Results = dict[str, Any]


def results(
    policies: Sequence[Outcomes], settings: dict[str, Any], traces: Path | None = None, metrics: Sequence[str] = ()
) -> Results:
    """All that `docqn evaluate --json` writes, with these metrics besides the built-in ones."""
    measured = [Measured(outcomes, int(settings["seed"]), metrics) for outcomes in policies]
    return {
        "docqn": __version__,
        **settings,
        "questions": len(policies[0].questions),
        "traces": str(traces) if traces else None,
        "policies": {one.outcomes.policy: summary(one) for one in measured},
        "comparisons": comparisons(measured),
    }


def write_results(path: Path, found: Results) -> None:
    """Write them, to standard output if the path is -; the traces are named as seen from the file."""
    if str(path) == "-":
        print(json.dumps(found, indent=1, ensure_ascii=False))
        return
    traces = found["traces"] and os.path.relpath(found["traces"], path.parent)
    write_text(path, json.dumps({**found, "traces": traces}, indent=1, ensure_ascii=False) + "\n")


def traces_of(path: Path) -> Path:
    """The traces of an evaluation, named by themselves or by its results."""
    try:
        with path.open("rb") as file:
            head = file.read(2)
            if head != b"\x1f\x8b" and path.suffix == ".json":
                found = json.loads(head + file.read())
                return path.parent / str(Path(found["traces"]))
    except OSError as error:
        raise DocqnError(f"{path}: cannot be read ({error.strerror})") from error
    except (ValueError, KeyError, TypeError):
        raise DocqnError(f"{path}: names no traces; evaluate with --json FILE or --traces FILE") from None
    return path
