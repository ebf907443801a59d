"""Spans of characters that do not cut what a person takes for one character."""

from docqn.text.char_classes import MARK, char_classes


def whole_characters(text: str, start: int, end: int) -> tuple[int, int]:
    """The span, longer by the combining marks that follow it: tokenizers leave them out."""
    kinds = char_classes()
    while end < len(text) and kinds[ord(text[end])] == MARK:
        end += 1
    return start, end
