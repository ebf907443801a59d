"""The characters of words, as a network takes them."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

CHARACTERS = 256  # that are told apart; those beyond ASCII share half of these
LONGEST_WORD = 16  # characters that are looked at
_HALF = CHARACTERS // 2


def characters(words: Sequence[str]) -> NDArray[np.uint8]:
    """[words, 16]: code points, those beyond ASCII modulo 128 above it; 0 after the end."""
    joined = "".join(word[:LONGEST_WORD].ljust(LONGEST_WORD, "\0") for word in words)
    code = np.frombuffer(joined.encode("utf-32-le", "surrogatepass"), np.uint32).reshape(-1, LONGEST_WORD)
    return np.where(code < _HALF, code, _HALF + code % _HALF).astype(np.uint8)
