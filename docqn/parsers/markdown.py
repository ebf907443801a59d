"""Markdown: CommonMark with tables, strikethrough, footnotes, task lists and front matter."""

import re
from collections.abc import Iterator, MutableMapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any

from docqn.build import Block, build_document
from docqn.document import Document
from docqn.errors import ParseError
from docqn.parsers.decoding import guess_encoding
from docqn.parsers.grid import Cell, Grid
from docqn.parsers.passage import Passage
from docqn.parsers.source_text import source_text

if TYPE_CHECKING:
    from docqn.parsers.commonmark.blocks import Found

SUFFIXES = (".md", ".markdown", ".mdown", ".mkd", ".mkdn", ".mdx", ".qmd", ".rmd")

Env = MutableMapping[str, Any]  # what inline rules need to know: references and footnotes

_SPACES = str.maketrans("\v\f", "  ")
_TASK = re.compile(r"\[([ xX])\](?=\s)")
_FRONT_MATTER = re.compile(r"(---|\+\+\+)[ \t]*\n(.*?\n)??(?:\1|\.\.\.)[ \t]*(?=\n|\Z)", re.DOTALL)
_FRONT_LINE = re.compile(r"\s|#|-\s|[\w\"'][^\n:=]*[:=]|\[|\]|\}|\Z")
_FRONT_TITLE = re.compile(
    r"^title[ \t]*[:=][ \t]*(?:[>|][+-]?[ \t]*\n((?:[ \t]+.*(?:\n|\Z))+)|(.+)$)", re.MULTILINE | re.I
)
_COMMENT = re.compile(r"(?:^|\s)#")
_LONGEST_FRONT_MATTER = 1 << 16

_SIGNS = (  # (how sure one makes, what it looks like); the last ones stand in plain texts and programs too
    (0.2, re.compile(r"^ {0,3}#{2,6} +\w|\A\s*# +\w.*\n\s*\n", re.MULTILINE)),
    (0.2, re.compile(r"^ {0,3}```", re.MULTILINE)),
    (0.2, re.compile(r"\]\((?:[^()\s]|\([^()\s]*\))+(?: \"[^\"\n]*\")?\)|^\[[^\]\n]+\]: \S+$", re.MULTILINE)),
    (0.2, re.compile(r"^ {0,3}\|?(?: *:?-{3,}:? *\|)+(?: *:?-{3,}:? *)?$", re.MULTILINE)),
    (0.05, re.compile(r"\*\*[^*\s][^*\n]*\*\*")),
    (0.01, re.compile(r"`[^`'\n]+`|^# +\w", re.MULTILINE)),
    (0.005, re.compile(r"^ {0,3}[-*+] +\S|^> |^\S.*\n(?:={3,}|-{3,})[ \t]*$", re.MULTILINE)),
)
_MOST_SIGNS = 4  # of one kind
_SAMPLE = 1 << 15
_LEAST, _MOST = 0.05, 0.9


def likelihood(data: bytes) -> float:
    """Any text may be Markdown; headings, fences, links, tables and the like make it likely."""
    encoding = guess_encoding(data)
    if encoding is None:
        return 0.0
    sample = data[:_SAMPLE].decode(encoding, "replace").replace("\r\n", "\n")
    doubt = 1.0
    for sure, sign in _SIGNS:
        doubt *= (1 - sure) ** sum(1 for _ in islice(sign.finditer(sample), _MOST_SIGNS))
    return _LEAST + (_MOST - _LEAST) * (1 - doubt)


def parse(data: bytes, source: str) -> Document:
    """The document in Markdown text."""
    from docqn.parsers.commonmark.blocks import blocks

    title, text = _split_front_matter(source_text(data, source).translate(_SPACES))
    found, env = blocks(text)
    kept = list(_blocks(found, env))
    if not title and not any(block.text for block in kept):
        raise ParseError(source, "holds no text, only Markdown comments or definitions")
    return build_document(kept, source=source, format="markdown", title=title)


def _split_front_matter(text: str) -> tuple[str | None, str]:
    """The title that YAML or TOML front matter names, and the text with empty lines in its place."""
    match = _FRONT_MATTER.match(text, 0, _LONGEST_FRONT_MATTER)
    body = (match[2] or "") if match else ""
    if not match or not all(_FRONT_LINE.match(line) for line in body.split("\n")):
        return None, text
    named = _FRONT_TITLE.search(body)
    title = (" ".join(named[1].split()) if named[1] else _unquote(named[2])) if named else None
    return title, "\n" * match[0].count("\n") + text[match.end() :]


def _unquote(value: str) -> str:
    """A YAML or TOML string on one line."""
    value = value.strip()
    if value.startswith(('"', "'")) and (end := value.rfind(value[0], 1)) > 0:
        quoted = value[1:end]
        return quoted.replace("''", "'") if value[0] == "'" else re.sub(r"\\(.)", r"\1", quoted)
    return _COMMENT.split(value, maxsplit=1)[0].strip()


def _blocks(found: Sequence["Found"], env: Env) -> Iterator[Block]:
    from docqn.parsers.commonmark import blocks as kinds
    from docqn.parsers.commonmark.html import html_blocks
    from docqn.parsers.commonmark.inline import plain, write

    for kind, line, content, level, rows in found:
        if kind == kinds.TABLE:
            grid = Grid()
            for row_line, cells in rows:
                yield Block(grid.row([Cell(plain(cell, env)) for cell in cells], row_line == line), 0, row_line)
            yield Block(grid.last(), 0, line)
        elif kind == kinds.HTML:
            yield from html_blocks(content, line)
        else:
            passage = Passage()
            if kind == kinds.CODE:
                passage.add_literal(content, line)
            else:
                write(_with_box(content) if kind == kinds.ITEM else content, line, env, passage)
            yield passage.block(level)


def _with_box(item: str) -> str:
    """A task's item with its box as one character."""
    return ("☐" if task[1] == " " else "☑") + item[task.end() :] if (task := _TASK.match(item)) else item
