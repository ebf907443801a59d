"""From what a policy did to its trace: what all policies have in common."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from docqn.document import KINDS, NONE, PARAGRAPH, SECTION, SENTENCE, Document
from docqn.environment.actions import ANSWER
from docqn.environment.pairs import Pair
from docqn.policies.consumption import Ranges, consumed
from docqn.policies.trace import Answer, Step, Trace
from docqn.readers import Reading

LONGEST_TEXT = 80  # characters of a node kept in a step


def answering_paragraph(document: Document, node: int) -> int:
    """The paragraph that is read for the final answer of a cursor that stopped: its own or, at a section or the title,
    the first one below; NONE if there is none."""
    if document.kind[node] == SENTENCE:
        return int(document.parent[node])
    for below in range(node, int(document.last[node]) + 1):
        if document.kind[below] == PARAGRAPH:
            return below
    return NONE


def answer(document: Document, paragraph: int, reading: Reading) -> Answer | None:
    """A reading of the paragraph, in the document's characters; None if the reader found nothing."""
    if reading.end <= reading.start:
        return None
    begin = int(document.start[paragraph])
    span = begin + reading.start, begin + reading.end
    return Answer(paragraph, *span, reading.text, reading.logit, reading.probability, reading.entropy)


def headings(document: Document, node: int) -> list[str]:
    """Title and headings from the top down to the node."""
    return [document.text_of(above) for above in document.path(node) if document.kind[above] <= SECTION]


def step(document: Document, node: int, action: int) -> Step:
    """A step as far as the document tells of it."""
    start, end = int(document.start[node]), int(document.end[node])
    text = " ".join(document.text[start : min(end, start + LONGEST_TEXT)].split())
    text += "…" if end > start + LONGEST_TEXT else ""
    return Step(node, int(document.index[node]), KINDS[document.kind[node]], text, action)


def reading_step(document: Document, node: int, reading: Reading) -> Step:
    """A paragraph that was read, as a step."""
    shown = step(document, node, ANSWER)
    shown.answer = answer(document, node, reading)
    return shown


def trace(
    pair: Pair,
    policy: str,
    node: int,
    *,
    final: Answer | None,
    paragraphs: Iterable[int],
    seconds: float,
    observed: Iterable[int] = (),
    read: Ranges | None = None,
    reader_calls: int | None = None,
    stopped: bool = True,
    uses_index: bool = False,
    steps: Sequence[Step] = (),
    answers: Sequence[Answer] = (),
) -> Trace:
    """The trace of a policy that ended at a node. What was read follows from the nodes unless it is given."""
    document = pair.document
    distinct = list(dict.fromkeys(paragraphs))
    return Trace(
        policy=policy,
        question_id=pair.question_id,
        question=pair.question,
        document=pair.name or document.source,
        path=headings(document, node),
        stop_node=node,
        stop_index=int(document.index[node]),
        stop_kind=KINDS[document.kind[node]],
        stopped=stopped,
        read=consumed(document, observed, distinct) if read is None else read,
        tokens_total=len(document.token),
        paragraphs=distinct,
        reader_calls=len(distinct) if reader_calls is None else reader_calls,
        uses_index=uses_index,
        seconds=seconds,
        answer=final,
        readings=list(answers),
        steps=list(steps),
        golds=None if pair.golds is None else list(pair.golds),
        answer_indices=pair.answer_indices,
        supporting_indices=pair.supporting_indices,
    )
