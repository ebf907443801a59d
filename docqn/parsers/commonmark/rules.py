"""The Markdown dialect: CommonMark, tables, strikethrough, footnotes, and a floor under nested blocks."""

import re
from functools import cache

from markdown_it import MarkdownIt
from markdown_it.parser_inline import ParserInline
from markdown_it.rules_block import StateBlock, blockquote
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token
from markdown_it.utils import EnvType

DEEPEST = 24  # levels of nested blocks (a list and its item are two); what lies deeper becomes plain paragraphs
DEEPEST_QUOTE = 6  # quotes within quotes, each of which goes through all the lines inside it
INDENT_OF_FOOTNOTES = 4

_FOOTNOTE = re.compile(r"\[\^([^\]\[\s]+)\]")
_MARKERS = re.compile(r"(?:(?:>|(?:[-+*]|\d{1,9}[.)])(?=[ \t]))[ \t]*)+")


class LinedInline(ParserInline):
    """Inline rules whose tokens know where in the source they begin."""

    def parse(self, src: str, md: MarkdownIt, env: EnvType, tokens: list[Token]) -> list[Token]:
        """The tokens of a piece of text; `map[0]` is an offset on the line where the token begins."""
        state = LinedState(src, md, env, tokens)
        self.tokenize(state)
        for rule in self.ruler2.getRules(""):
            rule(state)
        return state.tokens


class LinedState(StateInline):
    """Notes the offset when a token is made. Text never crosses a line, so any offset on its line will do."""

    def pushPending(self) -> Token:
        token = super().pushPending()
        token.map = [self.pos]
        return token

    def push(self, ttype: str, tag: str, nesting: int) -> Token:
        token = super().push(ttype, tag, nesting)  # type: ignore[arg-type]
        token.map = [self.pos]
        return token


@cache
def dialect() -> MarkdownIt:
    """The rules; they hold no state."""
    md = MarkdownIt("commonmark", {"maxNesting": DEEPEST + 2}).enable(["table", "strikethrough"])
    md.block.ruler.before("table", "too_deep", _too_deep)
    md.block.ruler.at("blockquote", _quote, {"alt": ["paragraph", "reference", "blockquote", "list"]})
    md.block.ruler.before("reference", "footnote", _footnote, {"alt": ["paragraph", "reference", "blockquote"]})
    md.inline.ruler.before("link", "footnote_mark", _footnote_mark)
    lined = LinedInline()
    lined.ruler, lined.ruler2 = md.inline.ruler, md.inline.ruler2
    md.inline = lined
    return md


def _too_deep(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """At the floor, lines up to the next blank one are a paragraph, without their list and quote marks."""
    at_floor = state.level >= DEEPEST or (state.env.get("quotes", 0) >= DEEPEST_QUOTE and _is_quote(state, start))
    if silent or not at_floor:
        return False
    stop = start + 1
    while stop < end and not state.isEmpty(stop) and state.sCount[stop] >= state.blkIndent:
        stop += 1
    token = state.push("inline", "", 0)
    texts = (state.src[state.bMarks[line] + state.tShift[line] : state.eMarks[line]] for line in range(start, stop))
    token.content = "\n".join(_unmarked(text) for text in texts)
    token.map = [start, stop]
    state.line = stop
    return True


def _unmarked(line: str) -> str:
    match = _MARKERS.match(line)
    return line[match.end() :] if match else line


def _is_quote(state: StateBlock, line: int) -> bool:
    return state.src.startswith(">", state.bMarks[line] + state.tShift[line])


def _quote(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """A block quote that counts those around it."""
    depth = state.env.get("quotes", 0)
    state.env["quotes"] = depth + 1
    found = blockquote(state, start, end, silent)
    state.env["quotes"] = depth
    return found


def _footnote(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """`[^label]: text`, whose further paragraphs are indented by four."""
    begin = state.bMarks[start] + state.tShift[start]
    if state.is_code_block(start) or not (match := _FOOTNOTE.match(state.src, begin, state.eMarks[start])):
        return False
    if not state.src.startswith(":", match.end()):
        return False
    if silent:
        return True
    state.env.setdefault("footnotes", set()).add(match[1])
    state.push("footnote_open", "", 1)
    _inside_footnote(state, start, end, state.skipSpaces(match.end() + 1))
    state.push("footnote_close", "", -1)
    return True


def _inside_footnote(state: StateBlock, start: int, end: int, content: int) -> None:
    """Run the block rules on the note's text, as if its first line began at `content`."""
    kept = state.bMarks[start], state.tShift[start], state.sCount[start], state.blkIndent, state.parentType
    state.blkIndent += INDENT_OF_FOOTNOTES
    state.parentType = "footnote"
    state.bMarks[start] = min(content, state.eMarks[start])
    state.tShift[start], state.sCount[start] = 0, state.blkIndent
    state.md.block.tokenize(state, start, end)
    state.bMarks[start], state.tShift[start], state.sCount[start], state.blkIndent, state.parentType = kept


def _footnote_mark(state: StateInline, silent: bool) -> bool:
    """`[^label]` in the text, if there is such a footnote: passed over."""
    match = _FOOTNOTE.match(state.src, state.pos, state.posMax)
    if not match or match[1] not in state.env.get("footnotes", ()):
        return False
    state.pos = match.end()
    return True
