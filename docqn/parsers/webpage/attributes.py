"""What the attributes of a tag say about its element: hidden, a heading, page furniture, or the page's content."""

import re
from functools import lru_cache
from html import unescape
from typing import NamedTuple

from docqn.parsers.webpage.skip import HEADINGS
from docqn.parsers.webpage.tags import ATTRIBUTE

_LONGEST_REMEMBERED = 500  # characters of attributes

# Kinds of zones: parts of a page that may be left out, or that alone may be kept, once the whole page is known.
FURNITURE = "furniture"  # the same on every page of a site
FOOTER = "footer"  # furniture outside the content
MARGIN = "margin"  # furniture outside the content, if it is marked where that is; may be part of it
LINKS = "links"  # furniture if it is little more than links
NOTICE = "notice"  # of cookies: furniture if something in it can be clicked
CONTENT = ("article text", "body content", "main", "article")  # the narrowest first


class Verdict(NamedTuple):
    """What is to be done with an element."""

    hidden: bool = False
    level: int = 0  # of a heading
    zone: str = ""


PLAIN = Verdict()

_HIDDEN_CLASSES = frozenset(
    """ambox catlinks editsection headerlink lineno linenodiv linenos mw-cite-backlink mw-editsection mw-jump-link
    navbox persondata printfooter references reflist mw-references-wrap soslink vertical-navbox""".split()
)
_HIDDEN_IDS = frozenset("catlinks contentSub jump-to-nav persondata siteSub toc".split())
_HIDDEN_INLINE_CLASSES = frozenset(
    """anchor-link anchorjs-link data-footnote-backref footnote-backref footnote-ref hash-link header-anchor
    heading-anchor headerlink inline-template permalink reference screen-reader-text skip-link sr-only
    visually-hidden""".split()
)
_HIDDEN_STYLE = re.compile(r"(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)\b", re.IGNORECASE)
_OPENED = re.compile(  # by a click: the answer under a question, the next tab
    r"(?!nav|menu|mw-)(?:.*[-_])?(?:collapse|collapsible|accordion|tab[-_]?pane|tab[-_]?panel|tab[-_]?content)(?:[-_].*)?"
)
_NOTE_TYPES = frozenset("noteref doc-noteref doc-backlink backlink".split())
_INLINE = frozenset("a sup sub span b i em strong small font abbr cite label ins del mark time".split())

_ZONE_ROLES = {
    "navigation": FURNITURE, "search": FURNITURE, "menu": FURNITURE, "menubar": FURNITURE, "toolbar": FURNITURE,
    "banner": MARGIN, "complementary": MARGIN, "contentinfo": FOOTER, "main": "main", "article": "article",
}  # fmt: skip
_ZONE_TAGS = {
    "nav": FURNITURE,
    "footer": FOOTER,
    "aside": MARGIN,
    "header": MARGIN,
    "main": "main",
    "article": "article",
}
TELLING_NAMES = frozenset(_ZONE_TAGS)  # elements that need no attribute to be a zone
_ZONE_IDS = {"mw-content-text": "article text", "bodyContent": "body content"}
_ZONE_NAMES = (
    (NOTICE, r"""(?:.*[-_])?(?:cookies?|gdpr|consent|privacy)[-_]?(?:banner|notice|consent|bar|popup|modal|message|alert
        |overlay|warning|dialog|wall|prompt|law|info|disclaimer|box|container|manager).*|cc-window|onetrust.*|cybotcookiebot.*"""),
    (FURNITURE, r"""(?:site|page|global|main|primary|top|blog)[-_]?(?:nav|navigation|menu|navbar)|breadcrumbs?|navbar
        |nav[-_]?links|pagination|pager|(?:social|share|sharing)[-_]?(?:buttons|links|bar|icons)|skip[-_]?(?:nav|links?)
        |mw-(?:navigation|panel)|adsbygoogle|advert(?:isement)?s?|ad[-_](?:slot|unit|banner|container|wrapper)(?:[-_].*)?|newsletter[-_]?(?:signup|form|box)"""),
    (FOOTER, r"(?:(?:site|page|global|main|blog)[-_]?)?footer"),
    (MARGIN, r"(?:site|page|global|main|blog)[-_]?header|masthead|side[-_]?bar"),
    (LINKS, r"""menu|nav|navigation|related(?:[-_](?:posts|articles|links))?|toc|table[-_]of[-_]contents|tags
        |tag[-_]?list|widget|navframe"""),
)  # fmt: skip
_ZONE_PATTERNS = [(kind, re.compile(pattern, re.VERBOSE | re.IGNORECASE)) for kind, pattern in _ZONE_NAMES]


def judge(name: str, attributes: str) -> Verdict:
    """The verdict on an element."""
    return _judge(name, attributes) if len(attributes) <= _LONGEST_REMEMBERED else _judge.__wrapped__(name, attributes)


@lru_cache(4096)
def _judge(name: str, attributes: str) -> Verdict:
    found = parse(attributes)
    role = found.get("role", "").strip().lower()
    classes = found.get("class", "").split()
    if _is_hidden(name, role, classes, found):
        return Verdict(hidden=True)
    level = heading_level(name, role, found)
    zone = "" if level else _zone(name, role, classes, found.get("id", ""))
    return Verdict(False, level, zone) if level or zone else PLAIN


def parse(attributes: str) -> dict[str, str]:
    """Attributes by lower-case name; the first of a name counts."""
    found: dict[str, str] = {}
    for match in ATTRIBUTE.finditer(attributes):
        name, *values = match.groups()
        found.setdefault(name.lower(), unescape(next((value for value in values if value), "")))
    return found


def heading_level(name: str, role: str, found: dict[str, str]) -> int:
    """The level of an element that is a heading by its name or its role; 0 for others."""
    if role == "heading":
        level = found.get("aria-level", "").strip()
        return max(1, int(level)) if level.isascii() and level.isdigit() and len(level) < 4 else _named_level(name) or 2
    return _named_level(name) if role not in ("presentation", "none") else 0


def _named_level(name: str) -> int:
    return int(name[1]) if name in HEADINGS else 0


def _is_hidden(name: str, role: str, classes: list[str], found: dict[str, str]) -> bool:
    if name in ("html", "body", "main"):  # hidden until a script has run
        return False
    if _is_not_displayed(found) and role != "tabpanel" and not any(map(_OPENED.fullmatch, classes)):
        return True
    if found.get("id") in _HIDDEN_IDS or not _HIDDEN_CLASSES.isdisjoint(classes):
        return True
    if name not in _INLINE:
        return False
    kind = role if role.startswith("doc-") else found.get("epub:type", "")
    return kind in _NOTE_TYPES or not _HIDDEN_INLINE_CLASSES.isdisjoint(map(str.lower, classes))


def _is_not_displayed(found: dict[str, str]) -> bool:
    if "hidden" in found and found["hidden"].lower() != "until-found":
        return True
    return found.get("aria-hidden", "").strip().lower() == "true" or bool(_HIDDEN_STYLE.search(found.get("style", "")))


def _zone(name: str, role: str, classes: list[str], id: str) -> str:
    if zone := _ZONE_ROLES.get(role) or _ZONE_IDS.get(id):
        return zone
    if name not in ("html", "body", "main", "article"):
        names = classes if name == "section" else [*classes, id]  # a section's id often is its heading
        for kind, pattern in _ZONE_PATTERNS:
            if any(map(pattern.fullmatch, names)):
                return kind
    return _ZONE_TAGS.get(name, "")
