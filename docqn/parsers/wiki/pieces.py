"""Pieces of text with the offset in the source where each begins, and signs that guide the reading of lines later."""

from collections.abc import Iterable, Sequence

Piece = tuple[str, int]
Pieces = list[Piece]

# Private characters, which the source is rid of beforehand.
FIRST_SIGN, LAST_SIGN = "\U000f0000", "\U000f01ff"
LITERAL = "\U000f0000"  # at the beginning of a line: leave it as it is
APART = "\U000f0001"  # at the beginning of a line: a paragraph of its own
PIPE = "\U000f0002"  # a pipe that divides cells but not the arguments around it
ASIDE, ASIDE_END = "\U000f0003", "\U000f0004"  # around a caption: a paragraph of its own beside the one it stands in
BREAK = "\U000f0005"  # a line break within a paragraph

_PROTECTED = 0xF0100  # added to ASCII characters that are not mark-up
_PROTECT = {ord(sign): chr(_PROTECTED + ord(sign)) for sign in "!#'*-:;<=>[]_{|}~ "}
_UNPROTECT = {_PROTECTED + code: code for code in _PROTECT}


def protected(text: str) -> str:
    """The text so that nothing in it is taken for mark-up; of the same length."""
    return text.translate(_PROTECT)


def unprotected(text: str) -> str:
    """The text as it was."""
    return text if text.isascii() else text.translate(_UNPROTECT)


def joined(pieces: Iterable[Piece]) -> str:
    """The text of pieces."""
    return "".join([text for text, _ in pieces])


def divided(pieces: Iterable[Piece], sign: str, most: int = -1) -> list[Pieces]:
    """The pieces between signs, of which `most` count."""
    parts: list[Pieces] = [[]]
    for text, at in pieces:
        found = text.split(sign, most - len(parts) + 1 if most >= 0 else -1) if sign in text else (text,)
        for i, part in enumerate(found):
            if i:
                parts.append([])
            if part:
                parts[-1].append((part, at))
            at += len(part) + len(sign)
    return parts


def stripped(pieces: Sequence[Piece]) -> Pieces:
    """The pieces without the space around them."""
    kept = list(pieces)
    while kept and not kept[-1][0].strip():
        kept.pop()
    first = next((i for i, (text, _) in enumerate(kept) if text.strip()), len(kept))
    kept = kept[first:]
    if kept:
        text, at = kept[0]
        kept[0] = text.lstrip(), at + len(text) - len(text.lstrip())
        kept[-1] = kept[-1][0].rstrip(), kept[-1][1]
    return kept


def on_one_line(pieces: Iterable[Piece], between: str = " ") -> Pieces:
    """The pieces with each line end, and the list mark after it, as `between`; of a caption or a value."""
    result: Pieces = []
    for text, at in pieces:
        for i, line in enumerate(text.split("\n")):
            item = line.lstrip("*#:; ") if i or not result else line
            if i and result and item:
                result.append((between if len(item) < len(line) else " ", at))
            if item:
                result.append((item, at + len(line) - len(item)))
            at += len(line) + 1
    return result
