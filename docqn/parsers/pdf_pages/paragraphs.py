"""Which lines begin a paragraph: by spacing, indentation, short last lines, list marks and changes of face."""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from docqn.parsers.pdf_pages.body import Body, bullets, continuing, ended, enumerators
from docqn.parsers.pdf_pages.lines import BOLD, DIVIDED, MONO, Bools, Floats, Lines
from docqn.parsers.pdf_pages.margins import right_edges

Ints = NDArray[np.int64]

WIDE_GAP = 1.28  # times the usual distance of two lines
TIGHT_GAP = 1.1
INDENT = 0.7  # in font sizes: a step to the right or left that means something
ALIGNED = 0.2  # in font sizes: edges that are meant to be in line
FARTHEST_INDENT = 8.0  # in font sizes; steps beyond are cells of tables, or centred
WIDEST_WORD = 1.3  # times what its number of characters lets expect
SPACE = 0.6  # in font sizes, between words
OTHER_SIZE = 1.08  # ratio of two font sizes that differ to the eye
SLIGHTLY_OTHER = 1.3  # within which a sentence may go on
DISPLAY = 1.15  # times the body's size, from which text is a heading or the like
LONGEST_DISPLAY = 4  # lines
WIDEST_CHARACTER = 0.55  # font sizes that an average character takes in a wide type
TABULAR = 1.4  # times the usual width of a character: words stand apart as in the row of a table
COLUMN_STEP = 5.0  # font sizes upwards to the top of a column; less is a formula or a table
SCRAP_STEP = 4.0  # font sizes between pieces of a formula
LONGEST_SCRAP = 3  # characters
LONGEST_FORMULA = 40
LEAST_LEADING, MOST_LEADING = 0.7, 2.6  # font sizes from line to line
USUAL_LEADING = 1.25

_MATHS = re.compile("[\U0001d400-\U0001d7ff\u2200-\u23ff\u27c0-\u2aff\u20d0-\u20f0\ufe00-\ufe0f±×÷]")
_WORD = re.compile("[A-Za-z]{4}")


class Layout(NamedTuple):
    """What each line begins, and where it could have gone on to."""

    starts: Bools  # a paragraph
    tops: Bools  # a page, or a column high on it
    right: Floats


def layout(lines: Lines, body: Body, contents: Bools, marked: Ints) -> Layout:
    """How the lines form paragraphs and columns. `marked` numbers lines that are headings for other reasons; a change
    there begins a paragraph."""
    starts, tops, columns = (np.ones(len(lines.text), bool) for _ in range(3))
    if len(starts) < 2:
        return Layout(starts, tops, lines.right)
    step, size = np.diff(lines.y), np.maximum(lines.size, 0.1)
    same_page = lines.page[1:] == lines.page[:-1]
    overlap = np.minimum(lines.right[1:], lines.right[:-1]) > np.maximum(lines.left[1:], lines.left[:-1])
    below = step > -0.5 * np.minimum(size[1:], size[:-1])
    columns[1:] = ~(same_page & below & overlap)
    tops[1:] = ~same_page | (step < -COLUMN_STEP * size[1:])

    run = np.cumsum(columns) - 1
    right = right_edges(lines, run)
    scraps = _scraps(lines)
    formula = scraps[1:] & scraps[:-1] & same_page & (abs(step) < SCRAP_STEP * size[1:])
    starts[1:] = (_Steps(lines, body, run, right).starts(contents) | columns[1:]) & ~formula
    named = (marked[1:] == marked[:-1]) & (marked[1:] >= 0)
    starts[1:] = (starts[1:] & ~named) | (marked[1:] != marked[:-1])
    return Layout(starts, tops, right)


def _scraps(lines: Lines) -> Bools:
    """Pieces of a formula: a few characters, or signs without a word."""
    scraps: Bools = lines.length <= LONGEST_SCRAP
    for i in np.flatnonzero(~scraps & (lines.length <= LONGEST_FORMULA)).tolist():
        text = lines.text[i]
        scraps[i] = not text.isascii() and _MATHS.search(text) is not None and not _WORD.search(text)
    return scraps


class _Steps:
    """The lines from the second on, each beside the one before it; arrays are one shorter than there are lines."""

    def __init__(self, lines: Lines, body: Body, run: Ints, right: Floats) -> None:
        self.lines, self.body, self.run = lines, body, run
        self.size = np.maximum(lines.size[1:], 0.1)
        self.step = np.diff(lines.y)  # down
        self.shift = np.diff(lines.left) / self.size  # to the right
        self.bullet, enumerated = bullets(lines), enumerators(lines)
        self.enumerated = enumerated[1:]
        self.after_item = (self.bullet | enumerated)[:-1]
        self.ended, self.divided = ended(lines)[:-1], lines.last[:-1] == ord(DIVIDED)
        self.continuing = continuing(lines)[1:]

        width = (lines.right - lines.left) / lines.length  # of a character
        usual = min(np.median(width / np.maximum(lines.size, 0.1)), WIDEST_CHARACTER)
        tabular = (width > TABULAR * usual * lines.size) & ((lines.face & MONO) == 0)
        self.tabular = tabular[1:] & tabular[:-1]
        word = np.array([text.find(" ") for text in lines.text[1:]])
        word = np.where(word < 0, lines.length[1:], word)
        needed = WIDEST_WORD * word * width[1:] + SPACE * self.size
        self.short = lines.right[:-1] + needed < right[:-1]  # there was room for it
        self.settled = (self.short | self.ended) & ~self.divided

    def starts(self, contents: Bools) -> Bools:
        """Whether each line begins a paragraph."""
        face = self.lines.face
        bold, mono = ((face & kind)[1:] != (face & kind)[:-1] for kind in (BOLD, MONO))
        ratio = self.size / np.maximum(self.lines.size[:-1], 0.1)
        other = (ratio > OTHER_SIZE) | (ratio < 1 / OTHER_SIZE)
        slightly = (ratio < SLIGHTLY_OTHER) & (ratio > 1 / SLIGHTLY_OTHER)
        other &= ~((_dips(ratio) & self.continuing & ~self.settled) | (self.divided & slightly))
        other |= bold & self.settled
        leading = self._leading(~other)
        apart = (self.step > WIDE_GAP * leading) | other | (mono & self.settled)
        apart |= contents[1:] | contents[:-1] | self.tabular

        code = (face & MONO).astype(bool)
        brief = self._brief(other)
        loose = ~brief & ~(code[1:] & code[:-1])
        tight = self.step < TIGHT_GAP * leading
        within = self._item_starts() | (loose & self._shape_starts(apart, tight)) | (brief & self._stepped())
        return np.asarray(apart | (within & ~(self.divided & (abs(self.shift) < FARTHEST_INDENT))), bool)

    def _leading(self, alike: Bools) -> Floats:
        """The usual distance of lines of this size: as in text that surely goes on from one line to the next, over all
        and, where a column is set wider, in it."""
        near = alike & (self.step > LEAST_LEADING * self.size) & (self.step < MOST_LEADING * self.size)
        running = near & ~self.ended & self.continuing
        sizes = np.round(2 * self.size).astype(np.int64)
        usual = max(np.median(self.step[running] / self.size[running]) if running.any() else 0.0, USUAL_LEADING)
        leading = _typical(sizes, near, self.step, usual * self.size)
        leading = _typical(sizes, running, self.step, leading)
        run = self.run[1:]
        wide = running & (self.step > WIDE_GAP * leading)
        lines, wider = (np.bincount(run[pairs], minlength=run.max() + 1) for pairs in (running, wide))
        spaced = ((lines >= 3) & (wider > 0.7 * lines))[run]
        return np.where(spaced, np.maximum(_typical(run, wide, self.step, leading), leading), leading)

    def _brief(self, other: Bools) -> Bools:
        """Lines of headings: of display type, and few together. Their line breaks are no ends of paragraphs."""
        display = self.lines.size > DISPLAY * self.body.size
        display |= (self.lines.face & BOLD) > (self.body.face & BOLD)
        group = np.cumsum(np.append(True, other | (np.diff(self.run) > 0))) - 1
        return np.asarray(display & (np.bincount(group)[group] <= LONGEST_DISPLAY), bool)[1:]

    def _stepped(self) -> Bools:
        """Lines that begin elsewhere than the one before, which had room for them; not if right-aligned or centred."""
        right = np.diff(self.lines.right) / self.size
        aligned = np.minimum(abs(right), abs(self.shift + right) / 2) < ALIGNED
        return np.asarray(self.short & ~self.divided & ~aligned & (abs(self.shift) > INDENT), bool)

    def _item_starts(self) -> Bools:
        """A list mark where a line of running text would hardly have one."""
        settled = self.settled | (abs(self.shift) > INDENT / 2)
        following = np.append(self.shift[1:], 0.0)  # of the next line
        hangs = (following > INDENT / 2) & (following < FARTHEST_INDENT)
        bullet, enumerated = self.bullet[1:] & (settled | hangs), self.enumerated & (settled | (hangs & ~self.divided))
        return np.asarray(bullet | enumerated, bool)

    def _shape_starts(self, apart: Bools, tight: Bools) -> Bools:
        """Starts by indentation and by short last lines."""
        inwards = (self.shift > INDENT) & (self.shift < FARTHEST_INDENT)
        outwards = self.shift < -INDENT
        hanging = self._hanging(inwards)
        returns = np.append(self.shift[1:] < -INDENT / 2, True)  # the next line goes back
        indented = self.settled | (returns & ~self.divided & ~self.continuing)
        indented &= inwards & ~hanging & ~self.after_item
        indented |= self.settled & self._at_indent(indented) & ~hanging
        first = apart | self.short | indented | self.bullet[1:]
        after_first = np.append(True, first[:-1])
        outdented = outwards & (hanging | ~after_first | self.after_item)
        cell = self.shift > FARTHEST_INDENT  # if tight, the last cell of a table's row goes on
        return np.asarray((self.short & ~(cell & tight)) | indented | outdented | (cell & ~tight), bool)

    def _at_indent(self, indented: Bools) -> Bools:
        """Lines that stand as far from their column's left margin as the first lines of paragraphs do in this document:
        one paragraph of a single line may follow another."""
        left = self.lines.left[1:] - self.lines.left.min()
        everywhere = np.zeros(len(left), np.int64)
        inset = left - _typical(self.run[1:], np.ones(len(left), bool), left, left)
        usual = _typical(everywhere, indented & (inset > 0), inset, np.zeros(len(left)))
        return np.asarray((usual > 0) & (abs(inset - usual) < INDENT / 2 * self.size), bool)

    def _hanging(self, inwards: Bools) -> Bools:
        """Whether a line's column sets all but the first lines of its paragraphs inwards."""
        run = self.run[1:]
        hang = np.bincount(run, inwards & ~self.settled & ~self.after_item, run.max() + 1)
        indent = np.bincount(run, inwards & self.settled, run.max() + 1)
        return np.asarray(((hang >= 2) & (hang > indent))[run], bool)


def _dips(ratio: Floats) -> Bools:
    """Steps to a single line that is a little smaller than those around, and from it, by ratios of sizes: there is more
    code than text in it."""
    down = (ratio < 1 / OTHER_SIZE) & (ratio > 1 / SLIGHTLY_OTHER)
    dip = down & np.append(ratio[1:] > OTHER_SIZE, False)
    return np.asarray(dip | np.append(False, dip[:-1]), bool)


def _typical(groups: Ints, chosen: Bools, values: Floats, otherwise: Floats) -> Floats:
    """For each element the most frequent value (to a quarter of a point) of the chosen ones in its group, if three or
    more share it."""
    quarters = np.clip(np.round(4 * values[chosen]), 0, _QUARTERS - 1).astype(np.int64)
    keys, counts = np.unique(groups[chosen] * _QUARTERS + quarters, return_counts=True)
    keys = keys[counts >= 3]
    if not len(keys):
        return otherwise
    order = np.lexsort((counts[counts >= 3], keys // _QUARTERS))
    keys = keys[order]
    last = np.append(keys[1:] // _QUARTERS != keys[:-1] // _QUARTERS, True)  # the most frequent of its group
    group, value = keys[last] // _QUARTERS, keys[last] % _QUARTERS / 4
    at = np.minimum(np.searchsorted(group, groups), len(group) - 1)
    return np.where(group[at] == groups, value[at], otherwise)


_QUARTERS = 1 << 14  # of a point, more than there can be between two lines
