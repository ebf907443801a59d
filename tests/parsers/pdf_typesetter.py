"""Fills pages of a `PdfFile` with headings and paragraphs, in columns and with running heads, like real documents."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field

from tests.parsers.pdf_files import FONTS, WORDS, Bookmark, PdfFile, width

ROMAN, BOLD, ITALIC = FONTS[:3]


@dataclass
class Typesetter:
    """Where the next line goes; pages and columns follow each other as they fill."""

    file: PdfFile = field(default_factory=PdfFile)
    columns: int = 1
    size: float = 10.0
    leading: float = 1.2
    indent: float = 0.0  # of a paragraph's first line
    space: float = 6.0  # between paragraphs
    hyphens: bool = False
    justified: bool = True
    piece: str = "line"
    head: str = ""  # running head; {} is the page's number
    foot: str = "{}"
    heading_sizes: tuple[float, ...] = (14.0, 12.0, 10.5)
    outline: bool = False
    margin: float = 72.0
    gutter: float = 18.0
    top: float = 0.0
    column: int = 0
    floor: float = 0.0  # top of the columns on this page
    blocks: list[tuple[int, str, int]] = field(default_factory=list)  # what was set: level, text, page from 1

    def __post_init__(self) -> None:
        self._turn_page()

    @property
    def measure(self) -> float:
        """The width of a column."""
        return (self.file.size[0] - 2 * self.margin - (self.columns - 1) * self.gutter) / self.columns

    @property
    def left(self) -> float:
        return self.margin + self.column * (self.measure + self.gutter)

    def _turn_page(self) -> None:
        self.file.page()
        number = len(self.file.pages)
        if self.head:
            self.file.text(self.margin, 40, self.head.format(number), 9, ITALIC)
        if self.foot:
            self.file.text(self.file.size[0] / 2, self.file.size[1] - 36, self.foot.format(number), 9)
        self.column, self.top = 0, self.margin
        self.floor = self.margin

    def _room(self, height: float) -> None:
        """Go on where there is room for this much."""
        if self.top + height > self.file.size[1] - self.margin:
            if self.column + 1 < self.columns:
                self.column, self.top = self.column + 1, self.floor
            else:
                self._turn_page()

    def title(self, text: str, size: float = 20.0) -> None:
        """Over all columns, in the middle."""
        self.top += 1.5 * size
        self.file.text((self.file.size[0] - width(text, size, BOLD)) / 2, self.top, text, size, BOLD, piece=self.piece)
        self.top += size
        self.floor = self.top

    def heading(self, text: str, level: int = 1) -> None:
        size = self.heading_sizes[level - 1]
        self._room(4 * size)
        self.top += 1.8 * size
        self.file.text(self.left, self.top, text, size, BOLD, piece=self.piece)
        self.blocks.append((level, text, len(self.file.pages)))
        self.top += 0.6 * size
        if self.outline:
            self.file.bookmarks.append(Bookmark(text, level, len(self.file.pages) - 1, self.top - 1.8 * size))

    def paragraph(self, text: str) -> None:
        step = self.leading * self.size
        first = True
        for line, spread in self._lines(text):
            self._room(step)
            self.top += step
            if first:
                self.blocks.append((0, text, len(self.file.pages)))
            x = self.left + (self.indent if first else 0)
            self.file.text(x, self.top, line, self.size, ROMAN, piece=self.piece, spread=spread)
            first = False
        self.top += self.space

    def _lines(self, text: str) -> Iterator[tuple[str, float]]:
        """Lines as full as they can be, and what to add between their words."""
        words = text.split(" ")
        line: list[str] = []
        room = self.measure - self.indent
        while words:
            word = words.pop(0)
            if width(" ".join([*line, word]), self.size, ROMAN) <= room:
                line.append(word)
                continue
            if self.hyphens and (cut := self._cut(" ".join(line), word, room)):
                line.append(word[:cut] + "-")
                word = word[cut:]
            words.insert(0, word)
            text = " ".join(line)
            gaps = max(len(line) - 1, 1)
            yield text, (room - width(text, self.size, ROMAN)) / gaps if self.justified else 0.0
            line, room = [], self.measure
        if line:
            yield " ".join(line), 0.0

    def _cut(self, line: str, word: str, room: float) -> int:
        """After how many letters to divide the word; 0 for nowhere."""
        for cut in range(len(word) - 3, 2, -1):
            if word.isalpha() and width(f"{line} {word[:cut]}-", self.size, ROMAN) <= room:
                return cut
        return 0


def sentences(chance: random.Random, count: int) -> str:
    """Made-up prose."""
    made = []
    for _ in range(count):
        words = [chance.choice(WORDS) for _ in range(chance.randint(6, 16))]
        made.append(" ".join(words).capitalize() + ".")
    return " ".join(made)


def fill(page: Typesetter, seed: int, sections: int = 0, pages: int = 0) -> Typesetter:
    """Numbered sections of numbered parts, so many or as many as pages take; what is beyond the pages is cut off."""
    chance = random.Random(seed)
    section = 0
    while section < sections or len(page.file.pages) <= pages:
        section += 1
        page.heading(f"{section} {chance.choice(WORDS).capitalize()} and {chance.choice(WORDS)}")
        for part in range(1, chance.randint(2, 4)):
            page.heading(f"{section}.{part} On the {chance.choice(WORDS)}", 2)
            for _ in range(chance.randint(1, 5)):
                page.paragraph(sentences(chance, chance.randint(1, 8)))
    if pages:
        del page.file.pages[pages:]
        page.file.bookmarks = [bookmark for bookmark in page.file.bookmarks if bookmark.page < pages]
    return page


def article(piece: str = "line", size: float = 9) -> Typesetter:
    """Two justified columns with divided words and indented paragraphs, as LaTeX sets them; no bookmarks."""
    page = Typesetter(columns=2, size=size, indent=12, space=0, hyphens=True, piece=piece, margin=54)
    page.title("A Survey of Harbours and Railways")
    return page


def manual() -> Typesetter:
    """One ragged column with space between paragraphs, running heads and bookmarks, as word processors set it."""
    file = PdfFile("The Complete Manual")
    page = Typesetter(file, size=11, piece="spaced", justified=False, head="The Complete Manual {}", outline=True)
    page.title("The Complete Manual")
    return page
