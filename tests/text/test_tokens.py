"""The tokenizer."""

import re
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from docqn.text.char_classes import SPACE, char_classes
from docqn.text.tokens import token_spans, token_texts
from tests.trees import texts


def tokens(text: str, *breaks: int) -> list[str]:
    return [text[start:end] for start, end in token_spans(text, np.array(breaks, np.int32)).tolist()]


@pytest.mark.parametrize(
    "text",
    [  # | stands where a token ends; space does so, too
        # numbers
        "3.14|, 1,000 and 1,234,567.89|; 10:30 h",
        "1|,|2|,|3 or 12|,|34|, 12|,|3456",
        "$|3.50|, 20|%|, -|5|, +|44|, No. 7|, 1990s|, 3rd|, 5|'|, 6|.",
        "½ cup|, x²|, IV|, №|5|, ٣٫١٤ ١٬٠٠٠",
        # words and signs
        "well|-|known|, and|/|or|, 1990|–|95|, a|—|b|, snake|_|case",
        "AT&T R&D|, Q|&|a|, a|&|b|, C|+|+|, #|1",
        "a.b@mail.example.org|, @|home|, www.example.com|/|a|?|b|=|1",
        "(|a|)|[|b|]|{|c|}|“|d|”|‘|e|’|«|f|»|…|!|?",
        # apostrophes
        "John|'s dogs|' I|'m we|'ll they|'ve you|'re he|'d",
        "John|’s I|’m do|n’t rock’n’roll",
        "do|n't ca|n't DO|N'T O'Brien d'Artagnan 5'6 ma'am '|tis rock|'",
        "o'clock|'s l'été the 1990|'s",
        # abbreviations and initials
        "Dr. Smith of the U.S. Army|, e.g. Mr. J. R. R. Tolkien|, Ph.D.",
        "J.R.R. Tolkien|, a.m. i.e. Inc. said so|.",
        "In 1990|.|The end|.|Next one|. Say no|. No is no. 7|, vs. them sat|. no|.",
        # scripts
        "大|学|生|活|很|好|。 カタカナ|と|ひ|ら|が|な|、|コーヒー",
        "안녕하세요 세계|, Здравствуй|, мир|! Γειά σου שלום مرحبا|؟",
        "ก|ข|ค ລ|າ|ວ ខ្|មែ|រ",
        "हिन्दी में नमस्ते|।",
        "e\u0301te\u0301 cafe\u0301|'s n\u0303o",
        # emoji, flags, variation selectors
        "I ❤\ufe0f NY 👍|🏽 👩\u200d|👩\u200d|👧 😀|😀 🇫|🇷",
        # marks without a letter before them
        "\u0301|a \u0301|b \u0301\u0302|c",
    ],
)
def test_by_hand(text: str) -> None:
    assert tokens(text.replace("|", "")) == text.replace("|", " ").split()


@given(texts, st.data())
def test_every_character_but_space_is_in_one_token(text: str, data: st.DataObject) -> None:
    breaks = data.draw(st.lists(st.integers(0, len(text) - 1), max_size=5)) if text else []
    spans = token_spans(text, np.array(breaks, np.int32)).tolist()
    inside = [0] * len(text)
    for start, end in spans:
        assert start < end
        assert not any(start < at < end for at in breaks)
        inside[start:end] = [count + 1 for count in inside[start:end]]
    assert all(left[1] <= right[0] for left, right in pairwise(spans))
    space = char_classes()[[ord(char) for char in text]] == SPACE if text else []
    assert inside == [0 if blank else 1 for blank in space]


@given(texts)
def test_what_python_calls_space_is_in_no_token(text: str) -> None:
    for start, end in token_spans(text).tolist():
        assert not any(char.isspace() for char in text[start:end])


SIMPLE = re.compile(r"[^\W_]+|\S")  # runs of letters and digits, and single signs


@given(st.text('abcXYZ019 \n\t-–—/_()[]{}!?;%$§"“”…éßжλ', max_size=60))
def test_simple_texts_are_split_as_by_a_regular_expression(text: str) -> None:
    assert tokens(text) == SIMPLE.findall(text)


words = st.sampled_from(["John", "'s", "3", ".", ",", "Dr", "大", "e\u0301", "'", "n't", "@", "&", " "])


@given(st.lists(words, max_size=20))
def test_tokens_do_not_depend_on_what_stands_before_a_space(pieces: list[str]) -> None:
    text = "".join(pieces)
    assert tokens(f"Say so: {text}") == ["Say", "so", ":", *tokens(text)]


def test_a_break_parts_what_would_be_one() -> None:
    assert tokens("3.14", 2) == ["3.", "14"]
    assert tokens("3.14", 1) == ["3", ".14"]
    assert tokens("don't", 2, 2) == ["do", "n't"]
    assert tokens("a b", 1) == ["a", "b"]


@given(texts, st.data())
def test_texts_are_those_at_the_spans(text: str, data: st.DataObject) -> None:
    breaks = data.draw(st.lists(st.integers(0, len(text) - 1), max_size=5)) if text else []
    spans = token_spans(text, np.array(breaks, np.int32))
    assert token_texts(text, spans) == [text[start:end] for start, end in spans.tolist()]


def test_no_text() -> None:
    assert token_spans("").shape == (0, 2)
    assert token_spans(" \n\u3000").shape == (0, 2)
    assert token_spans("a").tolist() == [[0, 1]]


@pytest.mark.parametrize("unit", ["a", ".", "'", "a.", "a'", "A&", "1,000,", "大", "\u0301", "n't ", "Dr. ", " "])
def test_time_grows_with_the_text(unit: str) -> None:
    text = unit * (300_000 // len(unit))
    assert len(token_spans(text)) <= len(text)
