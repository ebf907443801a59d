"""The tokenizer: words, numbers and signs with character offsets, one array operation at a time.

A token is a run of letters and digits, or one sign. Signs inside a word stay with it where they belong to it: `3.14`,
`1,000`, `10:30`, `U.S.`, `e.g.`, `O'Brien`, `AT&T`, `a@b.org`; clitics are split as in the Penn Treebank (`John` `'s`,
`do` `n't`), and so are hyphens and slashes, which bind words that a question may use alone. Ideographs stand alone,
combining marks stay with their letter.
"""

import numpy as np
from numpy.typing import NDArray

from docqn.text.char_classes import DIGIT, LETTER, MARK, RUN, SINGLE, SPACE, char_classes

Spans = NDArray[np.int32]  # [tokens, 2]: start and end of each token
Breaks = NDArray[np.int32]

CLITICS = frozenset(("s", "m", "d", "ll", "re", "ve"))
ABBREVIATIONS = frozenset(
    """adm al approx apr art assoc aug ave brig bros ca capt cf ch cmdr co col corp dec dept dr ed eds esp est
    etc feb fig figs fr ft gen gov hon inc jan jr jul jun lt ltd maj messrs mr mrs ms mt no nos nov oct op pl pp
    prof pt pvt rep rev sen sep sept sgt sr st ste univ viz vol vols vs""".split()
)
_INNER = frozenset(".,٫٬:&@'’")
_LONGEST_ABBREVIATION = max(max(map(len, ABBREVIATIONS)), len("Ph.D.Sc"))


def token_spans(text: str, breaks: Breaks | None = None) -> Spans:
    """Start and end offset of every token of the text, in order. No token crosses an offset in `breaks`."""
    if not text:
        return np.empty((0, 2), np.int32)
    code = _code_points(text)
    kind, marks = _kinds(code)
    word = (kind == LETTER) | (kind == DIGIT)
    inked = kind != SPACE

    starts = inked & ~marks
    starts[1:] &= ~((word[1:] & word[:-1]) | ((kind[1:] == RUN) & (kind[:-1] == RUN)))
    _join_inner_signs(text, kind, word, starts)
    _join_abbreviations(text, code, word, starts)
    if breaks is not None:
        starts[breaks] |= inked[breaks]

    ends = inked.copy()  # the last inked character before a space or the next start
    ends[:-1] &= starts[1:] | ~inked[1:]
    return np.stack([np.flatnonzero(starts), np.flatnonzero(ends) + 1], axis=1).astype(np.int32)


def token_texts(text: str, spans: Spans) -> list[str]:
    """The tokens at these spans. A space between those that touch, and one split: much faster than slices."""
    code = _code_points(text)
    apart = np.where(char_classes()[code] == SPACE, np.uint32(ord(" ")), code)
    touching = spans[1:, 0][spans[1:, 0] == spans[:-1, 1]]
    return np.insert(apart, touching, ord(" ")).tobytes().decode("utf-32-le", "surrogatepass").split()


def _code_points(text: str) -> NDArray[np.uint32]:
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)


def _kinds(code: NDArray[np.uint32]) -> tuple[NDArray[np.uint8], NDArray[np.bool_]]:
    """Class of each character, and where a combining mark continues an inked one, whose class it then has."""
    kind = char_classes().take(code)
    marks = kind == MARK
    if not marks.any():
        return kind, marks
    owner = np.maximum.accumulate(np.where(marks, 0, np.arange(len(code))))
    owned = marks & (kind[owner] != SPACE)
    owned[0] = False
    kind = np.where(marks, np.where(owned, kind[owner], SINGLE), kind)
    kind[kind == MARK] = SINGLE  # a text that begins with marks
    owned[1:] |= marks[1:] & marks[:-1]  # one orphan takes those after it along
    return kind, owned


def _join_inner_signs(text: str, kind: NDArray[np.uint8], word: NDArray[np.bool_], starts: NDArray[np.bool_]) -> None:
    """Clear the starts at signs between two word characters that they join, and set those of clitics."""
    inner = np.flatnonzero(word[:-2] & (kind[1:-1] == SINGLE) & word[2:]) + 1
    for at in inner.tolist():
        sign, left, right = text[at], text[at - 1], text[at + 1]
        if sign not in _INNER:
            continue
        if sign == "'" or sign == "’":
            _split_clitic(text, at, starts)
        elif (
            (sign in ".٫" and kind[at - 1] == kind[at + 1] and not _glued_sentences(text, at))
            or (sign in ",٬" and _groups_thousands(text, at))
            or (sign == ":" and left.isdigit() and right.isdigit())
            or (sign == "&" and left.isupper() and right.isupper())
            or sign == "@"
        ):
            starts[at : at + 2] = False


def _glued_sentences(text: str, at: int) -> bool:
    """`end.Next`, but not `Ph.D`."""
    return text[at + 1].isupper() and text[max(at - 3, 0) : at].islower() and text[max(at - 3, 0) : at].isalpha()


def _groups_thousands(text: str, at: int) -> bool:
    """Whether the comma stands between digits and exactly three digits follow."""
    after = text[at + 1 : at + 5]
    return text[at - 1].isdigit() and len(after) >= 3 and after[:3].isdigit() and not after[3:].isdigit()


def _split_clitic(text: str, at: int, starts: NDArray[np.bool_]) -> None:
    """`John's` → `John` `'s`; `don't` → `do` `n't`; otherwise (`O'Brien`) the apostrophe joins."""
    tail = text[at + 1 : at + 4].lower()
    length = next((i for i, char in enumerate(tail) if not char.isalnum()), len(tail))
    if tail[:length] in CLITICS:
        starts[at + 1] = False
    elif tail[:length] == "t" and text[at - 1] in "nN":
        starts[at - 1 : at + 2] = (True, False, False)
    else:
        starts[at : at + 2] = False


def _join_abbreviations(
    text: str, code: NDArray[np.uint32], word: NDArray[np.bool_], starts: NDArray[np.bool_]
) -> None:
    """Clear the starts of full stops that end an abbreviation."""
    stops = code[1:] == ord(".")
    stops &= word[:-1]
    stops[:-1] &= ~word[2:]
    at = np.flatnonzero(stops) + 1
    first = np.flatnonzero(starts)
    begin = first[np.searchsorted(first, at) - 1]
    short = at - begin <= _LONGEST_ABBREVIATION
    for a, b in zip(begin[short].tolist(), at[short].tolist(), strict=True):
        if _abbreviates(text[a:b], text[b + 1 : b + 3]):
            starts[b] = False


def _abbreviates(token: str, after: str) -> bool:
    """Whether the full stop between these belongs to the token: `Dr.`, `no. 7`, an initial, short dotted parts."""
    if token.lower() in ABBREVIATIONS:
        following = after.strip()[:1]
        return token[0].isupper() or (bool(following) and not following.isupper())
    if "." in token:
        return all(part.isalpha() and len(part) <= 2 for part in token.split("."))
    return len(token) == 1 and token.isupper()
