"""WordPiece gives what the `tokenizers` package gives, on any text and at any offset."""

import string
import sys
import time
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer
from tokenizers.models import WordPiece as TheirModel
from tokenizers.normalizers import BertNormalizer
from tokenizers.pre_tokenizers import BertPreTokenizer

from docqn.text.wordpiece import GONE, WordPiece

WORDS = """the un ##a ##aff ##able ##s na ##i ##ive cafe ##́ école naïve istanbul σοφ ##οσ ##ος Σοφ é ##é É İ i ##̇ I
    中 文 ᄒ ##ᅡ ##ᆫ 한 ﬁ ##ﬁ ffi ##nd 😀 ##😀 ½ = ≠ < ; , ! ¿ $ ` _ ## # A B ##B ß ss ##ss и ##и ##й й ก ##ำ ท""".split()
LETTERS = list(string.ascii_letters + string.digits)
VOCABULARY = {
    piece: number
    for number, piece in enumerate(
        dict.fromkeys(["[PAD]", "[UNK]", "[CLS]", "[SEP]", *WORDS, *LETTERS, *(f"##{letter}" for letter in LETTERS)])
    )
}
SETTINGS = [(True, None), (True, False), (False, None), (False, True)]  # lowercase, strip_accents
OURS = {setting: WordPiece(VOCABULARY, *setting) for setting in SETTINGS}


def theirs(lowercase: bool, strip_accents: bool | None) -> Tokenizer:
    tokenizer = Tokenizer(TheirModel(VOCABULARY, unk_token="[UNK]", max_input_chars_per_word=100))
    tokenizer.normalizer = BertNormalizer(lowercase=lowercase, strip_accents=strip_accents)
    tokenizer.pre_tokenizer = BertPreTokenizer()
    return tokenizer


THEIRS = {setting: theirs(*setting) for setting in SETTINGS}

usual = st.text(st.sampled_from("".join(WORDS) + string.printable + "éÉïİ\u0301\u0307\u200b\u200d\ufe0f\u00ad\u3000한"))
# Python's tables know letters that the package's do not, and the other way round; neither gives them other offsets.
anything = st.text(
    st.characters(exclude_categories=["Cs"]).filter(lambda char: char.lower() == char or ord(char) < 0xA000)
)


def agree(text: str, setting: tuple[bool, bool | None]) -> None:
    expected = THEIRS[setting].encode(text, add_special_tokens=False)
    found = OURS[setting].encode(text)
    assert found.ids.tolist() == expected.ids
    assert list(map(tuple, found.spans.tolist())) == expected.offsets


@given(text=usual | anything, setting=st.sampled_from(SETTINGS))
def test_the_same_pieces_as_the_package(text: str, setting: tuple[bool, bool | None]) -> None:
    agree(text, setting)


@pytest.mark.parametrize("setting", SETTINGS)
@pytest.mark.parametrize(
    "text",
    [
        "",
        " \n ",
        "Unaffable cafés, naïve cafe\u0301s!",
        "ΣΟΦΟΣ Σοφός",
        "İstanbul İ",
        "中文,文中 中a文",
        "한글 한한",
        "ﬁnd aﬁﬃ ½",
        "a\u200bb\u00adc\x00d\ufffde\tf",
        "👩\u200d👩\u200d👧 😀😀 a😀b\ufe0f",
        "\u0301a \u0301 !\u0301!",
        "a≠b ≮ \u1fef \u037e",
        "x" * 100 + " " + "x" * 101 + " y",
        "e\u0301" * 100 + " " + "e\u0301" * 101,
        "##s # ##",
        "ก็ กำ",
    ],
)
def test_what_is_easy_to_get_wrong(text: str, setting: tuple[bool, bool | None]) -> None:
    agree(text, setting)


def test_code_points_by_themselves_and_in_a_word() -> None:
    codes = [*range(0x3100), *range(0x3100, sys.maxunicode, 97)]
    for at in range(0, len(codes), 1000):
        chars = [chr(code) for code in codes[at : at + 1000] if not 0xD800 <= code < 0xE000]
        agree(" ".join(f"a{char}b {char}" for char in chars), (True, None))


def test_special_tokens_in_a_text_are_text() -> None:
    found = OURS[True, None].encode("a [SEP] b")
    assert VOCABULARY["[SEP]"] not in found.ids
    assert found.spans[-1].tolist() == [8, 9]


@given(text=usual | anything)
def test_pieces_follow_each_other_and_hold_no_space(text: str) -> None:
    pieces = OURS[True, None].encode(text)
    for start, end in pieces.spans.tolist():
        assert 0 <= start < end <= len(text)
        assert not text[start].isspace()
        assert not text[end - 1].isspace()
    assert all(a[0] <= b[0] and a[1] <= b[1] for a, b in zip(pieces.spans, pieces.spans[1:], strict=False))


def test_a_lone_surrogate_is_dropped() -> None:
    pieces = OURS[True, None].encode("a\ud800b")
    assert pieces.spans.tolist() == [[0, 1], [2, 3]]


def test_the_classes_follow_unicode_where_it_was_known() -> None:
    kinds = OURS[True, None]._class
    for code in range(0x250):
        char = chr(code)
        if unicodedata.category(char) == "Cc" and char not in "\t\n\r":
            assert kinds[code] == GONE


def test_long_text_takes_time_in_proportion() -> None:
    start = time.perf_counter()
    assert len(OURS[True, None].encode("The unaffable cafés naïve, 한 中文! " * 20_000).ids) > 100_000
    assert len(OURS[True, None].encode("x" * 2_000_000).ids) == 1
    assert time.perf_counter() - start < 10
