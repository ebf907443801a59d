"""The paper's TF-IDF: like Doc-TF-IDF, with idf over all documents of the corpus.

The corpus is that of the pairs, or the one that the argument names (`tfidf:corpora/triviaqa`). A document that comes
alone is its own corpus of paragraphs.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from docqn.environment.pairs import Pair
from docqn.policies import Setting
from docqn.policies.choosing import choose
from docqn.policies.corpus_idf import CorpusFrequencies, frequencies
from docqn.policies.counts import Floats, cosine_scores, smooth_idf
from docqn.policies.ranking import Counted, best
from docqn.policies.trace import Trace

if TYPE_CHECKING:
    from docqn.corpora.store import Corpus


def policy(argument: str = "") -> Tfidf:
    """TF-IDF; the argument may name a corpus."""
    return Tfidf(argument)


class Tfidf:
    """See the module."""

    def __init__(self, folder: str = "") -> None:
        self.name = f"tfidf:{folder}" if folder else "tfidf"
        self._folder = folder

    @cached_property
    def _own(self) -> Corpus:
        from docqn.corpora.store import Corpus

        return Corpus(self._folder)

    def traces(self, pairs: Sequence[Pair], setting: Setting) -> list[Trace]:
        corpus = self._own if self._folder else setting.corpus
        known = None if corpus is None else frequencies(corpus)
        return choose(
            pairs, setting, self.name, lambda pair: best(pair, lambda counted: scores(counted, known)), uses_index=True
        )


def scores(counted: Counted, known: CorpusFrequencies | None) -> Floats:
    """Cosine of the question and each paragraph."""
    counts = counted.counts
    idf = smooth_idf(len(counts.paragraph), counts.frequency) if known is None else known.idf(counted.words)
    return cosine_scores(counts, counted.question, idf)
