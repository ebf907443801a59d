"""Sentences with offsets."""

from itertools import pairwise

import pytest
import sentencex
from hypothesis import given
from hypothesis import strategies as st

from docqn.text.clean import clean
from docqn.text.sentences import LONGEST, WINDOW, sentence_spans
from tests.trees import texts


def split(text: str) -> list[str]:
    return [text[start:end] for start, end in sentence_spans(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        (" \t\u00a0\n ", []),
        ("One. Two!  Three? Four", ["One.", "Two!", "Three?", "Four"]),
        ("Dr. Smith of the U.S. Army paid $3.50. He left.", ["Dr. Smith of the U.S. Army paid $3.50.", "He left."]),
        ("first line\nsecond line\n\n fourth ", ["first line", "second line", "fourth"]),
        ("\n\nA.\n", ["A."]),
        ("大学生活很好。我们走吧！", ["大学生活很好。", "我们走吧！"]),
        ("नमस्ते। आप कैसे हैं?", ["नमस्ते।", "आप कैसे हैं?"]),
    ],
)
def test_sentences(text: str, expected: list[str]) -> None:
    assert split(text) == expected


@given(texts.map(clean), st.sampled_from(["en", "de", "zh", "no-such-language"]))
def test_they_cover_all_but_space_in_order(text: str, language: str) -> None:
    spans = sentence_spans(text, language)
    covered = [False] * len(text)
    for start, end in spans:
        assert text[start:end] == text[start:end].strip() != ""
        assert "\n" not in text[start:end]
        covered[start:end] = [True] * (end - start)
    assert all(left[1] <= right[0] for left, right in pairwise(spans))
    assert all(covered[i] or char.isspace() for i, char in enumerate(text))


@given(st.lists(st.integers(1, 400), min_size=1, max_size=60))
def test_windows_make_no_difference(words: list[int]) -> None:
    """Long paragraphs are split in windows; the splitter alone, given all at once, is the oracle."""
    text = " ".join(f"Here {'are more words ' * (count // 3)}at last." for count in words)
    assert split(text) == [piece.strip() for piece in sentencex.segment("en", text)]


def test_a_sentence_longer_than_a_window_stays_whole() -> None:
    long = "word " * (LONGEST // 6) + "end."
    assert len(long) > 2 * WINDOW
    assert split(f"One. {long} Two.") == ["One.", long, "Two."]


@pytest.mark.parametrize(("unit", "each"), [("word ", LONGEST), ("a", LONGEST), ("大", LONGEST)])
def test_a_sentence_without_end_is_cut(unit: str, each: int) -> None:
    text = unit * (3 * each // len(unit))
    pieces = split(text)
    assert [len(piece) <= each for piece in pieces] == [True] * 3
    assert "".join(pieces).replace(" ", "") == text.replace(" ", "")
    if unit == "word ":  # at a space
        assert {piece.split(" ")[0] for piece in pieces} | {piece.split(" ")[-1] for piece in pieces} == {"word"}


@pytest.mark.parametrize("unit", ["大学。", "大学生活", ".", "!?", "word ", "a", '"', "(", "Dr. ", "a\n", "\u2028"])
def test_time_grows_with_the_text(unit: str) -> None:
    """The splitter alone takes minutes on some of these: whoever waits for the test notices."""
    text = unit * (200_000 // len(unit))
    assert sum(end - start for start, end in sentence_spans(text)) <= len(text)
