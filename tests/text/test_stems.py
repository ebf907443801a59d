"""Stems of English words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docqn.text.stems import SHORTEST_STEM, stem, stem_of


@pytest.mark.parametrize(
    "forms",
    [
        "teach teaches teaching teacher teachers teachings",
        "city cities",
        "study studies studied studying",
        "movie movies",
        "create creates created creating",
        "house houses",
        "class classes",
        "virus viruses",
        "number numbers",
        "Quick quickly",
        "1990 1990s",
    ],
)
def test_forms_of_a_word_have_one_stem(forms: str) -> None:
    assert len({stem_of(form) for form in forms.split()}) == 1


@pytest.mark.parametrize("words", ["teach teak", "paris parish", "kings king's rings", "red reds"])
def test_short_words_and_other_words_stay_apart(words: str) -> None:
    assert len({stem_of(word) for word in words.split()}) == len(words.split())


@pytest.mark.parametrize("token", ["the", "Which", "x", "?", "—", ""])
def test_what_says_little_has_none(token: str) -> None:
    assert stem_of(token) is None


@given(st.text(alphabet="aeisdrlyng", max_size=12))
def test_enough_is_left_of_a_word(word: str) -> None:
    assert len(stem(word)) >= min(len(word), SHORTEST_STEM)
    assert word[: len(stem(word)) - 1] == stem(word)[:-1]
