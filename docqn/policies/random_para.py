"""The paper's RandomPara: a paragraph drawn at random."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from docqn.document import PARAGRAPH
from docqn.environment.pairs import Pair
from docqn.policies import Setting
from docqn.policies.choosing import choose
from docqn.policies.randomness import seeds, uniform
from docqn.policies.trace import Trace


def policy(argument: str = "") -> RandomPara:
    """The random paragraph; it takes no argument."""
    return RandomPara()


class RandomPara:
    """Every paragraph of the document is as likely as the others."""

    name = "random-para"

    def traces(self, pairs: Sequence[Pair], setting: Setting) -> list[Trace]:
        def pick(pair: Pair) -> int:
            paragraphs = np.flatnonzero(pair.document.kind == PARAGRAPH)
            if not len(paragraphs):
                return 0
            return int(paragraphs[int(uniform(seeds([pair], setting.seed), 0)[0] * len(paragraphs))])

        return choose(pairs, setting, self.name, pick)
