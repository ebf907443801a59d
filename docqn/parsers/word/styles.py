"""Styles of a Word document: what each says of the paragraphs, runs and tables that have it."""

import re
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

TITLE, SUBTITLE, CONTENTS = "title", "subtitle", "contents"  # roles of paragraphs; contents are lists of pages

_HEADING = re.compile(r"heading ?([1-9])", re.IGNORECASE)
_CONTENTS = re.compile(r"(toc|index) ?([1-9]|heading)|toa heading|table of (figures|authorities)", re.IGNORECASE)
_BODY_LEVEL = 9  # of outline levels: not in the outline
_DEFAULT_SIZE = 20  # half points
_LONGEST_CHAIN = 32

_SWITCHES = {  # fields of a style, and where they stand
    "bold": "rPr/b",
    "hidden": "rPr/vanish",
    "breaks_page": "pPr/pageBreakBefore",
}
_NUMBERS = {"size": "rPr/sz", "list_id": "pPr/numPr/numId", "outline": "pPr/outlineLvl"}


class Style(NamedTuple):
    """What a style says, with what it inherits."""

    level: int = 0  # of a heading; 0 for other paragraphs
    role: str = ""
    bold: bool = False
    hidden: bool = False
    size: int = _DEFAULT_SIZE  # half points
    list_id: int = 0  # number of the list that it belongs to
    breaks_page: bool = False
    has_head_row: bool = False  # whether a table's first row looks different


class Styles:
    """The styles by their ids, which are not their names: in a German Word `Heading 1` has the id `berschrift1`."""

    def __init__(self, root: "Element | None" = None) -> None:
        self.language = "en"
        self._elements: dict[str, Element] = {}
        self._known: dict[str, Style] = {}
        self._default_paragraph = ""
        self._base = Style()
        if root is not None:
            self._read(root)

    def _read(self, root: "Element") -> None:
        for element in root.iterfind("style"):
            style_id = element.get("styleId", "")
            self._elements.setdefault(style_id, element)
            if element.get("type") == "paragraph" and is_on(element.get("default", "0")):
                self._default_paragraph = style_id
        defaults = root.find("docDefaults/rPrDefault")
        if defaults is not None:
            self._base = _over(Style(), defaults)
            self.language = (_value(defaults, "rPr/lang") or "en").partition("-")[0].lower()

    def paragraph(self, style_id: str) -> Style:
        """Of paragraphs, the default one for no id."""
        return self.style(style_id or self._default_paragraph)

    def style(self, style_id: str) -> Style:
        """Of runs and tables, and of paragraphs with an id."""
        if style_id not in self._known:
            chain = self._chain(style_id)
            style = self._base
            for element in reversed(chain):
                style = _over(style, element)
            if not chain:  # a style that is not defined may still be a built-in one
                style = style._replace(level=_level(style_id), role=_role(style_id))
            self._known[style_id] = style
        return self._known[style_id]

    def _chain(self, style_id: str) -> "list[Element]":
        """The style, the one it is based on, and so on."""
        chain: dict[str, Element] = {}
        while style_id in self._elements and style_id not in chain and len(chain) < _LONGEST_CHAIN:
            chain[style_id] = element = self._elements[style_id]
            style_id = _value(element, "basedOn") or ""
        return list(chain.values())


def is_on(value: str | None) -> bool:
    """Whether a property that can be switched is on: it is where no value stands."""
    return value not in ("0", "false", "off", "none")


def _over(style: Style, element: "Element") -> Style:
    """The style with what an element says over it."""
    changes: dict[str, Any] = {}
    name = _value(element, "name") or ""
    if role := _role(name):
        changes["role"] = role
    if level := _level(name):
        changes["level"] = level
    for field, path in _SWITCHES.items():
        if element.find(path) is not None:
            changes[field] = is_on(_value(element, path))
    for field, path in _NUMBERS.items():
        value = _value(element, path) or ""
        if value.isdecimal() and value.isascii():
            changes[field] = int(value[:5])
    if "outline" in changes:
        changes["level"] = outline_level(changes.pop("outline"))
    if element.find("tblStylePr[@type='firstRow']") is not None:
        changes["has_head_row"] = True
    return style._replace(**changes)


def outline_level(outline: int) -> int:
    """The level of a heading from an outline level, which begins with 0; 0 if it is outside the outline."""
    return outline + 1 if outline < _BODY_LEVEL else 0


def _value(element: "Element", path: str) -> str | None:
    found = element.find(path)
    return None if found is None else found.get("val")


def _level(name: str) -> int:
    match = _HEADING.fullmatch(name)
    return int(match[1]) if match else 0


def _role(name: str) -> str:
    if _CONTENTS.fullmatch(name):
        return CONTENTS
    return name.lower() if name.lower() in (TITLE, SUBTITLE) else ""
