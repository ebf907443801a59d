"""XHTML as HTML: what XML means by CDATA, `<a/>` and a document type's own declarations. Lines stay where they are."""

import re
from html import escape

from docqn.parsers.webpage.skip import VOID

_XML = re.compile(r"\s*(?:<\?xml[^>]*>\s*)?(?:<!--[^-]*(?:-[^-]+)*-->\s*)*(?:<!DOCTYPE[^>\[]*(?P<subset>\[))?")
_SUBSET_END = re.compile(r"\]\s*>")
_CDATA, _CDATA_END = "<![CDATA[", "]]>"
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
    return _EMPTY.sub(_with_end, _without_cdata(source))


def _without_cdata(source: str) -> str:
    parts = []
    at = 0
    while (begin := source.find(_CDATA, at)) >= 0 and (end := source.find(_CDATA_END, begin)) >= 0:
        parts += [source[at:begin], escape(source[begin + len(_CDATA) : end], quote=False)]
        at = end + len(_CDATA_END)
    return "".join([*parts, source[at:]])


def _with_end(tag: re.Match[str]) -> str:
    name, attributes = tag.groups()
    return tag[0] if name.lower() in VOID else f"<{name}{attributes}></{name}>"
