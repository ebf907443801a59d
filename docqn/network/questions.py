"""Encoders of questions: the paper's bidirectional LSTM, and one that looks at each word by itself."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from docqn.network.dropout import ByteDropout
from docqn.network.pooling import Attention, empty, pooled
from docqn.network.recurrent import BiLSTM
from docqn.network.sizes import Sizes


class Questions(nn.Module):
    """States of the words, weighed by self-attention."""

    def __init__(self, sizes: Sizes) -> None:
        super().__init__()
        self.width = sizes.asked
        self.recurrent = BiLSTM(sizes.told, sizes.hidden, 1) if sizes.encoder == "lstm" else None
        if self.recurrent is None:
            self.inner = nn.Linear(sizes.told, sizes.hidden)
            self.outer = nn.Linear(sizes.hidden, sizes.hidden)
        self.attention = Attention(self.width, sizes.attention)

    def forward(self, words: Tensor, word: Tensor, length: Tensor, drop: ByteDropout | None = None) -> Tensor:
        """Distinct words [w, told], which of them each question has [questions, time] and how many → [questions, d]."""
        if self.recurrent is None:  # what is said of a word is the same in all questions
            states = torch.relu(self.outer(torch.relu(self.inner(words))))
            states = drop(states) if drop else states
            states, logits = F.embedding(word, states), self.attention(states)[word]
        else:
            states = self.recurrent(F.embedding(word, words), length)
            states = drop(states) if drop else states
            logits = self.attention(states)
        real = torch.arange(word.shape[1], device=word.device) < length[:, None]
        return pooled(empty(len(word), states), states.transpose(0, 1), logits.t(), real.t()).mean
