"""Evaluations as a report needs them: outcomes of each policy, and a few walks to show."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from docqn.errors import DocqnError
from docqn.evaluation.limits import TokenLimit
from docqn.evaluation.outcomes import Outcomes
from docqn.evaluation.report.families import Facts, families
from docqn.evaluation.report.paper import row_of
from docqn.evaluation.report.rows import Row, rows
from docqn.evaluation.results import traces_of
from docqn.evaluation.run import TUNED
from docqn.evaluation.summary import Measured
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
REST = {"reader": str, "seed": int, "policies": list, "trained": dict, "max_tokens": int | str | None}
TRAINED = {"preset": str, "seed": int}  # what is known of each agent
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
    trained: dict[str, Facts] = field(default_factory=dict)  # by agent
    tuned: set[str] = field(default_factory=set)  # ensembles whose thresholds were found
    limited: list[Evaluation] = field(default_factory=list)  # the same with fewer tokens to read

    @property
    def name(self) -> str:
        return f"{self.header['corpus']}, {self.header['split']}"

    @property
    def about(self) -> str:
        """On what and how it was made."""
        header = self.header
        text = f"{header['pairs']:,} pairs, reader {header['reader']}, at most {header['max_steps']} steps, "
        text += "only legal actions" if header["mask"] else "illegal actions too"
        text += f", at most {self.limit} to read" if self.limit else ""
        return f"{text}, seed {header['seed']}, data {header['fingerprint']}"

    @property
    def limit(self) -> str:
        """The most tokens of a document that could be read; empty if that was not limited."""
        return str(TokenLimit.of(self.header["max_tokens"]))

    @property
    def presets(self) -> dict[str, str]:
        """Of the agents that tell it."""
        return {name: facts["preset"] for name, facts in self.trained.items()}

    @cached_property
    def rows(self) -> list[Row]:
        """The policies; one agent of several seeds is one row."""
        return rows(self.policies, families(self.policies, self.trained, self.tuned))

    def paper_row(self, policy: str) -> str | None:
        """The paper's row that a policy stands for."""
        return row_of(policy, self.presets)

    @property
    def judged(self) -> bool:
        """Whether people judged which paragraphs support the answer."""
        return any(np.isfinite(one["verified_accuracy"]) for one in self.policies.values())

    @property
    def main(self) -> str:
        """The metric that policies are judged by."""
        return "verified_accuracy" if self.judged else "accuracy"


def load(paths: Iterable[Path]) -> list[Evaluation]:
    """The evaluations in these files of traces or results. Policies on the same pairs with the same reader and limits
    come together; those that might read fewer tokens are `limited` of those that might read all, or of the first."""
    found: dict[tuple[Any, ...], dict[str, Evaluation]] = {}
    for path in paths:
        traces = traces_of(path)
        header = _sound(traces)
        outcomes, examples = _read(traces, header["normalization"])
        here = Evaluation(header, {}, {})
        evaluation = found.setdefault(tuple(header[name] for name in SAME), {}).setdefault(here.limit, here)
        for name, one in outcomes.items():
            if name in evaluation.policies:
                raise DocqnError(f"{traces}: {name} on {evaluation.name} is in more than one evaluation")
            evaluation.policies[name] = Measured(one, evaluation.header["seed"])  # all on the same resamples
            evaluation.examples[name] = examples[name]
        evaluation.trained |= header["trained"]
        evaluation.tuned |= _tuned(header["policies"], list(outcomes))
    return [_together(list(same.values())) for same in found.values()]


def _together(evaluations: list[Evaluation]) -> Evaluation:
    first = min(evaluations, key=lambda one: bool(one.limit))
    first.limited = [one for one in evaluations if one is not first]
    for one in first.limited:  # each agent is called the same everywhere
        first.trained |= one.trained
    for one in first.limited:
        one.trained = first.trained
    return first


def _tuned(asked: list[str], policies: list[str]) -> set[str]:
    """The policies that came of ensembles to be tuned; others of the same parts were asked for with a threshold."""
    found: set[str] = set()
    for name in asked:
        if name.endswith(TUNED):
            made = {policy for policy in policies if policy.rpartition(",")[0] == name.removesuffix(TUNED)}
            found |= made.difference(asked) or made
    return found


def _sound(path: Path) -> dict[str, Any]:
    """The header of a file of traces."""
    header = {"trained": {}, "policies": [], "max_tokens": None, **read_header(path)}
    known = all(isinstance(header.get(name), kind) for name, kind in (SAME | REST).items()) and header["seed"] >= 0
    if not known or not all(isinstance(name, str) for name in header["policies"]):
        raise DocqnError(f"{path}: its header lacks settings; evaluate again")
    for facts in header["trained"].values():
        if not isinstance(facts, dict) or not all(isinstance(facts.get(name), kind) for name, kind in TRAINED.items()):
            raise DocqnError(f"{path}: its header does not tell how the agents were trained; evaluate again")
    return header


def _read(path: Path, normalization: str) -> tuple[dict[str, Outcomes], dict[str, Examples]]:
    outcomes: dict[str, Outcomes] = {}
    examples: dict[str, Examples] = {}
    for trace in read_traces(path):
        outcomes.setdefault(trace.policy, Outcomes(normalization)).add(trace)
        examples.setdefault(trace.policy, Examples()).consider(trace)
    if not outcomes:
        raise DocqnError(f"{path}: holds no traces")
    return outcomes, examples
