"""Write docqn/text/wordpiece_classes.npy: what BERT's tokenizer makes of every code point, run-length encoded.

Taken from the `tokenizers` package, which has the Unicode tables of its time, so that ours do not depend on Python's.
"""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from tokenizers.normalizers import BertNormalizer
from tokenizers.pre_tokenizers import BertPreTokenizer

from docqn.text.wordpiece import ALONE, GONE, SPACE, STRIPPED_SHIFT, WORD

OUT = Path(__file__).resolve().parents[1] / "docqn" / "text" / "wordpiece_classes.npy"
SURROGATES = range(0xD800, 0xE000)  # cannot be encoded, so the package cannot be asked


def char_class(code: int, strip_accents: bool) -> int:
    """The class of one code point, from what becomes of it between two letters."""
    if code in SURROGATES:
        return GONE
    normalizer = BertNormalizer(
        clean_text=True, handle_chinese_chars=True, strip_accents=strip_accents, lowercase=strip_accents
    )
    text = normalizer.normalize_str(f"a{chr(code)}a")
    pieces = BertPreTokenizer().pre_tokenize_str(text)
    if text == "aa":
        return GONE
    return {1: WORD, 2: SPACE, 3: ALONE}[len(pieces)]


def run_lengths() -> NDArray[np.int32]:
    """[runs, 2]: length and class of each run of code points, in order; that with stripped accents is shifted."""
    codes = range(0x110000)
    classes = np.array([char_class(c, False) | char_class(c, True) << STRIPPED_SHIFT for c in codes], np.int32)
    starts = np.flatnonzero(np.diff(classes, prepend=-1))
    return np.stack([np.diff(starts, append=len(classes)).astype(np.int32), classes[starts]], axis=1)


if __name__ == "__main__":
    np.save(OUT, run_lengths())
