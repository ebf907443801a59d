"""Page numbers of the printed book."""

from collections.abc import Sequence

from docqn.build import Block
from docqn.parsers.book.places import Place


def number_pages(blocks: Sequence[Block], begins: Sequence[tuple[Place, int]], page: int) -> tuple[list[Block], int]:
    """A document's blocks with their pages, and the page at its end; `page` is that at its beginning."""
    numbered: list[Block] = []
    number = 0
    for i, block in enumerate(blocks):
        marks: list[tuple[int, int]] = []
        first = page
        while number < len(begins) and begins[number][0][0] <= i:
            ((at, offset), page) = begins[number]
            if at < i or not block.text[:offset].strip():
                first = page
            else:
                marks.append((offset, page))
            number += 1
        numbered.append(block._replace(page=first, pages=() if block.level else tuple(marks)))
    return numbered, begins[-1][1] if begins else page
