"""The text of one block in the making, from the pieces between tags."""

import re
from collections import Counter
from functools import lru_cache
from html import unescape

from docqn.build import Block
from docqn.parsers.passage import Passage
from docqn.parsers.webpage.tags import Tags
from docqn.text.clean import clean

_REFERENCE = re.compile(r"&(?:#[0-9]+;?|#[xX][0-9a-fA-F]+;?|[^\t\n\f <&#;]{1,32};?)")  # as `html.unescape` finds them
_APART = "\0"  # keeps a reference from reaching over two pieces
_unescape = lru_cache(4096)(unescape)


def characters(text: str) -> str:
    """Text with its references as characters, like `html.unescape`, but several times as fast; spaces may break."""
    text = text.replace("&quot;", '"').replace("&#39;", "'").replace("&nbsp;", " ")
    return _REFERENCE.sub(lambda match: _unescape(match[0]), text) if "&" in text else text


class Run:
    """Makes a block of the text that has been gathered since the last one."""

    def __init__(self, tags: Tags) -> None:
        self._texts = tags.texts
        self._places = tags.places
        self._source = tags.source
        self._breaks: list[int] = []  # numbers of the texts that a line break precedes
        self._counted = 0  # up to where in the source lines have been counted
        self._line = 1

    def line_break(self) -> bool:
        """Begin a new line. True if the line was empty already, so that a new paragraph is due."""
        begin = self._breaks[-1] if self._breaks else 0
        if not characters("".join(self._texts[begin:])).strip():
            return bool(self._breaks)
        self._breaks.append(len(self._texts))
        return False

    def literal_break(self) -> None:
        """Begin a new line, whether there is anything on this one or not."""
        self._breaks.append(len(self._texts))

    def block(self, level: int, literal: bool) -> Block | None:
        """The block, if there is any text in it."""
        texts, places = self._texts, self._places
        text, last = texts[0], texts[-1]
        begin = places[0] + len(text) - len(text.lstrip())
        if self._breaks or self._source.find("\n", begin, places[-1] + len(last.rstrip())) >= 0:
            block = self._literal_block() if literal else self._block_of_lines(level)
            self._breaks.clear()
        else:
            if len(texts) > 1:
                text = "".join(texts)
            if "&" in text:
                text = characters(_APART.join(texts)).replace(_APART, "")
            tidy = literal or (text.isprintable() and "  " not in text)  # which is quick to see
            text = text.strip() if tidy else " ".join(text.split())
            block = Block(text, level, self._line_at(begin)) if text else None
        texts.clear()
        places.clear()
        return block

    def _block_of_lines(self, level: int) -> Block | None:
        passage = Passage()
        breaks = frozenset(self._breaks)
        for number, (text, place) in enumerate(zip(self._texts, self._places, strict=True)):
            if number in breaks:
                passage.line_break()
            passage.add_entities(text, self._line_at(place))
        block = passage.block(level)
        return block if block.text else None

    def _literal_block(self) -> Block | None:
        """The text as it is, but for blank lines around it."""
        lines: list[list[str]] = []
        numbers: list[int] = []
        breaks = Counter([0, *self._breaks])
        for i, (text, place) in enumerate(zip(self._texts, self._places, strict=True)):
            for number, line in enumerate(text.split("\n"), start=self._line_at(place)):
                begun = 1 if number > self._line else breaks[i]
                lines += [[] for _ in range(begun)]
                numbers += [number] * begun
                lines[-1].append(line)
        return _joined([clean(characters(_APART.join(parts))).rstrip() for parts in lines], numbers)

    def _line_at(self, place: int) -> int:
        """The line of an offset that is not before the last one asked for."""
        self._line += self._source.count("\n", self._counted, place)
        self._counted = place
        return self._line


def _joined(lines: list[str], numbers: list[int]) -> Block | None:
    """Lines, each with its number, as a block without blank lines around it."""
    filled = [i for i, line in enumerate(lines) if line]
    if not filled:
        return None
    kept = slice(filled[0], filled[-1] + 1)
    marks, offset = [], 0
    for line, number in zip(lines[kept], numbers[kept], strict=True):
        marks.append((offset, number))
        offset += len(line) + 1
    return Block("\n".join(lines[kept]), line=marks[0][1], lines=tuple(marks[1:]))
