"""The paper's Doc-TF-IDF: the paragraph most like the question by the cosine of tf·idf vectors, with idf over the
paragraphs of the document, as in Clark and Gardner's DocQA."""

from __future__ import annotations

from collections.abc import Sequence

from docqn.environment.pairs import Pair
from docqn.policies import Setting
from docqn.policies.choosing import choose
from docqn.policies.counts import Floats, cosine_scores, smooth_idf
from docqn.policies.ranking import Counted, best, fewest_tokens
from docqn.policies.trace import Trace


def policy(argument: str = "") -> DocTfidf:
    """Doc-TF-IDF; the argument may say how many tokens a paragraph needs."""
    return DocTfidf(fewest_tokens("doc-tfidf", argument))


class DocTfidf:
    """See the module."""

    def __init__(self, shortest: int = 0) -> None:
        self.name = f"doc-tfidf:{shortest}" if shortest else "doc-tfidf"
        self._shortest = shortest

    def traces(self, pairs: Sequence[Pair], setting: Setting) -> list[Trace]:
        return choose(pairs, setting, self.name, lambda pair: best(pair, scores, self._shortest), uses_index=True)


def scores(counted: Counted) -> Floats:
    """Cosine of the question and each paragraph."""
    counts = counted.counts
    return cosine_scores(counts, counted.question, smooth_idf(len(counts.paragraph), counts.frequency))
