"""Training groups from a corpus whose answers are strings: paragraphs of one document, with the string and without.

A paragraph may hold the string by chance. How likely it is meant depends on how much of the question's weight the
document's best answer paragraph holds: of pairs that people judged, 46 % had one that answers, with a coverage of at
least 0.3 69 %, with 0.5 78 %.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from docqn.corpora.held_out import held_out
from docqn.corpora.split import Example, Split
from docqn.environment.pairs import Pair as QuestionDocument
from docqn.learning.readers.pairs import NO_SPANS, Group, Pair, Spans, pair, token_span
from docqn.learning.readers.settings import TransformerSettings
from docqn.policies.bm25 import scores
from docqn.policies.ranking import ranked
from docqn.readers.neural.span_model import LONGEST_QUESTION, OVERLAP, WINDOW
from docqn.readers.neural.tokenization import Tokenization
from docqn.readers.neural.windows import windows
from docqn.text.wordpiece import Ints

_NEAR = 8  # paragraphs without the string to draw from: the lexically closest
_STREAM = 3  # of random numbers; SQuAD's groups have 1 and 2


def support(coverage: float) -> float:
    """The chance that a pair's answer strings stand for an answer, a line through the judged shares."""
    return float(np.clip(0.4 + 0.5 * coverage, 0.0, 0.95))


@dataclass(frozen=True)
class CorpusGroups:
    """Pairs of some splits that have an answer and enough coverage."""

    tokenization: Tokenization
    splits: Sequence[Split]
    settings: TransformerSettings
    pairs: NDArray[np.int64]  # [pairs, 2]: split, pair

    def __len__(self) -> int:
        return len(self.pairs)

    @classmethod
    def of(
        cls, splits: Sequence[Split], tokenization: Tokenization, settings: TransformerSettings, *, all: bool = False
    ) -> CorpusGroups:
        """Choose the pairs; `all`: also those of questions that are held out."""
        chosen = []
        for number, split in enumerate(splits):
            holds = np.array([len(split.answer_paragraphs[pair]) > 0 for pair in range(len(split))], np.bool_)
            covered = np.nan_to_num(split.arrays["coverage"], nan=1.0) >= settings.coverage
            out = np.array([held_out(id) for id in split.question_ids], np.bool_)[split.question]
            rows = np.flatnonzero(holds & covered & (~out | all))
            chosen.append(np.stack([np.full_like(rows, number), rows], axis=1))
        return cls(tokenization, splits, settings, np.concatenate(chosen).astype(np.int64))

    def step(self, step: int, size: int) -> list[Group]:
        """The groups of a step, a function of (seed, step)."""
        seed = self.settings.seed
        epoch, place = divmod(step, max(len(self) // size, 1))
        order = np.random.default_rng((seed, _STREAM, 0, epoch)).permutation(len(self))
        rng = np.random.default_rng((seed, _STREAM, 1, step))
        picked = self.pairs[order[place * size : (place + 1) * size]]
        groups = [self.group(self.splits[int(split)][int(pair)], rng) for split, pair in picked]
        return [group for group in groups if any(len(pair.spans) for pair in group.pairs)]

    def group(self, example: Example, rng: np.random.Generator) -> Group:
        """The lexically closest paragraphs with an answer, and some of the closest without."""
        order = ranked(QuestionDocument.of(example), scores)
        holding = set(example.answer_paragraphs.tolist())
        golds = [node for node in order if node in holding][: self.settings.golds]
        near = [node for node in order if node not in holding][:_NEAR]
        others = rng.permutation(len(near))[: self.settings.others]
        question = self.tokenization.encode(example.question.text).ids[:LONGEST_QUESTION]
        made = [self._pair(example, node, question, rng) for node in [*golds, *(near[i] for i in others)]]
        coverage = example.coverage
        return Group([pair for pair in made if pair is not None], 1.0 if np.isnan(coverage) else support(coverage))

    def _pair(self, example: Example, node: int, question: Ints, rng: np.random.Generator) -> Pair | None:
        """One of the windows with an answer if there is one, otherwise any; None for a paragraph without a token."""
        document = example.document
        begin, end = int(document.start[node]), int(document.end[node])
        pieces = self.tokenization.encode(document.text_of(node))
        inside = [(a - begin, b - begin) for a, b in example.answer_spans.tolist() if begin <= a and b <= end]
        spans = _spans(pieces.spans, inside)
        if not len(pieces.ids):
            return None
        room = WINDOW - self.tokenization.special - len(question)
        made = [
            pair(self.tokenization, question, pieces.ids, window, spans)
            for window in windows(len(pieces.ids), room, OVERLAP)
        ]
        options = [one for one in made if len(one.spans)] or made
        return options[int(rng.integers(len(options)))]


def _spans(offsets: Ints, characters: Sequence[tuple[int, int]]) -> Spans:
    found = {token_span(offsets, first, last) for first, last in characters}
    return np.array(sorted(span for span in found if span is not None), np.int64).reshape(-1, 2) if found else NO_SPANS
