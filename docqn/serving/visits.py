"""From traces to visits: the way of a policy, for people to follow."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from docqn.document import NONE, PARAGRAPH, SENTENCE, Document
from docqn.environment.actions import ACTIONS, ANSWER, STOP
from docqn.environment.pairs import Pair
from docqn.policies.consumption import observed_ranges
from docqn.policies.trace import Answer, Step, Trace
from docqn.policies.tracing import headings, step
from docqn.serving.result import Candidate, Evidence, Shade, Visit
from docqn.text.tokens import token_spans


def visits(pair: Pair, trace: Trace) -> list[Visit]:
    """A visit for each step. A policy that does not walk visits what was read, then where it stopped."""
    return [visit(pair, one) for one in (trace.steps or _jumps(pair.document, trace))]


def _jumps(document: Document, trace: Trace) -> Iterator[Step]:
    read = {answer.paragraph: answer for answer in trace.readings}
    for node in trace.paragraphs:
        if trace.readings or node != trace.stop_node:  # a single reading belongs to the stop
            one = step(document, node, ANSWER)
            one.answer = read.get(node)
            yield one
    last = step(document, trace.stop_node, STOP)
    last.answer = trace.answer
    yield last


def visit(pair: Pair, one: Step) -> Visit:
    """A step, for people."""
    document = pair.document
    return Visit(
        source=pair.name or document.source,
        node=one.node,
        index=one.index,
        kind=one.kind,
        path=headings(document, one.node),
        text=one.text,
        page=_known(document.page[one.node]),
        line=_known(document.line[one.node]),
        action=ACTIONS[one.action],
        value=one.q_values[one.action] if one.q_values else None,
        values=dict(zip(ACTIONS, one.q_values, strict=True)) if one.q_values else None,
        reading=candidate(pair, one.answer) if one.answer else None,
        question_attention=_question_shades(pair.question, one.question_attention or ()),
        attention=_shades(document, one.node, one.observation_attention or ()),
    )


def candidate(pair: Pair, answer: Answer, score: float | None = None) -> Candidate:
    """A reader's answer with its place; the score is its probability unless it is given."""
    document, node = pair.document, answer.paragraph
    at = _beginning(document, node, answer.start)
    evidence = Evidence(
        source=pair.name or document.source,
        path=headings(document, node),
        paragraph=document.text_of(node),
        start=answer.start,
        end=answer.end,
        page=_known(document.page[at]),
        line=_known(document.line[at]),
        node=node,
        paragraph_start=int(document.start[node]),
    )
    return Candidate(answer.text, min(1.0, answer.probability if score is None else score), evidence)


def _beginning(document: Document, node: int, start: int) -> int:
    """The sentence where the answer begins, whose line is the most exact; the node itself if it has none."""
    if document.kind[node] != PARAGRAPH:
        return node
    sentences = [child for child in document.children(node) if document.start[child] <= start]
    return sentences[-1] if sentences else node


def _known(place: int) -> int | None:
    return None if place == NONE else int(place)


def _shades(document: Document, node: int, weights: Sequence[float]) -> list[Shade]:
    """The weights, in the order in which an observation of the node shows its tokens."""
    tokens = [token for start, end in observed_ranges(document, node) for token in range(start, end)]
    return [
        _shade(document.text, document.token_start[token], document.token_end[token], weight)
        for token, weight in zip(tokens, weights, strict=False)
    ]


def _question_shades(question: str, weights: Sequence[float]) -> list[Shade]:
    return [
        _shade(question, start, end, weight)
        for (start, end), weight in zip(token_spans(question).tolist(), weights, strict=False)
    ]


def _shade(text: str, start: int, end: int, weight: float) -> Shade:
    return Shade(int(start), int(end), text[start:end], float(weight))


def sight(document: Document, node: int) -> tuple[int, int]:
    """The characters of what a visitor of the node has before its eyes: its paragraph, or its heading."""
    shown = int(document.parent[node]) if document.kind[node] == SENTENCE else node
    return int(document.start[shown]), int(document.end[shown])
