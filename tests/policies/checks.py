"""What holds for every trace of a pair, whatever policy it is of."""

from __future__ import annotations

import numpy as np
import pytest

from docqn.document import DOWN, KINDS, LEFT, PARAGRAPH, RIGHT, SECTION, SENTENCE, UP_LEFT, UP_RIGHT, Document
from docqn.environment.actions import ACTIONS, ANSWER, STOP
from docqn.environment.pairs import Pair
from docqn.policies.trace import Answer, Step, Trace


def faults(trace: Trace, pair: Pair) -> list[str]:
    """What is wrong with it, one line each."""
    document, node = pair.document, trace.stop_node
    found = []
    if (trace.question_id, trace.question, trace.document) != (pair.question_id, pair.question, pair.name):
        found.append("it is about another pair")
    if not 0 <= node < len(document):
        return [*found, "the stop node is not in the document"]
    if (trace.stop_index, trace.stop_kind) != (document.index[node], KINDS[document.kind[node]]):
        found.append("index or kind are not those of the stop node")
    above = [u for u in document.path(node) if document.kind[u] <= SECTION]
    if trace.path != [document.text_of(u) for u in above]:
        found.append("the path is not that of the stop node")
    edges = [edge for ends in trace.read for edge in ends]
    if edges != sorted(set(edges)) or (edges and not 0 <= edges[0] <= edges[-1] <= len(document.token)):
        found.append("the tokens read overlap, touch or lie outside the document")
    if trace.tokens_total != len(document.token) or trace.tokens_read > trace.tokens_total:
        found.append("the number of tokens is wrong")
    if any(document.kind[u] != PARAGRAPH for u in trace.paragraphs) or len({*trace.paragraphs}) < len(trace.paragraphs):
        found.append("what was read are not paragraphs, each once")
    if trace.reader_calls < len(trace.paragraphs):
        found.append("there are fewer reader calls than paragraphs")
    seen = np.zeros(len(document.token) + 1, bool)
    for start, end in trace.read:
        seen[start:end] = True
    if not all(seen[document.first_token[u] : document.end_token[u]].all() for u in trace.paragraphs):
        found.append("a paragraph was read and its tokens were not")
    answers = [trace.answer, *trace.others, *trace.readings, *(step.answer for step in trace.steps)]
    found += [fault for answer in answers if answer is not None for fault in _answer(answer, document)]
    if trace.seconds < 0:
        found.append("it took less than no time")
    labels = (None if pair.golds is None else list(pair.golds), pair.answer_indices, pair.supporting_indices)
    if (trace.golds, trace.answer_indices, trace.supporting_indices) != labels:
        found.append("the labels are not those of the pair")
    return found + _steps(trace, pair)


def _answer(answer: Answer, document: Document) -> list[str]:
    found = []
    if (
        not 0 <= answer.start < answer.end <= len(document.text)
        or document.text[answer.start : answer.end] != answer.text
    ):
        found.append("an answer's text is not at its place")
    elif not document.start[answer.paragraph] <= answer.start:
        found.append("an answer does not stand in its paragraph")
    if not 0 <= answer.probability <= 1 + 1e-6:
        found.append("an answer's probability is not one")
    return found


def _steps(trace: Trace, pair: Pair) -> list[str]:
    """Steps follow from each other by the MDP's moves, and end in the stop node."""
    if not trace.steps:
        return []
    document = pair.document
    found = []
    if trace.steps[0].node != 0:
        found.append("the walk does not begin at the title")
    ends = [step.node for step in trace.steps[1:]] + [trace.stop_node]
    if any(_after(step, document) != end for step, end in zip(trace.steps, ends, strict=True)):
        found.append("a step does not lead where the next one is")
    if any((s.index, s.kind) != (document.index[s.node], KINDS[document.kind[s.node]]) for s in trace.steps):
        found.append("a step's index or kind are not those of its node")
    texts = [" ".join(document.text_of(step.node).split()) for step in trace.steps]
    if any(not text.startswith(step.text.removesuffix("…")) for step, text in zip(trace.steps, texts, strict=True)):
        found.append("a step's text is not that of its node")
    stops = [step.action == STOP for step in trace.steps]
    if any(stops[:-1]) or stops[-1] != trace.stopped:
        found.append("Stop is not the end, or the end is not Stop")
    if any(step.answer is not None and step.action != ANSWER for step in trace.steps):
        found.append("a step has an answer without Answer")
    read = [document.parent[s.node] if document.kind[s.node] == SENTENCE else s.node for s in trace.steps if s.answer]
    if not {*read} <= {*trace.paragraphs}:
        found.append("a paragraph answered that was not read")
    if any(len(step.q_values) != len(ACTIONS) for step in trace.steps if step.q_values is not None):
        found.append("there is not a value for each action")
    if pair.answers is not None and any(step.reward is None for step in trace.steps):
        found.append("a reward is missing")
    if any(step.reward not in (None, pytest.approx(_reward(step, pair), abs=1e-5)) for step in trace.steps):
        found.append("a reward is not the paper's")
    return found


def _reward(step: Step, pair: Pair) -> float:
    """What the paper gives for an action."""
    if step.action != STOP:
        return -0.06 if step.action == ANSWER else -0.02
    distances = [abs(step.index - index) for index in pair.answer_indices or ()]
    if not distances:
        return 0.0
    return 1 - min(distances) / int(pair.document.index.max()) if min(distances) else 2.0


def _after(step: Step, document: Document) -> int:
    """Where an action leads, from the links."""
    node, parent = step.node, int(document.parent[step.node])
    links = {
        DOWN: document.first_child[node],
        LEFT: document.previous_sibling[node],
        RIGHT: document.next_sibling[node],
        UP_LEFT: document.previous_sibling[parent] if node else -1,
        UP_RIGHT: document.next_sibling[parent] if node else -1,
    }
    target = int(links.get(step.action, node))
    if target >= 0:
        return target
    return parent if step.action in (UP_LEFT, UP_RIGHT) and node else node
