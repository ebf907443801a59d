"""Tokenizers of folders: ours where it is BERT's, the `tokenizers` package's for all others."""

import json
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer
from tokenizers.implementations.byte_level_bpe import ByteLevelBPETokenizer
from tokenizers.processors import RobertaProcessing

from docqn.errors import DocqnError
from docqn.readers.neural.tokenization import copied_tokenizer, load_tokenization
from docqn.text.wordpiece import WordPiece
from tests.readers.tiny import VOCABULARY, write_tokenizer


def is_ours(folder: Path) -> bool:
    return isinstance(getattr(load_tokenization(folder).encode, "__self__", None), WordPiece)


@pytest.fixture(scope="module")
def roberta(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a small byte-level tokenizer."""
    folder = tmp_path_factory.mktemp("roberta")
    tokenizer = ByteLevelBPETokenizer()
    texts = ["Alice went to Paris. Bob ate 17 cakes there."] * 3
    tokenizer.train_from_iterator(iter(texts), 300, special_tokens=["<s>", "</s>", "<pad>"], show_progress=False)
    tokenizer._tokenizer.post_processor = RobertaProcessing(("</s>", 1), ("<s>", 0))
    tokenizer.enable_padding(length=50)
    tokenizer.enable_truncation(5)
    tokenizer.save(str(folder / "tokenizer.json"))
    return folder


def test_bert_by_our_own_code(tmp_path: Path) -> None:
    write_tokenizer(tmp_path)
    assert is_ours(tmp_path)
    found = load_tokenization(tmp_path)
    ids, at = found.join(found.encode("Who ate?").ids, found.encode("Bob ate.").ids)
    assert [VOCABULARY[i] for i in ids] == ["[CLS]", "who", "ate", "?", "[SEP]", "bob", "ate", ".", "[SEP]"]
    assert (at, found.special) == (5, 3)


def test_a_vocabulary_alone(tmp_path: Path) -> None:
    (tmp_path / "vocab.txt").write_text("\n".join([*VOCABULARY, "Bob"]))
    assert load_tokenization(tmp_path).encode("Bob Élan").ids[0] == VOCABULARY.index("bob")
    (tmp_path / "tokenizer_config.json").write_text('{"do_lower_case": false}')
    assert load_tokenization(tmp_path).encode("Bob").ids.tolist() == [len(VOCABULARY)]
    assert copied_tokenizer(tmp_path).keys() == {"vocab.txt", "tokenizer_config.json"}


@pytest.mark.parametrize(
    "unusual", [{"type": "NFKC"}, {"clean_text": False}, {"handle_chinese_chars": False}], ids=lambda u: next(iter(u))
)
def test_what_is_not_quite_berts_is_left_to_the_package(tmp_path: Path, unusual: dict[str, object]) -> None:
    write_tokenizer(tmp_path, **unusual)
    assert not is_ours(tmp_path)


@given(text=st.text(max_size=40))
def test_any_other_tokenizer(roberta: Path, text: str) -> None:
    found = load_tokenization(roberta).encode(text)
    theirs = Tokenizer.from_file(str(roberta / "tokenizer.json"))
    theirs.no_padding()
    theirs.no_truncation()
    encoded = theirs.encode(text, add_special_tokens=False)
    kept = [id for id, (a, b) in zip(encoded.ids, encoded.offsets, strict=True) if text[a:b].strip()]
    assert found.ids.tolist() == kept
    for start, end in found.spans.tolist():
        assert text[start:end] == text[start:end].strip() != ""


def test_what_stands_around_a_pair(roberta: Path) -> None:
    found = load_tokenization(roberta)
    assert (found.before, found.between, found.after) == ((0,), (1, 1), (1,))
    assert found.encode("a \ud800").spans[0].tolist() == [0, 1]


def test_the_package_is_asked_for(roberta: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "tokenizers", None)
    with pytest.raises(DocqnError, match="pip install"):
        load_tokenization(roberta)


def test_folders_without_or_with_a_damaged_tokenizer(tmp_path: Path) -> None:
    with pytest.raises(DocqnError, match=r"neither tokenizer\.json nor vocab\.txt"):
        load_tokenization(tmp_path)
    write_tokenizer(tmp_path)
    described = json.loads((tmp_path / "tokenizer.json").read_text())
    path = tmp_path / "tokenizer.json"
    for broken in (
        "{",
        "[]",
        json.dumps({**described, "model": {**described["model"], "vocab": {"a": 1}}}),
        json.dumps({**described, "model": {**described["model"], "vocab": []}}),
        json.dumps({**described, "model": {"type": "Strange"}}),
        json.dumps({}),
    ):
        path.write_text(broken)
        with pytest.raises(DocqnError, match=r"tokenizer\.json") as raised:
            load_tokenization(tmp_path)
        assert "\n" not in str(raised.value)


def test_ids_are_small_integers(tmp_path: Path) -> None:
    write_tokenizer(tmp_path)
    assert load_tokenization(tmp_path).encode("").ids.dtype == np.int32
