"""The tokenizer's class of every Unicode code point."""

from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

SPACE = 0  # separates tokens
LETTER = 1  # joins with letters and digits
DIGIT = 2
SINGLE = 3  # a token by itself: punctuation, symbols, ideographs
RUN = 4  # joins only with its own kind: Katakana
MARK = 5  # combining marks and format characters: belong to the character before


@cache
def char_classes() -> NDArray[np.uint8]:
    """Class of each code point, [0x110000]; made by `tools/make_char_classes.py`."""
    runs = np.load(Path(__file__).with_name("char_classes.npy"), allow_pickle=False)
    table = np.repeat(runs[:, 1].astype(np.uint8), runs[:, 0])
    table.flags.writeable = False
    return table
