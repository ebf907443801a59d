"""From lines to running text: divided words made whole, and paragraphs continued over columns and pages."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Sequence
from functools import cached_property

from docqn.build import Block, Marks
from docqn.parsers.pdf_pages.lines import DIVIDED, MONO, Lines

_HYPHENS = f"{DIVIDED}-"
_WORD_END = re.compile(r"[^\W\d_]+$")
_WORD_START = re.compile(r"[^\W\d_]+")
_LEADERS = re.compile(r"(\s?[.·…_]){4,}\s*")
_ADDRESS = re.compile(r"(://|\bwww\.)\S*$")  # an address at the end of a line
_WIDE = re.compile("[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\ufe30-\ufe4f\uff00-\uffef]")  # written without spaces
# Second halves of compounds that are written as one word though both halves are words: through-out, under-stand.
_JOINED = frozenset(
    "out ever fore where thing things one body times self selves stand standing how what wise ward wards".split()
)


MOST_LINES = 4_000  # whose words are gathered


class Words:
    """The words of a document, gathered when first asked for: they tell a divided word from a compound."""

    def __init__(self, texts: list[str]) -> None:
        self._texts = texts

    @cached_property
    def _words(self) -> frozenset[str]:
        return frozenset(" ".join(self._texts[:MOST_LINES]).lower().split())

    @cached_property
    def divided(self) -> bool:
        """Whether words are divided at line ends at all, unless the places where the text itself tells say no."""
        pairs = itertools.pairwise(self._texts[:MOST_LINES])
        ends = [halves for text, following in pairs if text[-1] in _HYPHENS and (halves := _halves(text, following))]
        compounds = sum("-".join(halves) in self for halves in ends)
        return compounds <= sum("".join(halves) in self for halves in ends)

    def __contains__(self, word: str) -> bool:
        return word in self._words or f"{word}," in self._words or f"{word}." in self._words


def blocks(paragraphs: Sequence[Sequence[int]], levels: Sequence[int], lines: Lines) -> Iterable[Block]:
    """The paragraphs, given by the numbers of their lines, as blocks with the pages they stand on."""
    words = Words(lines.text)
    pages = lines.page.tolist()
    code = (lines.face & MONO).astype(bool).tolist()
    for numbers, level in zip(paragraphs, levels, strict=True):
        first, last = numbers[0], numbers[-1]
        page = pages[first] + 1
        if len(numbers) == 1:
            yield Block(_ended(lines.text[first]), level, page=page)
            continue
        verbatim = not level and all(code[i] for i in numbers)
        text, offsets = joined([lines.text[i] for i in numbers], words, "\n" if verbatim else " ")
        marks: Marks = ()
        if pages[last] != pages[first]:
            marks = tuple((offset, pages[i] + 1) for i, offset in zip(numbers, offsets, strict=True))
        yield Block(text, level, page=page, pages=marks)


def joined(texts: Sequence[str], words: Words, separator: str = " ") -> tuple[str, list[int]]:
    """The lines as one text, and where in it each begins."""
    parts: list[str] = []
    offsets = [0]
    length = 0
    for text, following in itertools.pairwise(texts):
        part = _ended(text) + separator if separator == "\n" else _before(text, following, words)
        parts.append(part)
        length += len(part)
        offsets.append(length)
    parts.append(_ended(texts[-1]))
    return "".join(parts), offsets


def _ended(text: str) -> str:
    """A line that nothing is joined to."""
    if text[-1] == DIVIDED:
        text = text[:-1] + "-"
    return _LEADERS.sub(" … ", text) if "..." in text or ". . ." in text else text


def _before(text: str, following: str, words: Words) -> str:
    """A line as it stands before the next one: with a space, or without its hyphen."""
    end = text[-1]
    if end in _HYPHENS and text[-2:-1].isalnum() and following[0].isalnum():
        return text[:-1] + ("" if _divided(text[:-1], following, words) else "-")
    if end in "/.-_=&?%" and _ADDRESS.search(text) and following[0].isalnum():
        return text
    if end > "\u2e7f" and _WIDE.match(end) and _WIDE.match(following):
        return text
    return text + " "


def _divided(text: str, following: str, words: Words) -> bool:
    """Whether the hyphen between the two only divides a word, and does not belong to it."""
    halves = _halves(text, following)
    if not halves:
        return False
    left, right = halves
    if left + right in words or right in _JOINED:
        return True
    if f"{left}-{right}" in words or following[0].isupper() or not words.divided:
        return False
    return not (len(left) > 3 and len(right) > 3 and left in words and right in words)


def _halves(text: str, following: str) -> tuple[str, str] | None:
    """The parts of a word before and after a line's end, if they may be those of one."""
    text = text.rstrip(_HYPHENS)
    start, end = _WORD_END.search(text, text.rfind(" ") + 1), _WORD_START.match(following)
    if not start or not end or (end.group()[0].isupper() and not (start.group() + end.group()).isupper()):
        return None
    return start.group().lower(), end.group().lower()
