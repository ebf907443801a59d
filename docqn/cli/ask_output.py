"""What `docqn ask` shows people: the answer, its place, and the way to it."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from docqn.serving.result import Candidate, Evidence, Result, Shade, Visit
from docqn.serving.wording import account, missing, place, sureness

LONGEST = 1200  # characters of a paragraph that are shown
_SHADES = (
    "",
    "white on color(236)",
    "white on color(58)",
    "white on color(94)",
    "bold white on color(130)",
)  # from little to much attention
_WIDTH = 100


def show(result: Result, trace: bool) -> None:
    """Print the result to standard output, in colours if that is a terminal."""
    console = Console(file=sys.stdout, highlight=False, markup=False, emoji=False)
    console.width = min(console.width, _WIDTH)
    if trace:
        for number, visit in enumerate(result.trace, 1):
            _show_visit(console, number, visit)
        console.print()
    if result.evidence is None:
        _print(console, Text(missing(result), style="bold"))
    else:
        _print(console, Text(result.answer or "", style="bold green"))
        _print(console, Text(sureness(result.score), style="dim"))
        _show_place(console, result.evidence)
    if result.alternatives:
        _show_others(console, "Also possible" if result.evidence else "The likeliest guess", result.alternatives)
    console.print()
    _print(console, Text(account(result), style="dim"))


def _print(console: Console, text: Text, indent: int = 0) -> None:
    """A paragraph, wrapped on a terminal and one line anywhere else."""
    if console.is_terminal:
        console.print(Padding(text, (0, 0, 0, indent)))
    else:
        console.print(Text(" " * indent) + text, soft_wrap=True)


def _show_place(console: Console, evidence: Evidence) -> None:
    console.print()
    _print(console, Text(" › ".join(_line(part) for part in evidence.path), style="cyan"))
    _print(console, Text(place(evidence), style="dim"))
    console.print()
    coloured = console.color_system is not None
    _print(console, marked(evidence, coloured), 2)


def marked(evidence: Evidence, coloured: bool) -> Text:
    """The paragraph with the answer marked; around the answer if it is long. Without colours between » and «."""
    start, end = evidence.start - evidence.paragraph_start, evidence.end - evidence.paragraph_start
    first = max(0, min(start - LONGEST // 2, len(evidence.paragraph) - LONGEST))
    last = max(end, first + LONGEST)
    before, after = evidence.paragraph[first:start], evidence.paragraph[end:last]
    text = Text(("… " if first else "") + before)
    answer = evidence.paragraph[start:end]
    text.append(answer if coloured else f"»{answer}«", style="bold black on yellow")
    return text.append(after + (" …" if last < len(evidence.paragraph) else ""))


def _show_others(console: Console, title: str, others: Sequence[Candidate]) -> None:
    console.print()
    _print(console, Text(f"{title}:", style="bold"))
    for other in others:
        line = Text(f"  {other.answer}")
        line.append(
            f"  {100 * other.score:.0f} %, {_line(other.evidence.path[-1])}, {place(other.evidence)}", style="dim"
        )
        _print(console, line)


def _show_visit(console: Console, number: int, visit: Visit) -> None:
    line = Text().append(f"{number:>3}  ", style="dim")
    line.append(visit.action, style="bold magenta" if visit.action in ("Answer", "Stop") else "bold")
    if visit.value is not None:
        line.append(f" {visit.value:+.2f}")
    line.append(f"  at {visit.kind} {visit.index}: ", style="dim")
    line.append(visit.text)
    _print(console, line)
    if visit.attention:
        _print(console, _shaded(visit.attention, console.color_system is not None), 5)
    if visit.reading:
        reading = Text().append("read: ", style="dim")
        reading.append(visit.reading.answer, style="green").append(f" {100 * visit.reading.score:.0f} %", style="dim")
        _print(console, reading, 5)


def _shaded(shades: Sequence[Shade], coloured: bool) -> Text:
    """The words that were seen, darker where more attention was paid; without colours the foremost ones only."""
    if not coloured:
        foremost = sorted(shades, key=lambda shade: -shade.weight)[:5]
        return Text("attention: " + ", ".join(f"{shade.text} {shade.weight:.2f}" for shade in foremost))
    most = max(shade.weight for shade in shades) or 1.0
    text = Text()
    for shade in shades:
        level = round(shade.weight / most * (len(_SHADES) - 1))
        text.append(shade.text, style=_SHADES[level]).append(" ")
    return text


def _line(text: str) -> str:
    return " ".join(text.split())
