"""Vectors of words: given ones, learnt ones for unknown words, and a convolution over the characters of every word."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from docqn.network.sizes import Sizes
from docqn.text.characters import CHARACTERS


class WordEncoder(nn.Module):
    """Each distinct word is encoded once; sequences refer to it by its place."""

    def __init__(self, sizes: Sizes) -> None:
        super().__init__()
        self.learnt = nn.Embedding(sizes.buckets, sizes.word)
        self.character = nn.Embedding(CHARACTERS, sizes.character, padding_idx=0)
        self.filters = nn.Conv1d(sizes.character, sizes.filters, sizes.width, padding=sizes.width // 2)
        nn.init.normal_(self.learnt.weight, std=0.3)

    def forward(self, given: Tensor, bucket: Tensor, character: Tensor) -> Tensor:
        """Of given vectors [w, word], buckets [w], −1 for words that have one, and characters [w, longest], 0 after a
        word's end: [w, word + filters]."""
        unknown = bucket >= 0
        vector = torch.where(unknown[:, None], self.learnt(bucket.clamp(min=0)), given)
        signs = self.filters(self.character(character).transpose(1, 2))
        return torch.cat([vector, F.relu(signs.amax(2))], 1)  # a ReLU changes no maximum, and here it has less to do
