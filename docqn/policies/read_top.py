"""The paper's ReadTop: the reader is given the beginning of the document, 800 tokens or as many as the argument says
(`read-top:400`). It stops where its answer stands."""

from __future__ import annotations

from collections.abc import Sequence
from time import perf_counter

import numpy as np

from docqn.document import SENTENCE, Document
from docqn.environment.pairs import Pair
from docqn.errors import DocqnError
from docqn.policies import Setting
from docqn.policies.consumption import consumed
from docqn.policies.trace import Answer, Trace
from docqn.policies.tracing import trace
from docqn.readers import Reading

TOKENS = 800


def policy(argument: str = "") -> ReadTop:
    """Reads the first tokens; the argument is how many."""
    if argument and not (argument.isdecimal() and int(argument)):
        raise DocqnError(f"'read-top:{argument}' does not say how many tokens, as in 'read-top:400'")
    return ReadTop(int(argument or TOKENS))


class ReadTop:
    """See the module."""

    def __init__(self, tokens: int) -> None:
        self.name = "read-top" if tokens == TOKENS else f"read-top:{tokens}"
        self.tokens = tokens

    def traces(self, pairs: Sequence[Pair], setting: Setting) -> list[Trace]:
        start = perf_counter()
        most = [setting.most(pair.document) for pair in pairs]
        tokens = [self.tokens if one is None else min(self.tokens, one) for one in most]
        passages = [_top(pair.document, count) for pair, count in zip(pairs, tokens, strict=True)]
        readings = setting.reader.read([pair.question for pair in pairs], passages)
        finals = [_answer(pair.document, reading) for pair, reading in zip(pairs, readings, strict=True)]
        seconds = (perf_counter() - start) / max(len(pairs), 1)
        return [
            trace(
                pair,
                self.name,
                final.paragraph if final else 0,
                final=final,
                paragraphs=[],
                read=consumed(pair.document, first=count),
                reader_calls=1,
                seconds=seconds,
            )
            for pair, final, count in zip(pairs, finals, tokens, strict=True)
        ]


def _top(document: Document, tokens: int) -> str:
    """The text as far as the last of so many tokens; whole nodes with what is between them."""
    if not len(document.token) or not tokens:
        return ""
    return document.text[: document.token_end[min(tokens, len(document.token)) - 1]]


def _answer(document: Document, reading: Reading) -> Answer | None:
    """The answer, in the node where it begins."""
    if reading.end <= reading.start:
        return None
    nodes = np.flatnonzero(document.kind != SENTENCE)
    node = int(nodes[np.searchsorted(document.start[nodes], reading.start, side="right") - 1])
    _, _, text, logit, probability, entropy, _ = reading
    return Answer(node, reading.start, reading.end, text, logit, probability, entropy)
