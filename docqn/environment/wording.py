"""Wording: tasks with all of their words in one numbering, which is what a network needs to see them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, overload

import numpy as np
from numpy.typing import NDArray

from docqn.corpora.ragged import Ragged
from docqn.document import NONE
from docqn.environment.mdp import Environment
from docqn.environment.pairs import Pair
from docqn.environment.tasks import Tasks
from docqn.environment.trees import Trees
from docqn.environment.vocabulary import Vocabulary
from docqn.text.tokens import token_spans

if TYPE_CHECKING:
    from docqn.corpora.split import Split

Ints = NDArray[np.int32]
Longs = NDArray[np.int64]

LONGEST_QUESTION = 40  # words that are looked at
_LATEST = 256  # pairs that are kept: they are asked for again while their paragraphs are read


@dataclass(frozen=True, eq=False)
class Wording:
    """Tasks in an environment, and their words."""

    environment: Environment  # its trees' tokens are numbers of `words`
    words: Sequence[str]
    question: Ragged  # words of each task's question
    pairs: Sequence[Pair]

    @classmethod
    def of_pairs(cls, pairs: Sequence[Pair], environment: Environment) -> Wording:
        """Of pairs in their environment; the words are those that occur."""
        documents = list({id(pair.document): pair.document for pair in pairs}.values())
        vocabulary = Vocabulary(documents, (pair.question for pair in pairs))
        tokens = [number[document.token] for number, document in zip(vocabulary.of_documents, documents, strict=True)]
        trees = replace(environment.trees, token=np.concatenate(tokens))
        questions = [
            vocabulary.numbers(pair.question, min(len(token_spans(pair.question)), LONGEST_QUESTION)) for pair in pairs
        ]
        worded = Environment(trees, environment.tasks, limit=environment.limit, coupled=environment.coupled)
        return cls(worded, list(vocabulary), Ragged.of(questions), pairs)

    @classmethod
    def of_splits(cls, splits: Sequence[Split], *, limit: int, coupled: bool, least: float = 0.0) -> Wording:
        """Of the splits of one corpus, whose documents stay where they are; the words are those of the corpus. Pairs
        whose coverage is known to be below the least are left out, as are those without an answer."""
        corpus = splits[0].corpus
        trees = Trees.over(corpus.first_node, corpus.first_word, corpus.arrays)
        index = corpus.arrays["index"]
        rows, documents, answers, indices, questions = [], [], [], [], []
        for number, split in enumerate(splits):
            covered = ~(split.arrays["coverage"] < least)
            for pair in np.flatnonzero(covered).tolist():
                document, nodes = int(split.document[pair]), split.answer_paragraphs[pair]
                if not len(nodes):
                    continue
                rows.append((number, pair))
                documents.append(document)
                answers.append(nodes.tolist())
                indices.append(index[corpus.first_node[document] + nodes].tolist())
                questions.append(split.question_tokens[int(split.question[pair])][:LONGEST_QUESTION])
        environment = Environment(trees, Tasks.of(documents, answers, indices), limit=limit, coupled=coupled)
        return cls(environment, corpus.vocabulary.words, Ragged.of(questions), Pairs(splits, rows))

    def questions(self, tasks: Longs) -> tuple[Ints, Ints]:
        """Words of the tasks' questions, [tasks, longest] padded with NONE, and how many, [tasks]."""
        words, length = (part.take(tasks, axis=0) for part in self._questions)
        return words[:, : max(1, int(length.max(initial=0)))], length

    @cached_property
    def _questions(self) -> tuple[Ints, Ints]:
        """Of all tasks."""
        length = np.diff(self.question.offset).astype(np.int32)
        filled = np.arange(max(1, int(length.max(initial=0)))) < length[:, None]
        words = np.full(filled.shape, NONE, np.int32)
        words[filled] = self.question.values[self.question.offset[0] : self.question.offset[-1]]
        return words, length


class Pairs(Sequence[Pair]):
    """Pairs of splits, made when they are asked for."""

    def __init__(self, splits: Sequence[Split], rows: Sequence[tuple[int, int]]) -> None:
        self._splits = splits
        self._rows = rows  # split and pair
        self._pair = lru_cache(_LATEST)(self._made)

    def __len__(self) -> int:
        return len(self._rows)

    @overload
    def __getitem__(self, at: int) -> Pair: ...
    @overload
    def __getitem__(self, at: slice) -> list[Pair]: ...
    def __getitem__(self, at: int | slice) -> Pair | list[Pair]:
        if isinstance(at, slice):
            return [self[i] for i in range(*at.indices(len(self)))]
        return self._pair(at)

    def _made(self, at: int) -> Pair:
        split, pair = self._rows[at]
        return Pair.of(self._splits[split][pair])
