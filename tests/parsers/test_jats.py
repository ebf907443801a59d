import re
import xml.etree.ElementTree as ET
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from docqn.document import PARAGRAPH, SECTION, SENTENCE, Document
from docqn.errors import ParseError
from docqn.invariants import violations
from docqn.parsers import detect
from docqn.parsers.jats import likelihood, parse

DOCTYPE = '<!DOCTYPE article PUBLIC "-//NLM//DTD JATS (Z39.96) Journal Publishing DTD v1.1//EN" "JATS1.dtd">'


def article(body: str, meta: str = "", rest: str = "") -> bytes:
    title = "<title-group><article-title>Tea</article-title></title-group>"
    journal = "<journal-meta><journal-title>J</journal-title></journal-meta>"
    front = f"<front>{journal}<article-meta>{title}{meta}</article-meta></front>"
    return (
        '<?xml version="1.0"?>\n<article xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:mml="http://www.w3.org/1998/Math/MathML"'
        f' dtd-version="1.1" xml:lang="en">{front}<body>{body}</body>{rest}</article>'
    ).encode()


def read(data: bytes) -> Document:
    document = parse(data, "a.xml")
    assert violations(document) == []
    return document


def outline(data: bytes) -> list[tuple[int, str]]:
    """Depth and text of all but the title and the sentences."""
    document = read(data)
    kept = [u for u in range(1, len(document)) if document.kind[u] != SENTENCE]
    return [(int(document.depth[u]), document.text_of(u)) for u in kept]


def paragraphs(body: str) -> list[str]:
    return [text for _, text in outline(article(body))]


# Sections


def test_the_title_with_a_subtitle() -> None:
    title = "<article-title>On <italic>Camellia</italic><xref ref-type='fn'>*</xref></article-title>"
    meta = f"<title-group>{title}<subtitle>a plant</subtitle><fn><p>note</p></fn></title-group>"
    data = f"<article dtd-version='1'><front><article-meta>{meta}</article-meta></front><body><p>x</p></body></article>"
    assert read(data.encode()).title == "On Camellia: a plant"
    assert (
        read(data.replace("lia<", "lia?<").replace("<xref ref-type='fn'>*</xref>", "").encode()).title
        == "On Camellia? a plant"
    )


def test_sections_within_sections() -> None:
    body = (
        "<sec><label>1.</label><title>One</title><p>a</p><sec><title>Inner</title><p>b</p></sec></sec>"
        "<sec><sec><label>2</label><title>Two</title><p>c</p></sec></sec>"
        "<sec><label>Box A</label><title>Three</title><p>d</p></sec>"
    )
    assert outline(article(body)) == [
        (1, "1. One"), (2, "a"), (2, "Inner"), (3, "b"), (1, "2 Two"), (2, "c"), (1, "Box A: Three"), (2, "d"),
    ]  # fmt: skip


def test_headings_that_the_article_does_not_give() -> None:
    meta = (
        "<contrib-group><contrib>Ann</contrib></contrib-group><abstract><p>a</p></abstract>"
        "<abstract><title>Summary</title><sec><title>Aim</title><p>b</p></sec></abstract>"
        '<trans-abstract xml:lang="fr"><p>c</p></trans-abstract><kwd-group><kwd>tea</kwd></kwd-group>'
    )
    notes = "<fn-group><fn><label>1</label><p>f</p></fn></fn-group>"
    back = f"<back><ack><p>d</p></ack><app-group><app><p>e</p></app></app-group>{notes}</back>"
    floats = "<floats-group><fig><label>Fig. 1</label><caption><p>g</p></caption></fig></floats-group>"
    assert outline(article("<sec><title>One</title><p>x</p></sec>", meta, back + floats)) == [
        (1, "Abstract"), (2, "a"), (1, "Summary"), (2, "Aim"), (3, "b"), (1, "Abstract (fr)"), (2, "c"),
        (1, "One"), (2, "x"),
        (1, "Acknowledgements"), (2, "d"), (1, "Appendix"), (2, "e"), (1, "Notes"), (2, "f"),
        (1, "Figures and tables"), (2, "Fig. 1: g"),
    ]  # fmt: skip


def test_text_before_the_first_section_is_not_part_of_the_abstract() -> None:
    data = article(
        "<p>a</p><sec><title>One</title><p>b</p></sec>", "<abstract><sec><title>Aim</title><p>x</p></sec></abstract>"
    )
    assert outline(data)[3:] == [(1, "Main text"), (2, "a"), (1, "One"), (2, "b")]
    assert outline(article("<p>a</p><sec><title>One</title><p>b</p></sec>")) == [(1, "a"), (1, "One"), (2, "b")]


def test_references_are_left_out_with_their_heading() -> None:
    rest = (
        "<back><ref-list><title>References</title><ref><mixed-citation>Li 2010</mixed-citation></ref></ref-list></back>"
    )
    assert outline(article("<p>a</p>", rest=rest)) == [(1, "a")]


def test_further_articles_are_sections() -> None:
    inner = "<front-stub><title-group><article-title>Reply</article-title></title-group></front-stub>"
    body = "<body><p>a</p><sec><title>Inner</title><p>b</p></sec></body>"
    rest = f"<sub-article>{inner}{body}</sub-article><response>{inner}<body><p>c</p></body></response>"
    assert outline(article("<p>x</p>", rest=rest))[1:] == [
        (1, "Reply"),
        (2, "a"),
        (2, "Inner"),
        (3, "b"),
        (1, "Reply"),
        (2, "c"),
    ]


def test_several_articles_in_one_file() -> None:
    first, second = (article(f"<p>{text}</p>").partition(b"\n")[2].decode() for text in "ab")
    data = f"<pmc-articleset>{first}{second.replace('Tea', 'Coffee')}</pmc-articleset>".encode()
    assert likelihood(data) == 1
    assert outline(data) == [(1, "Tea"), (2, "a"), (1, "Coffee"), (2, "b")]


# Paragraphs


def test_lists_quotations_and_verse() -> None:
    assert paragraphs(
        "<p>Two:<list><list-item><label>a)</label><p>one</p><list><list-item><p>inner</p></list-item></list></list-item>"
        "<list-item><p>two</p><p>more</p></list-item></list>and so on.</p>"
        "<disp-quote><p>quoted</p><attrib>Ann</attrib></disp-quote>"
        "<verse-group><verse-line>one</verse-line><verse-line>two</verse-line></verse-group>"
        "<def-list><title>Words</title><def-item><term>tea</term><def><p>a drink</p></def></def-item></def-list>"
        "<speech><speaker>Bo</speaker><p>Yes.</p></speech><p>a<break/>b</p><preformat>x = 1\ny = 2</preformat>"
    ) == [
        "Two:", "a) one", "inner", "two", "more", "and so on.", "quoted", "Ann", "one\ntwo", "Words", "tea: a drink",
        "Bo: Yes.", "a\nb", "x = 1\ny = 2",
    ]  # fmt: skip


def test_captions() -> None:
    assert paragraphs(
        "<fig><label>Figure 1</label><caption><title>Leaves.</title><p>Green ones.</p><p>Others.</p></caption></fig>"
        "<fig><label>Fig. 2.</label><caption><p>Roots.</p></caption><alt-text>a picture</alt-text></fig>"
        "<supplementary-material><label>Data S1</label><caption><p>All.</p></caption></supplementary-material>"
    ) == ["Figure 1: Leaves. Green ones.", "Others.", "Fig. 2. Roots.", "Data S1: All."]


def test_text_after_a_box_is_not_in_the_box() -> None:
    body = "<sec><title>One</title><boxed-text><sec><title>Box</title><p>a</p></sec></boxed-text><p>b</p></sec>"
    assert outline(article(body)) == [(1, "One"), (2, "Box"), (2, "a"), (2, "b")]
    assert outline(article(body.replace("<p>b</p>", "")))[1:] == [(2, "Box"), (3, "a")]
    boxes = f"<boxed-text>{body}<boxed-text>{body}</boxed-text></boxed-text><sec><title>Two</title><p>c</p></sec>"
    assert outline(article(boxes)) == [
        (1, "One"), (2, "Box"), (2, "a"), (2, "b"), (1, "One"), (2, "Box"), (2, "a"), (2, "b"), (1, "Two"), (2, "c"),
    ]  # fmt: skip
    assert outline(article(boxes + "<p>d</p>"))[-1] == (2, "d")
    assert outline(article(f"<boxed-text>{body}<p>d</p></boxed-text><p>e</p>"))[-3:] == [(1, "b"), (1, "d"), (1, "e")]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("seen [<xref ref-type='bibr'>1</xref>].", "seen."),
        ("[<xref ref-type='bibr'>1</xref>, <xref ref-type='bibr'>2</xref>–<xref ref-type='bibr'>4</xref>] say", "say"),
        ("seen<sup><xref ref-type='bibr'>1</xref>,<xref ref-type='bibr'>2</xref></sup>.", "seen."),
        ("seen<xref ref-type='bibr'><sup>1</sup></xref> often", "seen often"),
        ("seen <xref ref-type='bibr'>[1]</xref>–<xref ref-type='bibr'>[3]</xref> often", "seen often"),
        ("seen (<xref ref-type='bibr'>1</xref>; <xref ref-type='bibr'>2</xref>)", "seen"),
        ("as <xref ref-type='bibr'>Li and Wu (2010)</xref> say", "as Li and Wu (2010) say"),
        (
            "in <xref ref-type='fig'>Figure 1</xref> and Table <xref ref-type='table'>2</xref>",
            "in Figure 1 and Table 2",
        ),
        ("tea<xref ref-type='fn'>†</xref><fn><p>a note</p></fn> is", "tea is"),
        (
            "10<sup>6</sup> or 10<sup>−6</sup> m<sup>2</sup>, the 5<sup>th</sup> H<sub>2</sub>O",
            "10^6 or 10^−6 m2, the 5th H2O",
        ),
        ("[a] (b) [ ]", "[a] (b) [ ]"),
    ],
)
def test_marks(text: str, expected: str) -> None:
    assert paragraphs(f"<p>{text}</p>") == [expected]


MATHML = "<mml:math><mml:mfrac><mml:mi>a</mml:mi><mml:mn>2</mml:mn></mml:mfrac></mml:math>"
TEX = r"<tex-math>\documentclass{x}\begin{document}$$\frac{a}{2}$$\end{document}</tex-math>"


@pytest.mark.parametrize(
    ("formula", "expected"),
    [
        (MATHML, "a/2"),
        (TEX, r"\frac{a}{2}"),
        (f"<alternatives>{TEX}{MATHML}</alternatives>", "a/2"),
        (f"<alternatives>{MATHML}{TEX}</alternatives>", "a/2"),
        (f"<alternatives>{TEX}<graphic/></alternatives>", r"\frac{a}{2}"),
        ("<mml:math><mml:semantics><mml:msup><mml:mi>x</mml:mi><mml:mrow><mml:mi>n</mml:mi><mml:mn>1</mml:mn></mml:mrow></mml:msup>"
         "<mml:annotation>x^{n1}</mml:annotation></mml:semantics></mml:math>", "x^n1"),
    ],
)  # fmt: skip
def test_formulas(formula: str, expected: str) -> None:
    assert paragraphs(f"<p>so <inline-formula>{formula}</inline-formula> is</p>") == [f"so {expected} is"]
    assert paragraphs(f"<p>so</p><disp-formula>{formula}<label>(1)</label></disp-formula><p>is</p>")[1].startswith(
        expected
    )


# Tables


def test_rows_keep_their_heads() -> None:
    body = (
        "<table-wrap><label>Table 1</label><caption><title>Sizes</title></caption><table>"
        "<thead><tr><th rowspan='2'>City</th><th colspan='2'>Size</th></tr>"
        "<tr><th>people</th><th>area</th></tr></thead><tbody>"
        "<tr><td rowspan='2'>Oslo</td><td>1<xref ref-type='table-fn'>a</xref></td><td><p>2</p><p>km</p></td></tr>"
        "<tr><td>3</td><td/></tr>"
        "<tr><td colspan='3'>None</td></tr></tbody></table>"
        "<table-wrap-foot><fn><label>a</label><p>In 2010.</p></fn></table-wrap-foot></table-wrap>"
    )
    assert paragraphs(body) == [
        "Table 1: Sizes", "City: Oslo | Size people: 1 | Size area: 2 km", "City: Oslo | Size people: 3", "City: None",
        "In 2010.",
    ]  # fmt: skip


def test_oasis_tables() -> None:
    columns = "".join(f'<colspec colname="c{i}"/>' for i in (1, 2, 3))
    head = '<thead><row><entry>A</entry><entry namest="c2" nameend="c3">B</entry></row></thead>'
    first = '<row><entry morerows="1">x</entry><entry>1</entry><entry>2</entry></row>'
    rows = f"<tbody>{first}<row><entry>3</entry><entry>4</entry></row></tbody>"
    body = f"<table><tgroup>{columns}{head}{rows}</tgroup></table>"
    assert paragraphs(re.sub("<(/?)", r"<\1oasis:", body)) == ["A: x | B: 1 | B: 2", "A: x | B: 3 | B: 4"]


def test_a_table_within_a_table_follows_its_row() -> None:
    inner = "<table><tr><td>1</td><td>2</td></tr></table>"
    assert paragraphs(f"<table><tr><td>a{inner}</td><td>b</td></tr><tr><td>c</td></tr></table>") == [
        "a | b",
        "1 | 2",
        "c",
    ]


def test_rows_after_the_heads_without_a_body() -> None:
    head = "<thead><tr><th>A</th><th>B</th></tr></thead>"
    assert paragraphs(f"<table>{head}<tr><td>1</td><td>2</td></tr></table>") == ["A: 1 | B: 2"]


def test_heads_alone_are_not_lost() -> None:
    assert paragraphs("<table><thead><tr><th>A</th><th>B</th></tr></thead></table><p>x</p>") == ["A | B", "x"]


# Lines


def test_lines_of_all_sentences() -> None:
    body = (
        "\n<sec>\n<title>\n@one</title>\n<p>@Two is. @Three\nis. <bold>@Four\n is</bold>. @Five is.</p>"
        "\n<table><tr>\n<td>@Six is.\n</td>\n<td>It is.\n @Seven is.</td></tr></table>\n\n"
        "<fig>\n<label>@Eight</label><caption>\n<p>It is.\n @Nine is.</p></caption></fig></sec>"
    )
    data = article(body.replace("@", "Number "))
    document = read(data)
    found = {
        document.text_of(u).split()[1].rstrip(":"): document.line[u]
        for u in range(1, len(document))
        if document.kind[u] in (SENTENCE, SECTION) and document.text_of(u).startswith("Number")
    }
    lines = {
        word: i for i, line in enumerate(data.decode().split("\n"), 1) for word in re.findall(r"Number (\w+)", line)
    }
    assert len(lines) == 9
    assert found == lines


def test_lines_far_down() -> None:
    document = read(article("\n" * 100_000 + "<p>here</p>"))
    assert document.line[document.kind == PARAGRAPH].tolist() == [100_002]


# A naive reading of the same articles by the standard library

names = st.text("ab é&<", min_size=1, max_size=8).map(lambda text: "x" + text)
inlines = st.lists(st.tuples(st.sampled_from(["", "bold", "italic", "named-content"]), names), min_size=1, max_size=3)
sections: st.SearchStrategy[Any] = st.recursive(
    st.tuples(names, st.lists(inlines, max_size=2), st.just([])),
    lambda inner: st.tuples(names, st.lists(inlines, max_size=2), st.lists(inner, max_size=3)),
    max_leaves=8,
)


def append(parent: ET.Element, section: tuple[str, list[list[tuple[str, str]]], list[object]]) -> None:
    title, texts, inner = section
    element = ET.SubElement(parent, "sec")
    ET.SubElement(element, "title").text = title
    for parts in texts:
        paragraph = ET.SubElement(element, "p")
        for tag, text in parts:
            if tag:
                ET.SubElement(paragraph, tag).text = text
            elif len(paragraph):
                paragraph[-1].tail = (paragraph[-1].tail or "") + text
            else:
                paragraph.text = (paragraph.text or "") + text
    for one in inner:
        append(element, one)  # type: ignore[arg-type]


def walk(element: ET.Element, depth: int) -> list[tuple[int, str]]:
    found = []
    for child in element:
        if child.tag == "sec":
            found += walk(child, depth + 1)
        elif child.tag in ("title", "p"):
            found.append((depth - (child.tag == "title"), " ".join("".join(child.itertext()).split())))
    return found


@settings(max_examples=50)
@given(st.lists(sections, min_size=1, max_size=3))
def test_a_naive_walk_finds_the_same(nested: list[tuple[str, list[list[tuple[str, str]]], list[object]]]) -> None:
    root = ET.fromstring(article(""))
    body = root.find("body")
    assert body is not None
    for section in nested:
        append(body, section)
    assert outline(ET.tostring(root)) == walk(body, 1)


# Bad input


@pytest.mark.parametrize(
    ("data", "likely"),
    [
        (article("<p>x</p>"), 1),
        (DOCTYPE.encode() + b"<article/>", 1),
        (b"\xef\xbb\xbf<?xml version='1.0'?><!-- <x> -->\n<!DOCTYPE article [<!ENTITY a '>'>]>\n<article><front>", 1),
        (article("<p>x</p>").decode().replace('<?xml version="1.0"?>', "").encode("utf-16"), 1),
        (b"<j:article xmlns:j='https://jats.nlm.nih.gov/ns'><j:front>", 1),
        (b"<article><h1>HTML</h1></article>", 0),
        (b"<article xmlns='http://docbook.org/ns/docbook'><info/></article>", 0),
        (b"<rss><article><front/></article></rss>", 0),
        (b"text <article><front>", 0),
        (b"<!DOCTYPE article [<!ENTITY", 0),
        (b"<?xml", 0),
        (b"<", 0),
        (b"", 0),
        (bytes(range(256)), 0),
        (b"<!--" * 20_000, 0),
    ],
)
def test_likelihood(data: bytes, likely: float) -> None:
    assert likelihood(data) == likely


def test_other_xml_is_not_taken_for_an_article() -> None:
    assert detect(article("<p>x</p>"), "a.xml") == detect(article("<p>x</p>"), "a") == "jats"
    assert detect(b"<?xml version='1.0'?><note><to>Ann</to></note>", "a.xml") != "jats"


BOMB = "<!DOCTYPE article [<!ENTITY a 'ha'><!ENTITY b '&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;'>]>"


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (article(""), "holds no article text"),
        (b"<article><front/><body/></article>", "holds no article text"),
        (BOMB.encode() + article("<p>&b;</p>").partition(b"\n")[2], "declares an entity, b"),
        (b"no XML", "not well-formed XML"),
        (article("<table><tr><td>" * 60 + "x" + "</td></tr></table>" * 60), "more than 50 deep"),
    ],
)
def test_bad_input(data: bytes, problem: str) -> None:
    if "no article" in problem:
        data = data.replace(b"<article-title>Tea</article-title>", b"")
    with pytest.raises(ParseError, match=problem) as caught:
        parse(data, "a.xml")
    assert "\n" not in str(caught.value)


def test_what_is_outside_is_not_read() -> None:
    doctype = f"<!DOCTYPE article PUBLIC '-//NLM//DTD JATS//EN' 'x.dtd' [<!ENTITY e SYSTEM 'file://{__file__}'>]>"
    assert outline(doctype.encode() + article("<p>a&e;b</p>").partition(b"\n")[2]) == [(1, "ab")]


def test_damaged_articles_are_mended() -> None:
    assert outline(article("<p>a & b</p><p>c<p>d"))[:2] == [(1, "a b"), (1, "c")]
    assert outline(article("<p>one</p><p>two</p>").partition(b"two")[0]) == [(1, "one")]


def test_deep_nesting() -> None:
    data = article("<sec><title>s</title><p>x</p>" * 10_000 + "</sec>" * 10_000)
    document = read(data)
    assert (document.kind == SECTION).sum() == 10_000
    assert outline(article("<bold>" * 10_000 + "x" + "</bold>" * 10_000)) == [(1, "x")]
    assert outline(article("<p><sup>" * 10_000 + "x" + "</sup></p>" * 10_000)) == [(1, "x")]


@given(
    st.lists(
        st.sampled_from(
            "sec title p table tr td th fig label caption list-item xref sup alternatives tex-math body".split()
        ),
        max_size=12,
    ),
    st.integers(0, 12),
)
def test_any_elements_in_any_order(tags: list[str], cut: int) -> None:
    body = "".join(f"<{tag} ref-type='bibr'>{i}" for i, tag in enumerate(tags)) + "".join(
        f"</{tag}>x" for tag in tags[::-1]
    )
    assert read(article(body + "".join(f"<{tag}>y</{tag}>" for tag in tags[:cut]) + "<p>z</p>")).text.endswith("z")
