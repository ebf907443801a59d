"""The paper's dueling Q-network over question, observation and answer prediction."""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor, nn

from docqn.environment.actions import ACTIONS
from docqn.environment.readings import PREDICTION_FEATURES
from docqn.network.dropout import ByteDropout
from docqn.network.observations import Carried, held, held_lstm, observation_encoder
from docqn.network.pooling import Pool
from docqn.network.questions import Questions
from docqn.network.sizes import Sizes
from docqn.network.words import WordEncoder


class Batch(NamedTuple):
    """Inputs of states, as tensors; see `docqn.environment.inputs`. Words that are not there are 0 here, and masked by
    the lengths."""

    given: Tensor  # [w, word]
    bucket: Tensor  # [w]
    character: Tensor  # [w, longest]
    nodes: tuple[Tensor, Tensor]  # words [nodes, time] and lengths [nodes]
    above: Tensor  # [nodes]
    levels: tuple[int, ...]
    longest: tuple[int, ...]  # most words of a node, of each level: to ask a GPU for it would be to wait for it
    questions: tuple[Tensor, Tensor]
    answers: tuple[Tensor, Tensor]
    node: Tensor  # [states]
    question: Tensor  # [states]
    prediction: Tensor  # [states, 3], scaled
    features: Tensor  # [states, 23 or 27], scaled


class QNetwork(nn.Module):
    """Q-values of the seven actions."""

    def __init__(self, sizes: Sizes) -> None:
        super().__init__()
        self.sizes = sizes
        self.words = WordEncoder(sizes)
        self.question = Questions(sizes)
        self.observation = observation_encoder(sizes)
        self.answer = nn.LSTM(sizes.told, sizes.hidden, batch_first=True)
        told = sizes.asked + self.observation.width + sizes.hidden + PREDICTION_FEATURES
        self.joint = nn.Linear(told, sizes.joint)
        self.value_hidden = nn.Linear(sizes.joint + sizes.features, sizes.branch)
        self.value = nn.Linear(sizes.branch, 1)
        self.advantage_hidden = nn.Linear(sizes.joint + sizes.features, sizes.branch)
        self.advantage = nn.Linear(sizes.branch, len(ACTIONS))

    def forward(self, batch: Batch, drop: ByteDropout | None = None) -> Tensor:
        """[states, 7]. Without `drop` nothing is dropped, as in acting, targets and evaluation."""
        words = self.words(batch.given, batch.bucket, batch.character)
        words = drop(words) if drop else words
        question = self.question(words, *batch.questions, drop)[batch.question]
        observation = self.observed(words, batch, drop).pool.mean[batch.node]
        answer = self.answered(words, *batch.answers)
        return self.head(question, observation, answer, batch.prediction, batch.features, drop)

    def observed(self, words: Tensor, batch: Batch, drop: ByteDropout | None = None) -> Carried:
        """What every node of the forest hands on; its pool holds the observation."""
        done: list[Carried] = []
        ready = self.observation.ready(words)
        for level, longest in enumerate(batch.longest):
            begin, end = batch.levels[level : level + 2]
            if level == 0:
                above = self.observation.begin(end - begin, words)
            else:
                above = done[-1].take(batch.above[begin:end] - batch.levels[level - 1])
            word, real = _by_time(batch.nodes[0][begin:end, :longest], batch.nodes[1][begin:end], len(words))
            done.append(self.observation.step(ready, word, real, above, drop))
        return _joined(done)

    def answered(self, words: Tensor, word: Tensor, length: Tensor) -> Tensor:
        """[states, hidden]: the last state over the prediction's words; zeros where there is none."""
        zeros = words.new_zeros(len(word), self.sizes.hidden)
        there = length.nonzero().squeeze(1)
        if not len(there):
            return zeros
        word, real = _by_time(word[there], length[there], len(words))
        _, last, _ = held_lstm(held(self.answer, words), word, real, zeros[there], zeros[there])
        return zeros.index_copy(0, there, last)

    def head(
        self,
        question: Tensor,
        observation: Tensor,
        answer: Tensor,
        prediction: Tensor,
        features: Tensor,
        drop: ByteDropout | None = None,
    ) -> Tensor:
        """Dueling: Q = V + A − mean A."""
        told = torch.cat([question, observation, answer, prediction], 1)
        joint = torch.relu(self.joint(told))
        joint = torch.cat([drop(joint) if drop else joint, features], 1)
        value = self.value(torch.relu(self.value_hidden(joint)))
        advantage = self.advantage(torch.relu(self.advantage_hidden(joint)))
        q: Tensor = value + advantage - advantage.mean(1, keepdim=True)
        return q


def _by_time(word: Tensor, length: Tensor, none: int) -> tuple[Tensor, Tensor]:
    """Rows of words with their lengths as [time, rows], `none` where there is no word, and whether there is one."""
    real = torch.arange(word.shape[1], device=word.device)[:, None] < length
    return word.t().masked_fill(~real, none), real


def _joined(parts: list[Carried]) -> Carried:
    hidden, cell, pools = zip(*parts, strict=True)
    highest, weight, total = zip(*pools, strict=True)
    return Carried(torch.cat(hidden), torch.cat(cell), Pool(torch.cat(highest), torch.cat(weight), torch.cat(total)))
