"""The title in the head of a page, without the name of the site."""

import re
from collections.abc import Collection

from docqn.parsers.webpage.attributes import parse

_SEPARATOR = re.compile(r"\s+[|·•»–—-]+\s+")
_ONLY_BEFORE_SITES = frozenset("|»")
_WELL_KNOWN = re.compile(r"(?:wikipedia|wik(?:tionary|ibooks|iquote|isource|inews|iversity|ivoyage))\b", re.IGNORECASE)
_META = re.compile(r"<meta\s([^>]*og:site_name[^>]*)>", re.IGNORECASE)
_HEAD = 1 << 16  # characters in which the name of the site is looked for


def without_site(title: str, headings: Collection[str], source: str) -> str:
    """The title as it is, unless a part of it is known to be the site's name, or a heading says which part is not."""
    separators = list(_SEPARATOR.finditer(title))
    if not separators:
        return title
    first, last = separators[0], separators[-1]
    before, after = title[: last.start()], title[last.end() :]
    known = {heading.casefold() for heading in headings}
    if title.casefold() in known:
        return title
    if title[first.end() :].casefold() in known and before.casefold() not in known:
        return title[first.end() :]
    meta = _META.search(source, 0, _HEAD)
    site = parse(meta[1]).get("content", "").strip() if meta else ""
    told = after.casefold() == site.casefold() or _WELL_KNOWN.match(after)
    if told or before.casefold() in known or not _ONLY_BEFORE_SITES.isdisjoint(last[0]):
        return before
    return title
