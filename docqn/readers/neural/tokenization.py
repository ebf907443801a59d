"""How a model's folder says that text becomes tokens: WordPiece by our own code, anything else by `tokenizers`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from docqn.errors import DocqnError
from docqn.readers.neural.files import read_bytes, read_json, read_text
from docqn.text.wordpiece import CONTINUED, UNKNOWN, Ints, Pieces, WordPiece

_MOST_PIECES = 1 << 24

TOKENIZER, VOCABULARY, CONFIG = "tokenizer.json", "vocab.txt", "tokenizer_config.json"


@dataclass(frozen=True)
class Tokenization:
    """Tokens with offsets, and what stands around a question and a passage."""

    encode: Callable[[str], Pieces]
    before: tuple[int, ...]  # the question
    between: tuple[int, ...]
    after: tuple[int, ...]  # the passage

    @property
    def special(self) -> int:
        """How many tokens are neither of the question nor of the passage."""
        return len(self.before) + len(self.between) + len(self.after)

    def join(self, question: Ints, passage: Ints) -> tuple[Ints, int]:
        """The ids of a pair, and where the passage begins among them."""
        ids = np.concatenate([self.before, question, self.between, passage, self.after]).astype(np.int32)
        return ids, len(self.before) + len(question) + len(self.between)


def load_tokenization(folder: Path) -> Tokenization:
    """The tokenization of a model's folder."""
    path = folder / TOKENIZER
    if path.exists():
        described = read_json(path)
        return _own(described, path) if _is_wordpiece(described) else _foreign(path)
    path = folder / VOCABULARY
    if not path.exists():
        raise DocqnError(f"{folder}: has neither {TOKENIZER} nor {VOCABULARY}")
    settings = read_json(folder / CONFIG) if (folder / CONFIG).exists() else {}
    vocabulary = {piece: number for number, piece in enumerate(read_text(path).splitlines())}
    lowercase = bool(settings.get("do_lower_case", True))
    return _with_bert_signs(vocabulary, lowercase, settings.get("strip_accents"), path)


def copied_tokenizer(folder: Path) -> dict[str, bytes]:
    """The files of a folder that say how it tokenises, by name."""
    names = (TOKENIZER,) if (folder / TOKENIZER).exists() else (VOCABULARY, CONFIG)
    return {name: read_bytes(folder / name) for name in names if (folder / name).exists()}


def _is_wordpiece(described: Mapping[str, Any]) -> bool:
    """Whether it is BERT's tokenizer with nothing unusual about it."""
    model, normalizer = _part(described, "model"), _part(described, "normalizer")
    added = described.get("added_tokens") or []
    return (
        model.get("type") == "WordPiece"
        and model.get("unk_token") == UNKNOWN
        and model.get("continuing_subword_prefix") == CONTINUED
        and model.get("max_input_chars_per_word") == 100
        and normalizer.get("type") == "BertNormalizer"
        and bool(normalizer.get("clean_text"))
        and bool(normalizer.get("handle_chinese_chars"))
        and normalizer.get("strip_accents") in (None, True, False)
        and _part(described, "pre_tokenizer").get("type") == "BertPreTokenizer"
        and isinstance(added, list)
        and all(isinstance(token, dict) and token.get("special") for token in added)
    )


def _part(described: Mapping[str, Any], name: str) -> dict[str, Any]:
    """A part of the description; nothing if it is missing or something else."""
    found = described.get(name)
    return found if isinstance(found, dict) else {}


def _own(described: Mapping[str, Any], path: Path) -> Tokenization:
    normalizer = described["normalizer"]
    vocabulary = described["model"].get("vocab")
    if not isinstance(vocabulary, dict) or not all(
        isinstance(number, int) and 0 <= number < _MOST_PIECES for number in vocabulary.values()
    ):
        raise DocqnError(f"{path}: has no vocabulary; is the file damaged?")
    return _with_bert_signs(vocabulary, bool(normalizer.get("lowercase")), normalizer.get("strip_accents"), path)


def _with_bert_signs(vocabulary: Mapping[str, int], lowercase: bool, strip_accents: object, path: Path) -> Tokenization:
    for sign in ("[CLS]", "[SEP]", UNKNOWN):
        if sign not in vocabulary:
            raise DocqnError(f"{path}: its vocabulary has no {sign}; is the file damaged?")
    encode = WordPiece(vocabulary, lowercase, strip_accents if isinstance(strip_accents, bool) else None).encode
    return Tokenization(encode, (vocabulary["[CLS]"],), (vocabulary["[SEP]"],), (vocabulary["[SEP]"],))


def _foreign(path: Path) -> Tokenization:
    """By the `tokenizers` package; what stands around a pair is seen from one."""
    try:
        from tokenizers import Tokenizer
    except ImportError as error:
        raise DocqnError(f"{path}: this tokenizer needs a package more: pip install tokenizers") from error
    try:
        tokenizer = Tokenizer.from_file(str(path))
    except Exception as error:  # the package raises nothing more special
        raise DocqnError(f"{path}: not a tokenizer, or a damaged one ({error})") from error
    tokenizer.no_padding()
    tokenizer.no_truncation()

    def encode(text: str) -> Pieces:
        found = tokenizer.encode(text.encode("utf-8", "replace").decode(), add_special_tokens=False)
        spans = np.array(found.offsets, np.int32).reshape(-1, 2)
        inked = [i for i, (a, b) in enumerate(spans.tolist()) if text[a:b].strip()]  # byte-level ones may be mere space
        return Pieces(np.array(found.ids, np.int32)[inked], _without_space(text, spans[inked]))

    pair = tokenizer.encode("a", "a")
    of_text = [i for i, special in enumerate(pair.special_tokens_mask) if not special]
    if len(of_text) < 2:
        raise DocqnError(f"{path}: cannot encode a pair of texts")
    first, last = of_text[0], of_text[-1]
    ids, sequence = pair.ids, pair.sequence_ids
    middle = [i for i in range(first, last) if sequence[i] is None]
    return Tokenization(encode, tuple(ids[:first]), tuple(ids[i] for i in middle), tuple(ids[last + 1 :]))


def _without_space(text: str, spans: Ints) -> Ints:
    """Byte-level tokens may hold the space before a word."""
    for row, (start, end) in enumerate(spans.tolist()):
        token = text[start:end]
        spans[row] = start + len(token) - len(token.lstrip()), start + len(token.rstrip())
    return spans
