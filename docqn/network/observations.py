"""Encoders of observations. Each goes on from the state of the node above, so that what nodes share is encoded once."""

from __future__ import annotations

import warnings
from typing import NamedTuple, Protocol

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from docqn.network.dropout import ByteDropout
from docqn.network.pooling import Attention, Pool, empty, pooled
from docqn.network.sizes import Sizes

_HELD = 100.0  # closes and opens gates for good


class Carried(NamedTuple):
    """What a node hands on to those below, one row a node."""

    hidden: Tensor  # [rows, d]
    cell: Tensor
    pool: Pool

    def take(self, rows: Tensor) -> Carried:
        return Carried(self.hidden[rows], self.cell[rows], self.pool.take(rows))


class Ready(NamedTuple):
    """What can be done with the distinct words before it is known where they stand."""

    words: Tensor  # [w + 1, …]; the last one is no word
    weights: list[Tensor]


class ObservationEncoder(Protocol):
    """One level of the forest at a time. Time comes first, as the LSTM wants it: nothing need be copied."""

    width: int  # of an encoding

    def ready(self, words: Tensor) -> Ready:
        """The distinct words [w, told], made ready."""
        ...

    def begin(self, rows: int, like: Tensor) -> Carried:
        """What the first level goes on from."""
        ...

    def step(self, ready: Ready, word: Tensor, real: Tensor, above: Carried, drop: ByteDropout | None) -> Carried:
        """Which words nodes have [time, rows], which of these are there, and what those above handed on → what these
        hand on."""
        ...


class LstmObservation(nn.Module):
    """The paper's: an LSTM over the words of the whole path."""

    def __init__(self, sizes: Sizes) -> None:
        super().__init__()
        self.width = sizes.hidden
        self.lstm = nn.LSTM(sizes.told, sizes.hidden, batch_first=True)
        self.attention = Attention(sizes.hidden, sizes.attention)

    def ready(self, words: Tensor) -> Ready:
        return held(self.lstm, words)

    def begin(self, rows: int, like: Tensor) -> Carried:
        zeros = like.new_zeros(rows, self.width)
        return Carried(zeros, zeros, empty(rows, zeros))

    def step(self, ready: Ready, word: Tensor, real: Tensor, above: Carried, drop: ByteDropout | None) -> Carried:
        states, hidden, cell = held_lstm(ready, word, real, above.hidden, above.cell)
        shown = drop(states) if drop else states
        return Carried(hidden, cell, pooled(above.pool, shown, self.attention(shown), real))


class MlpObservation(nn.Module):
    """Every word by itself, in the light of the mean of those above it."""

    def __init__(self, sizes: Sizes) -> None:
        super().__init__()
        self.width = sizes.hidden
        self.inner = nn.Linear(sizes.told, sizes.hidden)
        self.outer = nn.Linear(sizes.hidden, sizes.hidden)
        self.attention = Attention(sizes.hidden, sizes.attention)

    def ready(self, words: Tensor) -> Ready:
        return Ready(F.pad(self.inner(words), (0, 0, 0, 1)), [])

    def begin(self, rows: int, like: Tensor) -> Carried:
        zeros = like.new_zeros(rows, self.width)
        return Carried(zeros, zeros[:, :0], empty(rows, zeros))

    def step(self, ready: Ready, word: Tensor, real: Tensor, above: Carried, drop: ByteDropout | None) -> Carried:
        states = torch.relu(self.outer(torch.relu(F.embedding(word, ready.words) + above.hidden)))
        shown = drop(states) if drop else states
        pool = pooled(above.pool, shown, self.attention(shown), real)
        return Carried(pool.mean, above.cell, pool)


def observation_encoder(sizes: Sizes) -> LstmObservation | MlpObservation:
    """The encoder that the sizes name."""
    return LstmObservation(sizes) if sizes.encoder == "lstm" else MlpObservation(sizes)


def held(lstm: nn.LSTM, words: Tensor) -> Ready:
    """What is no word has an input of its own that shuts the input gate and holds the cell: nothing need be packed."""
    inputs, recurrent, *biases = lstm.all_weights[0]
    size = lstm.hidden_size
    hold = inputs.new_zeros(4 * size, 1)
    hold[:size], hold[size : 2 * size] = -_HELD, _HELD
    told = F.pad(words, (0, 1, 0, 1))
    told[-1, -1] = 1
    return Ready(told, [torch.cat([inputs, hold], 1), recurrent, *biases])


def held_lstm(ready: Ready, word: Tensor, real: Tensor, hidden: Tensor, cell: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """States after every word [time, rows, d], and hidden and cell state after the last real one, of sequences that go
    on from given states."""
    with warnings.catch_warnings():  # a GPU has to pack these weights, which are new ones, at every call, and says so
        warnings.filterwarnings("ignore", message="RNN module weights")
        states, _, last = torch.lstm(
            F.embedding(word, ready.words),
            (hidden[None], cell[None]),
            ready.weights,
            has_biases=True,
            num_layers=1,
            dropout=0.0,
            train=torch.is_grad_enabled(),
            bidirectional=False,
            batch_first=False,
        )
    length = real.sum(0)
    ended = states[length.clamp(min=1) - 1, torch.arange(len(length), device=length.device)]
    return states, torch.where((length > 0)[:, None], ended, hidden), last[0]
