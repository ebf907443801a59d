"""Match: how many of the question's words are in sight. Not the paper's; from vectors alone it takes long to learn."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from docqn.document import NONE
from docqn.environment.observation import WORDS, observed_words
from docqn.environment.wording import Wording
from docqn.text.lexicon import NO_WORD, Lexicon
from docqn.text.stems import stem_of

Ints = NDArray[np.int32]
Longs = NDArray[np.int64]
Floats = NDArray[np.float32]

MATCH_FEATURES = 4


class Match:
    """Words are compared by their stems; those that say little do not count, all others count alike."""

    def __init__(self, wording: Wording, parents: Longs) -> None:
        self._wording = wording
        self._parents = parents  # `observed_parents`
        self._stems = Lexicon(wording.words, stem_of)

    def of(self, task: Longs, place: Longs) -> Floats:
        """[n, 4]: shares of the question's distinct words that are among the node's own first words, in the whole
        observation, and among the first words of the node above; log(1 + x) of how many of its own match."""
        trees, tasks = self._wording.environment.trees, self._wording.environment.tasks
        words, length = observed_words(trees, self._parents, place, tasks.document[task])
        row, column = np.nonzero(words != NONE)
        stem = self._stems.numbers(words[row, column])
        (counting,) = np.nonzero(stem != NO_WORD)
        row, column, stem = row[counting], column[counting], stem[counting]
        asked = self._asked(task)
        hit, which = np.nonzero(stem[:, None] == asked[row])  # a word matches one of the distinct at most
        row, column = row[hit], column[hit]

        above = self._parents[place]
        begin = length - self._seen(place)  # where the node's own words begin …
        begin_above = begin - np.where(above == NONE, 0, self._seen(above))  # … and those of the node above
        own = column >= begin[row]
        found = np.zeros((3, *asked.shape), bool)
        for share, there in zip(found, (own, np.ones_like(own), ~own & (column >= begin_above[row])), strict=True):
            share[row[there], which[there]] = True
        shares = found.sum(2) / np.maximum((asked != NO_WORD).sum(1), 1)
        matching = np.bincount(row[own], minlength=len(place))
        return np.stack([*shares, np.log1p(matching)], 1).astype(np.float32)

    def _asked(self, task: Longs) -> Ints:
        """[n, longest]: the distinct stems of each question, and NO_WORD."""
        words, _ = self._wording.questions(task)
        there = words != NONE
        stems = np.full(words.shape, NO_WORD, np.int32)
        stems[there] = self._stems.numbers(words[there])
        stems.sort(1)
        stems[:, 1:][stems[:, 1:] == stems[:, :-1]] = NO_WORD
        return stems

    def _seen(self, place: Longs) -> Ints:
        """How many words are seen of each node."""
        trees = self._wording.environment.trees
        length: Ints = np.minimum(trees.end_token[place] - trees.first_token[place], WORDS)
        return length
