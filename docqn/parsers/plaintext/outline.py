"""Outlines: texts whose every line is an entry, and whose indentation is their only structure."""

from collections.abc import Sequence

from docqn.parsers.plaintext.lines import Line, Run
from docqn.parsers.plaintext.paragraphs import is_item
from docqn.parsers.plaintext.titles import FEWEST_ALONE, OUTLINE, Found, Heading, is_title


def outline(lines: Sequence[Line]) -> tuple[list[Run], Found] | None:
    """A run for each line, and those with deeper lines below them as headings; None if the text is no outline.

    It is one if all such lines are titles without list marks, if every line stands as deep as one above it or deeper
    than the last, and if half of the lines or more are indented.
    """
    inked = [line for line in lines if line.text]
    depths: list[int] = []
    indents: list[int] = []  # of the lines above that are still open
    for line in inked:
        while indents and indents[-1] > line.indent:
            indents.pop()
        if not indents or indents[-1] < line.indent:
            if depths and depths[-1] != len(indents) - 1:
                return None  # between two depths
            indents.append(line.indent)
        depths.append(len(indents) - 1)
    above = [i for i in range(len(inked) - 1) if depths[i + 1] > depths[i]]
    if len(above) < FEWEST_ALONE or 2 * depths.count(0) > len(inked):
        return None
    if not all(is_title(inked[i].text) and not is_item(inked[i]) for i in above):
        return None
    runs = [Run(inked[i : i + 1], 0) for i in range(len(inked))]
    return runs, {i: Heading(inked[i].text, OUTLINE + depths[i]) for i in above}
