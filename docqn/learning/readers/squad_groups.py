"""Training groups from SQuAD: a question's paragraph, and beside it like paragraphs of its article without the answer.

Files may give only the first occurrence of an answer, so every occurrence in the paragraph counts as a target.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from docqn.evaluation.readers.like_paragraphs import LIKE, like_paragraphs
from docqn.evaluation.readers.squad import SquadFile, SquadQuestion
from docqn.learning.readers.pairs import NO_SPANS, Group, Pair, Spans, pair, token_span
from docqn.readers.neural.span_model import LONGEST_QUESTION, OVERLAP, WINDOW
from docqn.readers.neural.tokenization import Tokenization
from docqn.readers.neural.windows import Window, windows
from docqn.text.wordpiece import Ints

_SHARES = 2.0 ** -np.arange(LIKE)  # how likely each of the like paragraphs is drawn first


@dataclass(frozen=True)
class SquadGroups:
    """The questions of a file, as tokens. Which groups a step gets is a function of (seed, step)."""

    tokenization: Tokenization
    contexts: list[Ints]
    questions: list[Ints]
    context_of: list[int]
    spans: list[Spans]
    like: NDArray[np.int64]  # [questions, LIKE]: paragraphs of the article, most like first; -1: no more

    def __len__(self) -> int:
        return len(self.questions)

    @classmethod
    def of(cls, file: SquadFile, tokenization: Tokenization) -> SquadGroups:
        """Tokenise a file and look for like paragraphs."""
        encoded = [tokenization.encode(context) for context in file.contexts]
        contexts = [pieces.ids for pieces in encoded]
        questions = [tokenization.encode(question.text).ids[:LONGEST_QUESTION] for question in file.questions]
        spans = [
            _spans(question, file.contexts[question.context], encoded[question.context].spans)
            for question in file.questions
        ]
        context_of = [question.context for question in file.questions]
        return cls(tokenization, contexts, questions, context_of, spans, like_paragraphs(file, questions, contexts))

    def step(self, step: int, size: int, seed: int, others: float) -> list[Group]:
        """The groups of a step; they have so many other paragraphs on average."""
        epoch, place = divmod(step, len(self) // size)
        order = np.random.default_rng((seed, 1, epoch)).permutation(len(self))
        rng = np.random.default_rng((seed, 2, step))
        picked = order[place * size : (place + 1) * size]
        counts = (others + rng.random(size)).astype(int)
        groups = [self._group(int(question), int(count), rng) for question, count in zip(picked, counts, strict=True)]
        return [group for group in groups if group.pairs]

    def _group(self, question: int, count: int, rng: np.random.Generator) -> Group:
        """One of the windows that hold an answer, and of `count` other paragraphs any window."""
        context = self.context_of[question]
        own = [self._pair(question, context, window) for window in self._windows(question, context)]
        own = [made for made in own if len(made.spans)]
        if not own:
            return Group([])
        chosen = [own[int(rng.integers(len(own)))]]
        like = self.like[question]
        like = like[like >= 0]
        shares = _SHARES[: len(like)] / _SHARES[: len(like)].sum()
        for other in rng.choice(like, min(count, len(like)), replace=False, p=shares).tolist() if len(like) else ():
            options = self._windows(question, other)
            chosen.append(self._pair(question, other, options[int(rng.integers(len(options)))]))
        return Group(chosen)

    def _windows(self, question: int, context: int) -> list[Window]:
        room = WINDOW - self.tokenization.special - len(self.questions[question])
        return windows(len(self.contexts[context]), room, OVERLAP)

    def _pair(self, question: int, context: int, window: Window) -> Pair:
        spans = self.spans[question] if context == self.context_of[question] else NO_SPANS
        return pair(self.tokenization, self.questions[question], self.contexts[context], window, spans)


def _spans(question: SquadQuestion, context: str, offsets: Ints) -> Spans:
    """The tokens of every occurrence of every answer."""
    found = {
        token_span(offsets, at, at + len(text))
        for text, known in question.answers
        for at in occurrences(context, text, known)
    }
    return np.array(sorted(span for span in found if span is not None), np.int64).reshape(-1, 2)


def occurrences(context: str, answer: str, known: int) -> list[int]:
    """Offsets at which the answer stands in the paragraph as words of its own; the known one is always among them."""
    found = {known}
    at = context.find(answer)
    while answer and at >= 0:
        end = at + len(answer)
        glued_left = at > 0 and context[at - 1].isalnum() and answer[0].isalnum()
        glued_right = end < len(context) and context[end].isalnum() and answer[-1].isalnum()
        if not (glued_left or glued_right):
            found.add(at)
        at = context.find(answer, at + 1)
    return sorted(found)
