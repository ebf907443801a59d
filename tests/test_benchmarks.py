"""The frame around the benchmarks: rows, tables, the choice of what runs."""

import pytest

from benchmarks import Row, race
from benchmarks.__main__ import lines, main


def test_a_table_sets_both_figures_their_ratio_and_the_aim_side_by_side() -> None:
    rows = [
        Row("HTML", 0.3, "lxml", 0.1, at_most=4),
        Row("moves", 2e6, "objects", 5e4, unit="moves/s", at_least=100),
        Row("--help", 0.25, at_most=0.3),
        Row("20 MB", 4.0),
    ]
    assert list(lines(rows))[2:] == [
        "| HTML | 0.3 s | 0.1 s (lxml) | 3× | ≤ 4× ✓ |",
        "| moves | 2,000,000 moves/s | 50,000 moves/s (objects) | 40× | ≥ 100× ✗ |",
        "| --help | 0.25 s |  |  | ≤ 0.3 s ✓ |",
        "| 20 MB | 4 s |  |  |  |",
    ]


def test_a_race_runs_the_contestants_in_turn() -> None:
    order: list[str] = []
    times = race(lambda: order.append("a"), lambda: order.append("b"), rounds=3)
    assert order == ["a", "b"] * 3
    assert len(times) == 2
    assert min(times) >= 0


def test_an_unknown_benchmark_is_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["no-such"])
    assert "no benchmark no-such" in capsys.readouterr().err
