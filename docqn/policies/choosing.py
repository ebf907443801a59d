"""Policies that go straight to one node of each document, where the reader then reads."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import perf_counter

from docqn.document import NONE
from docqn.environment.pairs import Pair
from docqn.environment.readings import Readings
from docqn.policies import Setting
from docqn.policies.budget import Budget
from docqn.policies.trace import Trace
from docqn.policies.tracing import answer, answering_paragraph, trace


def choose(
    pairs: Sequence[Pair],
    setting: Setting,
    policy: str,
    pick: Callable[[Pair], int],
    *,
    uses_index: bool = False,
) -> list[Trace]:
    """Traces that end at the picked nodes; all answers are read in one batch."""
    start = perf_counter()
    nodes = [pick(pair) for pair in pairs]
    paragraphs = [answering_paragraph(pair.document, node) for pair, node in zip(pairs, nodes, strict=True)]
    asked = [
        task
        for task, (pair, paragraph) in enumerate(zip(pairs, paragraphs, strict=True))
        if paragraph != NONE and Budget(pair.document, setting.most(pair.document)).read(paragraph)
    ]
    readings = dict(
        zip(asked, Readings(setting.reader, pairs).of(asked, [paragraphs[task] for task in asked]), strict=True)
    )
    seconds = (perf_counter() - start) / max(len(pairs), 1)
    return [
        trace(
            pair,
            policy,
            node,
            final=answer(pair.document, paragraph, readings[task]) if task in readings else None,
            paragraphs=[paragraph] if task in readings else [],
            seconds=seconds,
            uses_index=uses_index,
        )
        for task, (pair, node, paragraph) in enumerate(zip(pairs, nodes, paragraphs, strict=True))
    ]
