"""Text in the making that knows the source line of each of its parts."""

from html import unescape

from docqn.build import Block, Marks
from docqn.text.clean import clean


class Passage:
    """Collects pieces of text; white space between them collapses, except for line breaks that are asked for."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._length = 0
        self._gap = ""  # what stands between the text so far and the next piece
        self._marks: list[tuple[int, int]] = []

    def add(self, text: str, line: int) -> None:
        """Add a piece that stands on one line of the source."""
        text = clean(text)
        words = text.split()
        if not words:
            if text:
                self.space()
            return
        if text[0].isspace():
            self.space()
        self._append(" ".join(words), line)
        if text[-1].isspace():
            self.space()

    def add_literal(self, text: str, line: int) -> None:
        """Add lines as they are, from a line of the source on. Blank ones around them are left out."""
        lines = clean(text).rstrip().split("\n")
        first = next((i for i, content in enumerate(lines) if content.strip()), len(lines))
        for number, content in enumerate(lines[first:], start=line + first):
            if content.strip():
                self._append(content.rstrip() if self._length else content.strip(), number)
                self._gap = "\n"
            else:
                self._gap += "\n"

    def add_entities(self, text: str, line: int) -> None:
        """Add a piece of HTML text: its entities become characters, its line feeds spaces."""
        for number, content in enumerate(text.split("\n"), start=line):
            if number > line:
                self.space()
            self.add(unescape(content) if "&" in content else content, number)

    def space(self) -> None:
        """A space before the next piece, unless a break is due there."""
        self._gap = self._gap or " "

    def line_break(self) -> None:
        """A line feed before the next piece."""
        self._gap = "\n"

    def _append(self, text: str, line: int) -> None:
        if self._length:
            self._parts.append(self._gap)
            self._length += len(self._gap)
        self._gap = ""
        if not self._marks or self._marks[-1][1] != line:
            self._marks.append((self._length, line))
        self._parts.append(text)
        self._length += len(text)

    def text(self) -> str:
        """What has been collected."""
        return "".join(self._parts)

    def one_line(self) -> str:
        """The same without breaks."""
        return self.text().replace("\n", " ")

    def marks(self) -> Marks:
        """Where the text goes on to another line, with its beginning."""
        return tuple(self._marks)

    def block(self, level: int = 0) -> Block:
        """A heading or paragraph of what has been collected; nothing may have been."""
        if not self._marks:
            return Block("")
        if level:
            return Block(self.one_line(), level, self._marks[0][1])
        return Block(self.text(), 0, self._marks[0][1], lines=tuple(self._marks[1:]))
