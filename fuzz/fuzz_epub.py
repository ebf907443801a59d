"""Fuzz the EPUB parser."""

from random import Random

from docqn.parsers.epub import likelihood, parse
from fuzz import fuzz
from fuzz.archives import mutated_archive, packed

WORDS = [
    b"<h1>", b"</h1>", b"<p>", b"</p>", b"<p id='a'>", b"<a id='b'/>", b"<table><tr><td>", b"<ol><li>", b"</li></ol>",
    b"<nav epub:type='toc'>", b"<a href='a.xhtml#a'>x</a>", b"<span>Part</span>", b"<navPoint>", b"</navPoint>",
    b"<content src='b.xhtml#b'/>", b"<itemref idref='a'/>", b"<item id='a' href='b.xhtml' media-type='text/html'/>",
    b"properties='nav'", b"../", b"#", b"%2F", b"&x;", b"<!DOCTYPE a [<!ENTITY x 'y'>]>", b"\xff",
    "\ufde0\ufdd1\ufde1".encode(),
]  # fmt: skip
ITEMS = b"".join(b'<item id="%c" href="%c.xhtml" media-type="application/xhtml+xml"/>' % (i, i) for i in b"ab")
PACKAGE = (
    b"""<package><metadata><dc:title xmlns:dc="d">Tea</dc:title></metadata><manifest>%s
<item id="n" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>
<item id="x" href="toc.ncx" media-type="application/x-dtbncx+xml"/></manifest>
<spine><itemref idref="a"/><itemref idref="b"/></spine>
<guide><reference type="cover" href="c.xhtml"/></guide></package>"""
    % ITEMS
)
NAV = b"""<html><body>
<nav epub:type="toc"><ol><li><span>Part</span><ol><li><a href="a.xhtml#a">One</a></li></ol></li>
<li><a href="b.xhtml">Two</a></li></ol></nav>
<nav epub:type="page-list"><ol><li><a href="a.xhtml#b">1</a></li></ol></nav></body></html>"""
NCX = b"""<ncx><navMap><navPoint><navLabel><text>One</text></navLabel><content src="a.xhtml#a"/>
<navPoint><navLabel><text>In</text></navLabel><content src="b.xhtml"/></navPoint></navPoint></navMap>
<pageList><pageTarget value="3"><content src="b.xhtml#b"/></pageTarget></pageList></ncx>"""
FIRST = b"<html><body><h1 id='a'>One</h1><p>Some <a id='b'/>text. More.</p><h2>In</h2><ul><li>x</li></ul></body></html>"
SECOND = b"<html><body><p>No heading.</p><table><tr><th>A</th></tr><tr><td id='b'>1</td></tr></table></body></html>"


def book(**others: bytes) -> bytes:
    """An EPUB."""
    container = b'<container><rootfile full-path="a.opf"/></container>'
    parts = {"mimetype": b"application/epub+zip", "META-INF/container.xml": container, "a.opf": PACKAGE}
    return packed({**parts, "a.xhtml": FIRST, "b.xhtml": SECOND, **others})


def mutate(data: bytes, random: Random) -> bytes:
    """A mutation; what it is likely to be is asked in passing, since that must never fail."""
    data = mutated_archive(data, random, WORDS)
    likelihood(data)
    return data


if __name__ == "__main__":
    fuzz(parse, [book(**{"nav.xhtml": NAV}), book(**{"toc.ncx": NCX})], mutate)
