"""Encoders of observations. Each goes on from the state of the node above, so that what nodes share is encoded once."""

from __future__ import annotations

import warnings
from typing import NamedTuple, Protocol

import torch
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


class ObservationEncoder(Protocol):
    """One level of the forest at a time."""

    width: int  # of an encoding

    def ready(self, words: Tensor) -> Tensor:
        """What can be done with the distinct words [w, told] before it is known where they stand."""
        ...

    def begin(self, rows: int, like: Tensor) -> Carried:
        """What the first level goes on from."""
        ...

    def step(self, words: Tensor, length: Tensor, above: Carried, drop: ByteDropout | None) -> tuple[Carried, Tensor]:
        """Own words of nodes [rows, time, …], made ready, how many each has [rows], and what those above handed on.
        Returns what these hand on, and the logits of their words [rows, time]."""
        ...


class LstmObservation(nn.Module):
    """The paper's: an LSTM over the words of the whole path."""

    def __init__(self, sizes: Sizes) -> None:
        super().__init__()
        self.width = sizes.hidden
        self.lstm = nn.LSTM(sizes.told, sizes.hidden, batch_first=True)
        self.attention = Attention(sizes.hidden, sizes.attention)

    def ready(self, words: Tensor) -> Tensor:
        return words

    def begin(self, rows: int, like: Tensor) -> Carried:
        zeros = like.new_zeros(rows, self.width)
        return Carried(zeros, zeros, empty(rows, zeros))

    def step(self, words: Tensor, length: Tensor, above: Carried, drop: ByteDropout | None) -> tuple[Carried, Tensor]:
        real = torch.arange(words.shape[1], device=words.device) < length[:, None]
        states, hidden, cell = held_lstm(self.lstm, words, real, length, above.hidden, above.cell)
        shown = drop(states) if drop else states
        logits = self.attention(shown)
        return Carried(hidden, cell, pooled(above.pool, shown, logits, real)), logits


class MlpObservation(nn.Module):
    """Every word by itself, in the light of the mean of those above it."""

    def __init__(self, sizes: Sizes) -> None:
        super().__init__()
        self.width = sizes.hidden
        self.inner = nn.Linear(sizes.told, sizes.hidden)
        self.outer = nn.Linear(sizes.hidden, sizes.hidden)
        self.attention = Attention(sizes.hidden, sizes.attention)

    def ready(self, words: Tensor) -> Tensor:
        inner: Tensor = self.inner(words)
        return inner

    def begin(self, rows: int, like: Tensor) -> Carried:
        zeros = like.new_zeros(rows, self.width)
        return Carried(zeros, zeros[:, :0], empty(rows, zeros))

    def step(self, words: Tensor, length: Tensor, above: Carried, drop: ByteDropout | None) -> tuple[Carried, Tensor]:
        real = torch.arange(words.shape[1], device=words.device) < length[:, None]
        states = torch.relu(self.outer(torch.relu(words + above.hidden[:, None])))
        shown = drop(states) if drop else states
        logits = self.attention(shown)
        pool = pooled(above.pool, shown, logits, real)
        return Carried(pool.mean, above.cell, pool), logits


def observation_encoder(sizes: Sizes) -> LstmObservation | MlpObservation:
    """The encoder that the sizes name."""
    return LstmObservation(sizes) if sizes.encoder == "lstm" else MlpObservation(sizes)


def held_lstm(
    lstm: nn.LSTM, words: Tensor, real: Tensor, length: Tensor, hidden: Tensor, cell: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    """States after every word, and hidden and cell state after the last real one, of sequences that go on from given
    states. Padding has an input of its own that shuts the input gate and holds the cell: nothing need be packed."""
    inputs, recurrent, bias1, bias2 = lstm.all_weights[0]
    size = lstm.hidden_size
    hold = inputs.new_zeros(4 * size, 1)
    hold[:size], hold[size : 2 * size] = -_HELD, _HELD
    told = torch.cat([words, (~real)[:, :, None].to(words.dtype)], 2)
    with warnings.catch_warnings():  # a GPU has to pack these weights, which are new ones, at every call, and says so
        warnings.filterwarnings("ignore", message="RNN module weights")
        states, _, last = torch.lstm(
            told,
            (hidden[None], cell[None]),
            [torch.cat([inputs, hold], 1), recurrent, bias1, bias2],
            has_biases=True,
            num_layers=1,
            dropout=0.0,
            train=lstm.training,
            bidirectional=False,
            batch_first=True,
        )
    at = (length.clamp(min=1) - 1).long()
    ended = states[torch.arange(len(states), device=states.device), at]
    return states, torch.where((length > 0)[:, None], ended, hidden), last[0]
