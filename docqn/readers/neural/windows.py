"""Long passages in overlapping windows. Every token belongs to one window, the one that shows most around it."""

from __future__ import annotations

from typing import NamedTuple


class Window(NamedTuple):
    """Tokens of a passage that are read at once, and those of them whose spans are taken from it."""

    first: int
    end: int
    own_first: int
    own_end: int


def windows(tokens: int, room: int, overlap: int) -> list[Window]:
    """Windows of at most `room` tokens, each beginning `overlap` tokens before the end of the one before.

    The middle of an overlap parts what two windows own; half of it should hold the longest span.
    """
    step = room - overlap
    if step < 1:
        raise ValueError(f"windows of {room} tokens cannot overlap by {overlap}")
    firsts = range(0, max(tokens - overlap, 1), step)
    ends = [min(first + room, tokens) for first in firsts]
    middles = [(first + end) // 2 for first, end in zip(firsts[1:], ends, strict=False)]
    return [Window(*window) for window in zip(firsts, ends, [0, *middles], [*middles, tokens], strict=True)]
