"""Paragraphs of a Word document as they are found, with what tells whether they are headings."""

from typing import NamedTuple

from docqn.build import Block
from docqn.document import NONE
from docqn.parsers.passage import Passage
from docqn.parsers.word.styles import Style, outline_level


class Found(NamedTuple):
    """A paragraph or a table's row."""

    block: Block
    role: str = ""
    bold: bool = False  # whether all of its text is
    size: int = 0  # of most of its text, in half points
    listed: bool = False
    in_table: bool = False


class Paragraph:
    """A paragraph that is open."""

    def __init__(self) -> None:
        self.text = Passage()  # its lines are pages
        self.style = Style()
        self.outline: int | None = None
        self.list_id: int | None = None
        self.bold = 0  # how many letters are
        self.letters = 0
        self.size = 0  # of the longest run
        self.longest = 0
        self.last = ""  # character
        self.goes_on = False  # whether its end is deleted, so that the next paragraph continues it
        self.breaks_page: bool | None = None
        self.boxes: list[Found] = []  # what stands in its text boxes

    def begin(self, style: Style) -> None:
        """It begins, or goes on where its end was deleted: then it is as the paragraph that it goes on with."""
        self.style = style
        self.outline = self.list_id = self.breaks_page = None
        self.goes_on = False

    def add(self, text: str, page: int, bold: bool, size: int) -> None:
        """Text of a run, or of a part of one."""
        letters = len(text.strip())
        self.text.add(text, page)
        self.letters += letters
        self.bold += letters * bold
        self.last = text[-1:]
        if letters > self.longest:
            self.longest, self.size = letters, size

    def found(self) -> list[Found]:
        """The finished paragraph, and after it its text boxes."""
        marks = self.text.marks()
        if not marks:
            return self.boxes
        level = self.style.level if self.outline is None else outline_level(self.outline)
        text = self.text.one_line() if level else self.text.text()
        listed = bool(self.style.list_id if self.list_id is None else self.list_id)
        block = Block(text, level, NONE, marks[0][1], pages=() if level else marks[1:])
        return [Found(block, self.style.role, self.bold == self.letters, self.size, listed), *self.boxes]
