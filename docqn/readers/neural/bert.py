"""Encoders of BERT's kind as named arrays, under the names of this project, from a folder in Hugging Face's form."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from docqn.arrays import Array, open_arrays
from docqn.errors import DocqnError
from docqn.readers.neural.files import read_json

WEIGHTS = "model.safetensors"

Weights = dict[str, Array]


@dataclass(frozen=True)
class BertConfig:
    """The sizes of an encoder."""

    hidden_size: int
    layers: int
    heads: int
    intermediate_size: int
    vocabulary: int
    positions: int
    segments: int = 2  # 0: the model does not tell question and passage apart
    first_position: int = 0  # RoBERTa leaves out the first ones
    epsilon: float = 1e-12  # of layer normalisation

    @property
    def longest(self) -> int:
        """Tokens that the model can read at once."""
        return self.positions - self.first_position


@dataclass(frozen=True)
class _Family:
    """How the models of a type name their sizes and weights."""

    sizes: Mapping[str, str]
    names: Mapping[str, str]  # ours to theirs; {} is the layer
    qkv: tuple[str, str, str]
    segments: int | None = None  # if the config does not say
    first_position: int = 0


_BERT_SIZES = {
    "hidden_size": "hidden_size",
    "layers": "num_hidden_layers",
    "heads": "num_attention_heads",
    "intermediate_size": "intermediate_size",
    "vocabulary": "vocab_size",
    "positions": "max_position_embeddings",
    "segments": "type_vocab_size",
    "epsilon": "layer_norm_eps",
}
_BERT_NAMES = {
    "embeddings.word": "embeddings.word_embeddings",
    "embeddings.position": "embeddings.position_embeddings",
    "embeddings.segment": "embeddings.token_type_embeddings",
    "embeddings.norm": "embeddings.LayerNorm",
    "layers.{}.out": "encoder.layer.{}.attention.output.dense",
    "layers.{}.norm1": "encoder.layer.{}.attention.output.LayerNorm",
    "layers.{}.up": "encoder.layer.{}.intermediate.dense",
    "layers.{}.down": "encoder.layer.{}.output.dense",
    "layers.{}.norm2": "encoder.layer.{}.output.LayerNorm",
}
_SELF = "encoder.layer.{}.attention.self."
_BERT_QKV = (f"{_SELF}query", f"{_SELF}key", f"{_SELF}value")
_FAMILIES = {
    "bert": _Family(_BERT_SIZES, _BERT_NAMES, _BERT_QKV),
    "roberta": _Family(_BERT_SIZES, _BERT_NAMES, _BERT_QKV, first_position=2),
    "xlm-roberta": _Family(_BERT_SIZES, _BERT_NAMES, _BERT_QKV, first_position=2),
    "distilbert": _Family(
        {
            "hidden_size": "dim",
            "layers": "n_layers",
            "heads": "n_heads",
            "intermediate_size": "hidden_dim",
            "vocabulary": "vocab_size",
            "positions": "max_position_embeddings",
        },
        {
            "embeddings.word": "embeddings.word_embeddings",
            "embeddings.position": "embeddings.position_embeddings",
            "embeddings.norm": "embeddings.LayerNorm",
            "layers.{}.out": "transformer.layer.{}.attention.out_lin",
            "layers.{}.norm1": "transformer.layer.{}.sa_layer_norm",
            "layers.{}.up": "transformer.layer.{}.ffn.lin1",
            "layers.{}.down": "transformer.layer.{}.ffn.lin2",
            "layers.{}.norm2": "transformer.layer.{}.output_layer_norm",
        },
        tuple(f"transformer.layer.{{}}.attention.{part}_lin" for part in "qkv"),  # type: ignore[arg-type]
        segments=0,
    ),
}
_FAMILIES |= {"electra": _FAMILIES["bert"], "camembert": _FAMILIES["roberta"]}
_PREFIX = {"bert": "bert.", "electra": "electra.", "distilbert": "distilbert."}
_PREFIX |= dict.fromkeys(("roberta", "xlm-roberta", "camembert"), "roberta.")
_ACTIVATION = "gelu"


def load_bert(folder: Path) -> tuple[BertConfig, Weights]:
    """Sizes and float32 weights of a folder. The heads that it has are `span`, or `pooler` and `classifier`."""
    raw = read_json(folder / "config.json")
    kind = raw.get("model_type")
    if not isinstance(kind, str) or kind not in _FAMILIES:
        raise DocqnError(
            f"{folder}: models of type {kind!r} cannot be read, only {', '.join(_FAMILIES)} or an ONNX file"
        )
    if (activation := raw.get("hidden_act", raw.get("activation", _ACTIVATION))) != _ACTIVATION:
        raise DocqnError(f"{folder}: the activation {activation!r} cannot be computed, only {_ACTIVATION!r}")
    if not (folder / WEIGHTS).exists():
        raise DocqnError(f"{folder}: has no {WEIGHTS}; weights in other files or forms (pickle) are not read")
    family = _FAMILIES[kind]
    config = _config(raw, family, folder)
    theirs = open_arrays(folder / WEIGHTS).arrays
    try:
        return config, _renamed(theirs, config, family, _PREFIX[kind])
    except (KeyError, ValueError) as error:
        raise DocqnError(f"{folder / WEIGHTS}: not the weights that config.json tells of ({error})") from error


def _config(raw: Mapping[str, Any], family: _Family, folder: Path) -> BertConfig:
    sizes = {ours: raw[theirs] for ours, theirs in family.sizes.items() if theirs in raw}
    if family.segments is not None:
        sizes["segments"] = family.segments
    try:
        config = BertConfig(**sizes, first_position=family.first_position)
    except TypeError as error:
        raise DocqnError(f"{folder / 'config.json'}: a size is missing ({error})") from error
    whole = [value for name, value in vars(config).items() if name != "epsilon"]
    sound = all(isinstance(value, int) and value >= 0 for value in whole) and isinstance(config.epsilon, float)
    if not sound or not config.heads or config.hidden_size % config.heads:
        raise DocqnError(f"{folder / 'config.json'}: its sizes are not those of a model")
    return config


def _renamed(theirs: Mapping[str, Array], config: BertConfig, family: _Family, prefix: str) -> Weights:
    def get(name: str) -> Array:
        found = next((theirs[key] for key in _spellings(prefix, name) if key in theirs), None)
        if found is None:
            raise KeyError(prefix + name)
        return found.astype(np.float32)

    weights: Weights = {}
    for ours, their in _names(config, family):
        for part in ("weight",) if ours.startswith("embeddings") and not ours.endswith("norm") else ("weight", "bias"):
            weights[f"{ours}.{part}"] = get(f"{their}.{part}")
    for layer in range(config.layers):
        for part in ("weight", "bias"):
            joined = [get(f"{name.format(layer)}.{part}") for name in family.qkv]
            weights[f"layers.{layer}.qkv.{part}"] = np.concatenate(joined)
    heads = {"span": "qa_outputs", "pooler": f"{prefix}pooler.dense", "classifier": "classifier"}
    for ours, their in heads.items():
        for part in ("weight", "bias"):
            if f"{their}.{part}" in theirs:
                weights[f"{ours}.{part}"] = theirs[f"{their}.{part}"].astype(np.float32)
    _check(weights, config)
    return weights


def _spellings(prefix: str, name: str) -> Iterable[str]:
    """A weight's name with and without the model's name before it, and as old files spell it."""
    old = name.replace("LayerNorm.weight", "LayerNorm.gamma").replace("LayerNorm.bias", "LayerNorm.beta")
    return (prefix + name, name, prefix + old, old)


def _names(config: BertConfig, family: _Family) -> Iterable[tuple[str, str]]:
    for ours, theirs in family.names.items():
        if ours == "embeddings.segment" and not config.segments:
            continue
        for layer in range(config.layers) if "{}" in ours else (0,):
            yield ours.format(layer), theirs.format(layer)


def _check(weights: Weights, config: BertConfig) -> None:
    """The shapes that all others follow from; a multiplication would notice the rest."""
    hidden, inner = config.hidden_size, config.intermediate_size
    shapes = {
        "embeddings.word.weight": (config.vocabulary, hidden),
        "embeddings.position.weight": (config.positions, hidden),
    }
    for layer in range(config.layers):
        shapes |= {f"layers.{layer}.qkv.weight": (3 * hidden, hidden), f"layers.{layer}.up.weight": (inner, hidden)}
        shapes |= {f"layers.{layer}.out.weight": (hidden, hidden), f"layers.{layer}.down.weight": (hidden, inner)}
    for name, shape in shapes.items():
        if weights[name].shape != shape:
            raise ValueError(f"{name} is {weights[name].shape}, not {shape}")
