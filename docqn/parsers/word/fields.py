"""Fields of a Word document: an instruction and its result, as marks among the runs."""

CONTENTS = ("TOC", "INDEX", "TOA")  # results of these are lists of pages
_LONGEST_NAME = 20


class _Field:
    def __init__(self) -> None:
        self.instruction = ""
        self.hides = True  # its instruction, and then a result that is left out


class Fields:
    """The fields that are open, one within another."""

    def __init__(self) -> None:
        self._open: list[_Field] = []
        self._hiding = 0

    def hide(self) -> bool:
        """Whether what stands here is left out."""
        return self._hiding > 0

    def are_open(self) -> bool:
        """Whether a field has not ended."""
        return bool(self._open)

    def say(self, text: str) -> None:
        """A part of the instruction."""
        if self._open and len(self._open[-1].instruction) < _LONGEST_NAME:
            self._open[-1].instruction += text.lstrip()

    def mark(self, kind: str) -> None:
        """The beginning, the end of the instruction, or the end of a field."""
        if kind == "begin":
            self._open.append(_Field())
            self._hiding += 1
        elif self._open and self._open[-1].hides and (kind == "end" or not is_contents(self._open[-1].instruction)):
            self._open[-1].hides = False
            self._hiding -= 1
        if self._open and kind == "end":
            self._open.pop()


def is_contents(instruction: str) -> bool:
    """Whether the field's result is a list of pages."""
    return instruction.lstrip().partition(" ")[0].upper() in CONTENTS
