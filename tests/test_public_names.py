"""`import docqn` and what it offers."""

import pickle

import pytest

import docqn
from docqn.errors import ParseError


@pytest.mark.parametrize("name", docqn.__all__)
def test_a_public_name_is_there_and_listed(name: str) -> None:
    assert getattr(docqn, name).__name__ == name
    assert name in dir(docqn)


def test_another_name_is_not() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'pares'"):
        docqn.pares  # type: ignore[attr-defined]  # noqa: B018


def test_a_parse_error_is_one_line_and_survives_pickling() -> None:
    error = pickle.loads(pickle.dumps(ParseError("a.pdf", "it is encrypted")))
    assert isinstance(error, ParseError)
    assert (str(error), error.source, error.reason) == ("a.pdf: it is encrypted", "a.pdf", "it is encrypted")
