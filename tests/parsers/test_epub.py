from html import escape
from io import BytesIO
from typing import Any
from zipfile import ZIP_STORED, ZipFile

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from docqn.document import NONE, PARAGRAPH, SECTION, SENTENCE, Document
from docqn.errors import ParseError
from docqn.invariants import violations
from docqn.parsers import detect
from docqn.parsers.epub import likelihood, parse

CONTAINER = '<container><rootfiles><rootfile full-path="OEBPS/content.opf"/></rootfiles></container>'


def page(body: str) -> str:
    return f'<?xml version="1.0"?>\n<html xmlns="http://www.w3.org/1999/xhtml"><head><title/></head><body>{body}</body></html>'


def package(documents: dict[str, str], guide: str = "", nav: bool = False, ncx: bool = False) -> str:
    names = list(documents)
    items = "".join(
        f'<item id="i{i}" href="{name}" media-type="application/xhtml+xml"/>' for i, name in enumerate(names)
    )
    if nav:
        items += '<item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>'
    if ncx:
        items += '<item id="ncx" href="toc.ncx" media-type="application/x-dtbncx+xml"/>'
    spine = "".join(f'<itemref idref="i{i}"/>' for i in range(len(names)))
    metadata = "<metadata xmlns:dc='d'><dc:title>The Book</dc:title><dc:language>en-GB</dc:language></metadata>"
    return f"<package>{metadata}<manifest>{items}</manifest><spine>{spine}</spine><guide>{guide}</guide></package>"


def epub(documents: dict[str, str], nav: str = "", ncx: str = "", guide: str = "", **others: str | None) -> bytes:
    """A book of these bodies; other members by their paths with `__` for slashes, None for those to be missing."""
    members: dict[str, str | None] = {
        "META-INF/container.xml": CONTAINER,
        "OEBPS/content.opf": package(documents, guide, bool(nav), bool(ncx)),
        **{f"OEBPS/{name}": page(body) for name, body in documents.items()},
    }
    if nav:
        members["OEBPS/nav.xhtml"] = page(nav)
    if ncx:
        members["OEBPS/toc.ncx"] = f"<ncx>{ncx}</ncx>"
    members |= {name.replace("__", "/"): content for name, content in others.items()}
    file = BytesIO()
    with ZipFile(file, "w") as archive:
        archive.writestr("mimetype", "application/epub+zip", ZIP_STORED)
        for name, content in members.items():
            if content is not None:
                archive.writestr(name, content)
    return file.getvalue()


Nested = list[tuple[str, str, "Nested"]]  # label, reference and what is below


def items(entries: Nested) -> str:
    return "".join(
        f"<li>{f'<a href={chr(34)}{href}{chr(34)}>{escape(label)}</a>' if href else f'<span>{label}</span>'}"
        f"{f'<ol>{items(below)}</ol>' if below else ''}</li>"
        for label, href, below in entries
    )


def toc(entries: Nested, kind: str = "toc") -> str:
    return f'<nav epub:type="{kind}"><h1>List</h1><ol>{items(entries)}</ol></nav>'


def points(entries: Nested) -> str:
    return "".join(
        f"<navPoint><navLabel><text>{escape(label)}</text></navLabel><content src='{href}'/>{points(below)}</navPoint>"
        for label, href, below in entries
    )


def read(data: bytes) -> Document:
    document = parse(data, "a.epub")
    assert violations(document) == []
    return document


def outline(data: bytes) -> list[tuple[int, str]]:
    """Depth and text of all but the title and the sentences."""
    document = read(data)
    kept = [u for u in range(1, len(document)) if document.kind[u] != SENTENCE]
    return [(int(document.depth[u]), document.text_of(u)) for u in kept]


# Chapters


def test_documents_in_the_order_of_the_spine() -> None:
    data = epub({"b.xhtml": "<h1>One</h1><p>a</p>", "a.xhtml": "<h1>Two</h1><h2>In</h2><p>b</p>"})
    assert read(data).title == "The Book"
    assert outline(data) == [(1, "One"), (2, "a"), (1, "Two"), (2, "In"), (3, "b")]


PARTS: Nested = [
    ("Part I", "", [("One", "c1.xhtml", []), ("Two", "c2.xhtml", [("Inner", "c2.xhtml#s", [])])]),
    ("Part II", "p2.xhtml", [("Three", "c3.xhtml", [])]),
]
DOCUMENTS = {
    "c1.xhtml": "<h1>One</h1><p>a</p><h2>Deep</h2><p>b</p>",
    "c2.xhtml": "<p>no heading here</p><p id='s'>c</p>",
    "p2.xhtml": "<h1>Part II</h1>",
    "c3.xhtml": "<h1>Three</h1><p>d</p>",
    "more.xhtml": "<h2>On</h2><p>e</p>",
}


@pytest.mark.parametrize("kind", ["nav", "ncx"])
def test_chapters_stand_where_the_contents_say(kind: str) -> None:
    parts = PARTS if kind == "nav" else [("Part I", "c1.xhtml", PARTS[0][2]), PARTS[1]]
    contents = toc(parts) if kind == "nav" else f"<navMap>{points(parts)}</navMap>"
    assert outline(epub(DOCUMENTS, **{kind: contents})) == [
        (1, "Part I"), (2, "One"), (3, "a"), (3, "Deep"), (4, "b"),
        (2, "Two"), (3, "no heading here"), (3, "Inner"), (4, "c"),
        (1, "Part II"), (2, "Three"), (3, "d"), (3, "On"), (4, "e"),
    ]  # fmt: skip


def test_chapters_within_one_document() -> None:
    body = (
        "<h2>Book</h2><div id='a'><h3>One</h3></div><p>a</p><p>b<a id='b'/></p><h3>Two</h3><p>c</p>"
        "<p id='c'>d</p><section id='d'><p>e</p></section><p>f <span id='e'>g</span></p>"
    )
    contents = toc(
        [
            (label, f"x.xhtml#{place}", [])
            for label, place in zip(["One", "2", "Three", "Four", "Five"], "abcde", strict=True)
        ]
    )
    assert outline(epub({"x.xhtml": body}, nav=contents))[1:] == [
        (1, "One"), (2, "a"), (2, "b"), (1, "Two"), (2, "c"), (1, "Three"), (2, "d"), (1, "Four"), (2, "e"), (2, "f g"),
    ]  # fmt: skip


def test_headings_that_read_otherwise_than_the_contents() -> None:
    contents = toc([("I. The Beginning", "a.xhtml", []), ("II. The End", "b.xhtml", [])])
    documents = {"a.xhtml": "<h2>Chapter I</h2><h3>The Beginning</h3><p>a</p>", "b.xhtml": "<h3>Fin</h3><p>b</p>"}
    assert outline(epub(documents, nav=contents)) == [
        (1, "Chapter I"), (1, "The Beginning"), (2, "a"), (1, "Fin"), (2, "b"),
    ]  # fmt: skip


def test_covers_contents_and_title_pages_are_left_out() -> None:
    documents = {
        "cover.xhtml": "<p>A cover</p>",
        "title.xhtml": "<h1>The Book</h1><p>by Ann</p>",
        "toc.xhtml": "<h1>Contents</h1><p>One</p>",
        "c1.xhtml": "<h1>One</h1><p>a</p>",
        "nav.xhtml": "<h1>List</h1>",
    }
    contents = toc(
        [("Cover", "cover.xhtml", []), ("Map", "map.xhtml", []), ("One", "c1.xhtml", []), ("Index", "none.xhtml", [])]
    )
    landmarks = '<nav epub:type="landmarks"><ol><li><a epub:type="toc" href="toc.xhtml">x</a></li></ol></nav>'
    guide = '<reference type="cover" href="cover.xhtml"/>'
    documents["map.xhtml"] = "<img src='map.png'/>"
    assert outline(epub(documents, nav=contents + landmarks, guide=guide)) == [(1, "by Ann"), (1, "One"), (2, "a")]


def test_a_book_that_is_only_said_to_be_a_list_of_contents_is_read() -> None:
    guide = '<reference type="toc" href="all.xhtml"/>'
    assert outline(epub({"all.xhtml": "<p>a</p>"}, guide=guide)) == [(1, "a")]


def test_self_closing_elements_and_entities() -> None:
    body = "<script src='x'/><p>a<i/>b<br/>c&nbsp;d<a id='x'/></p><div/><p>e &lt; f</p>"
    assert outline(epub({"x.xhtml": body})) == [(1, "ab\nc d"), (1, "e < f")]


def test_names_are_unquoted_and_without_case() -> None:
    data = epub(
        {"Chapter%201.xhtml": ""},
        nav=toc([("One", "chapter%201.xhtml", [])]),
        **{"OEBPS__Chapter 1.xhtml": page("<p>a</p>")},
    )
    assert outline(data) == [(1, "One"), (2, "a")]


# Pages


def pages(document: Document, kind: int) -> list[int]:
    return [int(document.page[u]) for u in range(1, len(document)) if document.kind[u] == kind]


@pytest.mark.parametrize("kind", ["nav", "ncx"])
def test_pages(kind: str) -> None:
    documents = {
        "a.xhtml": "<p>Before.</p><p id='i'>Preface</p><h1 id='p1'>One</h1>"
        "<p>It begins. <a id='p2'/>It goes on. Still.</p>",
        "b.xhtml": "<p>First.</p><p>wo<a id='p3'/>rd</p><p>Last.</p>",
    }
    places: Nested = [("i", "a.xhtml#i", []), ("1", "a.xhtml#p1", []), ("2", "a.xhtml#p2", []), ("3", "b.xhtml#p3", [])]
    if kind == "nav":
        data = epub(documents, nav=toc([("One", "a.xhtml#p1", [])]) + toc(places, "page-list"))
    else:
        targets = points(places).replace("navPoint", "pageTarget")
        data = epub(
            documents, ncx=f"<navMap>{points([('One', 'a.xhtml#p1', [])])}</navMap><pageList>{targets}</pageList>"
        )
    document = read(data)
    assert pages(document, SECTION) == [1]
    assert pages(document, PARAGRAPH) == [NONE, NONE, 1, 2, 2, 3]
    assert pages(document, SENTENCE) == [NONE, NONE, 1, 2, 2, 2, 2, 3]
    assert [document.text_of(u) for u in range(len(document)) if document.kind[u] == PARAGRAPH][-2] == "word"


# Against the headings that a book is made from

chapters: st.SearchStrategy[Any] = st.recursive(
    st.tuples(st.booleans(), st.just([])),
    lambda inner: st.tuples(st.booleans(), st.lists(inner, max_size=3)),
    max_leaves=6,
)


@settings(max_examples=40)
@given(st.lists(chapters, min_size=1, max_size=3))
def test_chapters_come_back_with_or_without_headings_of_their_own(nested: list[tuple[bool, list[object]]]) -> None:
    documents: dict[str, str] = {}
    expected: list[tuple[int, str]] = []

    def write(parts: list[tuple[bool, list[object]]], depth: int) -> Nested:
        entries: Nested = []
        for has_heading, below in parts:
            name = f"Chapter {len(documents)}"
            documents[f"{len(documents)}.xhtml"] = f"<h1>{name}</h1><p>x</p>" if has_heading else "<p>x</p>"
            expected.extend([(depth, name), (depth + 1, "x")])
            entries.append((name, f"{len(documents) - 1}.xhtml", []))
            entries[-1][2].extend(write(below, depth + 1))  # type: ignore[arg-type]
        return entries

    contents = write(nested, 1)
    assert outline(epub(documents, nav=toc(contents))) == expected
    assert outline(epub(documents, ncx=f"<navMap>{points(contents)}</navMap>")) == expected


# Bad input

BOOK = {"a.xhtml": "<p>a</p>"}


def without(member: str) -> dict[str, Any]:
    return {member.replace("/", "__"): None}


def test_likelihood() -> None:
    data = epub(BOOK)
    assert likelihood(data) == likelihood(data[:-20]) == 1
    assert likelihood(data.replace(b"mimetype", b"mymetype").replace(b"epub+zip", b"EPUB+zip")) == 1
    assert detect(data, "a") == detect(data, "a.epub") == "epub"
    assert likelihood(b"") == likelihood(b"PK\x03\x04") == likelihood(b"META-INF/container.xml") == 0


def encrypted(uri: str, method: str) -> str:
    reference = f"<CipherData><CipherReference URI='{uri}'/></CipherData>"
    return (
        f"<encryption><EncryptedData><EncryptionMethod Algorithm='{method}'/>{reference}</EncryptedData></encryption>"
    )


AES, FONT = "http://www.w3.org/2001/04/xmlenc#aes128-cbc", "http://www.idpf.org/2008/embedding"


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (epub(BOOK)[:-30], "damaged or cut-off zip"),
        (epub({"a.xhtml": "<img/>"}), "holds no text"),
        (epub({}), "names no document"),
        (epub(BOOK, **without("OEBPS/a.xhtml")), "names no document"),
        (epub(BOOK, **without("OEBPS/content.opf")), "no package file"),
        (epub(BOOK, **{"META-INF__encryption.xml": encrypted("OEBPS/a.xhtml", AES)}), "DRM"),
        (
            epub(BOOK, **{"OEBPS__content.opf": "<!DOCTYPE x [<!ENTITY a 'b'><!ENTITY c '&a;&a;'>]><x>&c;</x>"}),
            "entity",
        ),
        (epub(BOOK, **{"META-INF__container.xml": "no XML"}), "not well-formed"),
        (epub(BOOK, **{"OEBPS__a.xhtml": "\0\1\2" * 100}), r"a\.epub \(oebps/a\.xhtml\): is binary"),
        (epub({"a&#10;b.xhtml": ""}, **{"OEBPS__a\nb.xhtml": "\0\1\2" * 100}), r"\(oebps/a b\.xhtml\): is binary"),
    ],
)
def test_bad_input(data: bytes, problem: str) -> None:
    with pytest.raises(ParseError, match=problem) as caught:
        parse(data, "a.epub")
    assert "\n" not in str(caught.value)


def test_obscured_fonts_protect_nothing() -> None:
    members = {"META-INF__encryption.xml": encrypted("OEBPS/font.otf", FONT) + "<!-- -->"}
    assert outline(epub(BOOK, **members)) == [(1, "a")]


def test_documents_that_are_missing_are_passed_over() -> None:
    assert outline(epub({**BOOK, "b.xhtml": "<p>b</p>"}, **without("OEBPS/a.xhtml"))) == [(1, "b")]


def test_a_container_that_leads_nowhere() -> None:
    assert outline(epub(BOOK, **{"META-INF__container.xml": CONTAINER.replace("content", "other")})) == [(1, "a")]


def test_a_document_that_the_spine_names_often_is_read_once() -> None:
    spine = package(BOOK).replace('<itemref idref="i0"/>', '<itemref idref="i0"/>' * 1000)
    assert outline(epub(BOOK, **{"OEBPS__content.opf": spine})) == [(1, "a")]


def test_contents_that_lead_nowhere() -> None:
    contents = toc([("x", "none.xhtml#y", []), ("y", "", []), ("One", "a.xhtml#nowhere", []), ("", "a.xhtml", [])])
    assert outline(epub(BOOK, nav=contents)) == [(1, "One"), (2, "a")]


def test_deep_contents() -> None:
    contents = "<ol><li>" * 10_000 + "<a href='a.xhtml'>One</a>" + "</li></ol>" * 10_000
    assert outline(epub(BOOK, nav=f'<nav epub:type="toc">{contents}</nav>')) == [(1, "One"), (2, "a")]
