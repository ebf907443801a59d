"""From the tokens of a page to its blocks: tags say where a block ends and what it is."""

import re
from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

from docqn.build import Block
from docqn.parsers.webpage.attributes import PLAIN, TELLING_NAMES, Verdict, judge, parse
from docqn.parsers.webpage.run import Run, characters
from docqn.parsers.webpage.skip import CONTAINERS, HEADINGS, ROW_GROUPS, ROW_PARTS, VOID, skip
from docqn.parsers.webpage.table import Table, prefixed
from docqn.parsers.webpage.tags import Tag, Tags

REACH = 256  # open elements among which an end tag looks for its own; no page that anyone made leaves more unclosed
MOST_COLUMNS, MOST_ROWS = 100, 65534  # that a cell fills
_NONE = -2  # no block: neither one of the list nor the one before its first

_SKIPPED = "annotation annotation-xml audio button canvas datalist noscript select svg template video".split()
_HAVE_FOOTERS = ("blockquote", "figure")  # which name who said it
_ENDS_HEADING = frozenset(["p", "ul", "ol", "dl", "li", "dt", "dd", "table", "pre", "blockquote", "hr", *ROW_PARTS])

_SUPERSCRIPT_MARK = re.compile(  # after `<sup>`: [1], [note 2], or a link within the page that is as short
    r"""\s*(?:<(?!/sup)[^<>]*>\s*){0,3}(?:\[|&\#91;|&\#x5b;)(?:<(?!/sup)[^<>]*>\s*){0,3}[^<>\[\]]{1,24}(?:<(?!/sup)[^<>]*>){0,3}(?:\]|&\#93;|&\#x5d;)
    |\s*<a\b[^<>]*?href\s*=\s*["']?\#[^<>]*>\s*(?:<[^<>/]*>){0,3}[\w*†‡§]{1,4}\s*</""",
    re.VERBOSE | re.IGNORECASE,
)
_LINKED_MARK = re.compile(r"\s*(?:\[\w{1,4}\]|[¶#§🔗])\s*</a", re.IGNORECASE)  # after `<a href="#…">`
_NUMBER = re.compile(r"\s*(?:[-+−–]|&minus;|&\#8722;)?[0-9]+\s*</sup")  # 10<sup>6</sup> is not 106
_FRACTION = re.compile(r"[^<]*</sup>(?:\s*<[^<>/]*>){0,2}\s*(?:⁄|&frasl;|&\#8260;|/\s*<sub\b)", re.IGNORECASE)  # 7 1/2
_BOLD_CELL = re.compile(
    r"""\s*(?:<(?:font|center|span|p|div|a|i|small|big)\b[^<>]*>\s*){0,3}<(b|strong)\b[^<>]*>[^<>]*
    (?:<(?!/?(?:b|strong|td|th|tr|table)\b)[^<>]*>[^<>]*){0,8}</\1>\s*(?:<br\b[^<>]*>\s*)?
    (?:</(?:font|center|span|p|div|a|i|small|big)>\s*){0,3}(?=</?(?:td|th|tr)\b)""",
    re.VERBOSE | re.IGNORECASE,
)
_WORD = re.compile(r"[^\W\d_]{2}")
_HEADING_NEXT = re.compile(r"(?:\s*<(?!/|h[1-6])[^<>]*>){0,4}\s*<h[1-6][\s>]", re.IGNORECASE)


class Zone(NamedTuple):
    """A part of the page that may be left out, or that alone may be kept, and where it is in the source."""

    kind: str
    outer: int  # the zone that it stands in
    begin: int = 0
    end: int = 0


class Walker:
    """Reads a page once. What hears a tag returns another tag if it has read on to one that is still to be heard."""

    def __init__(self, source: str, keep_hidden: bool = False) -> None:
        self.blocks: list[Block] = []
        self.zones: list[int] = []  # of each block, as a position in `all_zones`
        self.all_zones = [Zone("", 0)]
        self.language = ""
        self._keep_hidden = keep_hidden
        self._tags = Tags(source)
        self._following = iter(self._tags)
        self._texts = self._tags.texts
        self._run = Run(self._tags)
        self._stack = [""]  # names of the open elements that hold blocks
        self._closing: list[tuple[int, Callable[[], None]]] = [(0, _nothing)]  # what to do when the stack gets so short
        self._in = ""  # the paragraph, item, term or cell that has begun last, if it may still be open
        self._zone = 0
        self._literal = False  # within `pre`
        self._table: Table | None = None
        self._in_term = False
        self._term = _NONE  # the block that is the last `dt`
        self._definition = _NONE  # the block that is to be the first of a `dd`

    @property
    def title(self) -> str:
        """The title in the head of the page."""
        return " ".join(characters(self._tags.title).split())

    def walk(self) -> None:
        """Find all blocks."""
        for tag in self._following:
            rest: Tag | None = tag
            while rest:
                name, attributes = rest
                rest = _HEARERS.get(name, Walker._inline)(self, name, attributes)
        if self._texts:
            self._emit()
        self._close(1)

    # Blocks

    def _open(self, name: str, attributes: str) -> Tag | None:
        """An element that holds blocks."""
        if self._texts:
            self._emit()
        self._in = ""
        if attributes or name in TELLING_NAMES:
            verdict = judge(name, attributes)
            if verdict is not PLAIN:
                return self._follow(verdict, name)
        self._stack.append(name)
        return None

    def _follow(self, verdict: Verdict, name: str) -> Tag | None:
        """Do with an element what its attributes say."""
        if verdict.hidden and not self._keep_hidden:
            return self._skip(name)
        if verdict.level:
            return self._read_heading(name, verdict.level)
        if name in CONTAINERS:
            self._stack.append(name)
            if verdict.zone and not (name == "footer" and any(map(self._find, _HAVE_FOOTERS))):
                self.all_zones.append(Zone(verdict.zone, self._zone, self._tags.place))
                self._zone = len(self.all_zones) - 1
                self._closing.append((len(self._stack) - 1, self._close_zone))
        return None

    def _close_zone(self) -> None:
        zone = self.all_zones[self._zone]
        self.all_zones[self._zone] = zone._replace(end=self._tags.place)
        self._zone = zone.outer

    def _end(self, name: str, attributes: str) -> None:
        if self._texts:
            self._emit()
        self._in = ""
        name = name[1:]
        stack = self._stack
        depth = len(stack) - 1 if stack[-1] == name else self._find(name)
        if depth:
            self._close(depth)

    def _open_text(self, name: str, attributes: str) -> Tag | None:
        """A paragraph or an item."""
        if self._texts:
            self._emit()
        self._in = name
        if attributes:
            verdict = judge(name, attributes)
            if verdict is not PLAIN:
                return self._follow(verdict, name)
        return None

    def _end_text(self, name: str, attributes: str) -> None:
        if self._texts:
            self._emit()
        self._in = ""

    def _open_heading(self, name: str, attributes: str) -> Tag | None:
        if self._texts:
            self._emit()
        self._in = ""
        return self._follow(judge(name, attributes), name)

    def _read_heading(self, root: str, level: int) -> Tag | None:
        """Read on to the end of a heading. Blocks in it are part of it, unless they show that it was never closed."""
        self._tags.all = root not in CONTAINERS and root not in HEADINGS
        rest = None
        depth = 0  # elements open within that end tags may mean
        for tag in self._following:
            rest = tag
            ends = False
            while rest and not ends:
                rest, ends, depth = self._hear_in_heading(rest, root, depth)
            if ends:
                break
        self._tags.all = False
        self._emit(level)
        return rest

    def _hear_in_heading(self, tag: Tag, root: str, depth: int) -> tuple[Tag | None, bool, int]:
        """What is still to be heard after a tag in a heading, whether the heading ends, and the new depth."""
        name, attributes = tag
        if name in HEADINGS or (name in _ENDS_HEADING and self._texts):
            return tag, True, 0
        if name[0] != "/":
            hidden = self._is_hidden(name, attributes) and "backlink" not in attributes  # to the table of contents
            if hidden or (name in _SKIPPED and (name != "button" or _WORD.search(" ".join(self._texts)))):
                rest = self._skip(name)
                self._tags.all = root not in CONTAINERS and root not in HEADINGS
                return rest, False, depth
            opens = name in CONTAINERS or name == root
            if opens or name == "br":
                self._tags.gather(" ", self._tags.place)
            return None, False, depth + opens
        name = name[1:]
        if not depth and (name == root or (name in HEADINGS and root in HEADINGS)):
            return None, True, 0
        if name in CONTAINERS or name == root:
            if not depth and self._find(name):
                return tag, True, 0
            depth = max(0, depth - 1)
            self._tags.gather(" ", self._tags.place)
        return None, False, depth

    def _break(self, name: str, attributes: str) -> None:
        if self._literal:
            self._run.literal_break()
        elif self._run.line_break():
            self._emit()

    def _open_literal(self, name: str, attributes: str) -> Tag | None:
        depth = len(self._stack)
        rest = self._open(name, attributes)
        if len(self._stack) > depth and not self._literal:
            self._literal = True
            self._closing.append((depth, self._close_literal))
        return rest

    def _close_literal(self) -> None:
        self._literal = False

    # Definitions: one begins with its term, as one paragraph

    def _open_term(self, name: str, attributes: str) -> Tag | None:
        rest = self._open_text(name, attributes)
        self._in_term = True
        return rest

    def _open_definition(self, name: str, attributes: str) -> Tag | None:
        rest = self._open_text(name, attributes)
        self._in_term = False
        self._definition = len(self.blocks) if self._term == len(self.blocks) - 1 else _NONE
        return rest

    def _end_definition(self, name: str, attributes: str) -> None:
        self._end_text(name, attributes)
        self._definition = _NONE

    def _open_definitions(self, name: str, attributes: str) -> Tag | None:
        rest = self._open(name, attributes)
        self._term = self._definition = _NONE
        return rest

    def _end_definitions(self, name: str, attributes: str) -> None:
        self._end(name, attributes)
        self._in_term = False
        self._term = self._definition = _NONE

    # Tables

    def _open_table(self, name: str, attributes: str) -> Tag | None:
        depth = len(self._stack)
        rest = self._open(name, attributes)
        if len(self._stack) > depth:
            found = parse(attributes)
            classes = found.get("class", "").split()
            lays_out = found.get("role") in ("presentation", "none") or "gallery" in classes
            labelled = not {"infobox", "vcard"}.isdisjoint(classes)
            self._table = Table(self.blocks, self.zones, lays_out, labelled, depth, self._table)
            self._term = self._definition = _NONE
            self._closing.append((depth, self._close_table))
        return rest

    def _close_table(self) -> None:
        if table := self._table:
            table.close()
            self._table = table.outer
            if table.outer and table.rows > 1:
                table.outer.hold_table()

    def _open_row(self, name: str, attributes: str) -> Tag | None:
        """A row, a part of the table that holds rows, or its caption."""
        self._end_row(name, attributes)
        if self._table:
            if name != "tr":
                self._table.in_head = name == "thead"
            return self._open_text(name, attributes)
        return None

    def _end_row(self, name: str, attributes: str) -> None:
        if self._texts:
            self._emit()
        self._in = ""
        if self._table:
            if len(self._stack) > self._table.depth + 1:
                self._close(self._table.depth + 1)
            self._table.close_row()

    def _end_rows(self, name: str, attributes: str) -> None:
        self._end_row(name, attributes)
        if self._table:
            self._table.in_head = False

    def _open_cell(self, name: str, attributes: str) -> Tag | None:
        if self._texts:
            self._emit()
        table = self._table
        if table and len(self._stack) > table.depth + 1:
            self._close(table.depth + 1)
        self._in = name
        if table:
            columns, rows = _spans(attributes) if attributes else (1, 1)
            bold = name == "td" and table.begins and self._is_next(_BOLD_CELL)
            table.open_cell(name == "th", bold, columns, rows)
        if attributes:
            verdict = judge(name, attributes)
            if verdict is not PLAIN:
                return self._follow(verdict, name)
        return None

    # Elements of running text

    def _open_label(self, name: str, attributes: str) -> Tag | None:
        """The label of a tab or a field stands apart from the one before it."""
        if self._texts:
            self._tags.gather(" ", self._tags.place)
        return self._inline(name, attributes)

    def _inline(self, name: str, attributes: str) -> Tag | None:
        if name[0] == "/" or name in VOID:
            if name == "img" and attributes:
                self._image(attributes)
        elif self._is_hidden(name, attributes):
            if "sr-only" in attributes and self._follows_digit():  # the plus sign of a mixed fraction
                self._tags.gather(" ", self._tags.place)
            return self._skip(name)
        elif name == "sup" and self._follows_digit() and self._is_next(_NUMBER):
            self._tags.gather(" " if self._is_next(_FRACTION) else "^", self._tags.place)
        elif attributes and (level := judge(name, attributes).level):
            if self._texts:
                self._emit()
            return self._read_heading(name, level)
        return None

    def _is_hidden(self, name: str, attributes: str) -> bool:
        """Whether an element of running text is hidden, or the mark of a footnote, or a link to its own heading."""
        if name == "sup" and self._is_next(_SUPERSCRIPT_MARK):
            return True
        if name == "a" and "#" in attributes and self._is_next(_LINKED_MARK):
            return True
        return bool(attributes) and name not in VOID and judge(name, attributes).hidden and not self._keep_hidden

    def _follows_digit(self) -> bool:
        return bool(self._texts) and self._texts[-1][-1:].isdigit()

    def _is_next(self, pattern: re.Pattern[str]) -> bool:
        return bool(pattern.match(self._tags.source, self._tags.place))

    def _image(self, attributes: str) -> None:
        """Formulas are images in many pages, whose alternative text is the formula."""
        found = parse(attributes)
        classes = found.get("class", "")
        if "tex" in classes.split() or "mwe-math" in classes:
            self._tags.gather(f" {found.get('alt', '')} ".replace("&", "&amp;"), self._tags.place)

    def _skip_content(self, name: str, attributes: str) -> Tag | None:
        """An element whose content is not text of the page. Some sites make headings of buttons."""
        if name == "button" and self._is_next(_HEADING_NEXT):
            return None
        if name == "svg" and attributes.endswith("/"):
            return None
        return skip(self._tags, self._following, name, "", self._is_open)  # paragraphs in it end none around it

    def _skip(self, name: str) -> Tag | None:
        return skip(self._tags, self._following, name, self._in, self._is_open)

    def _is_open(self, name: str) -> bool:
        """Whether an end tag of this name would end something."""
        return self._table is not None if name in ROW_PARTS else name == self._in or bool(self._find(name))

    def _root(self, name: str, attributes: str) -> None:
        found = parse(attributes)
        self.language = self.language or found.get("lang") or found.get("xml:lang") or ""

    # What is open

    def _find(self, name: str) -> int:
        """Where in the stack the innermost element of this name is; 0 if none is open, or only around a table."""
        stack = self._stack
        for depth in range(len(stack) - 1, max(0, len(stack) - REACH), -1):
            if stack[depth] == name:
                return depth
            if stack[depth] == "table":
                return 0
        return 0

    def _close(self, depth: int) -> None:
        """Close all elements from this one on."""
        del self._stack[depth:]
        while self._closing[-1][0] >= depth:
            self._closing.pop()[1]()

    def _emit(self, level: int = 0) -> None:
        """What has been gathered is a block."""
        if not self._texts:
            return
        block = self._run.block(level, self._literal)
        if not block:
            return
        if self._definition == len(self.blocks):
            if not level:
                block = _defined(self.blocks.pop(), block)
                self.zones.pop()
            self._term = self._definition = _NONE
        elif self._in_term and not level:
            self._term = len(self.blocks)
        self.blocks.append(block)
        self.zones.append(self._zone)


Hearer = Callable[[Walker, str, str], Tag | None]
_HEARERS: dict[str, Hearer] = {}
_HEARERS |= dict.fromkeys(CONTAINERS, Walker._open) | {f"/{name}": Walker._end for name in CONTAINERS}
_HEARERS |= dict.fromkeys(["p", "li"], Walker._open_text) | dict.fromkeys(HEADINGS, Walker._open_heading)
_HEARERS |= dict.fromkeys(ROW_PARTS, Walker._open_row) | dict.fromkeys(["td", "th"], Walker._open_cell)
_HEARERS |= {f"/{name}": Walker._end_text for name in ("p", "li", "dt", "td", "th", "caption", *HEADINGS)}
_HEARERS |= {f"/{name}": Walker._end_rows for name in ROW_GROUPS} | dict.fromkeys(_SKIPPED, Walker._skip_content)
_HEARERS |= {
    "html": Walker._root,
    "label": Walker._open_label,
    "br": Walker._break,
    "/br": Walker._break,
    "hr": Walker._end_text,
    "pre": Walker._open_literal,
    "listing": Walker._open_literal,
    "dt": Walker._open_term,
    "dd": Walker._open_definition,
    "/dd": Walker._end_definition,
    "dl": Walker._open_definitions,
    "/dl": Walker._end_definitions,
    "table": Walker._open_table,
    "/tr": Walker._end_row,
}


def _nothing() -> None:
    pass


@lru_cache(1024)
def _spans(attributes: str) -> tuple[int, int]:
    """How many columns and rows a cell fills."""
    if "span" not in attributes.lower():
        return 1, 1
    found = parse(attributes)
    columns, rows = (found.get(name, "").strip() for name in ("colspan", "rowspan"))
    return _number(columns, MOST_COLUMNS), _number(rows, MOST_ROWS)


def _number(text: str, most: int) -> int:
    return max(1, min(int(text), most)) if text.isascii() and text.isdecimal() and len(text) < 10 else 1


def _defined(term: Block, block: Block) -> Block:
    """`term: definition`."""
    before = term.text + (" " if term.text.endswith(":") else ": ")
    joined = prefixed(before, block)
    return joined._replace(line=term.line, lines=(*term.lines, (len(before), block.line), *joined.lines))
