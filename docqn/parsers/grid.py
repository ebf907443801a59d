"""Rows of a table with merged cells and heads, one at a time."""

from collections.abc import Sequence
from typing import NamedTuple

from docqn.build import Marks
from docqn.parsers.tables import BETWEEN_CELLS, row_with_offsets

MOST_COLUMNS = 1000  # that merged cells fill
MOST_REPEATED, REPEATED_PER_CELL = 1000, 10  # cells said again in further rows; more is no table that anyone made
LONGEST_HEAD = 200  # characters; what is longer names no column, and is not said again in further rows


class Cell(NamedTuple):
    """What a cell holds, and how many columns and rows it fills."""

    text: str
    columns: int = 1
    rows: int = 1


class Grid:
    """Knows what column each cell stands in, which cells reach down from rows above, and the heads so far."""

    def __init__(self) -> None:
        self._heads: list[str] = []
        self._heading = False  # whether the row before was one of heads
        self._reaching: dict[int, Cell] = {}  # by column, cells that fill rows to come; `rows` says how many
        self._patience = MOST_REPEATED
        self._columns: list[int] = []  # of the cells of the row before
        self._offsets: list[tuple[int, int]] = []  # in its text, by column: with its head, and its own

    def row(self, cells: Sequence[Cell], heads: bool = False) -> str:
        """The text of a row as a paragraph. A row of heads has none, unless it is one cell across the table."""
        if heads and len(cells) == 1 and (self._heads or cells[0].columns > 1):
            self._lay(cells)
            return cells[0].text
        if not heads:
            self._heading = False
            text, self._offsets = row_with_offsets(self._heads, self._lay(cells))
            return text
        above = self._heads if self._heading else []
        laid = self._lay(cells, across=True)
        self._heads = [_under(above[i] if i < len(above) else "", text) for i, text in enumerate(laid)]
        self._heading = True
        return ""

    def marks(self, cells: Sequence[Marks], heads: bool = False) -> Marks:
        """Where the text of the row that came last goes on to another line, from where that of each cell does."""
        offsets = [(0, 0)] if heads else [self._offsets[column] for column in self._columns]
        return tuple(
            (own + at if at else begin, line)
            for (begin, own), marks in zip(offsets, cells, strict=False)
            for at, line in marks
        )

    def heads(self) -> list[str]:
        """The head of each of its cells; empty where there is none."""
        return [self._heads[column] if column < len(self._heads) else "" for column in self._columns]

    def last(self) -> str:
        """The heads as a paragraph, if no row has come after them."""
        return BETWEEN_CELLS.join(filter(None, dict.fromkeys(self._heads))) if self._heading else ""

    def _lay(self, cells: Sequence[Cell], across: bool = False) -> list[str]:
        """The text in each column. A cell stands in its first or `across` all of them, in every row it reaches."""
        laid: list[str] = []
        columns: list[int] = []
        above, self._reaching = self._reaching, {}
        if not above and all(cell.columns == 1 == cell.rows for cell in cells):
            self._columns = list(range(len(cells)))
            return [cell.text for cell in cells]
        self._patience += REPEATED_PER_CELL * len(cells) - len(above)
        if self._patience < 0:
            above = {}

        def put(cell: Cell) -> None:
            if cell.rows > 1:
                text = cell.text if len(cell.text) <= LONGEST_HEAD else ""
                self._reaching[len(laid)] = Cell(text, cell.columns, cell.rows - 1)
            width = max(1, min(cell.columns, MOST_COLUMNS - len(laid)))
            laid.extend([cell.text] * width if across else [cell.text, *[""] * (width - 1)])

        for cell in cells:
            while len(laid) in above:
                put(above.pop(len(laid)))
            columns.append(len(laid))
            put(cell)
        for column in sorted(above):
            if column >= len(laid):
                laid.extend([""] * (column - len(laid)))
                put(above[column])
        self._columns = columns
        return laid


def _under(above: str, head: str) -> str:
    """A head below another: `Group` over `Mean` is `Group Mean`."""
    joined = f"{above} {head}".strip() if head != above else head
    return joined if len(joined) <= LONGEST_HEAD else head if len(head) <= LONGEST_HEAD else ""
