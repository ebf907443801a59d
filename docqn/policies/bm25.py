"""The paragraph with the best BM25 score, counted within the document."""

from __future__ import annotations

from collections.abc import Sequence

from docqn.environment.pairs import Pair
from docqn.policies import Setting
from docqn.policies.choosing import choose
from docqn.policies.counts import Floats, bm25_scores
from docqn.policies.ranking import Counted, best, fewest_tokens
from docqn.policies.trace import Trace


def policy(argument: str = "") -> BM25:
    """BM25; the argument may say how many tokens a paragraph needs."""
    return BM25(fewest_tokens("bm25", argument))


class BM25:
    """See the module."""

    def __init__(self, shortest: int = 0) -> None:
        self.name = f"bm25:{shortest}" if shortest else "bm25"
        self._shortest = shortest

    def traces(self, pairs: Sequence[Pair], setting: Setting) -> list[Trace]:
        return choose(pairs, setting, self.name, lambda pair: best(pair, scores, self._shortest), uses_index=True)


def scores(counted: Counted) -> Floats:
    """BM25 of each paragraph."""
    return bm25_scores(counted.counts, counted.question)
