"""Raw HTML within Markdown: its headings, paragraphs and tables, each word with its source line.

A piece of HTML here is seldom whole (`<details>` opens in one piece and closes in another), and an HTML library does
not tell the line of a text; so this reads tags as they come.
"""

import re
from collections.abc import Iterator
from html import unescape

from docqn.build import Block, Marks
from docqn.document import NONE
from docqn.parsers.grid import Cell, Grid
from docqn.parsers.passage import Passage

_MARKUP = re.compile(
    r"<!--.*?(?:-->|\Z)"
    r"|<(script|style|template|svg|math|head)\b.*?(?:</\1\s*>|\Z)"
    r"|<pre\b[^<>]*>(?P<pre>.*?)(?:</pre\s*>|\Z)"
    r"|<[!?][^<>]*>"
    r"|<(?P<close>/?)(?P<name>[a-z][a-z0-9]*)(?P<attributes>(?:[\s/][^<>]*)?)>",
    re.IGNORECASE | re.DOTALL,
)
_TAG = re.compile(r"<[^<>]*>")
_ALT = re.compile(r"""\salt\s*=\s*(?:"([^"]*)"|'([^']*)')""", re.IGNORECASE)
_SPANS = [re.compile(rf"\s{name}\s*=\s*[\"']?(\d{{1,4}})", re.IGNORECASE) for name in ("colspan", "rowspan")]
_INLINE = frozenset(
    """a abbr acronym b bdi bdo big button cite code data del dfn em font i input ins kbd label mark meter output
    picture progress q ruby s samp small source span strike strong sub sup time tt u var wbr""".split()
)
_ROW_ENDS = ("tr", "table", "thead", "tbody", "tfoot")


def html_blocks(source: str, line: int) -> Iterator[Block]:
    """The blocks of a piece of HTML that begins on a line of the source."""
    scan = _Scan()
    at = 0
    for match in _MARKUP.finditer(source):
        scan.passage.add_entities(source[at : match.start()], line)
        line += source.count("\n", at, match.start())
        if match["pre"] is not None:
            begin = line + source.count("\n", match.start(), match.start("pre"))
            yield from scan.end_text()
            scan.passage.add_literal(unescape(_TAG.sub("", match["pre"])), begin)
            yield from scan.end_text()
        elif match["name"]:
            yield from scan.tag(match["name"].lower(), bool(match["close"]), match["attributes"], line)
        line += source.count("\n", match.start(), match.end())
        at = match.end()
    scan.passage.add_entities(source[at:], line)
    yield from scan.tag("table", True, "", line)


def image_text(attributes: str) -> str:
    """What an image's tag says instead of the image."""
    alt = _ALT.search(attributes)
    return (alt[1] or alt[2] or "") if alt else ""


class _Scan:
    """What is open: a passage of text and, in a table, the row so far."""

    def __init__(self) -> None:
        self.passage = Passage()
        self._level = 0
        self._cell: Cell | None = None
        self._row: list[Cell] = []
        self._marks: list[Marks] = []  # of each of its cells
        self._all_heads = True
        self._grid = Grid()

    def tag(self, name: str, closes: bool, attributes: str, line: int) -> Iterator[Block]:
        """What ends with this tag."""
        if name in _INLINE:
            return
        if name == "img":
            self.passage.add_entities(f" {image_text(attributes)} ", line)
        elif name == "br":
            self.passage.line_break()
        elif name in ("td", "th"):
            yield from self.end_text()
            if not closes:
                self._open_cell(name, attributes)
        elif name in _ROW_ENDS:
            yield from self.end_text()
            yield from self._end_row()
            if name == "table":
                yield Block(self._grid.last(), 0, line)
                self._grid = Grid()
        elif self._cell:
            self.passage.space()
        else:
            yield from self.end_text()
            self._level = int(name[1]) if re.fullmatch("h[1-6]", name) and not closes else 0

    def end_text(self) -> Iterator[Block]:
        """The heading or paragraph so far, unless it is a cell: that goes to its row."""
        if self._cell:
            self._row.append(self._cell._replace(text=self.passage.one_line()))
            self._marks.append(self.passage.marks())
            self._cell = None
        else:
            yield self.passage.block(self._level)
        self.passage = Passage()

    def _open_cell(self, name: str, attributes: str) -> None:
        columns, rows = (int(match[1]) if (match := span.search(attributes)) else 1 for span in _SPANS)
        self._cell = Cell("", columns, rows)
        self._all_heads &= name == "th"

    def _end_row(self) -> Iterator[Block]:
        if self._row:
            text = self._grid.row(self._row, self._all_heads)
            marks = self._grid.marks(self._marks, self._all_heads)
            yield Block(text, 0, marks[0][1] if marks else NONE, lines=marks[1:])
        self._row, self._marks, self._all_heads = [], [], True
