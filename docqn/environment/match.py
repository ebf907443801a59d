"""Match: how many of the question's words are in sight. Not the paper's; from vectors alone it takes long to learn."""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from docqn.document import NONE
from docqn.environment.observation import WORDS
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
        asked = self._asked.take(task, axis=0)
        row, up, stem = self._seen(task, place)
        counts = np.zeros(len(self._stems.words) + 1, bool)  # stems that any of these questions has; the last is none
        counts[asked] = True
        counts[NO_WORD] = False
        (counting,) = np.nonzero(counts.take(stem))
        row, up, stem = row[counting], up[counting], stem[counting]
        hit, which = np.nonzero(stem[:, None] == asked.take(row, axis=0))  # one of the distinct at most
        row, up = row[hit], up[hit]

        own = up == 0
        found = np.zeros((3, *asked.shape), bool)
        for share, there in zip(found, (own, np.ones_like(own), up == 1), strict=True):
            share[row[there], which[there]] = True
        shares = found.sum(2) / np.maximum((asked != NO_WORD).sum(1), 1)
        matching = np.bincount(row[own], minlength=len(place))
        return np.stack([*shares, np.log1p(matching)], 1).astype(np.float32)

    def _seen(self, task: Longs, place: Longs) -> tuple[Longs, Longs, Ints]:
        """Of each word that is observed: whose it is, how many nodes up it stands, and its stem."""
        trees, tasks = self._wording.environment.trees, self._wording.environment.tasks
        path = [place]  # from the node upwards
        while (path[-1] != NONE).any():
            path.append(np.where(path[-1] == NONE, NONE, self._parents.take(path[-1])))
        up, row = np.nonzero(np.stack(path) != NONE)
        node = np.stack(path)[up, row]
        begin = trees.first_token.take(node)
        length = np.minimum(trees.end_token.take(node) - begin, WORDS)
        begin = begin + trees.first_word.take(tasks.document.take(task)).take(row)
        words = np.arange(length.sum()) + np.repeat(begin - (np.cumsum(length) - length), length)
        return np.repeat(row, length), np.repeat(up, length), self._stems.numbers(trees.token.take(words))

    @cached_property
    def _asked(self) -> Ints:
        """[tasks, longest]: the distinct stems of each question, and NO_WORD."""
        words, _ = self._wording.questions(np.arange(len(self._wording.question)))
        there = words != NONE
        stems = np.full(words.shape, NO_WORD, np.int32)
        stems[there] = self._stems.numbers(words[there])
        stems.sort(1)
        stems[:, 1:][stems[:, 1:] == stems[:, :-1]] = NO_WORD
        return stems
