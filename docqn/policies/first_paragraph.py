"""The first paragraph of the document: what an agent that has learnt nothing else falls back to."""

from __future__ import annotations

from collections.abc import Sequence

from docqn.document import NONE
from docqn.environment.pairs import Pair
from docqn.policies import Setting
from docqn.policies.choosing import choose
from docqn.policies.trace import Trace
from docqn.policies.tracing import answering_paragraph


def policy(argument: str = "") -> FirstParagraph:
    """The first paragraph; it takes no argument."""
    return FirstParagraph()


class FirstParagraph:
    """Always the first one."""

    name = "first-paragraph"

    def traces(self, pairs: Sequence[Pair], setting: Setting) -> list[Trace]:
        def pick(pair: Pair) -> int:
            first = answering_paragraph(pair.document, 0)
            return 0 if first == NONE else first

        return choose(pairs, setting, self.name, pick)
