"""The tables of an article, XHTML or OASIS (CALS) ones, from XML as a stream: a row becomes a paragraph."""

from collections.abc import Callable

from docqn.build import Block, Marks
from docqn.document import NONE
from docqn.errors import ParseError
from docqn.parsers.articles.text import Attributes, Piece, RunningText, passage
from docqn.parsers.grid import Cell, Grid

TABLES = ("table", "array")
ROWS = ("tr", "row")
CELLS = ("td", "th", "entry")
DEEPEST = 50  # tables within one another
PARTS = frozenset(["thead", "tbody", "tfoot", "tgroup", "colspec", *TABLES, *ROWS, *CELLS])


class _Table:
    """A table that is open."""

    def __init__(self, outer: list[Piece]) -> None:
        self.outer = outer  # text so far of the cell that it stands in
        self.grid = Grid()
        self.columns: dict[str, int] = {}  # by name
        self.in_head = False
        self.in_cell = False
        self.row: list[Cell] = []
        self.marks: list[Marks] = []  # lines of each cell's text
        self.only_heads = True  # whether all cells of the row are heads
        self.span = (1, 1)  # columns and rows of the open cell
        self.line = NONE  # of the last row's first text
        self.inner: list[Block] = []  # rows of tables within the row


class ArticleTables:
    """Hears the parts of tables and makes their rows paragraphs; those of a table within a cell follow its row."""

    def __init__(self, source: str, text: RunningText, emit: Callable[[Block], None]) -> None:
        self._source = source
        self._text = text
        self._emit = emit
        self._tables: list[_Table] = []

    @property
    def in_cell(self) -> bool:
        """Whether text belongs to a cell now."""
        return bool(self._tables) and self._tables[-1].in_cell

    def start(self, tag: str, attributes: Attributes) -> None:
        """One of PARTS begins."""
        if tag in TABLES:
            if len(self._tables) == DEEPEST:
                raise ParseError(self._source, f"nests tables more than {DEEPEST} deep")
            self._tables.append(_Table(self._text.take()))
            return
        if not self._tables:
            return
        table = self._tables[-1]
        if tag in ("thead", "tbody", "tfoot"):
            table.in_head = tag == "thead"
        elif tag == "tgroup":
            table.columns = {}
        elif tag == "colspec":
            table.columns[attributes.get("colname", "")] = len(table.columns)
        elif tag in ROWS:
            self._end_row(table)
            table.only_heads = True
        elif tag in CELLS:
            self._text.take()
            table.in_cell = True
            table.only_heads &= tag == "th"
            table.span = _columns(attributes, table.columns), _rows(attributes)

    def end(self, tag: str) -> None:
        """One of PARTS ends."""
        if not self._tables:
            return
        table = self._tables[-1]
        if tag in CELLS and table.in_cell:
            found = passage(self._text.take())
            table.row.append(Cell(found.one_line(), *table.span))
            table.marks.append(found.marks())
            table.in_cell = False
        elif tag in ROWS:
            self._end_row(table)
        elif tag == "thead":
            table.in_head = False
        elif tag in TABLES:
            self._end_row(table)
            self._tables.pop()
            self._text.take()
            self._add([Block(table.grid.last(), line=table.line)])
            for piece in table.outer:
                self._text.add(*piece)

    def _end_row(self, table: _Table) -> None:
        if not table.row:
            return
        heads = table.in_head or table.only_heads
        text = table.grid.row(table.row, heads)
        marks = table.grid.marks(table.marks, heads)
        table.line = marks[0][1] if marks else NONE
        self._tables.pop()  # the row goes to what the table stands in
        self._add([Block(text, line=table.line, lines=marks[1:]), *table.inner])
        self._tables.append(table)
        table.row, table.marks, table.inner = [], [], []

    def _add(self, blocks: list[Block]) -> None:
        """Add rows to the document, or to the row that their table stands in."""
        if self._tables:
            self._tables[-1].inner += blocks
        else:
            for block in blocks:
                self._emit(block)


def _columns(attributes: Attributes, names: dict[str, int]) -> int:
    """How many columns a cell fills."""
    first, last = names.get(attributes.get("namest", "")), names.get(attributes.get("nameend", ""))
    if first is not None and last is not None:
        return last - first + 1
    return _number(attributes.get("colspan", ""))


def _rows(attributes: Attributes) -> int:
    """How many rows a cell fills."""
    return _number(attributes["morerows"]) + 1 if "morerows" in attributes else _number(attributes.get("rowspan", ""))


def _number(text: str) -> int:
    """A number of columns or rows, 1 where it makes no sense."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 6 else 1
