"""Which questions are held out depends on nothing but their ids."""

from docqn.corpora.held_out import PARTS, held_out


def test_about_one_of_so_many_is() -> None:
    share = sum(held_out(f"question-{number}") for number in range(20_000)) / 20_000
    assert abs(share - 1 / PARTS) < 0.005


def test_it_stays_so_for_ever() -> None:
    """A change would let trainings learn what was held out before."""
    assert [number for number in range(100) if held_out(f"q{number}")] == [4, 86, 93]
    held_out("\ud800")
