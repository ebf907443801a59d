"""Models with random weights, small enough to be made in a test."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from docqn.arrays import Array, save_arrays

HIDDEN, HEADS, LAYERS, INNER, POSITIONS = 16, 2, 2, 24, 64
PIECES = """alice bob went to paris in ##s the cake cakes ate 17 1920 there , . ? how many did eat who where and then he
    left of duke york é ##é 中 文 ᄒ ##ᅡ 😀 a b c d e f g h i j k l m n o p q r s t u v w x y z""".split()
VOCABULARY = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", *PIECES]


def write_tokenizer(folder: Path, **normalizer: Any) -> None:
    """A WordPiece tokenizer in Hugging Face's form."""
    special = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": False, "special": True}
    described = {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [{"id": 2, "content": "[CLS]", **special}],
        "normalizer": {
            "type": "BertNormalizer",
            "clean_text": True,
            "handle_chinese_chars": True,
            "strip_accents": None,
            "lowercase": True,
            **normalizer,
        },
        "pre_tokenizer": {"type": "BertPreTokenizer"},
        "post_processor": None,
        "decoder": None,
        "model": {
            "type": "WordPiece",
            "unk_token": "[UNK]",
            "continuing_subword_prefix": "##",
            "max_input_chars_per_word": 100,
            "vocab": {piece: number for number, piece in enumerate(VOCABULARY)},
        },
    }
    (folder / "tokenizer.json").write_text(json.dumps(described))


def bert_arrays(seed: int = 0, scale: float = 0.3) -> dict[str, Array]:
    """The weights of a question-answering model, as Hugging Face names them."""
    rng = np.random.default_rng(seed)

    def linear(name: str, out: int, inputs: int) -> dict[str, Array]:
        return {
            f"{name}.weight": rng.normal(0, scale, (out, inputs)).astype(np.float32),
            f"{name}.bias": rng.normal(0, scale, out).astype(np.float32),
        }

    def norm(name: str) -> dict[str, Array]:
        return {
            f"{name}.weight": rng.normal(1, 0.1, HIDDEN).astype(np.float32),
            f"{name}.bias": rng.normal(0, 0.1, HIDDEN).astype(np.float32),
        }

    arrays = norm("bert.embeddings.LayerNorm") | linear("qa_outputs", 2, HIDDEN)
    for name, rows in (("word", len(VOCABULARY)), ("position", POSITIONS), ("token_type", 2)):
        table = rng.normal(0, scale, (rows, HIDDEN)).astype(np.float32)
        arrays[f"bert.embeddings.{name}_embeddings.weight"] = table
    for layer in range(LAYERS):
        name = f"bert.encoder.layer.{layer}"
        for part in ("query", "key", "value"):
            arrays |= linear(f"{name}.attention.self.{part}", HIDDEN, HIDDEN)
        arrays |= linear(f"{name}.attention.output.dense", HIDDEN, HIDDEN) | norm(f"{name}.attention.output.LayerNorm")
        arrays |= linear(f"{name}.intermediate.dense", INNER, HIDDEN) | linear(f"{name}.output.dense", HIDDEN, INNER)
        arrays |= norm(f"{name}.output.LayerNorm")
    return arrays


def ranker_arrays(seed: int = 0) -> dict[str, Array]:
    """The same as a cross-encoder with one logit: a pooler and a classifier in place of the span head."""
    rng = np.random.default_rng(seed)
    arrays = {name: array for name, array in bert_arrays(seed).items() if not name.startswith("qa_outputs")}
    for name, out in (("bert.pooler.dense", HIDDEN), ("classifier", 1)):
        arrays[f"{name}.weight"] = rng.normal(0, 0.3, (out, HIDDEN)).astype(np.float32)
        arrays[f"{name}.bias"] = rng.normal(0, 0.3, out).astype(np.float32)
    return arrays


CONFIG = {
    "model_type": "bert",
    "hidden_act": "gelu",
    "hidden_size": HIDDEN,
    "num_hidden_layers": LAYERS,
    "num_attention_heads": HEADS,
    "intermediate_size": INNER,
    "vocab_size": len(VOCABULARY),
    "max_position_embeddings": POSITIONS,
    "type_vocab_size": 2,
    "layer_norm_eps": 1e-12,
}


def write_model(folder: Path, arrays: dict[str, Array] | None = None, **config: Any) -> Path:
    """A model's folder in Hugging Face's form."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "config.json").write_text(json.dumps({**CONFIG, **config}))
    save_arrays(folder / "model.safetensors", arrays or bert_arrays(), {"format": "pt"})
    write_tokenizer(folder)
    return folder


def _asked(id: str, question: str, answer: str, start: int) -> dict[str, Any]:
    return {"id": id, "question": question, "answers": [{"text": answer, "answer_start": start}]}


_PARAGRAPHS = [
    {
        "context": "Alice went to Paris in 1920. Bob ate 17 cakes there, and then he left.",
        "qas": [
            _asked("1", "How many cakes did Bob eat?", "17", 37),
            _asked("2", "Who went to Paris in 1920?", "Alice", 0),
        ],
    },
    {
        "context": "The Duke of York ate a cake in Paris. Then he left.",
        "qas": [
            _asked("3", "Who ate a cake in Paris?", "Duke of York", 4),
            _asked("4", "Where did the duke eat?", "Paris", 31),
        ],
    },
    {"context": "Bob of York went to eat.", "qas": [_asked("5", "Who went to eat?", "Bob", 0)]},
]
SQUAD = {"version": "1.1", "data": [{"title": "Cakes", "paragraphs": _PARAGRAPHS}]}
_MORE = [
    {
        "context": "The Duke went to Paris, and Alice went to York in 1920.",
        "qas": [
            _asked("6", "Who went to York in 1920?", "Alice", 28),
            _asked("7", "Where went the Duke?", "Paris", 17),
        ],
    },
    {
        "context": "Bob ate a cake there, then Alice ate 1920 cakes in Paris.",
        "qas": [
            _asked("8", "How many cakes did Alice eat?", "1920", 37),
            _asked("9", "Where did Alice eat cakes?", "Paris", 51),
        ],
    },
    {"context": "He left York, and then the Duke left.", "qas": [_asked("10", "Who left then?", "the Duke", 23)]},
]
TEN = {"version": "1.1", "data": [*SQUAD["data"], {"title": "More", "paragraphs": _MORE}]}


def write_squad(path: Path, questions: Mapping[str, Any] = SQUAD) -> Path:
    path.write_text(json.dumps(questions))
    return path


def write_vectors(path: Path, width: int = 6) -> Path:
    """Vectors of the words of the SQuAD file and some others."""
    rng = np.random.default_rng(0)
    words = [piece for piece in PIECES if piece.isalnum() and piece.isascii()]
    path.write_text("".join(f"{word} {' '.join(f'{x:.4f}' for x in rng.normal(size=width))}\n" for word in words))
    return path
