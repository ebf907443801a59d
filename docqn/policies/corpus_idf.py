"""How many documents of a corpus hold each word."""

from __future__ import annotations

from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from docqn.policies.counts import Floats, smooth_idf
from docqn.policies.words import DocumentWords, lexicon
from docqn.text.lexicon import Lexicon

if TYPE_CHECKING:
    from docqn.corpora.store import Corpus


class CorpusFrequencies:
    """Counted once over all documents."""

    def __init__(self, documents: int, known: Lexicon, frequency: NDArray[np.int64]) -> None:
        self._known = known
        self._idf = smooth_idf(documents, frequency)  # of each word of the lexicon
        self._unknown = float(smooth_idf(documents, np.zeros(1, np.int64))[0])

    def idf(self, words: DocumentWords) -> Floats:
        """[words]: idf of a document's words, which may be from elsewhere."""
        if words.known is self._known:
            return self._idf[words.distinct]
        number = self._known.number
        return np.array([self._idf[number[word]] if word in number else self._unknown for word in words.words])


_counted: WeakKeyDictionary[Corpus, CorpusFrequencies] = WeakKeyDictionary()


def frequencies(corpus: Corpus) -> CorpusFrequencies:
    """The frequencies of a corpus; the first call goes through all its documents."""
    if corpus not in _counted:
        _counted[corpus] = _count(corpus)
    return _counted[corpus]


def _count(corpus: Corpus) -> CorpusFrequencies:
    """One array operation a document. Tokens that are forms of one word count as that word."""
    known = lexicon(corpus.vocabulary.words)
    word = known.numbers(np.arange(len(known.vocabulary), dtype=np.int32))
    total: NDArray[np.int64] = np.zeros(len(known.words) + 1, np.int64)  # the last place is that of NO_WORD
    bounds = corpus.first_word.tolist()
    for document in range(len(corpus)):
        total[np.unique(word[corpus.arrays["token"][bounds[document] : bounds[document + 1]]])] += 1
    corpus.release()
    return CorpusFrequencies(len(corpus), known, total[:-1])
