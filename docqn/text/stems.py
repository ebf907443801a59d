"""Stems: what the forms of an English word have in common, near enough to tell that two are of one."""

from __future__ import annotations

from functools import lru_cache

from docqn.text.lexicon import word_of

SHORTEST_STEM = 4  # letters
_KEPT = ("ss", "us", "is")  # ends that are no plural
_ENDINGS = (
    *(("ies", "y"), ("ied", "y"), ("ie", "y"), ("ings", ""), ("ing", ""), ("ers", ""), ("er", "")),
    *(("es", ""), ("ed", ""), ("ly", ""), ("s", ""), ("e", "")),
)  # and what takes their place


@lru_cache(maxsize=1 << 17)
def stem(word: str) -> str:
    """The word without its ending, the first of these that leaves enough."""
    for ending, instead in _ENDINGS:
        if word.endswith(ending) and not (ending == "s" and word.endswith(_KEPT)):
            left = word.removesuffix(ending) + instead
            if len(left) >= SHORTEST_STEM:
                return left
    return word


def stem_of(token: str) -> str | None:
    """The stem of the word that a token stands for; None if it does not count."""
    word = word_of(token)
    return None if word is None else stem(word)
