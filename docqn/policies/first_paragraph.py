"""The first paragraph of the document: what an agent that has learnt nothing else falls back to."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from docqn.document import PARAGRAPH
from docqn.environment.pairs import Pair
from docqn.policies import Setting
from docqn.policies.choosing import choose
from docqn.policies.ranking import fewest_tokens
from docqn.policies.trace import Trace


def policy(argument: str = "") -> FirstParagraph:
    """The first paragraph; the argument may say how many tokens it needs."""
    return FirstParagraph(fewest_tokens("first-paragraph", argument))


class FirstParagraph:
    """Always the first one."""

    def __init__(self, shortest: int = 0) -> None:
        self.name = f"first-paragraph:{shortest}" if shortest else "first-paragraph"
        self._shortest = shortest

    def traces(self, pairs: Sequence[Pair], setting: Setting) -> list[Trace]:
        return choose(pairs, setting, self.name, self._pick)

    def _pick(self, pair: Pair) -> int:
        """The title where there is no paragraph; the very first one where all are shorter."""
        document = pair.document
        paragraphs = np.flatnonzero(document.kind == PARAGRAPH)
        if not len(paragraphs):
            return 0
        long = document.end_token[paragraphs] - document.first_token[paragraphs] >= self._shortest
        return int(paragraphs[long.argmax()])
