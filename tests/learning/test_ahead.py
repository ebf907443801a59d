"""Data prepared ahead are those made on the spot."""

import os

import pytest

from docqn.learning.ahead import Ahead


def square(step: int) -> tuple[int, int]:
    return step * step, os.getpid()


def test_other_processes_make_what_this_one_would() -> None:
    steps = [3, 4, 5, 6, 20, 21, 2, 3, 30]  # in order, a jump ahead, one back, and beyond the last
    here, beside = Ahead(square, 0, 25), Ahead(square, 2, 25)
    try:
        assert [here.of(step) for step in steps] == [(step * step, os.getpid()) for step in steps]
        made = [beside.of(step) for step in steps]
        assert [value for value, _ in made] == [step * step for step in steps]
        assert os.getpid() not in {process for _, process in made}
    finally:
        beside.close()


def failing(step: int) -> int:
    raise ValueError(f"no step {step}")


def test_what_fails_fails_where_it_is_asked_for() -> None:
    ahead = Ahead(failing, 1, 10)
    try:
        with pytest.raises(ValueError, match="no step 7"):
            ahead.of(7)
    finally:
        ahead.close()
