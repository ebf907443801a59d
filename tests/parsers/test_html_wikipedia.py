"""Pages as MediaWiki made them in 2007, and as it makes them now."""

from pathlib import Path

import pytest

from docqn.document import PARAGRAPH, SECTION, SENTENCE, Document
from docqn.parsers.html import parse
from tests.parsers.pages import lines, outline, paragraphs, parsed, sections, texts

DATA = Path(__file__).parents[1] / "data"
PAGES = ("wikipedia-2007.html", "wikipedia-modern.html")


@pytest.fixture(scope="module")
def old() -> Document:
    return parse((DATA / PAGES[0]).read_bytes(), PAGES[0])


@pytest.fixture(scope="module")
def modern() -> Document:
    return parse((DATA / PAGES[1]).read_bytes(), PAGES[1])


def test_the_outline_of_2007(old: Document) -> None:
    assert (old.title, old.line[0]) == ("Harrow Sound", 22)
    assert outline(old) == [
        (1, "Geography"),
        (2, "Tides"),
        (3, "Races and eddies"),
        (1, "History"),
        (2, "Salt"),
        (2, "The lighthouse"),
        (3, "Keepers"),
        (1, "Nature"),
        (1, "Notes"),
    ]


def test_the_outline_of_today(modern: Document) -> None:
    assert (modern.title, modern.line[0]) == ("Tolliver Viaduct", 51)
    assert outline(modern) == [
        (1, "Design"),
        (2, "Piers"),
        (3, "Spans"),
        (1, "History"),
        (2, "Building (1886–1893)"),
        (2, "Repairs"),
        (1, "In culture"),
        (1, "See also"),
        (1, "Notes"),
        (1, "References"),
    ]


def test_the_text_of_2007(old: Document) -> None:
    found = texts(old)
    assert found[:5] == [
        "Harrow Sound",
        "The sound from the north, in winter",
        "Length: 41 km (25 mi)",
        "Depth: 118 m at the Kettle",
        "Islands: Osk, Little Osk, The Calf",
    ]
    assert found[5].startswith("Harrow Sound is a strait between the mainland and the island of Osk. It is 41 km long")
    assert found[6].endswith("was the first to turn by clockwork.")  # without the marks of notes
    assert "Place: The Stair | Speed (km/h): 9" in found
    assert (
        "The smoke of the pans could be seen for thirty miles, and smelt for ten." in found
    )  # without big quotation marks
    assert "Tom Garrick: First keeper, from 1809 to 1840. He wrote a book on the flight of birds." in found
    assert [text for text in found if "Calf" in text and "Gannets" in text] == ["Gannets on the Calf"]
    assert any(r"N = \frac{n}{a} < 2n" in text for text in found)  # a formula


def test_the_text_of_today(modern: Document) -> None:
    found = texts(modern)
    assert found[:8] == [
        "Not to be confused with the Tolliver Aqueduct.",
        "Tolliver Viaduct",
        "The viaduct from the Calf in 2016",
        "Carries: two tracks of the Osk Railway",
        "Crosses: Harrow Sound",
        "Characteristics",
        "Total length: 1,912 metres (6,273 ft)",
        "No. of spans: 14 arches of stone; 3 girders of steel",
    ]
    assert found[8].endswith("who built the lighthouse beside it.")
    assert r"{\displaystyle F=\sigma A}" in found
    assert any("weighs about 4.2×10^6 kg." in text for text in found)
    assert "Span: 10 to 14 | Length metres: 72 | Length feet: 236 | Material: stone" in found
    assert "— Edwin Marsh, engineer, at the opening" in found
    assert "Span 16 under repair in 2010" in found
    assert found[-2:] == ["List of bridges in the north", "Osk Railway"]


@pytest.mark.parametrize(
    "left_out",
    [
        "Selection for Schools", "Related subjects", "Contents", "[<a", "edit", "[1]", "Straits of the North",
        "Aske Narrows", "Seabird Census", "Lamps and Levers", "Retrieved from", "Disclaimer", "reference article",
        "del_lnk",
    ],
)  # fmt: skip
def test_what_is_left_out_of_a_page_of_2007(old: Document, left_out: str) -> None:
    assert left_out in (DATA / PAGES[0]).read_text()
    assert left_out not in old.text


@pytest.mark.parametrize(
    "left_out",
    [
        "Main page", "Search", "Log in", "Contents", "(Top)", "Deutsch", "Talk", "View history", "anyone can edit",
        "Redirected from", "Railway bridge over Harrow Sound", "additional citations", "citation needed", "note 1",
        "Until the Aske", "Stone over Water", "Board of Trade", "Bridges of the north", "NewPP", "Retrieved",
        "Categories", "1893 establishments", "last edited", "Privacy policy", "font-style",
    ],
)  # fmt: skip
def test_what_is_left_out_of_a_page_of_today(modern: Document, left_out: str) -> None:
    assert left_out in (DATA / PAGES[1]).read_text()
    assert left_out not in modern.text


@pytest.mark.parametrize("page", PAGES)
def test_each_sentence_has_its_line(page: str) -> None:
    source = (DATA / page).read_text().split("\n")
    document = parse((DATA / page).read_bytes(), page)
    checked = 0
    for node in range(len(document)):
        words = [word for word in document.text_of(node).split() if word.isalpha() and len(word) > 4]
        if document.kind[node] == SENTENCE and words and ": " not in document.text_of(node):
            assert words[0] in source[document.line[node] - 1], document.text_of(node)
            checked += 1
    assert checked > 25


# What is peculiar to them, one by one

BANNER = '<h3 id="siteSub"><a href="i">2007 Schools Selection</a>. Related subjects: <a href=m>Mammals</a></h3>'


def test_the_banner_is_no_heading() -> None:
    page = f"<h1>T</h1><div id=bodyContent>{BANNER}<p>a<h2>A</h2><p>b</div>"
    assert sections(page) == [(1, "A")]
    assert paragraphs(page) == ["a", "b"]


def test_paragraphs_that_are_not_closed() -> None:
    page = (
        "<h1>T</h1><div id=bodyContent><p>a <b>b</b>.<p>c<ul>\n<li>d\n<li>e<dl>\n<dd>f</dl></ul>\n"
        '<p><a id="A" name="A"></a><h2> <span class="mw-headline">A</span></h2>\n<p>g<p><div class="x">h</div>\n'
        "<p>i<table><tr><td>1<td>2<tr><td>3<td>4</table>j<p></div>"
    )
    assert sections(page) == [(1, "A")]
    assert paragraphs(page) == ["a b.", "c", "d", "e", "f", "g", "h", "i", "1 | 2", "3 | 4", "j"]
    assert lines(page, SECTION) == [(5, "A")]


@pytest.mark.parametrize(
    "heading",
    [
        '<h2><span class="editsection">[<a href=e>edit</a>]</span> <span class="mw-headline">A</span></h2>',
        '<h2><span class="mw-headline" id="A">A</span><span class="mw-editsection">[<a href=e>edit</a>]</span></h2>',
        '<div class="mw-heading"><h2 id="A">A</h2><span class="mw-editsection">[<a href=e>edit</a>]</span></div>',
        '<div class="editsection">[<a href=e>edit</a>]</div><a name="A"></a><h2>A</h2>',
        '<div class="mw-heading mw-heading2 section-heading" onclick="x()"><span></span><h2 id="A">A</h2></div>'
        '<section class="mf-section-1 collapsible-block" id="mf-section-1">',
    ],
)
def test_headings_of_all_times(heading: str) -> None:
    page = f'<h1 id="firstHeading">T</h1><div class="mw-parser-output"><p>a</p>{heading}<p>b</p></div>'
    assert sections(page) == [(1, "A")]
    assert paragraphs(page) == ["a", "b"]


@pytest.mark.parametrize(
    "mark",
    [
        '<sup id="_ref-0" class="reference"><a href="#_note-0" title="">[1]</a></sup>',
        '<sup id="cite_ref-1" class="reference"><a href="#cite_note-1">&#91;1&#93;</a></sup>',
        '<sup class="reference"><a href="#n"><span class="cite-bracket">&#91;</span>1<span>&#93;</span></a></sup>',
        '<sup class="noprint Inline-Template" style="white-space:nowrap">&#91;<i><a>citation needed</a></i>&#93;</sup>',
        '<sup class="reference nowrap"><span title="Page">: 31 </span></sup>',
        '<a href="#note"><sup>[2]</sup></a>',
        '<sup><a href="#e" title="">†</a></sup>',
    ],
)
def test_marks_of_notes_go(mark: str) -> None:
    assert paragraphs(f"<p>Tea{mark} is hot.{mark} So{mark}, no.") == ["Tea is hot. So, no."]


@pytest.mark.parametrize(
    "box",
    [
        '<ol class="references"><li id=n><a href="#r">^</a> no</ol>',
        '<div class="references-small"><ol class="references"><li>no</ol></div>',
        '<div class="reflist columns"><div class="mw-references-wrap"><ol class="references"><li>no</ol></div></div>',
        '<table class="navbox"><tr><td><table><tr><th>no<td>no</table></table>',
        '<div role="navigation" class="navbox"><table><tr><td>no</table></div>',
        '<div class="NavFrame"><div class="NavHead">no no no</div><div class="NavContent"><a href=a>no no</a>'
        " <a href=b>no no</a> <a href=c>no no</a></div></div>",
        '<table id="toc" class="toc"><tr><td><h2>no</h2><ul><li><a href="#a">no</a></ul></table>',
        '<div id="toc" class="toc" role="navigation"><h2>no</h2><ul><li>no</ul></div>',
        '<table class="ambox metadata"><tr><td>no</table>',
        '<div class="shortdescription" style="display:none">no</div>',
        '<div id="catlinks" class="catlinks">no</div>',
        '<div class="printfooter">no</div>',
        '<div id="contentSub">no</div>',
        '<div id="jump-to-nav">no</div>',
        '<table id="persondata" class="persondata"><tr><th>no<td>no</table>',
        '<div class="soslink">no</div>',
    ],
)
def test_boxes_that_are_no_text_go(box: str) -> None:
    text = f"<p>{'a ' * 99}</p>{box}<h2>A</h2>{box}<p>b"
    page = f"<h1>T</h1><div id=bodyContent><div class=mw-parser-output>{text}</div></div>"
    assert sections(page) == [(1, "A")]
    assert [set(text.split()) for text in paragraphs(page)] == [{"a"}, {"b"}]


def test_a_box_of_facts_is_rows() -> None:
    page = (
        '<table class="infobox vcard"><tbody><tr><th colspan="2" class="infobox-above">Port</th></tr>\n'
        '<tr><td colspan="2"><img alt="x" src="p.jpg"><div class="infobox-caption">The port</div></td></tr>\n'
        '<tr><th scope="row">Country</th><td><a href=o>Osk</a></td></tr>\n'
        "<tr><td><b>Area:</b></td><td>7 km<sup>2</sup></td></tr>\n"
        "<tr><th>Towns</th><td><ul><li>A</li><li>B</li></ul></td></tr></table>"
    )
    assert lines(page, PARAGRAPH) == [
        (1, "Port"), (2, "The port"), (3, "Country: Osk"), (4, "Area: 7 km2"), (5, "Towns: A; B"),
    ]  # fmt: skip


def test_captions_of_pictures_and_galleries() -> None:
    page = (
        '<div class="thumb tright"><div style="width:202px"><a href=i><img alt=""></a><div class="thumbcaption">'
        '<div class="magnify"><a href=i title="Enlarge"><img alt=""></a></div>\n a chart</div></div></div>'
        '<figure typeof="mw:File/Thumb"><img><figcaption>a curve</figcaption></figure>'
        '<table class="gallery"><tr><td><div class="gallerytext"><p>one</div>'
        '<td><div class="gallerytext"><p>two</div></table>'
        '<ul class="gallery"><li class="gallerybox"><div class="gallerytext">three</div></ul>'
    )
    assert paragraphs(page) == ["a chart", "a curve", "one", "two", "three"]


def test_the_title_without_the_name_of_the_site() -> None:
    for title in ("Tea - Wikipedia", "Tea - Wikipedia, the free encyclopedia", "Tea — Wikipedia", "Tea - Wikibooks"):
        assert parsed(f"<title>{title}</title><p>x").title == "Tea"
