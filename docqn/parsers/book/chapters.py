"""The chapters of an EPUB book: its table of contents says what stands under what, and what headings do not say."""

import re
from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import NamedTuple

from docqn.build import DEEPEST_LEVEL, Block
from docqn.parsers.book.contents import Entry

FARTHEST = 3  # blocks between the beginning of a chapter and its heading
SHORTEST_PART = 4  # characters that a heading and its entry must share, if they are not the same
_SIGNS = re.compile(r"[\W_]+")


class Part(NamedTuple):
    """A block of the book."""

    block: Block
    is_added: bool = False  # a heading that is only in the table of contents


class Chapters:
    """Takes a book's documents in order and gives each heading its level in the book."""

    def __init__(self, title: str | None) -> None:
        self._title = _plain(title or "")
        # The levels of the last heading that the table of contents names, in its document and in the book.
        self._anchor: tuple[int, int] | None = None

    def arrange(self, blocks: Sequence[Block], begins: Sequence[tuple[int, Entry]]) -> Iterator[Part]:
        """A document's blocks with the headings that they lack; chapters begin at the blocks with these numbers."""
        headings, missing = _match(blocks, begins)
        highest = _highest_to_come(blocks)
        for i, block in enumerate(blocks):
            for entry in missing.get(i, ()):
                self._anchor = highest[i] - 1, entry.level
                yield Part(Block(entry.label, entry.level, page=block.page), is_added=True)
            if i in headings:
                self._anchor = block.level, headings[i].level
            elif block.level and not self._anchor and _plain(block.text) == self._title:
                continue  # of the title page
            yield Part(block._replace(level=self._level(block.level)))
        for entry in missing.get(len(blocks), ()):
            yield Part(Block(entry.label, entry.level), is_added=True)

    def _level(self, level: int) -> int:
        """The level in the book of a heading with this one in its document."""
        if not level or not self._anchor:
            return level
        return max(1, level - self._anchor[0] + self._anchor[1])


def without_empty(parts: Sequence[Part]) -> list[Block]:
    """The blocks without added headings that have nothing below them, such as that of the cover."""
    kept: list[Block] = []
    for part in reversed(parts):
        below = kept[-1] if kept else None
        if not part.is_added or (below and not 0 < below.level <= part.block.level):
            kept.append(part.block)
    return kept[::-1]


def _match(
    blocks: Sequence[Block], begins: Sequence[tuple[int, Entry]]
) -> tuple[dict[int, Entry], dict[int, list[Entry]]]:
    """Which blocks are the headings of which chapters, and before which blocks the other chapters begin.

    A chapter's heading is among the first blocks after its beginning: one that reads alike, or else the first. Of
    several chapters that begin together, such as a part and its first chapter, only the last takes one that does not.
    """
    headings: dict[int, Entry] = {}
    missing: dict[int, list[Entry]] = {}
    free = 0  # the first block that no chapter has yet
    for number, (begin, entry) in enumerate(begins):
        following = next((other for other, _ in begins[number + 1 : number + 2]), len(blocks))
        is_last = following > begin
        free = max(free, begin)
        end = following if is_last else len(blocks)
        near = [i for i in range(free, min(end, begin + FARTHEST + 1)) if blocks[i].level]
        alike = next((i for i in near if _reads_alike(blocks[i].text, entry.label)), None)
        heading = near[0] if alike is None and is_last and near else alike
        if heading is None:
            missing.setdefault(free, []).append(entry)
        else:
            headings[heading] = entry
            free = heading + 1
    return headings, missing


def _highest_to_come(blocks: Sequence[Block]) -> list[int]:
    """For each block, the smallest level of the headings from there on."""
    levels = [block.level or DEEPEST_LEVEL for block in reversed(blocks)]
    return list(accumulate(levels, min))[::-1]


def _reads_alike(heading: str, label: str) -> bool:
    """Whether they are the same, or the longer one holds the other."""
    shorter, longer = sorted((_plain(heading), _plain(label)), key=len)
    return shorter == longer or (len(shorter) >= SHORTEST_PART and f" {shorter} " in f" {longer} ")


def _plain(text: str) -> str:
    return _SIGNS.sub(" ", text.casefold()).strip()
