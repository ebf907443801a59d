"""The tags of a page and the text between them, found as the HTML standard's tokenizer finds them.

Most of the work is one `split` at `<` and a look into what is known of tags seen before. What that cannot tell for sure
is matched exactly. Every piece has its place in the source, so lines are exact; no tree is built, so nesting is
without limit.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

CHUNK = 1 << 20  # characters that are split at once
MOST_KNOWN = 10_000  # tags to remember …
LONGEST_KNOWN = 200  # … of so many characters

_SPACE = r" \t\n\r\f"
_VALUE = rf"""(?:"([^"]*)(?:"|\Z)|'([^']*)(?:'|\Z)|([^{_SPACE}"'>][^{_SPACE}>]*))"""
ATTRIBUTE = re.compile(rf"([^{_SPACE}/>][^{_SPACE}/>=]*)(?:[{_SPACE}]*=[{_SPACE}]*{_VALUE}?)?")
_ATTRIBUTES = re.sub(r"\((?!\?)", "(?:", rf"(?:[{_SPACE}/]+|{ATTRIBUTE.pattern})*")
_TAG = re.compile(rf"(/?[a-zA-Z][^{_SPACE}/>]*)({_ATTRIBUTES})(?:>|\Z)")
_COMMENT_END = re.compile(r"--!?>")
_EMPTY_COMMENT = re.compile(r"!---?>")
_BOGUS_COMMENT = re.compile(r"[!?]|/(?![a-zA-Z])")

# Tags within running text, which say nothing about blocks, unless one of these attributes does.
_PLAIN_NAMES = frozenset(
    """a abbr acronym area b base bdi bdo big cite code col colgroup data del dfn em font i img input ins kbd link
    map mark meta nobr param q rp rt ruby s samp small source span strike strong sub time track tt u var wbr""".split()
)
_TELLING = r"""(?:[cC]lass|[sS]tyle|hidden|role|aria-h|epub:type|href=["']?#)"""
_TELLS = re.compile(rf"(?:^|[{_SPACE}/\"'])(?:class|style|hidden|role|aria-hidden|epub:type|href\s*=\s*[\"']?#)", re.I)
_TIDY_PLAIN = re.compile(rf'(?:a|{"|".join(_PLAIN_NAMES)})(?: (?!{_TELLING})[a-z:-]+="[^"]*")* ?/?')

# Elements that hold text without tags, up to their own end tag.
_RAW_END = {
    name: re.compile(rf"</{name}(?=[{_SPACE}/>])", re.IGNORECASE)
    for name in ("script", "style", "title", "textarea", "iframe", "xmp", "noembed", "noframes")
}


class Tag(NamedTuple):
    """A tag: its name in lower case, with a slash if it is an end tag, and its attributes as they are written."""

    name: str
    attributes: str


_PLAIN = Tag("", "")  # a tag or comment that tells nothing
_ALWAYS_KNOWN = dict.fromkeys([*_PLAIN_NAMES, *(f"/{name}" for name in _PLAIN_NAMES)], _PLAIN)
_known = dict(_ALWAYS_KNOWN)  # what is between `<` and the first `>`: the tag that it is


class Tags:
    """Iterates over the tags that tell something, and gathers the text before each in `texts`."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.texts: list[str] = []
        self.places: list[int] = []  # offset of each in the source
        self.place = 0  # behind the tag that came last
        self.deaf = False  # whether text is passed over
        self.all = False  # whether plain tags come too
        self.title = ""

    def __iter__(self) -> Iterator[Tag]:
        source, texts, places, known = self.source, self.texts, self.places, _known
        end = source.find("<")
        end = resume = len(source) if end < 0 else end
        self.gather(source[:end], 0)
        while end < len(source):
            at, end = end + 1, source.find("<", end + CHUNK)
            if end < 0:
                end = len(source)
            for piece in source[at:end].split("<"):
                after = at + len(piece) + 1  # behind the next `<`
                head, closed, text = piece.partition(">")
                place = at + len(head) + 1
                if at > resume:
                    tag = known.get(head)
                    if tag is None or not closed:
                        if closed and _TIDY_PLAIN.fullmatch(head):
                            tag = _PLAIN
                        else:
                            tag, place = self._read(at)
                            resume, text = place, source[place : after - 1]
                    if tag is not _PLAIN:
                        self.place = place
                        yield tag
                    elif self.all and (match := _TAG.match(source, at)):
                        yield Tag(match[1].lower(), match[2])
                elif resume < after:
                    place, text = resume, source[resume : after - 1]
                else:
                    text = ""
                if text and (texts or not text.isspace()) and not self.deaf:
                    texts.append(text)
                    places.append(place)
                at = after

    def gather(self, text: str, place: int) -> None:
        """Add a piece of text."""
        if text and (self.texts or not text.isspace()):
            self.texts.append(text)
            self.places.append(place)

    def _read(self, at: int) -> tuple[Tag, int]:
        """The tag behind a `<`, and where it ends; a `<` that begins no tag ends before itself, and so is text."""
        source = self.source
        if match := _TAG.match(source, at):
            name, attributes = match[1].lower(), match[2]
            if name in _RAW_END:
                return _PLAIN, self._read_raw(name, match.end())
            plain = name.lstrip("/") in _PLAIN_NAMES and not _TELLS.search(attributes)
            tag = _PLAIN if plain else Tag(name, attributes)
            if not (plain and attributes):
                self._remember(at, match.end(), tag)
            return tag, match.end()
        if source.startswith("!--", at):
            dashes = _EMPTY_COMMENT.match(source, at) or _COMMENT_END.search(source, at + 3)
            end = dashes.end() if dashes else len(source)
            self._remember(at, end, _PLAIN)
            return _PLAIN, end
        if _BOGUS_COMMENT.match(source, at):
            return _PLAIN, source.find(">", at) + 1 or len(source)
        return _PLAIN, at - 1

    def _read_raw(self, name: str, place: int) -> int:
        """Where the text of an element ends in which there are no tags."""
        found = _RAW_END[name].search(self.source, place)
        end = found.start() if found else len(self.source)
        if name == "title" and not self.title:
            self.title = self.source[place:end]
        return end

    def _remember(self, at: int, end: int, tag: Tag) -> None:
        if end - at <= LONGEST_KNOWN and self.source.find(">", at, end) == end - 1:
            if len(_known) >= MOST_KNOWN:
                _known.clear()
                _known.update(_ALWAYS_KNOWN)
            _known[self.source[at : end - 1]] = tag
