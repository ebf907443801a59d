"""XHTML as HTML: what XML means by CDATA, `<a/>` and a document type's own declarations. Lines stay where they are."""

import re
from html import escape

from docqn.parsers.webpage.skip import VOID

_XML = re.compile(r"\s*(?:<\?xml[^>]*>\s*)?(?:<!--[^-]*(?:-[^-]+)*-->\s*)*(?:<!DOCTYPE[^>\[]*(?P<subset>\[))?")
_SUBSET_END = re.compile(r"\]\s*>")
_CDATA = re.compile(r"<!\[CDATA\[(.*?)\]\]>", re.DOTALL)
_EMPTY = re.compile(r"""<([A-Za-z][^\s/<>"']*)((?:[^<>"'/]|"[^"<]*"|'[^'<]*'|/(?!>))*)/>""")


def as_html(source: str) -> str:
    """The page as HTML, if it is XML; else as it is."""
    begin = _XML.match(source)
    if not begin or not (begin["subset"] or source.lstrip().startswith("<?xml")):
        return source
    if begin["subset"]:
        end = _SUBSET_END.search(source, begin.end())
        behind = end.end() if end else begin.end()
        source = "\n" * source.count("\n", 0, behind) + source[behind:]
    source = _CDATA.sub(lambda match: escape(match[1], quote=False), source)
    return _EMPTY.sub(_with_end, source)


def _with_end(tag: re.Match[str]) -> str:
    name, attributes = tag.groups()
    return tag[0] if name.lower() in VOID else f"<{name}{attributes}></{name}>"
