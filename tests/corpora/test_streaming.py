"""JSON one record at a time, against the json module."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from docqn.corpora import streaming
from docqn.corpora.streaming import elements
from docqn.errors import DocqnError

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(values, max_size=5),
    st.dictionaries(st.text(max_size=3).filter("Data".__ne__), values, max_size=3),
    st.integers(0, 3),
    st.sampled_from([None, 1, 4]),
    st.integers(1, 30),
)
def test_elements_are_those_of_the_whole_file(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    listed: list[Any],
    others: dict[str, Any],
    place: int,
    indent: int | None,
    chunk: int,
) -> None:
    monkeypatch.setattr(streaming, "CHUNK", chunk)  # so that everything is cut somewhere
    items = list(others.items())
    whole = dict([*items[:place], ("Data", listed), *items[place:]])
    (tmp_path / "a.json").write_text(json.dumps(whole, indent=indent))
    rest: dict[str, Any] = {}
    assert list(elements(tmp_path / "a.json", "Data", rest)) == listed
    assert rest == others


def test_gzip_and_a_byte_order_mark(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(gzip.compress('\ufeff{"Data": [1, "é"]}'.encode()))
    assert list(elements(tmp_path / "a", "Data", {})) == [1, "é"]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "not valid JSON"),
        (b"[]", "expected '{'"),
        (b'{"Data": [1, 2', "not valid JSON"),
        (b'{"Data": [1 2]}', "expected ']'"),
        (b'{"Data": [1,]}', "not valid JSON"),
        (b'{"Data": ["ab', "not valid JSON (Unterminated string starting at character 10)"),
        (b'{"Other": [1]}', "has no list 'Data'"),
        (b'{"Data": {"a": 1}}', "has no list 'Data'"),
        (b'{"Data": [nope, ' + b"1, " * 99 + b"1]}", "at character 10"),
        (b'{"Data": [' + b"[" * 100_000, "nested too deeply"),
        (b'{"Data": ["\xff"]}', "not UTF-8"),
        (gzip.compress(b'{"Data": [1, 2]}')[:-9], "cannot be read"),
    ],
)
def test_what_is_wrong_is_said_in_a_line(tmp_path: Path, data: bytes, message: str) -> None:
    (tmp_path / "a").write_bytes(data)
    with pytest.raises(DocqnError, match=r"^[^\n]*/a: [^\n]*$") as caught:
        list(elements(tmp_path / "a", "Data", {}))
    assert message in str(caught.value)


def test_a_missing_file(tmp_path: Path) -> None:
    with pytest.raises(DocqnError, match="No such file"):
        list(elements(tmp_path / "a", "Data", {}))


def test_an_error_at_the_beginning_does_not_read_the_whole_file(tmp_path: Path) -> None:
    (tmp_path / "a").write_text('{"Data": [1 2, ' + "3, " * 10_000_000)
    with pytest.raises(DocqnError, match="expected ']'"):
        list(elements(tmp_path / "a", "Data", {}))
