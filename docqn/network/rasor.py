"""RaSoR (Lee et al., 2016; Salant and Berant, 2018): every span of the passage up to 30 tokens gets a score.

The vectors of known words are given from outside; those of others are learnt here.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor, nn

from docqn.network.dropout import ByteDropout
from docqn.network.recurrent import BiLSTM
from docqn.network.span_scores import IMPOSSIBLE, span_scores


class RasorSizes(NamedTuple):
    """Sizes of the network."""

    vector: int  # of a word
    hidden: int = 100  # of each direction of an LSTM
    layers: int = 2  # of the passage's BiLSTM
    feedforward: int = 100  # hidden layer of what aligns words, attends and scores spans
    learnt: int = 2000  # vectors of words that have none given
    longest: int = 30  # tokens of a span


class Batch(NamedTuple):
    """Questions and passages, padded. A word is a row of the known vectors or, beyond their number, of those learnt."""

    passage: Tensor  # [batch, time]
    length: Tensor  # [batch]
    question: Tensor  # [batch, words]
    question_length: Tensor  # [batch]


class Rasor(nn.Module):
    """Scores of all spans."""

    def __init__(self, sizes: RasorSizes) -> None:
        super().__init__()
        self.sizes = sizes
        vector, both, inner = sizes.vector, 2 * sizes.hidden, sizes.feedforward
        self.learnt = nn.Embedding(sizes.learnt, vector)
        self.align = nn.Linear(vector, inner)
        self.question = BiLSTM(vector, sizes.hidden, 1)
        self.attend = nn.Linear(both, inner)
        self.attention = nn.Linear(inner, 1, bias=False)
        self.passage = BiLSTM(2 * vector + both, sizes.hidden, sizes.layers)
        self.start = nn.Linear(both, inner)  # the two halves of the layer over [start; end]
        self.end = nn.Linear(both, inner, bias=False)
        self.score = nn.Linear(inner, 1, bias=False)

    def vectors(self, words: Tensor, known: Tensor) -> Tensor:
        """The vectors of words; `known` is [words, vector], of any float type."""
        outside = (words - len(known)).clamp(min=0)
        found = known[words.clamp(max=len(known) - 1)].float()
        return torch.where((words < len(known))[..., None], found, self.learnt(outside))

    def forward(self, batch: Batch, known: Tensor, drop: ByteDropout | None = None) -> Tensor:
        """[batch, time, longest]: a score for each span, by its first token and its length."""
        passage, question = self.vectors(batch.passage, known), self.vectors(batch.question, known)
        asked = torch.arange(question.shape[1], device=question.device) < batch.question_length[:, None]
        aligned = self._aligned(_dropped(passage, drop), _dropped(question, drop), question, asked)
        whole = self._whole(question, batch.question_length, asked, drop)[:, None].expand(-1, passage.shape[1], -1)
        states = _dropped(self.passage(torch.cat([passage, aligned, whole], dim=2), batch.length, drop), drop)
        weight = _dropped(self.score.weight.expand(len(states), -1), drop)  # a hidden unit goes for all spans at once
        return span_scores(self.start(states), self.end(states), weight, batch.length, self.sizes.longest)

    def lower_precision(self) -> None:
        """Turn the passage's LSTMs, where the time goes, to bf16."""
        self.passage.to(torch.bfloat16)

    def _aligned(self, passage: Tensor, question: Tensor, values: Tensor, asked: Tensor) -> Tensor:
        """For each passage word, the question's words weighted by their likeness to it."""
        likeness = self.align(passage).relu() @ self.align(question).relu().transpose(1, 2)
        weights = likeness.masked_fill(~asked[:, None], IMPOSSIBLE).softmax(dim=2)
        found: Tensor = weights @ values
        return found

    def _whole(self, question: Tensor, length: Tensor, asked: Tensor, drop: ByteDropout | None) -> Tensor:
        """The question as one vector, whatever the passage."""
        states = self.question(question, length, drop)
        weights = self.attention(self.attend(_dropped(states, drop)).relu()).squeeze(2)
        weights = weights.masked_fill(~asked, IMPOSSIBLE).softmax(dim=1)
        found: Tensor = (weights[:, :, None] * states).sum(dim=1)
        return found


def _dropped(x: Tensor, drop: ByteDropout | None) -> Tensor:
    return drop(x) if drop else x


def question_loss(scores: Tensor, gold: Tensor) -> Tensor:
    """−log of the share of the gold spans in the softmax over all spans of a passage. gold: [batch, time, longest]."""
    flat, right = scores.flatten(1), gold.flatten(1)
    share = flat.masked_fill(~right, IMPOSSIBLE).logsumexp(dim=1)
    return (flat.logsumexp(dim=1) - share).mean()


def span_loss(scores: Tensor, gold: Tensor) -> Tensor:
    """Every possible span by itself: a logistic loss, summed over the passage."""
    possible = scores > IMPOSSIBLE / 2
    each = nn.functional.binary_cross_entropy_with_logits(scores, gold.to(scores.dtype), reduction="none")
    return each.masked_fill(~possible, 0).sum(dim=(1, 2)).mean()
