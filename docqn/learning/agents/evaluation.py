"""How the agent in training does on pairs that it does not learn from, and whether it has collapsed."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from docqn.document import PARAGRAPH
from docqn.environment.inputs import InputMaker
from docqn.environment.mdp import Environment, States
from docqn.environment.pairs import Pair
from docqn.environment.predictions import Predictions
from docqn.environment.readings import Readings
from docqn.environment.wording import Wording
from docqn.learning.agents.learner import Values
from docqn.learning.agents.settings import AgentSettings
from docqn.policies import Setting
from docqn.policies.trace import Trace
from docqn.policies.walk import Bools, Choice, Walker, walk
from docqn.readers import Reader

BATCH = 64  # pairs
FIRST_STOPS, FEW_STEPS = 2, 3.0  # to the first paragraph of the first section, and to stop there

ValuesOf = Callable[[InputMaker], Values]  # the network at work on other pairs


class Greedy:
    """Takes the legal action of the highest value."""

    name = "agent"
    observes = True

    def __init__(self, values_of: ValuesOf, coupled: bool, match: bool) -> None:
        self.coupled = coupled
        self._match = match
        self._values_of = values_of

    def enter(self, pairs: Sequence[Pair], setting: Setting, environment: Environment, readings: Readings) -> Walker:
        maker = InputMaker(Wording.of_pairs(pairs, environment), Predictions(readings, pairs), self._match)
        values = self._values_of(maker)

        def choose(states: States, legal: Bools) -> Choice:
            found = values(states)
            return Choice(np.where(legal, found, -np.inf).argmax(1), found)

        return choose


def walks(values_of: ValuesOf, settings: AgentSettings, pairs: Sequence[Pair], reader: Reader) -> list[Trace]:
    """What the agent does with pairs."""
    navigator, setting = Greedy(values_of, settings.coupled, settings.match), Setting(reader)
    return [
        trace
        for first in range(0, len(pairs), BATCH)
        for trace in walk(navigator, pairs[first : first + BATCH], setting)
    ]


def summary(traces: Sequence[Trace], pairs: Sequence[Pair]) -> dict[str, float]:
    """The figures that are watched; shares are of 1."""
    firsts = [_first_paragraph(pair) for pair in pairs]
    questions: dict[str, bool] = {}
    for trace in traces:
        questions[trace.question_id] = questions.get(trace.question_id, False) or bool(trace.correct)
    figures = {
        "accuracy": np.mean([bool(trace.correct) for trace in traces]),
        "aggregated": np.mean(list(questions.values())),
        "length": np.mean([len(trace.steps) for trace in traces]),
        "answers": np.mean([sum(step.answer is not None for step in trace.steps) for trace in traces]),
        "tokens_read": np.mean([trace.tokens_read / max(trace.tokens_total, 1) for trace in traces]),
        "median_stop": np.median([trace.stop_index for trace in traces]),
        "stopped": np.mean([trace.stopped for trace in traces]),
        "at_title": np.mean([trace.stop_index == 0 for trace in traces]),
        "at_first": np.mean([trace.stop_index == first for trace, first in zip(traces, firsts, strict=True)]),
    }
    return {name: round(float(value), 4) for name, value in figures.items()}


def alarms(figures: dict[str, float]) -> list[str]:
    """What points to a policy that has collapsed: one that does the same everywhere."""
    said = []
    if figures["at_first"] > 0.5:
        said.append(f"stops at the first paragraph in {figures['at_first']:.0%} of the pairs")
    if figures["at_title"] > 0.3:
        said.append(f"stops at the title in {figures['at_title']:.0%} of the pairs")
    if figures["stopped"] < 0.5:
        said.append(f"walks on until its time is over in {1 - figures['stopped']:.0%} of the pairs")
    if figures["median_stop"] <= FIRST_STOPS:
        said.append(f"stops at index {figures['median_stop']:g} or before it in half of the pairs")
    if figures["length"] <= FEW_STEPS:
        said.append(f"takes only {figures['length']:.1f} steps")
    return said


def _first_paragraph(pair: Pair) -> int:
    paragraphs = np.flatnonzero(pair.document.kind == PARAGRAPH)
    return int(pair.document.index[paragraphs[0]]) if len(paragraphs) else -1
