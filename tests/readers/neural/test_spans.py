"""The best span is that of an enumeration of all, in one window or in many."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from docqn.readers.neural.spans import best_span, start_end_scores
from docqn.readers.neural.windows import windows


def enumerated(start: list[float], end: list[float], longest: int) -> dict[tuple[int, int], float]:
    """The score of every possible span."""
    count = len(start)
    return {(i, j): start[i] + end[j] for i in range(count) for j in range(i, min(i + longest, count))}


logits = st.lists(st.tuples(st.floats(-9, 9), st.floats(-9, 9)), min_size=1, max_size=40)


@given(logits, st.integers(1, 6), st.integers(12, 30))
def test_it_is_the_best_of_all(rows: list[tuple[float, float]], longest: int, room: int) -> None:
    start, end = (np.array(column) for column in zip(*rows, strict=True))
    part = windows(len(rows), room, 2 * longest - 1)
    scores = [start_end_scores(start[w.first : w.end], end[w.first : w.end], longest) for w in part]
    found = best_span(part, scores)
    spans = enumerated(start.tolist(), end.tolist(), longest)
    values = np.array(list(spans.values()))
    shares = np.exp(values - values.max())
    shares /= shares.sum()
    assert spans[found.first, found.last] == pytest.approx(max(values))
    assert found.score == pytest.approx(max(values))
    assert found.mass == pytest.approx(np.logaddexp.reduce(values))
    assert found.entropy == pytest.approx(float(-(shares * np.log(shares)).sum()), abs=1e-9)


def test_one_token_is_certain() -> None:
    found = best_span(windows(1, 9, 3), [start_end_scores(np.array([1.0]), np.array([2.0]))])
    assert found == (0, 0, 3.0, 3.0, 0.0)
