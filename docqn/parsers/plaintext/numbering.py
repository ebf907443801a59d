"""Numbers of headings: `2.3`, `IV.`, `B.`, `Chapter 4`, `Appendix A`; and whether they follow one another."""

import re
from typing import NamedTuple

Values = tuple[int, ...]

PARTS = {  # how high the word stands among others
    **dict.fromkeys(("volume", "book"), 0),
    "part": 1,
    **dict.fromkeys(
        ("chapter", "appendix", "annex", "act", "canto", "stave", "lesson", "unit", "module", "schedule"), 2
    ),
    **dict.fromkeys(("section", "article", "scene"), 3),
}
LARGEST_GAP = 2  # between the numbers of two headings that follow one another

_COUNTED = (
    "one two three four five six seven eight nine ten "
    "eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty"
).split()
_ROMAN = re.compile(r"(?=.)C{0,4}(?:XC|XL|L?X{0,4})(?:IX|IV|V?I{0,4})")
_ROMAN_VALUES = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100}

_DECIMAL = re.compile(r"(?:§ ?)?(\d{1,3}(?:\.\d{1,3})*|[A-Z](?:\.\d{1,3})+)(\.)?(?:\s+(\S.*))?")
_ROMAN_LINE = re.compile(r"([IVXLC]+)(?:\.?|\.\s+(\S.*))")
_LETTER = re.compile(r"([A-Z])\.\s+(\S.*)")
_PART = re.compile(
    rf"({'|'.join(PARTS)})\s+(\d{{1,3}}(?:\.\d{{1,3}})*|[A-Za-z]+)\b\s*(?:([.:—–-]+)\s*)?(.*)", re.IGNORECASE
)

DECIMAL, ROMAN, LETTER = "decimal", "roman", "letter"


class Number(NamedTuple):
    """How a heading may be read: its family, its number, and its title."""

    family: str
    values: Values
    title: str


def readings(text: str) -> list[Number]:
    """What the line's number can be: `I. One` may be Roman or a letter."""
    found = []
    if match := _DECIMAL.fullmatch(text):
        parts = match[1].split(".")
        lettered = not parts[0].isdigit()
        values = tuple(_letter(part) if part.isalpha() else int(part) for part in parts)
        found.append(Number(LETTER + DECIMAL if lettered else DECIMAL, values, match[3] or ""))
    if (match := _ROMAN_LINE.fullmatch(text)) and (value := roman(match[1])):
        found.append(Number(ROMAN, (value,), match[2] or ""))
    if match := _LETTER.fullmatch(text):
        found.append(Number(LETTER, (_letter(match[1]),), match[2]))
    return found


def part(text: str) -> Number | None:
    """`Chapter 4: Title` and the like; the family is the word."""
    match = _PART.fullmatch(text)
    if not match or not match[1][0].isupper():
        return None
    values = _counted(match[2])
    title = match[4]
    if not values or (title and not match[3] and not title[0].isupper()):
        return None
    return Number(match[1].lower(), values, title)


def roman(text: str) -> int:
    """The value of a Roman number; 0 if it is none."""
    if not _ROMAN.fullmatch(text):
        return 0
    values = [_ROMAN_VALUES[sign] for sign in text]
    return sum(-value if value < after else value for value, after in zip(values, [*values[1:], 0], strict=True))


def _letter(sign: str) -> int:
    return ord(sign) - ord("A") + 1


def _counted(number: str) -> Values:
    """`4`, `4.1`, `IV`, `B`, `Four` as numbers."""
    if number[0].isdigit():
        return tuple(map(int, number.split(".")))
    if number.lower() in _COUNTED:
        return (_COUNTED.index(number.lower()) + 1,)
    if value := roman(number.upper()):
        return (value,)
    return (_letter(number),) if len(number) == 1 and number.isupper() else ()


def follows(path: Values, values: Values) -> bool:
    """Whether a heading with these values may come next: 2.3 after 2.2 or 2.2.4, 2.1 or 2.1.1 after 2."""
    depth = len(values)
    if depth <= len(path):
        return values[:-1] == path[: depth - 1] and 0 < values[-1] - path[depth - 1] <= LARGEST_GAP
    return values[: len(path)] == path and max(values[len(path) :]) <= 1


def begins(values: Values) -> bool:
    """Whether numbering may begin so: with 0, 1 or 4.1."""
    return max(values[1:] or values) <= 1
