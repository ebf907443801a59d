"""What RaSoR is trained on: questions and passages as numbers of words, with the spans that answer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from docqn.corpora.held_out import held_out
from docqn.corpora.split import Split
from docqn.document import Document
from docqn.evaluation.readers.squad import SquadFile
from docqn.learning.readers.pairs import Spans, token_span
from docqn.learning.readers.settings import RasorSettings
from docqn.learning.readers.squad_groups import occurrences
from docqn.readers.neural.spans import LONGEST
from docqn.readers.rasor import LONGEST_QUESTION
from docqn.text.tokens import token_spans, token_texts
from docqn.text.vectors import Words

Ints = NDArray[np.int32]

_POOL = 50  # batches whose examples are sorted by length together


class RasorExample(NamedTuple):
    """A question on a passage."""

    question: Ints
    passage: Ints
    spans: Spans  # first and last token of what may be the answer


def further_words(file: SquadFile | None, splits: Sequence[Split], words: Words, settings: RasorSettings) -> list[str]:
    """The most frequent words of the data that have no vector yet."""
    counts: Counter[str] = Counter()
    if file is not None:
        for text in (*file.contexts, *(question.text for question in file.questions)):
            counts.update(token_texts(text, token_spans(text)))
    for split in splits:
        for pair in range(len(split)):
            example = split[pair]
            counts.update(token_texts(example.question.text, token_spans(example.question.text)))
            counts.update(_first_words(example.document, settings))
    return [word for word, _ in counts.most_common() if not words.knows(word)][: settings.own_words]


def from_squad(file: SquadFile, words: Words, settings: RasorSettings) -> list[RasorExample]:
    """The questions whose answer is short enough and stands in the part of the paragraph that is kept."""
    offsets = [token_spans(context) for context in file.contexts]
    passages = [
        words.numbers(token_texts(context, spans)[: settings.longest])
        for context, spans in zip(file.contexts, offsets, strict=True)
    ]
    examples = []
    for question in file.questions:
        context = file.contexts[question.context]
        places = {(at, at + len(text)) for text, known in question.answers for at in occurrences(context, text, known)}
        passage = passages[question.context]
        spans = _spans(offsets[question.context], places, len(passage))
        examples.append(RasorExample(_question(question.text, words), passage, spans))
    return [example for example in examples if len(example.spans)]


def from_corpus(
    splits: Sequence[Split], words: Words, settings: RasorSettings, *, all: bool = False
) -> list[RasorExample]:
    """The first tokens of each document, where one of the answer strings stands among them. `all`: also for questions
    that are held out."""
    examples = []
    for split in splits:
        for pair in range(len(split)):
            example = split[pair]
            if held_out(example.question.id) and not all:
                continue
            document = example.document
            kept = min(_kept(settings), len(document.token))
            offsets = np.stack([document.token_start[:kept], document.token_end[:kept]], axis=1)
            places = [(int(a), int(b)) for a, b in example.answer_spans]
            spans = _spans(offsets, places, kept)
            if len(spans):
                passage = words.numbers(_first_words(document, settings))
                examples.append(RasorExample(_question(example.question.text, words), passage, spans))
    return examples


def _kept(settings: RasorSettings) -> int:
    """How many tokens of a document."""
    return settings.first_tokens or settings.longest


def _first_words(document: Document, settings: RasorSettings) -> list[str]:
    return [document.vocabulary[token] for token in document.token[: _kept(settings)].tolist()]


def _question(text: str, words: Words) -> Ints:
    return words.numbers(token_texts(text, token_spans(text))[:LONGEST_QUESTION])


def _spans(offsets: Ints, places: Iterable[tuple[int, int]], tokens: int) -> Spans:
    """The tokens of places in the text, without spans that are too long or not kept."""
    found = {token_span(offsets, first, last) for first, last in places}
    kept = sorted(span for span in found if span is not None and span[1] < tokens and span[1] - span[0] < LONGEST)
    return np.array(kept, np.int64).reshape(-1, 2)


class Batches:
    """Batches of examples of about the same length."""

    def __init__(self, examples: Sequence[RasorExample], size: int, seed: int) -> None:
        self.count = max(len(examples) // size, 1)  # in an epoch
        self._examples, self._size, self._seed = examples, size, seed
        self._lengths = np.array([len(example.passage) for example in examples])
        self._epoch, self._order = -1, np.zeros(0, np.int64)

    def of(self, step: int) -> list[RasorExample]:
        """The batch of a step, a function of (seed, step)."""
        epoch, place = divmod(step, self.count)
        if epoch != self._epoch:
            self._epoch, self._order = epoch, self._ordered(epoch)
        at = int(np.random.default_rng((self._seed, 1, epoch)).permutation(self.count)[place]) * self._size
        return [self._examples[row] for row in self._order[at : at + self._size].tolist()]

    def _ordered(self, epoch: int) -> NDArray[np.int64]:
        """All examples in random order, but in long pieces by length."""
        order = np.random.default_rng((self._seed, 0, epoch)).permutation(len(self._examples))
        pools = np.array_split(order, max(1, len(order) // (self._size * _POOL)))
        return np.concatenate([pool[np.argsort(self._lengths[pool], kind="stable")] for pool in pools])
