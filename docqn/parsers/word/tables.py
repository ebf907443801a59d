"""Tables of a Word document: rows become paragraphs, unless the table is only there for the layout."""

from docqn.build import Block
from docqn.document import NONE
from docqn.parsers.grid import LONGEST_HEAD, Cell, Grid
from docqn.parsers.word.found import Found

_SEVERAL = 3  # paragraphs


class TableCell:
    """A cell that is open, or complete."""

    def __init__(self) -> None:
        self.found: list[Found] = []
        self.columns = 1
        self.continues = False  # the cell above

    def text(self) -> str:
        """Its own text on one line."""
        return " ".join(found.block.text.replace("\n", " ") for found in self.found if not found.in_table)


class Row:
    """A row that is open, or complete."""

    def __init__(self) -> None:
        self.cells: list[TableCell] = []
        self.repeats = False  # on every page, so it holds heads
        self.deleted = False
        self.skipped = 0  # columns before its first cell

    def found(self, text: str) -> list[Found]:
        """The row as a paragraph, and what follows it."""
        inner = [found for cell in self.cells for found in cell.found]
        page = next((found.block.page for found in inner), NONE)
        row = [Found(Block(text, page=page), in_table=True)] if text else []
        return row + [found for found in inner if found.in_table]

    def merge(self, merged: dict[int, str]) -> list[Cell]:
        """Its cells for a grid; those that continue one above have its text, which is kept by column in `merged`."""
        cells = [Cell("", self.skipped)] if self.skipped else []
        column = self.skipped
        for cell in self.cells:
            text = merged.get(column, "") if cell.continues else cell.text()
            merged[column] = text if len(text) <= LONGEST_HEAD else ""
            cells.append(Cell(text, cell.columns))
            column += cell.columns
        return cells

    def is_bold(self) -> bool:
        """Whether all text in it is bold, in more than one cell."""
        found = [cell.found for cell in self.cells if cell.found]
        return len(found) > 1 and all(paragraph.bold for cell in found for paragraph in cell)


class Table:
    """A table that is open."""

    def __init__(self) -> None:
        self.rows: list[Row] = []
        self.has_look = False  # whether its first row is to look as the table's style says
        self.has_head_style = False  # whether the style has a look for it

    def found(self) -> list[Found]:
        """Its rows, each followed by the rows of tables within it; or what stands in the cells of a layout table."""
        rows = [row for row in self.rows if row.cells and not row.deleted]
        if _is_layout(rows):
            return [found for row in rows for cell in row.cells for found in cell.found]
        grid, merged = Grid(), dict[int, str]()
        heads = self._head_rows(rows)
        result: list[Found] = []
        for i, row in enumerate(rows):
            result += row.found(grid.row(row.merge(merged), heads=i < heads))
        return [*result, *Row().found(grid.last())]

    def _head_rows(self, rows: list[Row]) -> int:
        """How many rows at the top hold heads: those repeated on every page, or a first one that looks different."""
        repeated = next((i for i, row in enumerate(rows) if not row.repeats), len(rows))
        if repeated or len(rows) < 2:
            return repeated
        looks_different = (self.has_look and self.has_head_style) or (rows[0].is_bold() and not rows[1].is_bold())
        return int(looks_different and len(rows[0].cells) > 1)


def _is_layout(rows: list[Row]) -> bool:
    """Whether the table holds running text: it has one column, or headings, or one row of several paragraphs a cell."""
    cells = [cell for row in rows for cell in row.cells]
    return (
        all(len(row.cells) == 1 for row in rows)
        or any(found.block.level for cell in cells for found in cell.found)
        or (len(rows) == 1 and any(len(cell.found) >= _SEVERAL for cell in cells))
    )
