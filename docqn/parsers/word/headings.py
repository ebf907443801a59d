"""From the paragraphs of a Word document to blocks and a title."""

from collections.abc import Sequence

from docqn.build import Block
from docqn.parsers.word.found import Found
from docqn.parsers.word.styles import CONTENTS, TITLE

LONGEST_HEADING = 100  # characters of a heading that no style marks as one
MOST_HEADINGS = 0.5  # share of such headings among all paragraphs
DEEPEST_GUESS = 3
_NOT_AT_END = ".,;:"


def arrange(found: Sequence[Found]) -> tuple[str | None, list[Block]]:
    """The title that a style marks, and the blocks without it and without lists of pages.

    Later paragraphs with the style of titles are headings above all others.
    """
    kept = [paragraph for paragraph in found if paragraph.role != CONTENTS]
    if not any(paragraph.block.level for paragraph in kept):
        kept = _guess(kept)
    begin = next((i for i, paragraph in enumerate(kept) if paragraph.role == TITLE), len(kept))
    end = next((i for i in range(begin, len(kept)) if kept[i].role != TITLE), len(kept))
    title = " ".join(paragraph.block.text.replace("\n", " ") for paragraph in kept[begin:end])
    rest = kept[:begin] + kept[end:]
    lower = any(paragraph.role == TITLE for paragraph in rest)
    return title or None, [_levelled(paragraph, lower) for paragraph in rest]


def _levelled(paragraph: Found, lower: bool) -> Block:
    """The block; headings are one level lower where titles are headings too."""
    text, level = paragraph.block.text, paragraph.block.level
    if paragraph.role == TITLE:
        return paragraph.block._replace(text=text.replace("\n", " "), level=1, pages=())
    return paragraph.block._replace(level=level + 1) if lower and level else paragraph.block


def _guess(found: Sequence[Found]) -> list[Found]:
    """With short bold paragraphs as headings, larger ones above smaller ones, if the document uses them like that."""
    candidates = [i for i, paragraph in enumerate(found) if _may_be_heading(paragraph)]
    others = sorted(set(range(len(found))).difference(candidates))
    headings = [i for i in candidates if others and i < others[-1]]  # there is something below it
    guessed = list(found)
    if len(headings) <= MOST_HEADINGS * len(found):
        sizes = sorted({found[i].size for i in headings}, reverse=True)
        for i in headings:
            level = min(sizes.index(found[i].size) + 1, DEEPEST_GUESS)
            guessed[i] = found[i]._replace(block=found[i].block._replace(level=level, pages=()))
    return guessed


def _may_be_heading(paragraph: Found) -> bool:
    text = paragraph.block.text
    return (
        paragraph.bold
        and not paragraph.role
        and not paragraph.listed
        and not paragraph.in_table
        and len(text) <= LONGEST_HEADING
        and "\n" not in text
        and text[-1] not in _NOT_AT_END
        and any(map(str.isalpha, text))
    )
