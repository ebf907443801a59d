"""Templates that stand for text. All others are dropped: what they make cannot be known from the page."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from docqn.parsers.wiki.pieces import APART, PIPE, Pieces, divided, joined, on_one_line, stripped

_MONTHS = "January February March April May June July August September October November December".split()
_BOXES = re.compile(r"(?:infobox|geobox|taxobox|speciesbox|automatic taxobox|chembox|drugbox|starbox)\b.*|.* infobox")
_NO_VALUE = re.compile(
    r".*\.(?:jpe?g|png|svg|gif|tiff?|webp|ogg|webm)|\d*(?:x\d+)?px|#[0-9a-f]{3,8}|(?:yes|no|on|off)", re.I
)
_STYLE = re.compile(
    r".*(?:style|class|colou?r|width|size|align|map|image|logo|flag|coordinates|footnotes?|alt)\d*", re.I
)
_NUMBERED = re.compile(r"(label|header|data)\s?(\d+)")
_RANGE_SIGNS = {"-": "–", "–": "–", "to": " to ", "and": " and ", "x": " × ", "by": " by ", "or": " or ", "+/-": " ± "}


class Arguments(NamedTuple):
    """What a template is given."""

    at: int  # where it stands
    positional: Sequence[Pieces]
    named: Mapping[str, Pieces]
    names_at: Mapping[str, int]

    def text(self, number: int) -> str:
        """A positional argument, from 1, as text; empty if it is missing."""
        return joined(self.positional[number - 1]).strip() if number <= len(self.positional) else ""


def template_text(inside: Pieces, at: int) -> Pieces:
    """The text of a template, from what stands between its braces."""
    first, *rest = divided(inside, "|")
    name = " ".join(joined(first).replace("_", " ").split()).lower().removeprefix("template:")
    if name.startswith("formatnum:"):
        return [(joined(first).strip()[len("formatnum:") :], at)]
    if render := _TEXTS.get(name):
        return render(_arguments(rest, at))
    if name.startswith("lang-"):
        return _first(_arguments(rest, at))
    return _box(_arguments(rest, at)) if _BOXES.fullmatch(name) else []


def parameter_text(inside: Pieces) -> Pieces:
    """A template's own parameter shows what it is by default."""
    return [piece for part in divided(inside, "|")[1:2] for piece in part]


def _arguments(parts: Sequence[Pieces], at: int) -> Arguments:
    positional: list[Pieces] = []
    named: dict[str, Pieces] = {}
    names_at: dict[str, int] = {}
    for part in parts:
        key, *value = divided(part, "=", 1)
        if value:
            name = " ".join(joined(key).split())
            named[name] = stripped(value[0])
            names_at[name] = stripped(key)[0][1] if name else at
        else:
            positional.append(part)
    for number in range(1, 10):
        if str(number) in named and number > len(positional):
            positional.append(named.pop(str(number)))
    return Arguments(at, positional, named, names_at)


def _first(arguments: Arguments) -> Pieces:
    return stripped(arguments.positional[0]) if arguments.positional else []


def _last(arguments: Arguments) -> Pieces:
    return stripped(arguments.positional[-1]) if arguments.positional else []


def _sign(text: str) -> Callable[[Arguments], Pieces]:
    return lambda arguments: [(text, arguments.at)]


def _list(arguments: Arguments) -> Pieces:
    """Items in running text."""
    pieces: Pieces = []
    for item in arguments.positional:
        if shown := stripped(item):
            pieces += [(", ", shown[0][1])] if pieces and not shown[0][0].startswith(("*", "#")) else []
            pieces += shown
    return pieces


def _convert(arguments: Arguments) -> Pieces:
    """`{{convert|5|km|mi}}`: the value as the page has it."""
    value = arguments.text(1)
    rest = 2
    while (sign := _RANGE_SIGNS.get(arguments.text(rest))) and arguments.text(rest + 1):
        value += sign + arguments.text(rest + 1)
        rest += 2
    return [(f"{value} {arguments.text(rest)}".strip(), arguments.at)]


def _fraction(arguments: Arguments) -> Pieces:
    parts = [arguments.text(n + 1) for n in range(len(arguments.positional))]
    whole = parts[0] + " " if len(parts) > 2 else ""
    return [(whole + "/".join(parts[-2:] if len(parts) > 1 else ["1", *parts]), arguments.at)]


def _date(arguments: Arguments) -> Pieces:
    """`{{birth date|1815|12|10}}`; further numbers are another date."""
    year, month, day = (arguments.text(n) for n in (1, 2, 3))
    name = _MONTHS[int(month) - 1] if month.isdecimal() and 1 <= int(month) <= 12 else month
    return [(" ".join(filter(None, (day, name, year))), arguments.at)]


def _ship(arguments: Arguments) -> Pieces:
    return [(" ".join(filter(None, (arguments.text(1), arguments.text(2)))), arguments.at)]


def _quantity(arguments: Arguments) -> Pieces:
    unit = joined(arguments.named.get("u") or arguments.named.get("ul") or [])
    return [(f"{arguments.text(1)} {unit}".strip(), arguments.at)]


def _quote(arguments: Arguments) -> Pieces:
    """The words quoted and who said them, each a paragraph."""
    named = arguments.named
    said = named.get("text") or named.get("quote") or _first(arguments)
    by = [named[key] for key in ("author", "by", "title", "source") if named.get(key)] or arguments.positional[1:3]
    pieces: Pieces = [("\n\n", arguments.at), *stripped(said), ("\n\n", arguments.at)]
    for n, part in enumerate(map(stripped, by)):
        pieces += [(", ", part[0][1])] if n and part else []
        pieces += part
    return [*pieces, ("\n\n", arguments.at)]


def _box(arguments: Arguments) -> Pieces:
    """The rows of a box of facts, each a paragraph: `population: 1,234`."""
    pieces: Pieces = []
    labels = {
        key.removeprefix("label").strip(): joined(value) for key, value in arguments.named.items() if key[:5] == "label"
    }
    for key, value in arguments.named.items():
        text = joined(value).strip()
        numbered = _NUMBERED.fullmatch(key)
        if not text or _STYLE.fullmatch(key) or _NO_VALUE.fullmatch(text) or (numbered and numbered[1] == "label"):
            continue
        label = labels.get(numbered[2], "") if numbered else key.replace("_", " ")
        at = arguments.names_at[key] if label else value[0][1]
        pieces += [("\n", at), (APART + (f"{label}: " if label else ""), at), *on_one_line(value, ", ")]
    return [*pieces, ("\n", arguments.at)] if pieces else []


def _texts(names: str, render: Callable[[Arguments], Pieces]) -> dict[str, Callable[[Arguments], Pieces]]:
    return dict.fromkeys((" ".join(name.split()) for name in names.split("|")), render)


_TEXTS = {
    **_texts(
        """abbr|angbr|anchored|bdi|big|code|em|ill|interlanguage link|ipa|keypress|kbd|larger|math|mono|mvar|nobold|
        nobr|nobreak|noitalic|nowrap|nihongo|script|sic|small|smaller|smallcaps|smc|sort|strong|sub|sup|tooltip|
        underline|var|vanchor|visible anchor|flag|flagcountry|flagu|columns-list|col-list|plainlist|plain list|
        flatlist""",
        _first,
    ),
    **_texts("color|colour|font color|fontcolor|lang|transl|transliteration|rtl-lang", _last),
    **_texts("hlist|ubl|ublist|unbulleted list|bulleted list|ordered list|comma separated entries|flat list", _list),
    **_texts("convert|cvt|convinfobox", _convert),
    **_texts("frac|fraction|sfrac|sfraction", _fraction),
    **_texts("val|nts|ntsh", _quantity),
    **_texts(
        """start date|end date|start date and age|end date and age|birth date|birth date and age|birth-date|bda|dob|
        death date|death date and age|death-date|film date|date|dts|birth year and age|birth year|death year and age""",
        _date,
    ),
    **_texts("quote|blockquote|bquote|cquote|quotation|quote box|quotebox|rquote|poemquote|pull quote", _quote),
    **_texts("ship|sclass", _ship),
    **_texts("hms", lambda arguments: [("HMS ", arguments.at), *_first(arguments)]),
    **_texts("uss", lambda arguments: [("USS ", arguments.at), *_first(arguments)]),
    **_texts("as of", lambda arguments: [("As of ", arguments.at), *_date(arguments)]),
    **_texts("circa|c.|ca.", lambda arguments: [(f"c. {arguments.text(1)}".strip(), arguments.at)]),
    **_texts("!", _sign(PIPE)),
    **_texts("=", _sign("=")),
    **_texts("'|apostrophe", _sign("’")),
    **_texts("ndash|–|en dash", _sign("–")),
    **_texts("spaced ndash|spnd|snd|snds|spaced en dash|dash", _sign(" – ")),
    **_texts("mdash|—|em dash", _sign("—")),
    **_texts("spaced mdash|snd mdash", _sign(" — ")),
    **_texts("nbsp|space|spaces|thinsp|hair space|·|•|dot|middot|bull|bullet|\\\\", _sign(" ")),
    **_texts("yes", _sign("Yes")),
    **_texts("no", _sign("No")),
    **_texts("n/a|na", _sign("N/A")),
}
