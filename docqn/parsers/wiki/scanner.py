"""Wikitext without its mark-up, in one pass: what stays keeps its offset. What is not closed only loses its signs."""

import re
from typing import NamedTuple

from docqn.parsers.wiki.links import link_text
from docqn.parsers.wiki.pieces import BREAK, LITERAL, Pieces, on_one_line, protected, stripped
from docqn.parsers.wiki.templates import parameter_text, template_text

DEEPEST = 40  # of templates and links in each other, as in MediaWiki; deeper ones lose their signs

_LITERAL = ("pre", "syntaxhighlight", "source")  # shown as it is, in lines
_SHOWN = (*_LITERAL, "nowiki", "math", "chem", "ce")
_DROPPED = """ref references timeline score graph mapframe maplink templatedata hiero imagemap includeonly style
script""".split()
_INLINE = """abbr b bdi bdo big cite code data del dfn em font i ins kbd mark noinclude onlyinclude q rb rp rt ruby s
samp section small span strike strong sub sup time tt u var wbr""".split()
_BLOCK = """blockquote caption center dd div dl dt gallery h1 h2 h3 h4 h5 h6 hr li ol p poem table tbody td tfoot th
thead tr ul""".split()
_CELLS = ("td", "th")

_TOKEN = re.compile(
    rf"<!--|<(?P<whole>{'|'.join([*_SHOWN, *_DROPPED])})(?=[\s/>])[^<>]*>|</(?:{'|'.join([*_SHOWN, *_DROPPED])})\s*>"
    rf"|<(?P<close>/?)(?P<tag>br|{'|'.join([*_INLINE, *_BLOCK])})(?=[\s/>])[^<>]*>"
    r"|\{{2,}|\}{2,}|\[\[|\]\]?|\[(?:(?:https?:|ftps?:|news:|irc:)?//|mailto:)[^\s\[\]<>\"|]*"
    r"|'{2,}|\n(?==)|__[A-Z]{3,}__|~{3,5}",
    re.IGNORECASE,
)
_COMMENT = re.compile(r"<!--|(?P<end>-->)")
_COMMENTS = re.compile(r"<!--.*?-->")
_ENDS = {  # a tag that opens once more, or over a heading, was not closed
    name: re.compile(
        rf"<{name}(?=[\s>])[^<>]*(?<!/)>|(?P<end></{name}\s*>)" + (r"|\n==" if name in _DROPPED else ""), re.I
    )
    for name in (*_SHOWN, *_DROPPED)
}
_SINGLE_LINE_END = re.compile(r"(?<!\n)\n(?!\n)")

_TEMPLATE, _PARAMETER, _LINK, _EXTERNAL = "{{", "{{{", "[[", "["


class _Frame(NamedTuple):
    """What is open: a template, a link, or at the bottom the page."""

    kind: str
    at: int
    pieces: Pieces


def scan(text: str) -> Pieces:
    """The text of a page in pieces, with signs for what stands apart, but with the marks that begin lines."""
    return _Scanner(text).run()


class _Scanner:
    def __init__(self, text: str) -> None:
        self._text = text
        self._frames = [_Frame("", 0, [])]
        self._in_poem = False

    def run(self) -> Pieces:
        text, at = self._text, 0
        while match := _TOKEN.search(text, at):
            if match.start() > at:
                self._add(text[at : match.start()], at)
            at = _HANDLERS[match[0][0]](self, match)
        self._add(text[at:], at)
        self._abandon(1)
        return self._frames[0].pieces

    def _add(self, text: str, at: int) -> None:
        if self._in_poem and "\n" in text:
            text = _SINGLE_LINE_END.sub(BREAK, text)
        self._frames[-1].pieces.append((text, at))

    def _open(self, kind: str, at: int) -> None:
        if len(self._frames) <= DEEPEST:
            self._frames.append(_Frame(kind, at, []))

    def _abandon(self, depth: int) -> None:
        """Give up the frames from this depth on; what they hold is text of the frame below."""
        for frame in self._frames[depth:]:
            self._frames[depth - 1].pieces.extend(frame.pieces)
        del self._frames[depth:]

    def _innermost(self, *kinds: str, within: str = "") -> int:
        """The depth of the innermost frame of these kinds, not outside one of the kind `within`; 0 if there is none."""
        for depth in range(len(self._frames) - 1, 0, -1):
            kind = self._frames[depth].kind
            if kind in kinds:
                return depth
            if kind and kind in within:
                break
        return 0

    def _angle(self, match: re.Match[str]) -> int:
        if match[0] == "<!--":
            return self._comment(match)
        if match["whole"]:
            return self._whole(match["whole"].lower(), match)
        if tag := match["tag"]:
            tag = tag.lower()
            if tag == "br":
                self._add(BREAK, match.start())
            elif tag in _CELLS:
                self._add(" ", match.start())
            elif tag in _BLOCK:
                self._in_poem = tag == "poem" and not match["close"]
                self._add("\n\n", match.start())
        return match.end()

    def _comment(self, match: re.Match[str]) -> int:
        """A comment goes, with its line if it has one of its own."""
        ends = _COMMENT.search(self._text, match.end())
        if not ends or not ends["end"]:
            return match.end()
        alone = (
            self._text[max(match.start() - 1, 0) : match.start()] in ("", "\n")
            and self._text[ends.end() : ends.end() + 1] == "\n"
        )
        return ends.end() + alone

    def _whole(self, name: str, match: re.Match[str]) -> int:
        """A tag whose content is no wikitext."""
        ends = None if match[0].endswith("/>") else _ENDS[name].search(self._text, match.end())
        if not ends or not ends["end"]:
            return match.end()
        if name in _SHOWN:
            content = protected(self._text[match.end() : ends.start()])
            if name in _LITERAL and "\n" in content:
                self._literal(content, match.end())
            else:
                self._frames[-1].pieces.extend(on_one_line([(content, match.end())]))
        return ends.end()

    def _literal(self, content: str, at: int) -> None:
        self._add("\n\n", at)
        for line in content.split("\n"):
            self._add(LITERAL + line + "\n", at)
            at += len(line) + 1
        self._add("\n", at - 1)

    def _open_braces(self, match: re.Match[str]) -> int:
        """`{{` opens a template, `{{{` a parameter; five are a parameter within a template."""
        at, length = match.span()[0], len(match[0])
        while length > 1:
            size = 3 if length == 3 else 2
            self._open(_PARAMETER if size == 3 else _TEMPLATE, at)
            at, length = at + size, length - size
        return match.end()

    def _close_braces(self, match: re.Match[str]) -> int:
        length = len(match[0])
        while length > 1 and (depth := self._innermost(_TEMPLATE, _PARAMETER)):
            kind = self._frames[depth].kind
            self._abandon(depth + 1)
            frame = self._frames.pop()
            whole = kind == _PARAMETER and length > 2
            self._frames[-1].pieces.extend(
                parameter_text(frame.pieces) if whole else template_text(frame.pieces, frame.at)
            )
            length -= 3 if whole else 2
        return match.end()

    def _open_bracket(self, match: re.Match[str]) -> int:
        self._open(_LINK if match[0] == _LINK else _EXTERNAL, match.start())
        return match.end()

    def _close_bracket(self, match: re.Match[str]) -> int:
        """`]]` ends a link within a paragraph, `]` an address with its label within a line."""
        depth = self._innermost(_LINK, _EXTERNAL, within=_TEMPLATE)
        if not depth:
            self._add(match[0] if len(match[0]) == 1 else "", match.start())
            return match.end()
        frame = self._frames[depth]
        if frame.kind == _LINK and len(match[0]) == 1:
            self._add("]", match.start())
            return match.end()
        inside = self._text[frame.at : match.start()]
        self._abandon(depth + 1)
        self._frames.pop()
        if ("\n\n" if frame.kind == _LINK else "\n") in inside:
            self._frames[-1].pieces.extend(frame.pieces)
        else:
            self._frames[-1].pieces.extend(link_text(frame.pieces) if frame.kind == _LINK else stripped(frame.pieces))
        return match.start() + (2 if frame.kind == _LINK else 1)

    def _quotes(self, match: re.Match[str]) -> int:
        """Two are italics, three bold, five both; others stay."""
        length = len(match[0])
        self._add("'" * (1 if length == 4 else max(length - 5, 0)), match.start())
        return match.end()

    def _line_end(self, match: re.Match[str]) -> int:
        """A heading below this line end closes whatever is open."""
        end = self._text.find("\n", match.end())
        line = _COMMENTS.sub("", self._text[match.end() : end if end >= 0 else None]).rstrip()
        if len(line) > 2 and line.endswith("="):
            self._abandon(1)
            self._in_poem = False
        self._add("\n", match.start())
        return match.end()

    def _drop(self, match: re.Match[str]) -> int:
        return match.end()


_HANDLERS = {
    "<": _Scanner._angle,
    "{": _Scanner._open_braces,
    "}": _Scanner._close_braces,
    "[": _Scanner._open_bracket,
    "]": _Scanner._close_bracket,
    "'": _Scanner._quotes,
    "\n": _Scanner._line_end,
    "_": _Scanner._drop,
    "~": _Scanner._drop,
}
