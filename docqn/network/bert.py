"""BERT as a span reader: start and end scores of every token, and one that the paragraph answers the question.

Two equal ways through it: `packed`, for sequences end to end without padding, in which it is trained; and `forward`,
for a padded batch with a mask.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from docqn.arrays import Array
from docqn.network.attention import packed_attention
from docqn.network.dropout import ByteDropout
from docqn.readers.neural.bert import BertConfig


class SpanScores(NamedTuple):
    """One start and one end logit a token, one answerability logit a sequence."""

    start: Tensor
    end: Tensor
    answerable: Tensor


class Norm(nn.LayerNorm):
    """Layer normalisation in float32, of values that may be bf16."""

    def forward(self, input: Tensor) -> Tensor:
        if input.is_cuda and input.dtype != self.weight.dtype:  # a CPU mixes the two by itself, in less time
            return super().forward(input.to(self.weight.dtype)).to(input.dtype)
        return super().forward(input)


class Layer(nn.Module):
    """Attention and feed-forward, each normalised after its sum. Queries, keys and values are one projection."""

    def __init__(self, config: BertConfig) -> None:
        super().__init__()
        self.heads = config.heads
        self.qkv = nn.Linear(config.hidden_size, 3 * config.hidden_size)
        self.out = nn.Linear(config.hidden_size, config.hidden_size)
        self.norm1 = Norm(config.hidden_size, config.epsilon)
        self.up = nn.Linear(config.hidden_size, config.intermediate_size)
        self.down = nn.Linear(config.intermediate_size, config.hidden_size)
        self.norm2 = Norm(config.hidden_size, config.epsilon)

    def packed(self, x: Tensor, lengths: Sequence[int], drop: ByteDropout | None) -> Tensor:
        """Sequences end to end, [tokens, hidden]."""
        mixed: Tensor = self.out(packed_attention(self.qkv(x), lengths, self.heads))
        x = self.norm1(x + (drop(mixed) if drop else mixed))
        mixed = self.down(F.gelu(self.up(x)))
        states: Tensor = self.norm2(x + (drop(mixed) if drop else mixed))
        return states

    def forward(self, x: Tensor, bias: Tensor) -> Tensor:
        """A padded batch, [batch, length, hidden]; `bias` is added to the attention's scores."""
        batch, length, hidden = x.shape
        qkv = self.qkv(x).view(batch, length, 3, self.heads, hidden // self.heads)
        query, key, value = qkv.permute(2, 0, 3, 1, 4).unbind(0)
        mixed = F.scaled_dot_product_attention(query, key, value, attn_mask=bias)
        x = self.norm1(x + self.out(mixed.transpose(1, 2).reshape(batch, length, hidden)))
        states: Tensor = self.norm2(x + self.down(F.gelu(self.up(x))))
        return states


class Embeddings(nn.Module):
    """The vectors of word, position and segment, summed and normalised."""

    def __init__(self, config: BertConfig) -> None:
        super().__init__()
        self.word = nn.Embedding(config.vocabulary, config.hidden_size)
        self.position = nn.Embedding(config.positions, config.hidden_size)
        self.segment = nn.Embedding(config.segments, config.hidden_size)
        self.norm = Norm(config.hidden_size, config.epsilon)

    def forward(self, ids: Tensor, positions: Tensor, segments: Tensor) -> Tensor:
        """Tokens of any shape."""
        x: Tensor = self.norm(self.word(ids) + self.position(positions) + self.segment(segments))
        return x


class SpanReader(nn.Module):
    """The encoder with its heads. The layers' matrices may be bf16; embeddings, norms and heads are float32."""

    def __init__(self, config: BertConfig) -> None:
        super().__init__()
        self.config = config
        self.embeddings = Embeddings(config)
        self.layers = nn.ModuleList(Layer(config) for _ in range(config.layers))
        self.span = nn.Linear(config.hidden_size, 2)
        self.pooler = nn.Linear(config.hidden_size, config.hidden_size)
        self.classifier = nn.Linear(config.hidden_size, 1)
        nn.init.normal_(self.span.weight, std=0.02)
        nn.init.zeros_(self.span.bias)

    @classmethod
    def of(cls, config: BertConfig, weights: Mapping[str, Array]) -> SpanReader:
        """With these weights; heads that they do not have begin at random."""
        reader = cls(config)
        state = {name: torch.from_numpy(array.copy()) for name, array in weights.items()}
        if "classifier.weight" in state and state["classifier.weight"].shape != reader.classifier.weight.shape:
            del state["classifier.weight"], state["classifier.bias"]
        missing, unknown = reader.load_state_dict(state, strict=False)
        if unknown or any(not name.startswith(("span.", "pooler.", "classifier.")) for name in missing):
            raise ValueError(f"weights missing {missing} or unknown {unknown}")
        return reader

    def packed(
        self, ids: Tensor, segments: Tensor, lengths: Sequence[int], drop: ByteDropout | None = None
    ) -> SpanScores:
        """Sequences of these lengths end to end: `ids` and `segments` are [tokens]."""
        positions = torch.cat([torch.arange(length) for length in lengths]).to(ids.device)
        x = self.embeddings(ids, positions, segments).to(self._dtype)
        x = drop(x) if drop else x
        for layer in self.layers:
            assert isinstance(layer, Layer)
            x = layer.packed(x, lengths, drop)
        firsts = torch.tensor([0, *lengths[:-1]], device=ids.device).cumsum(0)
        return self._heads(x, x[firsts])

    def forward(self, ids: Tensor, mask: Tensor, segments: Tensor) -> SpanScores:
        """A padded batch; `mask` is 1 for real tokens."""
        positions = torch.arange(ids.shape[1], device=ids.device).expand_as(ids)
        x = self.embeddings(ids, positions, segments).to(self._dtype)
        bias = (1.0 - mask[:, None, None, :].to(x.dtype)) * torch.finfo(x.dtype).min
        for layer in self.layers:
            x = layer(x, bias)
        return self._heads(x, x[:, 0])

    def lower_precision(self) -> None:
        """Turn the layers' matrices and their biases to bf16."""
        for module in self.layers.modules():
            if isinstance(module, nn.Linear):
                module.to(torch.bfloat16)

    @property
    def _dtype(self) -> torch.dtype:
        layer = self.layers[0]
        assert isinstance(layer, Layer)
        return layer.qkv.weight.dtype

    def _heads(self, x: Tensor, first: Tensor) -> SpanScores:
        """Logits from the states of tokens and those of the sequences' first tokens."""
        start, end = self.span(x.float()).unbind(-1)
        pooled = torch.tanh(self.pooler(first.float()))
        return SpanScores(start, end, self.classifier(pooled).squeeze(-1))
