"""Limits of tokens as they are written."""

import pytest

from docqn.errors import DocqnError
from docqn.evaluation.limits import TokenLimit


@pytest.mark.parametrize(
    ("said", "limit", "again"),
    [
        (None, TokenLimit(), None),
        ("500", TokenLimit(tokens=500), 500),
        (500, TokenLimit(tokens=500), 500),
        ("10%", TokenLimit(share=0.1), "10%"),
        (" 2.50 % ", TokenLimit(share=0.025), "2.5%"),
        ("100%", TokenLimit(share=1.0), "100%"),
    ],
)
def test_tokens_or_a_share(said: str | int | None, limit: TokenLimit, again: str | int | None) -> None:
    assert TokenLimit.of(said) == limit
    assert limit.said == again
    assert TokenLimit.of(limit.said) == limit


@pytest.mark.parametrize("said", ["", "0", "-5", "0%", "101%", "ten", "10.5", "10%%", "nan%"])
def test_what_is_neither_is_an_error(said: str) -> None:
    with pytest.raises(DocqnError, match="is neither a number of tokens"):
        TokenLimit.of(said)
