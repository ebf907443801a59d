"""What `docqn reader evaluate` and a reader's folder tell: answers, choices among paragraphs, and whether probabilities
mean what they say."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from docqn.errors import DocqnError
from docqn.evaluation.report.drawing import Figure, line, on_axes, short
from docqn.evaluation.tables import MISSING, Table, number
from docqn.readers.neural.files import read_json
from docqn.readers.neural.folder import CONFIG, kind_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_CURVES = ("best_of_k", "any_of_k", "exact_match_of_k", "verified_best_of_k", "verified_any_of_k")
_NUMBERS = tuple(
    "questions exact_match f1 own_above_other pairs verified_pairs readings auroc_answerable auroc_right "
    "calibration_error".split()
)
_CHOICES = (  # a curve, its bound, what of the chosen paragraph it tells, and of how many pairs
    ("best_of_k", "any_of_k", "holds an answer", "pairs"),
    ("exact_match_of_k", "", "is read right", "pairs"),
    ("verified_best_of_k", "verified_any_of_k", "was judged to support one", "verified_pairs"),
)


class Measured(NamedTuple):
    """A reader's scores on one source."""

    reader: str
    source: str  # the name of a file, or of a corpus and its split
    scores: dict[str, Any]


def split_off(paths: Iterable[Path]) -> tuple[list[Measured], list[Path]]:
    """The scores of readers among these files and folders, and what is none."""
    found: list[Measured] = []
    others: list[Path] = []
    for path in paths:
        scores = list(_of_folder(path)) if path.is_dir() else _of_file(path)
        found += scores
        others += [] if scores else [path]
    return found, others


def _of_folder(path: Path) -> Iterator[Measured]:
    if kind_of(path) is None:
        raise DocqnError(f"{path}: is no reader's folder; name what `docqn evaluate` wrote, or a reader's folder")
    scores = read_json(path / CONFIG).get("scores")
    if not isinstance(scores, dict) or not scores:
        raise DocqnError(f"{path}: has no scores yet; measure it with `docqn reader evaluate … --record`")
    for source, one in scores.items():
        yield Measured(str(path), source, _sound(path, one))


def _of_file(path: Path) -> list[Measured]:
    """Of a file of something else nothing."""
    try:
        said = json.loads(path.read_bytes()) if path.suffix == ".json" else None
    except (OSError, ValueError):
        return []  # whoever takes it for something else says what is wrong
    if not isinstance(said, dict) or not {"reader", "fingerprint", "source", "split"} <= said.keys():
        return []
    source = f"{said['source']} {said['split']}" if said["split"] else str(said["source"])
    return [Measured(str(said["reader"]), source, _sound(path, said))]


def _sound(path: Path, scores: Any) -> dict[str, Any]:
    """The scores, if they are ones."""
    try:
        for name in _NUMBERS:
            float(scores.get(name) or 0)
        for name in _CURVES:
            sum(scores.get(name, ()))
        if not all(
            readings > 0 <= probability + right for readings, probability, right in scores.get("reliability", ())
        ):
            raise ValueError("the reliability curve")
    except (AttributeError, TypeError, ValueError) as error:
        raise DocqnError(f"{path}: its scores cannot be understood ({error}); measure the reader again") from error
    return dict(scores)


def sources(measured: Iterable[Measured]) -> list[str]:
    """On what readers were measured, each once."""
    return list(dict.fromkeys(one.source for one in measured))


def tables(measured: Sequence[Measured]) -> list[Table]:
    """Of readers on one source."""
    answering = [one for one in measured if "f1" in one.scores]
    choosing = [one for one in measured if "best_of_k" in one.scores]
    found = [_answers(answering)] if answering else []
    if choosing:
        found += [_choices(choosing), _sureness(choosing)]
    return found


def _answers(measured: Sequence[Measured]) -> Table:
    columns = ("reader", "questions", "exact match", "F1", "AUROC answerable", "own paragraph above the likest other")
    rows = [
        [
            one.reader,
            f"{one.scores['questions']:,}",
            number(one.scores["exact_match"]),
            number(one.scores["f1"]),
            number(one.scores.get("auroc_answerable"), 3),
            number(one.scores.get("own_above_other"), 3),
        ]
        for one in measured
    ]
    note = (
        "AUROC: by its score, a question's own paragraph against that paragraph of its article which is most like it."
    )
    return Table("Answers", columns, rows, note)


def _choices(measured: Sequence[Measured]) -> Table:
    """The curves, and above them what the best choice would reach."""
    longest = max(len(one.scores["best_of_k"]) for one in measured)
    first = measured[0].scores
    curves = []
    for name, bound, what, pairs in _CHOICES:
        curves += [("any of them", what, first[pairs], first[bound])] if bound in first else []
        curves += [(one.reader, what, one.scores[pairs], one.scores[name]) for one in measured if name in one.scores]
    rows = [
        [reader, what, f"{pairs:,}", *map(number, curve), *[MISSING] * (longest - len(curve))]
        for reader, what, pairs, curve in curves
    ]
    columns = ("reader", "what it chose", "pairs", *(f"k = {k}" for k in range(1, longest + 1)))
    note = "Percent of the pairs: the best of the k lexically closest paragraphs by the reader's own score."
    return Table("Best of k", columns, rows, note, names=2)


def _sureness(measured: Sequence[Measured]) -> Table:
    names = ("auroc_answerable", "auroc_right", "calibration_error")
    rows = [
        [one.reader, f"{one.scores['readings']:,}", *(number(one.scores.get(name), 3) for name in names)]
        for one in measured
    ]
    columns = ("reader", "readings", "AUROC paragraph holds an answer", "AUROC answer is right", "calibration error")
    note = "Calibration error: the mean distance between the probability and the share that is right, in ten bins."
    return Table("How sure it is", columns, rows, note)


def figures(measured: Sequence[Measured]) -> list[Figure]:
    """Of readers on one source."""
    choosing = [one for one in measured if "best_of_k" in one.scores]
    return [_curves(choosing), _reliability(choosing)] if choosing else []


def _curves(measured: Sequence[Measured]) -> Figure:
    def draw(axes: Axes) -> None:
        bound = measured[0].scores["any_of_k"]
        axes.plot(range(1, len(bound) + 1), bound, color="#999999", linestyle="--", label="any of them")
        for i, one in enumerate(measured):
            curve = one.scores["best_of_k"]
            axes.plot(range(1, len(curve) + 1), curve, label=short(one.reader), **line(i))
        axes.set(xlabel="k, lexically closest paragraphs", ylabel="percent that hold an answer", ylim=(0, None))

    return Figure(
        "best-of-k", "Best of k as curves", on_axes(draw, "best-of-k"), "The paragraph with the reader's best score."
    )


def _reliability(measured: Sequence[Measured]) -> Figure:
    def draw(axes: Axes) -> None:
        axes.plot([0, 100], [0, 100], color="#999999", linestyle="--", label="as it says")
        for i, one in enumerate(measured):
            points = one.scores.get("reliability", [])
            said, right = ([100 * point[part] for point in points] for part in (1, 2))
            axes.plot(said, right, label=short(one.reader), **line(i))
        axes.set(xlabel="probability that the reader says, percent", ylabel="percent that are right", ylim=(0, 100))

    note = "A reading is right if its paragraph holds an answer and the answer that was read is one."
    return Figure("reliability", "Reliability curve", on_axes(draw, "reliability"), note)
