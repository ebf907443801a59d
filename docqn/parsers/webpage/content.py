"""Which of a page's blocks are its content, and which stand around the content on every page of a site.

Nothing that may be a section of the article is left out; where in doubt, blocks stay.
"""

import re
from html import unescape
from itertools import compress

from docqn.build import Block
from docqn.parsers.webpage.attributes import CONTENT, FOOTER, FURNITURE, MARGIN, NOTICE
from docqn.parsers.webpage.walk import Walker, Zone

PROSE = 80  # characters from which on a paragraph is taken for prose; labels, links and dates are shorter
MOST_PROSE_OUTSIDE = 0.2  # of that inside, for the content to be what is marked as such
FEWEST_LINKS = 3  # in a part that is left out because it holds little more than links
DEEPEST = 8  # zones within one another whose source is looked at
FEWEST = 500  # characters of content below which a page may have been misjudged …
LEAST = 0.1  # … if that is less than this share of all its text

_LINK = re.compile(r"<a[\s>][^<]*+(?:<(?!/a[\s>])[^<]*+)*+", re.IGNORECASE)
_TAG = re.compile(r"<[^>]*+>?")
_CLICKABLE = re.compile(r"<(?:button|input|a)\b|\brole\s*=\s*[\"']?button|\bonclick\b|\bbtn\b", re.IGNORECASE)


def content(page: Walker, source: str) -> list[Block]:
    """The blocks of the content."""
    if len(page.all_zones) == 1:
        return page.blocks
    return _Choice(page, source).made()


class _Choice:
    """What is known of the zones of a page."""

    def __init__(self, page: Walker, source: str) -> None:
        self._blocks = page.blocks
        self._zone_of = page.zones
        self._zones = page.all_zones
        self._source = source
        self._has_content = any(zone.kind in CONTENT for zone in page.all_zones)
        self._sizes = [0] * len(page.all_zones)  # characters in each zone, those within included
        for zone, block in zip(page.zones, page.blocks, strict=True):
            self._sizes[zone] += len(block.text)
        for number in range(len(page.all_zones) - 1, 0, -1):
            self._sizes[page.all_zones[number].outer] += self._sizes[number]

    def made(self) -> list[Block]:
        """The blocks to keep."""
        kept = self._without_furniture()
        chosen = next((inside for inside in map(self._inside, CONTENT) if self._is_content(inside, kept)), None)
        if chosen:
            kept = [chosen[zone] and kept[zone] for zone in range(len(kept))]
        found = list(compress(self._blocks, map(kept.__getitem__, self._zone_of)))
        size = sum(len(block.text) for block in found)
        if size < FEWEST and size < LEAST * self._sizes[0]:
            return self._blocks
        return self._with_title(found)

    def _without_furniture(self) -> list[bool]:
        """Of each zone, whether it may be content."""
        kept = [True]
        inside = [False]
        depth = [0]
        for number, zone in enumerate(self._zones[1:], start=1):
            depth.append(depth[zone.outer] + 1)
            inside.append(inside[zone.outer] or zone.kind in CONTENT)
            kept.append(kept[zone.outer] and not self._is_furniture(number, zone, inside[zone.outer], depth[number]))
        return kept

    def _is_furniture(self, number: int, zone: Zone, inside: bool, depth: int) -> bool:
        if zone.kind in CONTENT or 2 * self._sizes[number] > self._sizes[0]:
            return False
        if zone.kind == FURNITURE or (zone.kind == FOOTER and not inside):
            return True
        if zone.kind == MARGIN and not inside and self._has_content:
            return True
        if depth > DEEPEST:
            return False
        if zone.kind == NOTICE:
            return bool(_CLICKABLE.search(self._source, zone.begin, zone.end))
        return self._is_links(self._source[zone.begin : zone.end])

    @staticmethod
    def _is_links(source: str) -> bool:
        """Whether there are links, and hardly more."""
        links = _LINK.findall(source)
        text, linked = (len("".join(unescape(_TAG.sub(" ", part)).split())) for part in (source, " ".join(links)))
        return len(links) >= FEWEST_LINKS and 2 * linked >= text

    def _inside(self, kind: str) -> list[bool]:
        """Of each zone, whether it is of this kind or within one that is."""
        inside = [False]
        for zone in self._zones[1:]:
            inside.append(zone.kind == kind or inside[zone.outer])
        return inside

    def _is_content(self, inside: list[bool], kept: list[bool]) -> bool:
        """Whether these zones hold all of the article: most of the text, and no section is outside."""
        within = without = prose = 0
        under_heading = False
        for zone, block in zip(self._zone_of, self._blocks, strict=True):
            if not kept[zone]:
                continue
            if inside[zone]:
                within += len(block.text)
                under_heading = False
                continue
            without += len(block.text)
            if block.level:
                under_heading = block.level > 1
            elif len(block.text) >= PROSE:
                prose += len(block.text)
                if under_heading:
                    return False
        return within > 0 and without <= within and prose <= MOST_PROSE_OUTSIDE * within

    def _with_title(self, found: list[Block]) -> list[Block]:
        """The blocks, after the page's main heading if that stands outside the content."""
        if any(block.level == 1 for block in found):
            return found
        outside = [block for block in self._blocks if block.level == 1]
        return [*outside[:1], *found]
