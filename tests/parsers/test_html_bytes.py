"""Encodings, and whatever else bytes may be."""

import time
from collections.abc import Callable
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from docqn.document import NONE, PARAGRAPH, SECTION
from docqn.errors import ParseError
from docqn.invariants import violations
from docqn.parsers import html
from docqn.parsers.html import likelihood, parse
from tests.parsers.pages import paragraphs, parsed, sections, texts

# Encodings

META = '<meta charset="{}">'
HTTP_EQUIV = "<meta http-equiv='Content-Type' content='text/html; charset={}'>"
XML = '<?xml version="1.0" encoding="{}"?><html xmlns="http://www.w3.org/1999/xhtml">'


@pytest.mark.parametrize("declaration", [META, HTTP_EQUIV, XML, "<META CHARSET={}>", "<!-- c -->\n<head>" + META])
@pytest.mark.parametrize(
    ("label", "codec", "text"),
    [
        ("utf-8", "utf-8", "café — 茶"),
        ("UTF8", "utf-8", "café"),
        ("iso-8859-1", "cp1252", "“café” costs 3 €"),  # as browsers take it
        ("latin1", "cp1252", "café’s"),
        ("us-ascii", "cp1252", "café"),
        ("windows-1251", "cp1251", "чай горячий"),
        ("koi8-r", "koi8-r", "чай горячий"),
        ("iso-8859-2", "iso8859-2", "žluťoučký"),
        ("shift_jis", "cp932", "お茶は熱い①"),
        ("euc-jp", "euc_jp", "お茶は熱い"),
        ("gb2312", "gb18030", "茶很热€"),
        ("big5", "big5hkscs", "茶很熱"),
        ("euc-kr", "cp949", "차가 뜨겁다"),
    ],
)
def test_the_declared_encoding(declaration: str, label: str, codec: str, text: str) -> None:
    page = f"{declaration.format(label)}<p>{text}</p>"
    assert texts(parsed(page.encode(codec))) == [text]


@pytest.mark.parametrize("codec", ["utf-8-sig", "utf-16", "utf-32"])
@pytest.mark.parametrize("label", ["iso-8859-1", "shift_jis", "utf-8"])
def test_a_byte_order_mark_outweighs_what_is_declared(codec: str, label: str) -> None:
    document = parsed(f"<meta charset={label}>\n<p>café — 茶</p>".encode(codec))
    assert texts(document) == ["café — 茶"]
    assert document.line[1] == 2


def test_utf16_without_a_mark() -> None:
    for codec in ("utf-16-le", "utf-16-be"):
        assert texts(parsed("<html><body><p>Some café text that is long enough.".encode(codec))) == [
            "Some café text that is long enough."
        ]


@pytest.mark.parametrize("label", ["", "iso-8859-1", "windows-1252", "windows-1251", "no-such", "x", "base64", "rot13"])
def test_a_wrong_declaration_of_utf8(label: str) -> None:
    assert texts(parsed(f"<meta charset='{label}'><p>café — 茶 für alle</p>".encode())) == ["café — 茶 für alle"]


def test_other_bytes_under_a_declaration_of_utf8() -> None:
    assert texts(parsed("<meta charset=utf-8><p>café au lait".encode("cp1252"))) == ["caf\ufffd au lait"]


def test_without_a_declaration() -> None:
    assert texts(parsed("<p>café — 茶".encode())) == ["café — 茶"]
    assert texts(parsed("<p>“café” costs 3 €".encode("cp1252"))) == ["“café” costs 3 €"]
    assert texts(parsed(b"<p>a &#233; &eacute; &#150; &#x80; b")) == ["a é é – € b"]


def test_xhtml_means_what_xml_means() -> None:
    page = (
        '<?xml version="1.0"?>\n<!DOCTYPE html [\n<!ENTITY x "y">\n]>\n<html><head><title>T</title>'
        '<script src="x"/></head><body><h2 id="a"/><p/><h2>A<a id="b"/></h2>'
        "<p>b <![CDATA[1 < 2 & <i>]]><br/>c</p></body></html>"
    )
    document = parsed(page)
    assert texts(document, SECTION) == ["A"]
    assert texts(document) == ["b 1 < 2 & <i>\nc"]
    assert document.line.tolist()[1:3] == [5, 5]


# Broken pages


@pytest.mark.parametrize(
    "broken",
    [
        "</p></div></table></ul></h2></html></body>",
        "<div><p><b><i><span>",
        "</tr></td><td><tr>",
        "<table><tr><table><tr>",
        "<ul><ol><dl><dd><li>",
        "<b <i <p>",
        "<a href='x\">",
        '<p class="',
        "<!--",
        "<h2",
        "<script",
        "&#xFFFFFFFF; &#0; &#xD800; &# &#x;",
        "\x0b\x0c\x1b",
        "<>< ><<p>>",
        "]]>",
    ],
)
def test_what_is_broken_does_not_take_the_rest_along(broken: str) -> None:
    before = f"<h1>T</h1><p>Before</p>{broken}"
    assert "Before" in paragraphs(before)
    if not broken.startswith(("<!--", "<h2", "<script", '<p class="', "<a href", "<b <i")):  # these hold what follows
        assert sections(f"{before}<h2>A</h2><p>After")[-1][1].startswith("A")
        assert "After" in paragraphs(f"{before}<h2>A</h2><p>After")


def test_only_headings() -> None:
    page = "".join(f"<h{1 + number % 6}>H{number}</h{1 + number % 6}>" for number in range(50))
    document = parsed(page)
    assert len(texts(document, SECTION)) == 50
    assert (document.kind != PARAGRAPH).all()


def test_no_headings() -> None:
    document = parsed("<title>T</title>" + "<p>a. b.</p>" * 50)
    assert document.title == "T"
    assert len(texts(document)) == 50
    assert document.depth.max() == 2


@pytest.mark.parametrize(
    "tag", ["div", "section", "ul", "blockquote", "table", "dl", "b", "span", "h2", "pre", "td", "nav"]
)
def test_ten_thousand_nested_tags(tag: str) -> None:
    start = time.process_time()
    assert "deep" in parsed(f"<p>a{f'<{tag}>' * 10_000}deep{f'</{tag}>' * 10_000}<p>b").text
    assert "deep" in parsed(f"<p>a{f'<{tag}>' * 10_000}deep").text
    assert time.process_time() - start < 5


def test_nested_headings_are_nested_sections() -> None:
    page = "".join(f"<div role=heading aria-level={level}>H{level}</div>" for level in range(1, 400))
    assert parsed("<p>x" + page).depth.max() == 254  # the first is the title, and levels end at 255


def test_a_page_that_is_too_large_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("docqn.parsers.decoding.MOST_TEXT", 1000)
    with pytest.raises(ParseError, match=r"^page.html: holds .* more than the"):
        parse(b"<p>" + b"word " * 1000, "page.html")


def test_binary_rubbish_is_an_error() -> None:
    with pytest.raises(ParseError, match=r"^page.html: is binary data, not text$"):
        parse(bytes(range(256)) * 40, "page.html")


# Any bytes

MARKS = """<p> </p> <div> </div> <h1> <h2> </h2> <h6> </h6> <ul> <li> </ul> <ol> <dl> <dt> <dd> </dl> <table> <tr> <td>
<th> </tr> </td> </table> <thead> <tbody> <caption> <pre> </pre> <br> <hr> <b> </b> <a> </a> <span> <script> </script>
<style> <title> </title> <nav> </nav> <main> </main> <article> <aside> <footer> <sup> </sup> <button> <select> <option>
<svg> <svg/> <template> <noscript> <textarea> <!-- --> <!--> <! <? </ < > & &amp; &lt &#65; &#x; " ' = [1] <html>
<body> <xmp> <img> <label> ¶ é a Word.
""".split()
SPACED = [
    " ", "\n", "\n\n", "\r\n", "\t", "\0", "<p hidden>", "<div hidden>", "<li hidden>", "<td hidden>",
    "<div role=heading aria-level=3>", "<h2 hidden>", "<td colspan=3>", "<td rowspan=9>", "<table class=infobox>",
    '<div class="navbox">', "<a href='#x'>", "<div class=cookie-banner>", "<div id=bodyContent>",
    "<img class=tex alt='x'>", "<?xml version='1.0'?>", "<![CDATA[", "]]>", "<td><b>x</b></td>",
    "<meta charset=utf-16>", "<sup>[<b>", "<div style='display:none'>",
]  # fmt: skip
JUMBLED = st.lists(st.sampled_from([*MARKS, *SPACED]), max_size=70).map("".join).map(str.encode)


@settings(max_examples=400)
@given(st.one_of(st.binary(max_size=300), st.text(max_size=300).map(str.encode), JUMBLED, JUMBLED))
def test_any_bytes_give_a_sound_document_or_a_parse_error(data: bytes) -> None:
    assert 0 <= likelihood(data) <= 1
    with suppress(ParseError):
        document = parse(data, "x.html")
        assert violations(document) == []
        assert set(document.page.tolist()) == {NONE}
        assert document.line.max() <= data.count(b"\n") + data.count(b"\r") + 1


HARD = {
    "headings": lambda n: "<h2>h</h2>" * (n // 10),
    "open headings": lambda n: "<h2>h" * (n // 5),
    "roles": lambda n: "<b role=heading>h" * (n // 17),
    "hidden": lambda n: "<div hidden>" * (n // 12),
    "hidden items": lambda n: "<ul>" + "<li hidden>a" * (n // 12),
    "hidden spans": lambda n: "<span hidden>a</span>b " * (n // 23),
    "misplaced end tags": lambda n: "<div>" * (n // 20) + "</section></ul>" * (n // 20),
    "open elements": lambda n: "<div><p><ul><b>a" * (n // 16),
    "tables": lambda n: "<table><tr><td>" * (n // 15),
    "cells": lambda n: "<table><tr>" + "<td>a" * (n // 5),
    "bold cells": lambda n: "<table><tr>" + "<td><b>a</b></td>" * (n // 17),
    "heads of heads": lambda n: "<table>" + "<tr><th>a<th>b" * (n // 14),
    "wide heads": lambda n: "<table><tr>" + "<th>a" * (n // 10) + "<tr>" + "<td>b" * (n // 10),
    "reaching cells": lambda n: "<table>" + "<tr><td rowspan=65534>a" * (n // 24),
    "spreading cells": lambda n: "<table>" + "<tr><td colspan=1000>a<td>b" * (n // 27),
    "terms": lambda n: "<dl>" + "<dt>a<dd>b" * (n // 10),
    "lists of terms": lambda n: "<dl><dt>a<dd>" * (n // 13),
    "breaks": lambda n: "a<br>" * (n // 5),
    "breaks in pre": lambda n: "<pre>" + "<br>" * (n // 4) + "a",
    "comments": lambda n: "a<!-- " * (n // 6),
    "tags without an end": lambda n: "<p " * (n // 3),
    "attributes": lambda n: "<p" + " a=b" * (n // 4) + ">c",
    "quotation marks": lambda n: "<p a='" * (n // 6),
    "raw text": lambda n: "<script>" * (n // 8),
    "titles": lambda n: "<title>a</title>" * (n // 16),
    "references": lambda n: "&amp;&lt" * (n // 8),
    "ampersands": lambda n: "&" * n,
    "less-than signs": lambda n: "a" + "<" * n,
    "marks of notes": lambda n: "a<sup><a href='#x'><b>" * (n // 22),
    "zones": lambda n: "<nav><a href=x>a</a>" * (n // 20),
    "notices": lambda n: "<div class=cookie-banner>a" * (n // 26),
    "articles": lambda n: "<article>a</article>" * (n // 20),
    "links": lambda n: "<div class=toc>" * (n // 30) + "<a href=x>a</a>" * (n // 30),
    "spaces": lambda n: "<p>a" + " " * n + "b",
    "lines": lambda n: "<p>a" + "\n" * n + "b",
    "long word": lambda n: "<p>" + "a" * n,
    "nested lists": lambda n: "<ul><li>a" * (n // 9),
    "buttons": lambda n: "<button>" * (n // 8),
    "xml": lambda n: "<?xml version='1.0'?>" + "<a/><![CDATA[" * (n // 13),
    "doctype": lambda n: "<!DOCTYPE html [" + "<!ENTITY a 'b'" * (n // 14),
    "dashes": lambda n: "<!--" + "-" * n + "<html>",
}  # fmt: skip


@pytest.mark.parametrize("hard", HARD)
def test_hard_input_takes_time_in_proportion(hard: str) -> None:
    make: Callable[[int], str] = HARD[hard]
    start = time.process_time()
    with suppress(ParseError):
        assert violations(parse(make(100_000).encode(), "x.html")) == []
    html.likelihood(make(100_000).encode())
    assert time.process_time() - start < 5
