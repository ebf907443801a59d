"""Evaluations as a report needs them: outcomes of each policy, and a few walks to show."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from docqn.errors import DocqnError
from docqn.evaluation.outcomes import Outcomes
from docqn.evaluation.results import traces_of
from docqn.evaluation.summary import Measured, summary
from docqn.evaluation.trace_file import read_header, read_traces
from docqn.policies.trace import Trace

# What has to be the same for policies to be compared; and what else a header holds.
SAME = {
    "corpus": str,
    "fingerprint": str,
    "split": str,
    "pairs": int,
    "normalization": str,
    "reader_fingerprint": str,
    "max_steps": int,
    "mask": bool,
}
REST = {"reader": str, "seed": int}
SHOWN = 3  # steps that a walk has to have to be worth showing


@dataclass
class Examples:
    """One walk of a kind: the first that is right, the first that is wrong, the first that was never stopped; apart for
    documents in which people found support, where only a paragraph that supports is right."""

    walks: dict[tuple[bool, str], Trace] = field(default_factory=dict)  # by whether there is support, and kind

    def consider(self, trace: Trace) -> None:
        """Keep the trace if there is none of its kind yet."""
        if len(trace.steps) >= SHOWN:
            supported = bool(trace.supporting_indices)
            right = trace.verified_correct if supported else trace.correct
            kind = "out of time" if not trace.stopped else "right" if right else "wrong"
            self.walks.setdefault((supported, kind), trace)


@dataclass
class Evaluation:
    """What was evaluated together: the same pairs and settings."""

    header: dict[str, Any]
    policies: dict[str, Measured]
    examples: dict[str, Examples]

    @property
    def name(self) -> str:
        return f"{self.header['corpus']}, {self.header['split']}"

    @property
    def about(self) -> str:
        """On what and how it was made."""
        header = self.header
        text = f"{header['pairs']:,} pairs, reader {header['reader']}, at most {header['max_steps']} steps, "
        text += "only legal actions" if header["mask"] else "illegal actions too"
        return f"{text}, seed {header['seed']}, data {header['fingerprint']}"

    @property
    def judged(self) -> bool:
        """Whether people judged which paragraphs support the answer."""
        return any(np.isfinite(one["verified_accuracy"]) for one in self.policies.values())

    @property
    def main(self) -> str:
        """The metric that policies are judged by."""
        return "verified_accuracy" if self.judged else "accuracy"

    @property
    def results(self) -> dict[str, Any]:
        """The metrics, as `docqn evaluate --json` has them."""
        questions = len(next(iter(self.policies.values())).outcomes.questions)
        metrics = {name: summary(measured) for name, measured in self.policies.items()}
        return {**self.header, "questions": questions, "policies": metrics}


def load(paths: Iterable[Path]) -> list[Evaluation]:
    """The evaluations in these files of traces or results. Policies on the same pairs with the same reader and limits
    come together."""
    found: dict[tuple[Any, ...], Evaluation] = {}
    for path in paths:
        traces = traces_of(path)
        header = read_header(traces)
        if not all(isinstance(header.get(name), kind) for name, kind in (SAME | REST).items()) or header["seed"] < 0:
            raise DocqnError(f"{traces}: its header lacks settings; evaluate again")
        same = tuple(header[name] for name in SAME)
        outcomes, examples = _read(traces, header["normalization"])
        evaluation = found.setdefault(same, Evaluation(header, {}, {}))
        for name, one in outcomes.items():
            if name in evaluation.policies:
                raise DocqnError(f"{traces}: {name} on {evaluation.name} is in more than one evaluation")
            evaluation.policies[name] = Measured(one, evaluation.header["seed"])  # all on the same resamples
            evaluation.examples[name] = examples[name]
    return list(found.values())


def _read(path: Path, normalization: str) -> tuple[dict[str, Outcomes], dict[str, Examples]]:
    outcomes: dict[str, Outcomes] = {}
    examples: dict[str, Examples] = {}
    for trace in read_traces(path):
        outcomes.setdefault(trace.policy, Outcomes(normalization)).add(trace)
        examples.setdefault(trace.policy, Examples()).consider(trace)
    if not outcomes:
        raise DocqnError(f"{path}: holds no traces")
    return outcomes, examples
