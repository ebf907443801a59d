from pathlib import Path

import pytest

from docqn.document import PARAGRAPH, SENTENCE, Document
from docqn.errors import ParseError
from docqn.parsers import markdown, text, wikitext
from docqn.parsers.html import likelihood, parse
from tests.parsers.pages import lines, outline, paragraphs, parsed, sections, texts

MANUAL = Path(__file__).parents[1] / "data" / "manual.html"


@pytest.fixture(scope="module")
def manual() -> Document:
    return parse(MANUAL.read_bytes(), "manual.html")


def test_manual_has_the_outline_that_its_author_gave_it(manual: Document) -> None:
    assert manual.title == "Marlow 40 Kiln: Owner's Manual"
    assert manual.line[0] == 38
    assert outline(manual) == [
        (1, "Safety"),
        (2, "Fumes"),
        (2, "Electricity"),
        (1, "Setting up"),
        (2, "Choosing a place"),
        (2, "What is in the crate"),
        (2, "The first firing"),
        (1, "Firing"),
        (2, "Programmes"),
        (3, "Changing a programme"),
        (2, "Words on the display"),
        (1, "Care"),
        (2, "Shelves"),
        (2, "Bricks"),
        (2, "Calendar"),
        (3, "After every firing"),
        (3, "Every year"),
        (1, "Faults"),
        (2, "Faults of the pots"),
        (2, "If nothing helps"),
    ]


def test_manual_keeps_words_and_drops_marks(manual: Document) -> None:
    found = texts(manual)
    assert found[0] == "Edition 7, for kilns built since March 2021"
    assert found[1].startswith("The Marlow 40 is an electric kiln for pottery up to 1,280 °C. It holds forty litres,")
    assert found[1].endswith("and how to keep it in order.")
    assert found[found.index("A kiln is patient. Be more patient than the kiln.") + 1] == "Old potters’ saying, Stoke"
    assert found[found.index("barium, in some matt glazes") :][:4] == [
        "barium, in some matt glazes",
        "the carbonate is the poisonous one",
        "the frit is safe once it is fired",
        "manganese, in many browns and blacks",
    ]
    assert "Parts of the Marlow 40" in found
    assert "Part: Prop, 100 mm | Number: 12 | Where it goes: between shelves" in found
    assert "Programme: 2 | Temperature Biscuit: 1,000 | Temperature Glost: 1,100 | Hours: 10" in found
    assert "P1 S1  RATE  80  AIM  600  SOAK   0\nP1 S2  RATE 150  AIM  950  SOAK  15\n\nEND" in found
    assert "E-4: The thermocouple is broken. See Faults." in found
    assert "Fire the biscuit 20 °C higher." in found
    assert any("a full load of 12 kg takes about 2 × 10^7 joules." in each for each in found)
    assert found[-1] == "This edition replaces the leaflet that came with the first 200 kilns."


def test_manual_is_without_what_stands_around_it(manual: Document) -> None:
    for left_out in (
        "Wheels", "cookie", "privacy", "Home", "Contents", "¶", "lawyers", "Service code", "may also like", "Send",
        "All rights", "script", "Skip to", "warning",
    ):  # fmt: skip
        assert left_out not in manual.text


def test_manual_gives_each_sentence_its_line(manual: Document) -> None:
    source = MANUAL.read_text().split("\n")
    checked = 0
    for node in range(1, len(manual)):
        first = manual.text_of(node).split()[0]
        if first.isalpha() and " | " not in manual.text_of(node):  # a row begins with its head
            assert first in source[manual.line[node] - 1]
            checked += 1
    assert checked > 120


# Headings


def test_headings_of_all_levels_nest_by_level() -> None:
    page = "<h1>A</h1><h2>B</h2><h3>C</h3><h4>D</h4><h5>E</h5><h6>F</h6><h2>G</h2>"
    assert parsed(page).title == "A"
    assert sections(page) == [(1, "B"), (2, "C"), (3, "D"), (4, "E"), (5, "F"), (1, "G")]


def test_a_skipped_level_hangs_on_the_nearest_heading_above() -> None:
    page = "<h1>T</h1><h4>A</h4><h2>B</h2><h5>C</h5><h3>D</h3><h6>E</h6><p>x"
    assert sections(page) == [(1, "A"), (1, "B"), (2, "C"), (2, "D"), (3, "E")]


@pytest.mark.parametrize(
    "wrapped",
    [
        "<div><div><h2>B</h2></div></div>",
        "<section><header><h2>B</h2><p></p></header></section>",
        "<hgroup><h2>B</h2></hgroup>",
        "<header class=x><div id=y><h2>B</h2></div></header>",
        "<details open><summary><h2>B</h2></summary></details>",
        "<a href=#b><h2>B</h2></a>",
        "<span><h2><span>B</span></h2></span>",
        "<center><font size=4><h2><b>B</b></h2></font></center>",
        "<table role=presentation><tr><td><h2>B</h2></td></tr></table>",
        "<ul><li><h2>B</h2></li></ul>",
        "<div role=heading aria-level=2>B</div>",
        "<span role='heading' aria-level='2'>B</span>",
        "<p role=heading aria-level=2>B</p>",
        "<div role=heading>B</div>",  # the standard's level where none is given
        "<h4 role=heading aria-level=2>B</h4>",
        "<button><h2>B</h2></button>",
        "<h2><button>B</button></h2>",
        "<H2 CLASS=x>B</H2>",
        "<h2>B</h3>",
        "<h2>B<p>C0</p>",
        "<h2>\n <div>B</div>\n</h2>",
    ],
)
def test_a_heading_is_found_wherever_it_stands(wrapped: str) -> None:
    page = f"<h1>T</h1><p>a</p>{wrapped}<div><p>c</p></div><section><h3>D</h3><p>d</p></section>"
    assert sections(page) == [(1, "B"), (2, "D")]


def test_what_has_the_role_of_no_heading_is_none() -> None:
    page = "<h1>T</h1><h2 role=presentation>a</h2><h2 role=none>b</h2><h2>C</h2><div role=heading aria-level=x>D</div>"
    assert sections(page) == [(1, "C"), (1, "D")]
    assert paragraphs(page) == ["a", "b"]


def test_levels_beyond_six_nest_too() -> None:
    page = "<h1>T</h1><h6>A</h6><div role=heading aria-level=7>B</div><div role=heading aria-level=9>C</div>"
    assert sections(page) == [(1, "A"), (2, "B"), (3, "C")]


def test_a_heading_is_one_line_without_marks() -> None:
    page = (
        "<h1>T</h1><h2>\n  A<br>b <i>c</i>\n<sup><a href='#n'>[1]</a></sup> <a class=anchor href='#x'>¶</a>"
        " <small>d</small><img alt=e src=f></h2><p>x"
    )
    assert sections(page) == [(1, "A b c d")]


def test_a_heading_without_text_is_none() -> None:
    page = "<h1>T</h1><h2></h2><h2><img src=x></h2><h2>&nbsp;</h2><h2 hidden>A</h2><h3>B</h3><p>x"
    assert sections(page) == [(1, "B")]


def test_a_heading_that_links_back_to_the_contents_stays() -> None:
    page = '<h1>T</h1><h2><a class="toc-backref" href="#id1" role="doc-backlink">A</a></h2><p>x</p>'
    assert sections(page) == [(1, "A")]


def test_an_unclosed_heading_ends_where_a_block_begins() -> None:
    page = "<h1>T<h2>A<p>b<h3>C<ul><li>d</ul><div><h2>E</div><p>f"
    assert sections(page) == [(1, "A"), (2, "C"), (1, "E")]
    assert paragraphs(page) == ["b", "d", "f"]


# The title


@pytest.mark.parametrize(
    ("page", "title"),
    [
        ("<title>Site</title><h1>A</h1><p>x", "A"),
        ("<title>A &amp;\n B</title><h2>C</h2><p>x", "A & B"),
        ("<title>A</title><h1>B</h1><h1>C</h1><p>x", "A"),
        ("<p>x<h1>B</h1><p>y", "B"),  # a badge above the title
        ("<title>A - Wikipedia</title><h2>B</h2><p>x", "A"),
        ("<title>A - Tea World</title><meta property=og:site_name content='Tea World'><p>x", "A"),
        ("<title>A | Tea World</title><p>x", "A"),
        ("<title>Red - Green</title><p>x", "Red - Green"),
        ("<title>Tea: A - B</title><h2>Tea: A</h2><p>x", "Tea: A"),
        ("<title>B » A</title><h2>A</h2><p>x", "A"),
        ("<title> </title><p>x", "page"),
        ("<p>x", "page"),
    ],
)
def test_the_title(page: str, title: str) -> None:
    assert parsed(page).title == title


# Paragraphs


def test_paragraphs_of_any_element() -> None:
    page = "a<p>b<p>c</p>d<div>e<div>f</div>g</div><section>h<article>i</article></section><address>j</address>k<hr>l"
    assert paragraphs(page) == list("abcdefghijkl")


def test_one_line_break_ends_a_line_and_two_end_a_paragraph() -> None:
    page = "<p>a<br>b<br/>c</br>d<p>e<br><br>f<br>\n<br />\n<br>g<p><br>h<br>"
    assert paragraphs(page) == ["a\nb\nc\nd", "e", "f", "g", "h"]
    assert lines("<p>One line.<br>\nAnother\nline.<br>The last") == [
        (1, "One line."),
        (2, "Another line."),
        (3, "The last"),
    ]


def test_a_text_with_nothing_but_breaks() -> None:
    assert paragraphs("<body>Tea is hot.<br>So hot.<br><br>\nCoffee too.<br>&nbsp;<br>Milk is not.") == [
        "Tea is hot.\nSo hot.",
        "Coffee too.",
        "Milk is not.",
    ]


@pytest.mark.parametrize(
    ("source", "shown"),
    [
        ("a <b>b</b><i>c</i> <span>d</span>e", "a bc de"),
        ("a&nbsp;b &lt;c&gt; &#65;&#x42; &amp;amp; &eacute;&hearts; &nosuch; &copy", "a b <c> AB &amp; é♥ &nosuch; ©"),
        ("a\n\tb   c\r\nd", "a b c d"),
        ("soft&shy;hyphen zero\u200bwidth wo<wbr>rd", "softhyphen zerowidth word"),
        ("10<sup>6</sup> m<sup>2</sup> H<sub>2</sub>O 2<sup>nd</sup> x<sup>&minus;1</sup> 5<sup>-3</sup>",
         "10^6 m2 H2O 2nd x−1 5^-3"),
        ("1 < 2 and a<b and 3 > 2 <", "1 < 2 and a 2 <"),  # as browsers read it
        ("7<s style='display:none'>+</s><small><sup>1</sup><big>&frasl;</big><sub>2</sub></small>", "7 1⁄2"),
        ("7<span class='sr-only'>+</span><span>1</span>&#8260;<span>2</span> <sup>3</sup>/<sub>4</sub>", "7 1⁄2 3/4"),
        ("1 < 2 <3", "1 < 2 <3"),
        ("<q>a</q> <code>b</code> <kbd>c</kbd> <abbr title=x>d</abbr> <del>e</del> <ins>f</ins>", "a b c d e f"),
        ("a<img src=x alt=y>b <input value=z> <embed>c", "ab c"),
        ("a <img class=tex alt='x &lt; y'> b", "a x < y b"),
        ("<ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp></ruby>", "漢(kan)"),
        ("<a href='x>y'>a</a> <b title=\"</p>\">c</b>", "a c"),
        ("a<!-- <p>b --> c <!-->d<!--->e<!-- f --!> g <!x> <?php h ?> i", "a c de g i"),
        ("<label>a</label><label>b</label>", "a b"),
    ],
)  # fmt: skip
def test_inline_marks_go_and_words_stay(source: str, shown: str) -> None:
    assert paragraphs(f"<p>{source}</p>") == [shown]


# Lists, definitions, quotes


def test_each_item_is_a_paragraph_at_any_depth() -> None:
    page = (
        "<ul><li>a<ol><li>b<li><p>c</p><p>d</p><ul><li>e</ul></ol>f<li>g</ul>"
        "<menu><li>h</menu><dir><li>i</dir><ul>j<li><div>k</div></ul>"
    )
    assert paragraphs(page) == list("abcdefghijk")


def test_a_definition_follows_its_term() -> None:
    page = "<dl><dt>a</dt><dd>b</dd><dd>c</dd><dt>d:<dt>e<dd><p>f</p><p>g</p><dd><ul><li>h</ul></dl>"
    assert paragraphs(page) == ["a: b", "c", "d:", "e: f", "g", "h"]
    assert paragraphs("<dl><div><dt>a<dd>b</div><div><dt>c<dd>d</div></dl>") == ["a: b", "c: d"]
    assert paragraphs("<dl><dd>indented</dl><p>x") == ["indented", "x"]
    assert paragraphs("<dl><dt>a<dd><dl><dt>b<dd>c</dl>d</dl>") == ["a", "b: c", "d"]


def test_a_term_does_not_reach_beyond_its_list() -> None:
    assert paragraphs("<dl><dt>a</dl><dl><dd>b</dl><p>c") == ["a", "b", "c"]
    assert sections("<h1>T</h1><dl><dt><h2>A</h2><dd>b</dl>") == [(1, "A")]


def test_a_definition_knows_both_lines() -> None:
    assert lines("<dl>\n<dt>Tea\n<dd>Hot. And\ngreen. Good.\n</dl>", PARAGRAPH) == [(2, "Tea: Hot. And green. Good.")]
    assert lines("<dl>\n<dt>Tea\n<dd>Hot. And\ngreen. Good.\n</dl>") == [
        (2, "Tea: Hot."),
        (3, "And green."),
        (4, "Good."),
    ]


def test_quotes_are_paragraphs() -> None:
    page = "<p>a<blockquote>b<p>c</p><footer>d</footer></blockquote><figure><blockquote><p>e</blockquote></figure>f"
    assert paragraphs(page) == list("abcdef")


def test_captions_are_paragraphs() -> None:
    page = (
        "<figure><img src=x alt=no><figcaption>a <b>b</b></figcaption></figure>"
        "<table><caption>c</caption><tr><th>H<th>I<tr><td>1<td>2</table>"
        "<details><summary>d</summary>e</details><fieldset><legend>f</legend>g</fieldset>"
    )
    assert paragraphs(page) == ["a b", "c", "H: 1 | I: 2", "d", "e", "f", "g"]


# Preformatted text


def test_pre_is_one_paragraph_with_its_lines() -> None:
    page = "<p>a</p><pre class=x>\n\ndef f(x):\n\n    <b>return</b>  x &lt; 1\t# <i>y\n</i>\n</pre>\nb"
    assert paragraphs(page) == ["a", "def f(x):\n\n    return  x < 1\t# y", "b"]
    assert lines(page) == [(1, "a"), (3, "def f(x):"), (5, "return  x < 1\t# y"), (8, "b")]


def test_breaks_and_marks_in_pre() -> None:
    page = "<pre>a<br>  b<br><br>c<span class=linenos>7</span></pre>"
    assert paragraphs(page) == ["a\n  b\n\nc"]


def test_headings_after_pre_are_not_literal() -> None:
    assert sections("<h1>T</h1><pre>  a</pre><h2>B  \n c</h2><p>d  e") == [(1, "B c")]
    assert paragraphs("<pre>a  b</pre><p>d  e") == ["a  b", "d e"]


# Where sentences are


def test_sentences_are_within_their_paragraphs_and_offsets_are_exact() -> None:
    document = parsed("<title>T</title><p>One. Two\nis <b>here</b>.<p>Three&nbsp;&mdash; and four.")
    assert document.text == "T\n\nOne. Two is here.\n\nThree — and four."
    assert texts(document, SENTENCE) == ["One.", "Two is here.", "Three — and four."]
    assert document.line.tolist()[1:] == [1, 1, 1, 2, 2]


def test_lines_are_counted_with_any_line_end() -> None:
    page = "<h1>T</h1>\n<p>a\n\n<p>b\n<ul>\n<li>c"
    for end in ("\n", "\r\n", "\r"):
        assert parsed(page.replace("\n", end)).line[parsed(page).kind == PARAGRAPH].tolist() == [2, 4, 6]


def test_the_language_is_that_of_the_page() -> None:
    page = "<html lang=de-DE><p>Das kostet z.B. 5 Mark. Mehr nicht.</p>"
    assert texts(parsed(page), SENTENCE) == ["Das kostet z.B. 5 Mark.", "Mehr nicht."]


# What is a page


@pytest.mark.parametrize(
    "page", ["<p></p>", "<html><body><script>x()</script>", "<!-- a -->", "<h2> </h2>", "<img alt=a>"]
)
def test_a_page_without_text_is_an_error(page: str) -> None:
    with pytest.raises(ParseError, match=r"^page.html: holds no text that a browser would show$"):
        parse(page.encode(), "page.html")


def test_a_page_is_recognised_by_its_content() -> None:
    data = MANUAL.read_bytes()
    assert likelihood(data) == 1
    assert likelihood(b"<!-- saved -->\n<!DOCTYPE html><p>x") == 1
    assert likelihood(b"\xef\xbb\xbf<html>") == 1
    fragment = b"<h2>Tea</h2>\n<p>Some <b>tea</b>.</p>\n"
    assert likelihood(fragment) > max(module.likelihood(fragment) for module in (markdown, text, wikitext))


def test_prose_and_binary_data_are_no_pages() -> None:
    assert likelihood(b"Only some prose, where 1 < 2 and <stdio.h> is named.\n") <= 0.05
    readme = (
        b"<h1 align=center>Tea</h1>\n\n" + b"## Use\n\n- [a](b)\n- c\n\n```\nd\n```\n\nMore text of this kind.\n" * 9
    )
    for marked in (b"# Tea\n\nSome text with one <b>tag</b> in it.\n", readme):
        assert likelihood(marked) < markdown.likelihood(marked)
    assert likelihood(b"PK\x03\x04" + bytes(range(256))) == 0
