"""Boxes in an article. Their titles are headings, unless text follows that would then stand in a section of the box."""

from docqn.build import Block


class Boxes:
    """Follows where boxes are among the blocks."""

    def __init__(self, blocks: list[Block]) -> None:
        self._blocks = blocks
        self._open: list[int] = []  # how many blocks come before each open box
        self._headings: list[int] = []  # which blocks within boxes are headings
        self._closed: int | None = None  # how many blocks come before a box, just after it

    def begin(self) -> None:
        """A box begins."""
        self._open.append(len(self._blocks))

    def end(self) -> None:
        """A box ends."""
        before = self._open.pop()
        if self._headings and self._headings[-1] >= before:
            self._closed = before

    def heading(self) -> None:
        """The next block is a heading."""
        self._closed = None
        if self._open:
            self._headings.append(len(self._blocks))
        else:
            self._headings.clear()

    def text(self) -> None:
        """The next block is a paragraph: the headings of a box just before it become paragraphs too."""
        while self._closed is not None and self._headings and self._headings[-1] >= self._closed:
            heading = self._headings.pop()
            self._blocks[heading] = self._blocks[heading]._replace(level=0)
        self._closed = None
