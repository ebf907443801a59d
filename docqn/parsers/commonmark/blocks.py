"""The block structure of a Markdown text in one pass. markdown-it's tokens are not kept: each takes a kilobyte."""

from collections.abc import Sequence
from typing import NamedTuple

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.token import Token
from markdown_it.utils import EnvType

from docqn.parsers.commonmark.rules import dialect

PARAGRAPH, ITEM, HEADING, TABLE, CODE, HTML = range(6)


class Found(NamedTuple):
    """One block of source: what it is, its inline source, and its first line, from 1."""

    kind: int
    line: int
    source: str = ""
    level: int = 0  # of a heading
    rows: Sequence[tuple[int, list[str]]] = ()  # of a table: line and cells of each; the first holds the heads


def blocks(text: str) -> tuple[list[Found], EnvType]:
    """The blocks of a text whose lines end in line feeds, and what its inline rules need to know: the references."""
    env: EnvType = {}
    state = _Collector(text, dialect(), env)
    dialect().block.tokenize(state, 0, state.lineMax)
    state.collect()
    return state.found, env


class _Collector(StateBlock):
    """Turns each token into what is worth keeping as soon as the next one is made, when a rule is done with it."""

    def __init__(self, src: str, md: MarkdownIt, env: EnvType) -> None:
        super().__init__(src, md, env, [])
        self.found: list[Found] = []
        self._made: Token | None = None
        self._heading = 0
        self._opens_item = False
        self._rows: list[tuple[int, list[str]]] = []
        self._cells: list[str] | None = None  # of the row that is open

    def push(self, ttype: str, tag: str, nesting: int) -> Token:
        """Make a token, as the base class does, but let nobody keep it except the rule that asked for it."""
        self.collect()
        if nesting < 0:
            self.level -= 1
        self._made = token = Token(ttype, tag, nesting, level=self.level, block=True)  # type: ignore[arg-type]
        if nesting > 0:
            self.level += 1
        return token

    def collect(self) -> None:
        """Keep what the last token brought."""
        token, self._made = self._made, None
        if token is None:
            return
        if token.type == "inline":
            self._collect_inline(token)
        elif token.type in _LITERALS:
            self._add(_LITERALS[token.type], _first_line(token) + (token.type == "fence"), token.content)
        elif token.type == "heading_open":
            self._heading = 0 if token.level else int(token.tag[1])  # in a list or quote it is only a paragraph
        elif token.type == "heading_close":
            self._heading = 0
        elif token.type == "list_item_open":
            self._opens_item = True
        elif token.type == "tr_open":
            self._cells = []
            self._rows.append((_first_line(token), self._cells))
        elif token.type == "tr_close":
            self._cells = None
        elif token.type == "table_close":
            self.found.append(Found(TABLE, self._rows[0][0], rows=self._rows))
            self._opens_item = False
            self._rows = []

    def _collect_inline(self, token: Token) -> None:
        if self._cells is not None:
            self._cells.append(token.content)
        elif self._heading:
            self._add(HEADING, _first_line(token), token.content, self._heading)
        else:
            self._add(ITEM if self._opens_item else PARAGRAPH, _first_line(token), token.content)

    def _add(self, kind: int, line: int, source: str = "", level: int = 0) -> None:
        self.found.append(Found(kind, line, source, level))
        self._opens_item = False


_LITERALS = {"fence": CODE, "code_block": CODE, "html_block": HTML}


def _first_line(token: Token) -> int:
    return token.map[0] + 1 if token.map else 1
