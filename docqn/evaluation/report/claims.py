"""What the paper claims of its agents, and whether it holds of ours: computed, with an interval, from our rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from docqn.evaluation import bootstrap, students
from docqn.evaluation.bootstrap import Interval, resampled, resampled_medians
from docqn.evaluation.report.load import Evaluation
from docqn.evaluation.report.paper import BY_THRESHOLD, PAPER, UNTRAINED, size_of
from docqn.evaluation.report.rows import Row
from docqn.evaluation.summary import Measured
from docqn.evaluation.tables import MISSING, Table

Floats = NDArray[np.float64]

HOLDS, FAILS, OPEN, UNKNOWN = "holds", "does not hold", "within the interval", "not measured"
TOP = 5  # the last node index that is the top of a document: up to there the paper's ensemble trusts its agent
MAIN = "accuracy"  # of the paper; ours is verified where people judged
_SIGNS = {1: (1,), 2: (1, -1), 4: (1, -1, -1, 1)}  # of a figure, a difference, a difference of differences


class Claim(NamedTuple):
    """That a figure of these rows of the paper, or their difference, lies above a bound, or does not."""

    text: str
    rows: tuple[str, ...]
    figure: str = MAIN
    bound: float = 0
    above: bool = True
    same_agent: bool = False  # in all rows, so that its seeds are compared one by one


CLAIMS = (
    Claim("DocQN finds more than DQN", ("DocQN", "DQN")),
    Claim("The Answer action helps DocQN more than DQN", ("DocQN", "DocQN-Coupled", "DQN", "DQN-Coupled")),
    Claim("DocQN and Doc-TF-IDF together find more than DocQN", (BY_THRESHOLD, "DocQN"), same_agent=True),
    Claim("DocQN and Doc-TF-IDF together find more than Doc-TF-IDF", (BY_THRESHOLD, "Doc-TF-IDF")),
    Claim(
        f"DQN stays at the top: its median stop is at index {TOP} or less", ("DQN",), "stop_index_median", TOP, False
    ),
    Claim("DocQN does not: its median stop is further down than DQN's", ("DocQN", "DQN"), "stop_index_median"),
    Claim("DocQN reads at most 7 % of the tokens", ("DocQN",), "tokens_read", 7, False),
)
_NOTE = (
    "Ours by {metric}, the paper's by accuracy. A claim holds if all of the 95 % interval agrees with it, and does not "
    "if none of it does. Intervals are by Student's t from the spread between the seeds (Welch's degrees of freedom), "
    "on these questions, where every agent has several; else from resampling questions. Of rows that stand for one "
    "model, the one with most seeds counts, the first of several."
)


def tables(evaluation: Evaluation) -> Iterator[Table]:
    """The claims for each size of agents that there is; without agents none."""
    standing = [(name, row) for row in evaluation.rows if (name := evaluation.paper_row(row.policy))]
    sizes = [None if name in UNTRAINED else size_of(row.policy, evaluation.presets) for name, row in standing]
    for size in dict.fromkeys(one for one in sizes if one is not None):
        chosen: dict[str, Row] = {}
        for own, (name, row) in zip(sizes, standing, strict=True):
            if own in (None, size) and (name not in chosen or len(row.measured) > len(chosen[name].measured)):
                chosen[name] = row
        found = [_row(evaluation, claim, chosen) for claim in CLAIMS]
        title = f"Claims of the paper{f', presets {size}' if size else ''}"
        note = _NOTE.format(metric=evaluation.main.replace("_", " "))
        yield Table(title, ("claim", "rows", "ours", "paper", "verdict"), found, note, names=2)


def _row(evaluation: Evaluation, claim: Claim, chosen: dict[str, Row]) -> list[str]:
    paper = [getattr(PAPER[name], claim.figure, None) for name in claim.rows]
    theirs = MISSING if None in paper else _formula(np.array(paper))
    rows = [chosen[name] for name in claim.rows if name in chosen]
    figure = evaluation.main if claim.figure == MAIN else claim.figure
    ours = np.array([row.values(figure).mean() for row in rows])
    if len(rows) < len(claim.rows) or np.isnan(ours).any():
        return [claim.text, _shape(claim.rows), MISSING, theirs, UNKNOWN]
    found = _interval(claim, rows, figure, evaluation.header["seed"])
    sign = "+" if len(rows) > 1 else ""
    text = f"{_formula(ours)} ({found.low:{sign}.1f} … {found.high:{sign}.1f})".replace("-", "−")
    return [claim.text, _shape([row.name for row in rows]), text, theirs, verdict(claim, found)]


def verdict(claim: Claim, found: Interval) -> str:
    """Whether a claim holds, by the interval of its figure."""
    low, high = (round(edge, 6) for edge in found)  # agents that did the same differ by rounding errors
    if np.isnan(found).any():
        return UNKNOWN
    if low > claim.bound:
        return HOLDS if claim.above else FAILS
    if high <= claim.bound:
        return FAILS if claim.above else HOLDS
    return OPEN


def _interval(claim: Claim, rows: Sequence[Row], figure: str, seed: int) -> Interval:
    """By the spread between seeds where all agents have several, else by resampling questions."""
    signs = _SIGNS[len(rows)]
    if all(len(row.measured) > 1 or name in UNTRAINED for row, name in zip(rows, claim.rows, strict=True)):
        parts = [sign * row.values(figure) for sign, row in zip(signs, rows, strict=True)]
        one_by_one = claim.same_agent and len({row.seeds for row in rows}) == 1
        return students.interval([np.sum(parts, axis=0)] if one_by_one else parts)
    samples = [
        sign * np.mean([_samples(one, figure, seed) for one in row.measured], axis=0)
        for sign, row in zip(signs, rows, strict=True)
    ]
    return bootstrap.interval(np.sum(samples, axis=0))


def _samples(measured: Measured, figure: str, seed: int) -> Floats:
    """[resamples]: a figure over drawn questions, the same ones for every figure."""
    if figure in measured.names:
        return measured.samples[:, measured.names.index(figure)]
    outcomes = measured.outcomes
    question = outcomes["question"].astype(int)
    if figure == "stop_index_median":
        return resampled_medians(outcomes["stop_index"], question, seed)
    pairs = np.bincount(question).astype(float)
    tokens = np.bincount(question, outcomes["tokens"]).astype(float)
    return 100 * resampled(tokens[:, None], pairs[:, None], seed)[:, 0]


def _formula(values: Floats) -> str:
    """The values, and what comes of them."""
    shown = [f"{value:.1f}" for value in values]
    total = float(values @ np.array(_SIGNS[len(values)]))
    return shown[0] if len(shown) == 1 else f"{_shape(shown)} = {total:+.1f}".replace("-", "−")


def _shape(parts: Sequence[str]) -> str:
    """One, their difference, or the difference of two differences."""
    if len(parts) < 4:
        return " − ".join(parts)
    return f"({parts[0]} − {parts[1]}) − ({parts[2]} − {parts[3]})"
