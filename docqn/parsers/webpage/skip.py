"""Passing over an element and all that is in it."""

from collections import Counter
from collections.abc import Callable, Iterator

from docqn.parsers.webpage.tags import Tag, Tags

CONTAINERS = frozenset(
    """address article aside blockquote center details dialog dir div dl fieldset figcaption figure footer form header
    hgroup legend listing main menu nav ol optgroup option pre search section summary table ul""".split()
)
HEADINGS = frozenset(["h1", "h2", "h3", "h4", "h5", "h6"])
ROW_GROUPS = frozenset(["thead", "tbody", "tfoot"])
ROW_PARTS = ROW_GROUPS | {"tr", "td", "th", "caption"}
VOID = frozenset("area base br col embed hr img input link meta param source track wbr".split())
_LISTS = ("ul", "ol", "menu", "dir", "table")

# Start tags that end an element which has no end tag, and what keeps them from it if it is open in between.
_ENDED_BY = {
    "p": (CONTAINERS - {"legend", "optgroup", "option"}) | HEADINGS | {"p", "li", "dt", "dd", "hr"},
    "li": frozenset(["li"]),
    "dt": frozenset(["dt", "dd"]),
    "dd": frozenset(["dt", "dd"]),
    "td": ROW_PARTS,
    "th": ROW_PARTS,
    "tr": ROW_PARTS - {"td", "th"},
    **dict.fromkeys([*ROW_GROUPS, "caption"], ROW_GROUPS),
}
_KEPT_BY = {"p": (), "li": _LISTS, "dt": ("dl", "table"), "dd": ("dl", "table")}


def skip(tags: Tags, following: Iterator[Tag], root: str, within: str, is_open: Callable[[str], bool]) -> Tag | None:
    """Read on to the end of the element `root`, which stands in `within`. `is_open` tells what is open around it.

    A tag that ends it without being its end tag is returned.
    """
    tags.deaf, tags.all = True, root not in CONTAINERS
    key = root if root in _ENDED_BY else within
    ended_by, kept_by = _ENDED_BY.get(key, frozenset()), _KEPT_BY.get(key, ("table",))
    opened = [root]
    counts = Counter(opened)
    rest = None
    for tag in following:
        name = tag.name
        if name[0] != "/":
            if name in ended_by and not any(map(counts.__getitem__, kept_by)):
                rest = tag
                break
            if name in CONTAINERS or (name == root and name not in VOID):
                opened.append(name)
                counts[name] += 1
        elif counts[name[1:]]:
            last = ""
            while last != name[1:]:
                last = opened.pop()
                counts[last] -= 1
            if not opened:
                break
        elif name[1:] == within or (is_open(name[1:]) and not (name[1:] in ROW_PARTS and counts["table"])):
            rest = tag
            break
    tags.deaf = tags.all = False
    return rest
