"""HTML pages of any kind, those of Wikipedia among them, in 2007 and now."""

import re
from typing import TYPE_CHECKING

from docqn.build import Block, build_document
from docqn.document import Document
from docqn.errors import ParseError
from docqn.parsers.decoding import guess_encoding

if TYPE_CHECKING:
    from docqn.parsers.webpage.walk import Walker

SUFFIXES = (".html", ".htm", ".xhtml")

FEWEST_WORDS = 25  # on a page, below which hidden elements are looked at: a script may have been meant to show them
MORE_HIDDEN = 4  # times that many words must be in them

_SAMPLE = 1 << 16
_BEGIN = re.compile(r"\s*(?:<\?xml\b[^>]*>\s*|<!--(?:[^-]|-(?!->))*-->\s*)*<(?:!doctype\s+html|html)\b", re.IGNORECASE)
_TAG = re.compile(
    r"</?(?:(?:a|b|em|font|i|img|span|strong)|(blockquote|body|br|center|dd|div|dl|dt|h[1-6]|head|hr|li|link|meta|ol|p|pre"
    r"|script|section|style|table|td|th|title|tr|ul))(?=[\s/>])",
    re.IGNORECASE,
)
_PER_TAG = 100  # characters of a page that has tags everywhere
_LEAST, _MOST, _XML = 0.01, 0.8, 0.3
_FIRST = 0.6  # where a tag is what comes first, as in many Markdown files too
_INLINE = 0.2  # where no tag is of a block: other formats hold such tags in their lines


def likelihood(data: bytes) -> float:
    """Certain if it says that it is HTML; else by how many tags there are. Text without any is hardly HTML."""
    encoding = guess_encoding(data)
    if encoding is None:
        return 0.0
    sample = data[:_SAMPLE].decode(encoding, "replace")
    if _BEGIN.match(sample):
        return 1.0
    tags = [match[1] for match in _TAG.finditer(sample)]
    likely = _LEAST + (_MOST - _LEAST) * min(1.0, len(tags) * _PER_TAG / max(1, len(sample)))
    text = sample.lstrip()
    if not any(tags):
        likely = min(likely, _INLINE)
    elif _TAG.match(text):
        return max(likely, _FIRST)
    return max(likely, _XML) if text.startswith("<?xml") else likely


def parse(data: bytes, source: str) -> Document:
    """The page's content as a document; what stands around it on every page of a site is left out."""
    from docqn.parsers.webpage.charset import decode_html
    from docqn.parsers.webpage.title import without_site
    from docqn.parsers.webpage.xhtml import as_html

    text = as_html(decode_html(data, source))
    page, blocks = _read(text)
    title = None
    tops = [i for i, block in enumerate(blocks) if block.level == 1]
    if len(tops) == 1:
        blocks = [blocks[tops[0]], *blocks[: tops[0]], *blocks[tops[0] + 1 :]]
    elif page.title:
        title = without_site(page.title, [block.text for block in blocks if block.level], text)
    if not blocks and not title:
        raise ParseError(source, "holds no text that a browser would show")
    language = re.split("[-_]", page.language)[0].lower()
    return build_document(blocks, source=source, format="html", title=title, language=language or "en")


def _read(source: str) -> "tuple[Walker, list[Block]]":
    """The page and the blocks of its content."""
    from docqn.parsers.webpage.content import content
    from docqn.parsers.webpage.walk import Walker

    page = Walker(source)
    page.walk()
    blocks = content(page, source)
    if _words(blocks) < FEWEST_WORDS:
        whole = Walker(source, keep_hidden=True)
        whole.walk()
        if _words(whole.blocks) > MORE_HIDDEN * max(1, _words(blocks)):
            return whole, whole.blocks
    return page, blocks


def _words(blocks: list[Block]) -> int:
    return sum(len(block.text.split()) for block in blocks)
