"""Write docqn/text/char_classes.npy: the tokenizer's class of every code point, run-length encoded.

Run `python tools/make_char_classes.py` after a change of the classes; tests compare the file with `unicodedata`.
"""

import unicodedata
from pathlib import Path

import numpy as np

from docqn.text.char_classes import DIGIT, LETTER, MARK, RUN, SINGLE, SPACE

OUT = Path(__file__).resolve().parents[1] / "docqn" / "text" / "char_classes.npy"
# Scripts written without spaces: one token a character, except Katakana, which spells words in runs.
UNSPACED = ("CJK UNIFIED", "CJK COMPATIBILITY IDEO", "HIRAGANA", "THAI ", "LAO ", "KHMER ", "MYANMAR ", "TANGUT", "YI ")


def char_class(code: int) -> int:
    """The class of one code point."""
    char = chr(code)
    category = unicodedata.category(char)
    name = unicodedata.name(char, "")
    if category[0] == "Z" or category == "Cc" or code in (0x200B, 0xFEFF):
        return SPACE
    if category[0] == "M" or category == "Cf":
        return MARK
    if name.startswith("KATAKANA") and category[0] == "L":
        return RUN
    if name.startswith(UNSPACED) and category[0] == "L":
        return SINGLE
    if category[0] == "L":
        return LETTER
    return DIGIT if category[0] == "N" else SINGLE


def run_lengths() -> np.ndarray:
    """[runs, 2]: length and class of each run of code points, in order."""
    classes = np.array([char_class(code) for code in range(0x110000)], dtype=np.int32)
    starts = np.flatnonzero(np.diff(classes, prepend=-1))
    return np.stack([np.diff(starts, append=len(classes)).astype(np.int32), classes[starts]], axis=1)


if __name__ == "__main__":
    np.save(OUT, run_lengths())
