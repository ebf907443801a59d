"""Accuracy against tokens read: what a policy makes of each reading budget."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from docqn.evaluation.report.drawing import Figure, line, on_axes, short
from docqn.evaluation.report.load import Evaluation

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_LEAST = 0.1  # percent; the axis is logarithmic


class Point(NamedTuple):
    """A row at one limit of tokens."""

    tokens: float  # percent of the document's
    accuracy: float
    note: str  # what sets it apart in its line


def lines(evaluation: Evaluation) -> dict[str, list[Point]]:
    """By name, fewest tokens first: a row at several limits is a line, and so are policies that differ in a number
    alone, as read-best:3 and read-best:8. Oracles are no rivals."""
    together = (evaluation, *evaluation.limited)
    at = [(one.limit.removesuffix(" of the tokens"), row) for one in together for row in one.rows]
    rivals = [(limit, row) for limit, row in at if not row.name.startswith("oracle")] or at
    limited = {row.name for limit, row in rivals if limit != at[0][0]}
    families: dict[str, set[str]] = {}
    for _, row in rivals:
        families.setdefault(_family(row.name), set()).add(row.name)
    found: dict[str, list[Point]] = {}
    for limit, row in rivals:
        family = _family(row.name)
        number = row.name.removeprefix(family).removeprefix(":")
        alone = row.name in limited or len(families[family] - limited) < 2
        point = float(row.values("tokens_read").mean()), float(row.values(evaluation.main).mean())
        found.setdefault(row.name if alone else f"{family}:…", []).append(Point(*point, limit if alone else number))
    return {name: sorted(points) for name, points in found.items()}


def _family(name: str) -> str:
    """A policy's name without its number."""
    policy, _, number = name.partition(":")
    return policy if number.replace(".", "", 1).isdecimal() else name


def reading(evaluation: Evaluation) -> Figure:
    """All policies, as points; those of a line are joined."""
    found = lines(evaluation)
    least = min(max(points[0].tokens, _LEAST) for points in found.values())

    def draw(axes: Axes) -> None:
        for i, (name, points) in enumerate(found.items()):
            x, y = [max(point.tokens, _LEAST) for point in points], [point.accuracy for point in points]
            axes.plot(x, y, label=short(name), markersize=7, linewidth=1, clip_on=False, **line(i))
            for point, across, up in zip(points, x, y, strict=True):
                axes.annotate(point.note, (across, up), (4, 4), textcoords="offset points", fontsize=7)
        axes.set_xscale("log")
        axes.set_xticks([1, 2, 5, 10, 20, 50, 100], ["1", "2", "5", "10", "20", "50", "100"])
        axes.minorticks_off()
        axes.set_xlim(min(1.0, least) * 0.8, 110)
        axes.set(xlabel="tokens read, percent of the document", ylim=(0, None))
        axes.set_ylabel(f"{evaluation.main.replace('_', ' ')}, percent")
        axes.grid(color="#eeeeee")

    note = (
        "A line joins what a policy does with different limits of tokens, or policies that differ in a number alone; "
        "it stands beside the point. What an index over the document takes is not counted among the tokens read."
    )
    return Figure("reading", "Accuracy against tokens read", on_axes(draw, "reading"), note)
