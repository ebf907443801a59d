"""Tables of wikitext, line by line."""

import re
from collections.abc import Iterator

from docqn.build import Block
from docqn.document import NONE
from docqn.parsers.grid import Cell, Grid
from docqn.parsers.passage import Passage

LONGEST_ATTRIBUTES = 500  # characters

_BETWEEN_HEADS = re.compile(r"\|\||!!")
_ATTRIBUTES = re.compile(r"\s*(?:$|[a-zA-Z-]+\s*=)")
_SPANS = [re.compile(rf"\b{name}\s*=\s*[\"']?\s*(\d{{1,4}})", re.IGNORECASE) for name in ("colspan", "rowspan")]


class Table:
    """The row that is open, and the heads so far."""

    def __init__(self) -> None:
        self._grid = Grid()
        self._cells: list[tuple[str, Passage]] = []  # attributes and text of each
        self._line = NONE
        self._all_heads = True

    def add_cells(self, line: str, number: int) -> None:
        """Add the cells of a line that begins with `|` or `!`."""
        heads = line[0] == "!"
        if not self._cells:
            self._line = number
        self._all_heads &= heads
        for cell in _BETWEEN_HEADS.split(line[1:]) if heads else line[1:].split("||"):
            attributes, text = without_attributes(cell)
            self._cells.append((attributes, Passage()))
            self.go_on(text, number)

    def go_on(self, text: str, number: int) -> None:
        """Add a line to the last cell."""
        if self._cells:
            passage = self._cells[-1][1]
            passage.space()
            passage.add_entities(text, number)

    def end_row(self) -> Iterator[Block]:
        """The row so far as a paragraph."""
        if self._cells:
            text = self._grid.row(
                [Cell(passage.text(), *_spans(attributes)) for attributes, passage in self._cells], self._all_heads
            )
            marks = self._grid.marks([passage.marks() for _, passage in self._cells], self._all_heads)
            yield Block(text, 0, self._line, lines=marks)
        self._cells, self._all_heads = [], True

    def end(self) -> Iterator[Block]:
        """The last row, and the heads if no row shows them."""
        yield from self.end_row()
        yield Block(self._grid.last(), 0, self._line)


def without_attributes(cell: str) -> tuple[str, str]:
    """The attributes of a cell or caption, and its text: `style="…" | text`."""
    attributes, bar, text = cell.partition("|")
    if bar and len(attributes) <= LONGEST_ATTRIBUTES and _ATTRIBUTES.match(attributes):
        return attributes, text
    return "", cell


def _spans(attributes: str) -> tuple[int, int]:
    """How many columns and rows a cell fills."""
    columns, rows = (int(match[1]) if (match := span.search(attributes)) else 1 for span in _SPANS)
    return columns, rows
