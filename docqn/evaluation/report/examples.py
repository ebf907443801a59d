"""Walks to look at, as in the paper's supplement: where the cursor was, what it did, and what it expected."""

from __future__ import annotations

from collections.abc import Iterator

from docqn.environment.actions import ACTIONS
from docqn.evaluation.report.load import Evaluation
from docqn.evaluation.tables import MISSING, Table
from docqn.policies.trace import Step, Trace

MOST_STEPS = 30  # shown of a walk


def walks(evaluation: Evaluation) -> Iterator[Table]:
    """A table for each walk that is shown; of judged documents those in which people found support."""
    for policy, examples in evaluation.examples.items():
        for (supported, kind), trace in examples.walks.items():
            if supported == evaluation.judged:
                yield walk(trace, f"{policy}, {kind}")


def walk(trace: Trace, title: str) -> Table:
    """A step a row."""
    with_values = any(step.q_values for step in trace.steps)
    with_rewards = any(step.reward is not None for step in trace.steps)
    columns = [
        "step",
        "node",
        "text",
        "action",
        *(["reward"] if with_rewards else []),
        *(ACTIONS if with_values else []),
    ]
    rows = [
        [
            str(number),
            f"{step.kind}\N{NO-BREAK SPACE}{step.index}",
            step.text,
            _done(step),
            *([MISSING if step.reward is None else f"{step.reward:+.2f}".replace("-", "−")] if with_rewards else []),
            *(_values(step) if with_values else []),
        ]
        for number, step in enumerate(trace.steps[:MOST_STEPS])
    ]
    left = len(trace.steps) - len(rows)
    return Table(f"{title}: {trace.question}", columns, rows, _end(trace, left), names=4)


def _done(step: Step) -> str:
    said = f" → “{step.answer.text}” (logit {step.answer.logit:.2f})" if step.answer else ""
    return ACTIONS[step.action] + said


def _values(step: Step) -> list[str]:
    return [f"{value:.2f}".replace("-", "−") for value in step.q_values] if step.q_values else [MISSING] * len(ACTIONS)


def _end(trace: Trace, left: int) -> str:
    right_ones = trace.supporting_indices or trace.answer_indices
    first = f" First right paragraph: {min(right_ones)}." if right_ones else ""
    answer = f"“{trace.answer.text}”" if trace.answer else "nothing"
    more = f"{left} more steps. " if left else ""
    right = f" Right answers: {', '.join(trace.golds[:3])}." if trace.golds else ""
    where = f"{' › '.join(trace.path)}, {trace.stop_kind} {trace.stop_index}"
    return (
        f"{more}Ends at {where}, where the reader finds {answer}."
        f"{first}{right} Read {100 * trace.tokens_read / max(trace.tokens_total, 1):.1f} % of {trace.document}."
    )
