"""A table in the making: each row becomes a paragraph with the heads of its columns, unless it lays out the page."""

from __future__ import annotations

import re
from bisect import bisect_left
from typing import NamedTuple

from docqn.build import Block, Marks
from docqn.parsers.grid import LONGEST_HEAD, Cell, Grid

MOST_IN_CELL = 12  # blocks in a cell of a row that becomes one paragraph
LONGEST_LIST = 300  # characters of a cell with more than one block
LONGEST_LABEL = 50  # characters of a cell that is not marked as a head, but says what the next one is
MOST_ROWS_OF_HEADS = 4
MOST_REPEATED = 4 << 20  # characters of heads said again in further rows of a table; then it goes on without
_SENTENCE_ENDS = (".", "!", "?", ":", ";", ",")
_GOES_ON = (*_SENTENCE_ENDS, *"-–—/&(", " of", " the", " and", " or", " in", " to", " for", " de", " von")
_FIGURE = re.compile(r"[\d\W]*\d[\d\W]*")
_QUOTATION_MARKS = "\"'“”„«»‘’ "  # big ones that decorate a quotation stand in cells of their own


class _Cell(NamedTuple):
    """A cell, and which of all blocks are in it."""

    head: bool
    bold: bool
    columns: int
    rows: int
    first: int
    last: int
    holds_table: bool  # of several rows


class _Saying(NamedTuple):
    """What a cell says on one line, and where in it each line of the source begins."""

    text: str
    marks: Marks


_SILENCE = _Saying("", ())


class Table:
    """Turns the blocks of each row into one, in the lists of all blocks and of their zones, when the row ends."""

    def __init__(
        self, blocks: list[Block], zones: list[int], lays_out: bool, labelled: bool, depth: int, outer: Table | None
    ) -> None:
        self.depth = depth  # where it is in the stack of open elements
        self.outer = outer  # the table that it stands in
        self.in_head = False  # within `thead`
        self.rows = 0  # of several cells
        self._lays_out = lays_out
        self._labelled = labelled  # the first of two cells says what the second is
        self._blocks = blocks
        self._zones = zones
        self._open: tuple[bool, bool, int, int] | None = None  # the open cell: a head?, in bold?, columns, rows
        self._first = 0  # block in it
        self._holds_table = False
        self._row: list[_Cell] = []
        self._waiting: list[list[_Cell]] = []  # rows that may be heads, or the only row
        self._count = 0  # rows
        self._grid = Grid()
        self._has_heads = False
        self._repeated = 0

    @property
    def begins(self) -> bool:
        """Whether a row of heads may come next."""
        return not (self.rows or self._waiting)

    def open_cell(self, head: bool, bold: bool, columns: int, rows: int) -> None:
        """Begin a cell."""
        self.close_cell()
        self._open = head, bold, columns, rows
        self._first = len(self._blocks)
        self._holds_table = False

    def hold_table(self) -> None:
        """A table of several rows stands in the open cell, if one is open."""
        self._holds_table = True

    def close_cell(self) -> None:
        """End the open cell, if one is open."""
        if self._open:
            self._row.append(_Cell(*self._open, self._first, len(self._blocks), self._holds_table))
            self._open = None

    def close_row(self) -> None:
        """End the open row."""
        self.close_cell()
        row = self._row
        if not row:
            return
        self._row = []
        if self._lays_out:
            return
        self._count += 1
        if self.in_head or (self.begins and self._is_bold(row)):
            row = [cell._replace(head=True) for cell in row]
        if self._count == 2 and self._waiting and not _has_head(self._waiting[0]):
            row = _moved(row, self._settle(as_heads=False))
        heads = _has_head(row)
        if len(row) == 1 and (row[0].head or row[0].columns > 1):
            self._merge(row)
        elif heads and self._are_heads(row):
            self._waiting.append(row)
            if len(self._waiting) > MOST_ROWS_OF_HEADS:
                self._settle(as_heads=False)
        elif heads or self._count > 1 or len(row) == 1:
            self._merge(_moved(row, self._settle(as_heads=True)))
        else:  # alone, a row of plain cells lays out a page, such as a list in columns
            self._waiting.append(row)

    def close(self) -> None:
        """End the table."""
        self.close_row()
        if self._count > 1 or (self._waiting and _has_head(self._waiting[0])):
            self._settle(as_heads=False)
        elif self._waiting:
            self._keep_spoken(self._waiting[0])

    def _settle(self, as_heads: bool) -> int:
        """Take the rows that wait for heads, or for paragraphs. Returns how far the blocks after them have moved."""
        waiting, self._waiting = self._waiting, []
        size = len(self._blocks)
        for row in waiting:
            row = _moved(row, len(self._blocks) - size)
            if not as_heads:
                self._merge(row)
                continue
            sayings = [self._say(cell) or _SILENCE for cell in row]
            self._grid.row(_cells(row, sayings), heads=True)
            self._has_heads = True
            self._put(row[0].first, row[-1].last, [])
        return len(self._blocks) - size

    def _merge(self, row: list[_Cell]) -> None:
        """Put one paragraph in place of the blocks of a row."""
        sayings = []
        filled = []
        for cell in row:
            said = self._say(cell)
            if said is None:
                self._keep(row)
                return
            sayings.append(said)
            if said.text:
                filled.append(cell)
        spread = len(row) == 1 and (row[0].head or row[0].columns > 1)
        if spread or (len(filled) < 2 and not self._has_heads):
            self._lay(row)
            self._keep_spoken(row)
            return
        if self._is_labelled(row, sayings):
            row, sayings = _with_label(row, sayings)
        self._put(row[0].first, row[-1].last, self._paragraph(row, sayings))
        self.rows += 1

    def _keep_spoken(self, row: list[_Cell]) -> None:
        """Leave the blocks of a row as they are, without cells that only decorate."""
        if any(cell.first < cell.last and self._say(cell) == _SILENCE for cell in row):
            spoken = (cell for cell in row if self._say(cell) != _SILENCE)
            kept = [block for cell in spoken for block in self._blocks[cell.first : cell.last]]
            self._put(row[0].first, row[-1].last, kept)

    def _say(self, cell: _Cell) -> _Saying | None:
        """What a cell says on one line; None if that is too much for a row, or holds a heading or a table."""
        if cell.holds_table:
            return None
        if cell.first == cell.last:
            return _SILENCE
        if cell.last - cell.first > MOST_IN_CELL:
            return None
        blocks = self._blocks[cell.first : cell.last]
        if len(blocks) == 1:
            block = blocks[0]
            if block.level:
                return None
            text, more = (block.text, block.lines) if "\n" not in block.text else _on_one_line(block)
            if len(text) <= 3 and not text.strip(_QUOTATION_MARKS):
                return _SILENCE
            return _Saying(text, ((0, block.line), *more))
        if any(block.level for block in blocks):
            return None
        said = _say_all(blocks)
        return said if len(said.text) <= LONGEST_LIST else None

    def _is_bold(self, row: list[_Cell]) -> bool:
        """Whether all cells that say something are in bold, and there are several."""
        spoken = [cell for cell in row if self._say(cell) != _SILENCE]
        return len(spoken) > 1 and all(cell.bold for cell in spoken)

    def _are_heads(self, row: list[_Cell]) -> bool:
        """Whether the cells may be the heads of rows to come."""
        figures = 0
        for cell in row:
            said = self._say(cell)
            if said is None or len(said.text) > LONGEST_HEAD or not (cell.head or not said.text):
                return False
            figures += bool(_FIGURE.fullmatch(said.text))
        return not self.rows or 2 * figures < len(row)  # else a row of totals

    def _is_labelled(self, row: list[_Cell], sayings: list[_Saying]) -> bool:
        """Whether the first cell says what the second one is."""
        if self._has_heads or len(row) < 2 or row[0].rows > 1:
            return False
        label = sayings[0].text
        if not label or not sayings[1].text:
            return False
        if row[0].head and not row[1].head:
            return True
        if len(row) != 2 or len(label) > LONGEST_LABEL or ":" in label[:-1]:
            return False
        return self._labelled or label[-1] == ":"

    def _paragraph(self, row: list[_Cell], sayings: list[_Saying]) -> list[Block]:
        """The row as a paragraph, if it says anything."""
        text = self._grid.row(_cells(row, sayings))
        self._spend(len(text) - sum(len(said.text) for said in sayings))
        marks = self._grid.marks([said.marks for said in sayings])
        return [Block(text, line=marks[0][1], lines=marks[1:])] if marks else []

    def _keep(self, row: list[_Cell]) -> None:
        """Leave the blocks of a row as they are, but give the first of each cell its column's head."""
        self._lay(row)
        self.rows += len(row) > 1
        for cell, head in zip(row, self._grid.heads(), strict=True):
            if head and cell.first < cell.last and not self._blocks[cell.first].level:
                self._blocks[cell.first] = prefixed(f"{head}: ", self._blocks[cell.first])
                self._spend(len(head))

    def _lay(self, row: list[_Cell]) -> None:
        """Let the grid know of cells that are no part of a paragraph."""
        self._grid.row([Cell("", cell.columns, cell.rows) for cell in row])

    def _spend(self, repeated: int) -> None:
        self._repeated += repeated
        if self._repeated > MOST_REPEATED:
            self._grid, self._has_heads, self._repeated = Grid(), False, 0

    def _put(self, first: int, last: int, blocks: list[Block]) -> None:
        zone = self._zones[first] if first < len(self._zones) else 0
        self._blocks[first:last] = blocks
        self._zones[first:last] = [zone] * len(blocks)


def _has_head(row: list[_Cell]) -> bool:
    return any(cell.head for cell in row)


def _moved(row: list[_Cell], by: int) -> list[_Cell]:
    """The cells after their blocks have moved."""
    return [cell._replace(first=cell.first + by, last=cell.last + by) for cell in row] if by else row


def _cells(row: list[_Cell], sayings: list[_Saying]) -> list[Cell]:
    return [Cell(said.text, cell.columns, cell.rows) for cell, said in zip(row, sayings, strict=True)]


def _say_all(blocks: list[Block]) -> _Saying:
    """Several blocks as one saying."""
    text, marks = "", list[tuple[int, int]]()
    for block in blocks:
        if text:
            text += " " if text.endswith(_SENTENCE_ENDS) else "; "
        line, more = _on_one_line(block)
        marks.append((len(text), block.line))
        marks += [(len(text) + at, number) for at, number in more]
        text += line
    return _Saying(text, tuple(marks))


def _on_one_line(block: Block) -> tuple[str, Marks]:
    """A block's text, with commas for line breaks that seem to divide a list, and where in it its lines begin."""
    text, added = "", list[int]()  # the places in the block's text that commas are put before
    for line in block.text.split("\n"):
        if text and line[:1].isalnum() and not line[0].islower() and not text.endswith(_GOES_ON):
            added.append(len(text) - len(added))
            text += ","
        text += (" " if text else "") + line
    return text, tuple((at + bisect_left(added, at), number) for at, number in block.lines)


def _with_label(row: list[_Cell], sayings: list[_Saying]) -> tuple[list[_Cell], list[_Saying]]:
    """The row with its first two cells as one: `label: value`."""
    (label, label_marks), (value, value_marks) = sayings[:2]
    before = label.rstrip(" :") + ": "
    marks = *label_marks, *((len(before) + at, line) for at, line in value_marks)
    both = row[0]._replace(columns=row[0].columns + row[1].columns, last=row[1].last)
    return [both, *row[2:]], [_Saying(before + value, marks), *sayings[2:]]


def prefixed(prefix: str, block: Block) -> Block:
    """The block with something before its text."""
    return block._replace(text=prefix + block.text, lines=tuple((len(prefix) + at, line) for at, line in block.lines))
