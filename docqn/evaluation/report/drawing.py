"""Drawings as SVG, by matplotlib: the same text each time, and nothing outside it."""

from __future__ import annotations

from collections.abc import Callable
from io import StringIO
from typing import TYPE_CHECKING, Any, NamedTuple

from docqn.errors import DocqnError

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Canvas

COLOURS = ("#1f5fa8", "#d1495b", "#2e8b57", "#e08e0b", "#6a4c93", "#11999e", "#8d5524", "#555555")
LONGEST_NAME = 44  # in a legend
_MARKERS = "os^Dv<>P"
_STYLE: dict[Any, Any] = {
    "font.size": 9,
    "svg.fonttype": "none",
    "axes.spines.top": False,
    "axes.spines.right": False,
}


class Figure(NamedTuple):
    """A picture and what it shows."""

    name: str  # of a file
    title: str
    svg: str
    note: str = ""


def on_axes(draw: Callable[[Axes], None], name: str) -> str:
    """What is drawn on one pair of axes, with a legend beside it, as an SVG element."""

    def compose(canvas: Canvas) -> None:
        draw(canvas.add_subplot())
        canvas.legend(loc="outside right upper", frameon=False, fontsize=8)

    return on_canvas(compose, name, 3.8)


def on_canvas(compose: Callable[[Canvas], None], name: str, height: float) -> str:
    """What is drawn on a canvas, nine inches wide, as an SVG element."""
    try:
        from matplotlib import rc_context
        from matplotlib.figure import Figure as Canvas
    except ImportError:
        raise DocqnError("figures need matplotlib: install docqn with its extra `report`") from None
    with rc_context({**_STYLE, "svg.hashsalt": name}):
        canvas = Canvas(figsize=(9, height), layout="constrained")
        compose(canvas)
        text = StringIO()
        canvas.savefig(text, format="svg", metadata={"Date": None})
    return text.getvalue()[text.getvalue().index("<svg") :]


def short(name: str) -> str:
    """A name with its middle left out if it would take the room of the figure."""
    half = LONGEST_NAME // 2
    return name if len(name) <= LONGEST_NAME else f"{name[:half]}…{name[-half:]}"


def line(i: int) -> dict[str, Any]:
    """How the lines of one are told from those of others."""
    style = ("-", "--", ":")[i // len(COLOURS) % 3]
    return {
        "color": COLOURS[i % len(COLOURS)],
        "marker": _MARKERS[(i + i // len(COLOURS)) % len(_MARKERS)],
        "linestyle": style,
    }
