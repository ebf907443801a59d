"""Paragraphs that go on in the next column or on the next page, over footnotes, captions and tables between."""

from __future__ import annotations

from collections.abc import Sequence

from docqn.parsers.pdf_pages.body import BULLETS, CAPTION, ENUMERATOR, Body
from docqn.parsers.pdf_pages.lines import BOLD, DIVIDED, MONO, Lines
from docqn.parsers.pdf_pages.paragraphs import INDENT, OTHER_SIZE, Layout

FARTHEST = 2  # pages on; a page of figures may stand between
PROSE = 40  # characters of running text; a shorter paragraph is prose if it ends like a sentence
SHORTEST_PROSE = 15

_SENTENCE_ENDS = frozenset(".!?:;…。！？")
_CLOSING = "”\"'’)]»"


def with_continuations(
    paragraphs: Sequence[list[int]], levels: Sequence[int], lines: Lines, body: Body, layout: Layout
) -> tuple[list[list[int]], list[int]]:
    """The paragraphs and their levels, where each paragraph has all its lines."""
    kept: list[list[int]] = []
    kept_levels: list[int] = []
    last: list[int] | None = None  # the running text that may go on
    at_top = False  # no running text yet in this column
    tops = layout.tops.tolist()
    indents = _indents(paragraphs, levels, lines)
    for numbers, level in zip(paragraphs, levels, strict=True):
        at_top = at_top or tops[numbers[0]]
        if tops[numbers[0]] and kept and not kept_levels[-1] and _begun(lines, layout, kept[-1][-1]):
            last = kept[-1]
        if level:
            last, at_top = None, False
        elif at_top and last and _goes_on(lines, layout, last, numbers, indents):
            last.extend(numbers)
            at_top = False
            continue
        elif _prose(lines, numbers) and not (last and _aside(lines, body, last[-1], numbers[0])):
            last, at_top = numbers, False
        kept.append(numbers)
        kept_levels.append(level)
    return kept, kept_levels


def _prose(lines: Lines, numbers: Sequence[int]) -> bool:
    """Whether a paragraph is running text, not a row of a table or a label in a figure."""
    length = sum(len(lines.text[i]) for i in numbers)
    return (
        length > PROSE
        or (length > SHORTEST_PROSE and _ended(lines.text[numbers[-1]]))
        or lines.text[numbers[-1]][-1] == DIVIDED
    )


def _begun(lines: Lines, layout: Layout, number: int) -> bool:
    """Whether a line at the foot of a column, be it the only one of its paragraph, surely does not end it."""
    filled = lines.right[number] > layout.right[number] - 2 * lines.size[number]
    return bool(filled) and " " in lines.text[number] and not _ended(lines.text[number])


def _ended(text: str) -> bool:
    return text.rstrip(_CLOSING)[-1:] in _SENTENCE_ENDS


def _aside(lines: Lines, body: Body, a: int, b: int) -> bool:
    """Whether a line belongs to a footnote or a caption beside the text that the other belongs to."""
    return bool(lines.size[b] < min(lines.size[a], body.size) / OTHER_SIZE or CAPTION.match(lines.text[b]))


def _goes_on(lines: Lines, layout: Layout, last: Sequence[int], numbers: Sequence[int], indents: bool) -> bool:
    """Whether a paragraph goes on with another at the top of a later column. `indents` tells whether paragraphs of this
    document begin indented."""
    a, b = last[-1], numbers[0]
    before, after = lines.text[a], lines.text[b]
    alike = 1 / OTHER_SIZE < lines.size[b] / max(lines.size[a], 0.1) < OTHER_SIZE
    alike &= not (lines.face[a] ^ lines.face[b]) & (BOLD | MONO)
    if not alike or not 0 <= lines.page[b] - lines.page[a] <= FARTHEST:
        return False
    if before[-1] == DIVIDED or (before[-1] == "-" and before[-2:-1].isalpha()):
        return after[0].isalpha()
    if after[0] in BULLETS or ENUMERATOR.match(after) or CAPTION.match(after):
        return False
    ended = _ended(before)
    if after[0].islower() and not ended:
        return _prose(lines, numbers) or _ended(lines.text[numbers[-1]])
    filled = bool(lines.right[a] > layout.right[a] - 3 * lines.size[a])
    return filled and _prose(lines, numbers) and not _indented(lines, numbers) and (not ended or indents)


def _indented(lines: Lines, numbers: Sequence[int]) -> bool:
    """Whether the first line stands farther to the right than the second. A single line may."""
    if len(numbers) < 2:
        return True
    first, second = numbers[:2]
    return bool(lines.left[first] > lines.left[second] + INDENT * lines.size[first])


def _indents(paragraphs: Sequence[Sequence[int]], levels: Sequence[int], lines: Lines) -> bool:
    """Whether most paragraphs begin indented."""
    longer = [numbers for numbers, level in zip(paragraphs, levels, strict=True) if not level and len(numbers) > 1]
    return sum(_indented(lines, numbers) for numbers in longer) > 0.5 * len(longer)
