"""From inline source to text: links and emphasis keep their words, and each word its source line."""

import re
from collections.abc import Iterator, Sequence

from markdown_it.token import Token
from markdown_it.utils import EnvType

from docqn.parsers.commonmark.html import image_text
from docqn.parsers.commonmark.rules import dialect
from docqn.parsers.passage import Passage

LONGEST = 1 << 14  # characters that the inline rules get at once; on more, some take time and memory out of proportion

_SPECIAL = re.compile(r"[\\`*_~<&\[]")
_DATA = re.compile(r"\(data:[^)\s]*")
_TAG = re.compile(r"</?([a-zA-Z][a-zA-Z0-9]*)")
_BREAKING = frozenset(("br", "p", "div", "li", "tr", "hr"))


def write(content: str, line: int, env: EnvType, passage: Passage) -> None:
    """Add the text of inline source that begins on a line of the source."""
    for part in _parts(content):
        if _SPECIAL.search(part):
            _write_tokens(dialect().inline.parse(part, dialect(), env, []), part, line, passage)
        else:
            _write_plain(part, line, passage)
        line += part.count("\n")


def plain(content: str, env: EnvType) -> str:
    """The text of inline source, on one line."""
    passage = Passage()
    write(content, 1, env, passage)
    return passage.one_line()


def _parts(content: str) -> Iterator[str]:
    """The source, cut at line ends or spaces where it is very long. Pictures that make it so are taken out first."""
    if len(content) > LONGEST:
        content = _DATA.sub("(", content)
    begin = 0
    while len(content) - begin > LONGEST:
        end = begin + LONGEST
        cut = max(content.rfind("\n", begin + 1, end), content.rfind(" ", begin + 1, end)) + 1 or end
        yield content[begin:cut]
        begin = cut
    yield content[begin:]


def _write_plain(part: str, line: int, passage: Passage) -> None:
    """Text without any mark-up except line ends."""
    for number, content in enumerate(part.split("\n"), start=line):
        passage.add(content, number)
        if content.endswith("  "):
            passage.line_break()
        else:
            passage.space()


def _write_tokens(tokens: Sequence[Token], part: str, line: int, passage: Passage) -> None:
    at = 0
    for token in tokens:
        offset = token.map[0] if token.map else at
        if offset > at:
            line += part.count("\n", at, offset)
            at = offset
        if token.type in ("text", "text_special"):
            passage.add(token.content, line)
        elif token.type == "softbreak":
            passage.space()
        elif token.type == "hardbreak":
            passage.line_break()
        elif token.type == "code_inline":
            _write_code(token, part[offset:], line, passage)
        elif token.type == "image":
            passage.space()
            _write_tokens(token.children or (), token.content, line, passage)
            passage.space()
        elif token.type == "html_inline":
            _write_html(token.content, line, passage)


def _write_code(token: Token, source: str, line: int, passage: Passage) -> None:
    """Code from its source, as the token's content has lost its line ends."""
    begin = len(token.markup)
    end = begin + len(token.content)
    if source[begin:end].replace("\n", " ") != token.content:  # it was padded with a space on both sides
        begin, end = begin + 1, end + 1
    for number, content in enumerate(source[begin:end].split("\n"), start=line + source.count("\n", 0, begin)):
        if number > line:
            passage.space()
        passage.add(content, number)


def _write_html(tag: str, line: int, passage: Passage) -> None:
    name = match[1].lower() if (match := _TAG.match(tag)) else ""
    if name in _BREAKING:
        passage.line_break()
    elif name in ("td", "th"):
        passage.space()
    elif name == "img":
        passage.add_entities(f" {image_text(tag)} ", line)
