import re
from collections.abc import Iterable
from io import BytesIO
from zipfile import ZIP_DEFLATED, ZipFile

import docx as python_docx
import pytest
from docx.document import Document as WordDocument
from docx.table import Table as WordTable
from hypothesis import given, settings
from hypothesis import strategies as st

from docqn.document import NONE, PARAGRAPH, SECTION, SENTENCE, Document
from docqn.errors import ParseError
from docqn.invariants import violations
from docqn.parsers import detect
from docqn.parsers.docx import likelihood, parse

W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
SPACES = (
    f'xmlns:w="{W}" xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math" '
    'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" '
    'xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape" '
    'xmlns:v="urn:schemas-microsoft-com:vml"'
)
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
CORE = "http://schemas.openxmlformats.org/package/2006/relationships/metadata/core-properties"
STYLES = """<w:docDefaults><w:rPrDefault><w:rPr><w:sz w:val="22"/><w:lang w:val="de-DE"/></w:rPr></w:rPrDefault>
</w:docDefaults>
<w:style w:type="paragraph" w:default="1" w:styleId="Standard"><w:name w:val="Normal"/></w:style>
<w:style w:type="paragraph" w:styleId="berschrift1"><w:name w:val="heading 1"/><w:pPr><w:outlineLvl w:val="0"/></w:pPr>
  <w:rPr><w:b/></w:rPr></w:style>
<w:style w:type="paragraph" w:styleId="berschrift2"><w:name w:val="heading 2"/></w:style>
<w:style w:type="paragraph" w:styleId="Kapitel"><w:name w:val="Kapitel"/><w:basedOn w:val="berschrift1"/></w:style>
<w:style w:type="paragraph" w:styleId="Absatz"><w:name w:val="Absatz"/><w:basedOn w:val="berschrift1"/>
  <w:pPr><w:outlineLvl w:val="9"/></w:pPr></w:style>
<w:style w:type="paragraph" w:styleId="Titel"><w:name w:val="Title"/></w:style>
<w:style w:type="paragraph" w:styleId="Verzeichnis1"><w:name w:val="toc 1"/></w:style>
<w:style w:type="paragraph" w:styleId="Neu"><w:name w:val="Neu"/><w:pPr><w:pageBreakBefore/></w:pPr></w:style>
<w:style w:type="paragraph" w:styleId="Kreis"><w:name w:val="Kreis"/><w:basedOn w:val="Kreis"/></w:style>
<w:style w:type="character" w:styleId="Geheim"><w:name w:val="Geheim"/><w:rPr><w:vanish/></w:rPr></w:style>
<w:style w:type="table" w:styleId="Gitter"><w:name w:val="Table Grid"/></w:style>
<w:style w:type="table" w:styleId="Hell"><w:name w:val="Light List"/><w:tblStylePr w:type="firstRow"/></w:style>"""


def relations(*targets: tuple[str, str]) -> str:
    return (
        "<Relationships>"
        + "".join(f'<Relationship Type="{t}" Target="{to}"/>' for t, to in targets)
        + "</Relationships>"
    )


def word(body: str, styles: str = STYLES, **parts: str) -> bytes:
    """A Word document with this body; further parts by their file names with `__` for slashes."""
    members = {
        "_rels/.rels": relations((f"{OFFICE}/officeDocument", "word/document.xml"), (CORE, "docProps/core.xml")),
        "word/_rels/document.xml.rels": relations((f"{OFFICE}/styles", "styles.xml")),
        "word/document.xml": f"<w:document {SPACES}><w:body>{body}</w:body></w:document>",
        "word/styles.xml": f"<w:styles {SPACES}>{styles}</w:styles>",
        **{name.replace("__", "/") + ".xml": content for name, content in parts.items()},
    }
    file = BytesIO()
    with ZipFile(file, "w", ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return file.getvalue()


def run(text: str, properties: str = "") -> str:
    return f'<w:r><w:rPr>{properties}</w:rPr><w:t xml:space="preserve">{text}</w:t></w:r>'


def p(*content: str, style: str = "", properties: str = "") -> str:
    """A paragraph; what is not markup is the text of a run."""
    runs = "".join(part if part.startswith("<") else run(part) for part in content)
    styled = f'<w:pStyle w:val="{style}"/>' if style else ""
    return f"<w:p><w:pPr>{styled}{properties}</w:pPr>{runs}</w:p>"


def table(*rows: Iterable[str], properties: str = "", heads: int = 0) -> str:
    """A table of cells that are text or markup."""
    text = ""
    for i, row in enumerate(rows):
        cells = "".join(f"<w:tc>{cell if cell.startswith('<') else p(cell)}</w:tc>" for cell in row)
        text += f"<w:tr><w:trPr>{'<w:tblHeader/>' if i < heads else ''}</w:trPr>{cells}</w:tr>"
    return f"<w:tbl><w:tblPr>{properties}</w:tblPr>{text}</w:tbl>"


def read(body: str, **parts: str) -> Document:
    document = parse(word(body, **parts), "a.docx")
    assert violations(document) == []
    return document


def outline(document: Document) -> list[tuple[int, str]]:
    """Depth and text of all but the title and the sentences."""
    kept = [u for u in range(1, len(document)) if document.kind[u] != SENTENCE]
    return [(int(document.depth[u]), document.text_of(u)) for u in kept]


def paragraphs(body: str, **parts: str) -> list[str]:
    return [text for _, text in outline(read(body, **parts))]


# Headings


def test_headings_by_styles_whatever_their_language() -> None:
    document = read(
        p("Titel", style="Titel")
        + p("Eins", style="berschrift1")
        + p("a")
        + p("Zwei", style="berschrift2")
        + p("b")
        + p("Drei", style="Kapitel")
        + p("kein Kapitel", style="Absatz")
        + p("Kreis", style="Kreis")
        + p("Vier", properties='<w:outlineLvl w:val="4"/>')
        + p("c", style="berschrift1", properties='<w:outlineLvl w:val="9"/>')
    )
    assert document.title == "Titel"
    assert outline(document) == [
        (1, "Eins"), (2, "a"), (2, "Zwei"), (3, "b"),
        (1, "Drei"), (2, "kein Kapitel"), (2, "Kreis"), (2, "Vier"), (3, "c"),
    ]  # fmt: skip
    assert document.level[document.kind == SECTION].tolist() == [1, 2, 1, 5]


def test_built_in_styles_that_are_not_defined() -> None:
    document = parse(word(p("T", style="Title") + p("One", style="Heading1") + p("x"), styles=""), "a.docx")
    assert (document.title, outline(document)) == ("T", [(1, "One"), (2, "x")])


def test_the_style_that_counts_is_the_nearest_in_the_chain() -> None:
    styles = "".join(
        f'<w:style w:type="paragraph" w:styleId="s{i}"><w:name w:val="{name}"/><w:basedOn w:val="s{i - 1}"/></w:style>'
        for i, name in enumerate(["heading 3", "Eigene", "heading 2", "Andere"])
    )
    document = read(
        p("x", style="s1") + p("y", style="s3") + p("end"), word__styles=f"<w:styles {SPACES}>{styles}</w:styles>"
    )
    assert document.level[document.kind == SECTION].tolist() == [3, 2]


def test_titles_after_the_first_are_headings_above_all() -> None:
    document = read(
        p("The", style="Titel") + p("Works", style="Titel") + p("x") + p("One", style="berschrift1") + p("a")
        + p("Book II", style="Titel") + p("Two", style="berschrift1") + p("b")
    )  # fmt: skip
    assert document.title == "The Works"
    assert outline(document)[2:] == [(2, "a"), (1, "Book II"), (2, "Two"), (3, "b")]


def test_without_styles_short_bold_paragraphs_are_headings() -> None:
    big, bold = '<w:b/><w:sz w:val="32"/>', "<w:b/>"
    body = (
        p(run("Report", '<w:b/><w:sz w:val="40"/>')) + p("Before.")
        + p(run("One", big)) + p("a") + p(run("Inner", bold)) + p("b")
        + p(run("Not a heading.", bold)) + p(run("Bold ", bold), "and not") + p(run("item", bold), properties=LISTED)
        + p(run("Two", big)) + p("c") + p("d") + p("e") + p(run("The end", bold))
    )  # fmt: skip
    document = read(body)
    assert document.title == "Report"
    assert [text for _, text in outline(document) if text in ("One", "Inner", "Two")] == ["One", "Inner", "Two"]
    sections = [document.text_of(u) for u in range(len(document)) if document.kind[u] == SECTION]
    assert sections == ["One", "Inner", "Two"]


def test_bold_paragraphs_are_no_headings_where_all_are_bold_or_there_are_others() -> None:
    bold = p(run("Bold", "<w:b/>"))
    assert (read(bold * 5 + p("x")).kind != SECTION).all()
    assert (read(p("H", style="berschrift1") + bold + p("x")).kind == SECTION).sum() == 0  # the heading is the title
    assert read(p("H", style="berschrift1") + bold + p("x")).title == "H"


LISTED = '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="3"/></w:numPr>'


def test_list_items_are_paragraphs() -> None:
    assert paragraphs(p("a", properties=LISTED) + p("b", properties=LISTED)) == ["a", "b"]


# The title

CORE_PART = '<coreProperties xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>{}</dc:title></coreProperties>'


@pytest.mark.parametrize(
    ("noted", "title"),
    [("The noted one", "The noted one"), ("Document1", "a"), ("Microsoft Word - plan.doc", "a"), ("", "a")],
)
def test_the_title_among_the_properties(noted: str, title: str) -> None:
    assert read(p("x"), docProps__core=CORE_PART.format(noted)).title == title


def test_a_title_in_the_text_comes_before_that_of_the_properties() -> None:
    assert read(p("T", style="Titel") + p("x"), docProps__core=CORE_PART.format("Noted")).title == "T"
    assert read(p("H", style="berschrift1") + p("x"), docProps__core=CORE_PART.format("Noted")).title == "H"


# Text


def test_text_in_links_controls_tags_and_insertions() -> None:
    def control(content: str, properties: str = "") -> str:
        return f"<w:sdt><w:sdtPr>{properties}</w:sdtPr><w:sdtContent>{content}</w:sdtContent></w:sdt>"

    link = f"<w:hyperlink>{run('link')}</w:hyperlink>"
    new, tag = f"<w:ins>{run('new')}</w:ins>", f"<w:smartTag>{run('tag')}</w:smartTag>"
    assert paragraphs(
        p(link, " and ", new, " ", tag)
        + control(p("control"))
        + control(p("Click here"), "<w:showingPlcHdr/>")
        + p(control(run("in line")))
    ) == ["link and new tag", "control", "in line"]


def test_deleted_text_is_left_out() -> None:
    deleted = "<w:del><w:r><w:delText>old</w:delText></w:r></w:del>"
    moved = f"<w:moveFrom>{run('moved')}</w:moveFrom>"
    before = "<w:r><w:rPr><w:rPrChange><w:rPr><w:vanish/></w:rPr></w:rPrChange></w:rPr><w:t>kept</w:t></w:r>"
    assert paragraphs(p("a", deleted, moved, "b") + p(deleted) + p(before)) == ["ab", "kept"]


def test_a_paragraph_whose_end_was_deleted_goes_on() -> None:
    end = "<w:rPr><w:del/></w:rPr>"
    body = (
        p("One ", properties=end) + p("two ", properties=end) + p("three", style="berschrift2") + p("x", properties=end)
    )
    assert outline(read(p("T", style="Titel") + body)) == [(1, "One two three"), (2, "x")]


def test_hidden_text_is_left_out() -> None:
    assert paragraphs(
        p("a", run("hidden", "<w:vanish/>"), run("shown", '<w:vanish w:val="0"/>'))
        + p("b", run("hidden", '<w:rStyle w:val="Geheim"/>'))
        + p(run("unhidden", '<w:rStyle w:val="Geheim"/><w:vanish w:val="false"/>'))
    ) == ["ashown", "b", "unhidden"]


def test_signs_that_are_elements() -> None:
    inner = "<w:tab/><w:t>b</w:t><w:noBreakHyphen/><w:softHyphen/><w:t>c</w:t><w:br/><w:t>d</w:t><w:cr/><w:t>e</w:t>"
    symbols = '<w:sym w:font="Symbol" w:char="F061"/><w:sym w:font="Wingdings" w:char="F0FC"/><w:sym w:char="00B5"/>'
    assert paragraphs(p("a", f"<w:r>{inner}</w:r>") + p(f"<w:r>{symbols}</w:r>")) == ["a b-c\nd\ne", "αµ"]


def test_space_around_text_counts_only_where_it_is_kept() -> None:
    assert paragraphs("<w:p><w:r><w:t> a </w:t></w:r><w:r><w:t>b</w:t></w:r></w:p>") == ["ab"]


def test_powers_of_numbers() -> None:
    power = '<w:vertAlign w:val="superscript"/>'
    assert paragraphs(p("10", run("6", power), " m", run("2", power))) == ["10^6 m2"]


def test_formulas() -> None:
    def part(tag: str, text: str) -> str:
        return f"<m:{tag}><m:r><m:t>{text}</m:t></m:r></m:{tag}>"

    fraction = f"<m:f>{part('num', 'a')}{part('den', 'b')}</m:f>"
    power = f"<m:sSup>{part('e', 'c')}{part('sup', '2')}</m:sSup>"
    assert paragraphs(p("so", f"<m:oMath>{fraction}{power}</m:oMath>")) == ["so a/bc^2"]


def test_text_boxes_follow_their_paragraph_and_are_read_once() -> None:
    box = f"<w:txbxContent>{p('Boxed', style='berschrift2')}{p('in box')}</w:txbxContent>"
    choice = f'<mc:Choice Requires="wps"><wps:txbx>{box}</wps:txbx></mc:Choice>'
    fallback = f"<mc:Fallback><w:pict><v:textbox>{box}</v:textbox></w:pict></mc:Fallback>"
    both = f"<w:r><mc:AlternateContent>{choice}{fallback}</mc:AlternateContent></w:r>"
    assert outline(read(p("T", style="Titel") + p("a", both, "b") + p("c"))) == [
        (1, "ab"),
        (1, "Boxed"),
        (2, "in box"),
        (2, "c"),
    ]


def test_other_parts_are_left_out() -> None:
    note = "<w:r><w:footnoteReference w:id='2'/></w:r><w:r><w:commentReference w:id='1'/></w:r>"
    body = p("a", note, ".") + "<w:sectPr><w:headerReference/></w:sectPr>"
    notes = f"<w:footnotes {SPACES}><w:footnote>{p('noted')}</w:footnote></w:footnotes>"
    assert paragraphs(body, word__footnotes=notes) == ["a."]


# Fields


def mark(kind: str) -> str:
    return f'<w:r><w:fldChar w:fldCharType="{kind}"/></w:r>'


def field(instruction: str, *result: str) -> str:
    code = f"<w:r><w:instrText>{instruction}</w:instrText></w:r>"
    return f"{mark('begin')}{code}{mark('separate')}{''.join(result)}{mark('end')}"


def test_fields_show_their_results() -> None:
    nested = field(f" IF 1 = 2 </w:instrText></w:r>{run('hidden')}<w:r><w:instrText>", run("shown"))
    simple = f"<w:fldSimple w:instr=' DATE '>{run('today')}</w:fldSimple>"
    assert paragraphs(p("see ", field(" REF _1 \\h", run("Section 2")), " ", nested, " ", simple)) == [
        "see Section 2 shown today"
    ]


def test_tables_of_contents_are_left_out() -> None:
    first = p(
        mark("begin"),
        "<w:r><w:instrText> TOC \\o </w:instrText></w:r>",
        mark("separate"),
        "Eins",
        field("PAGEREF _1", run("3")),
    )
    gallery = '<w:sdtPr><w:docPartObj><w:docPartGallery w:val="Table of Contents"/></w:docPartObj></w:sdtPr>'
    body = (
        first + p("Zwei 4", style="Verzeichnis1") + p(mark("end")) + p("by style", style="Verzeichnis1")
        + f"<w:sdt>{gallery}<w:sdtContent>{p('Inhalt')}</w:sdtContent></w:sdt>"
        + p(f"<w:fldSimple w:instr='TOC \\c'>{run('Figure 1')}</w:fldSimple>") + p("text")
    )  # fmt: skip
    assert paragraphs(body) == ["text"]


@pytest.mark.parametrize("marks", [["begin"], ["begin", "begin", "separate"], ["end", "separate", "end"]])
def test_fields_that_never_end_hide_nothing(marks: list[str]) -> None:
    assert paragraphs(p("a", *map(mark, marks), "b") + p("c")) == ["ab", "c"]


# Tables


def test_rows_without_heads() -> None:
    assert paragraphs(table(["a", "b"], ["c", ""])) == ["a | b", "c"]


@pytest.mark.parametrize(
    ("properties", "heads"),
    [
        ("", 1),
        ('<w:tblStyle w:val="Hell"/><w:tblLook w:firstRow="1"/>', 0),
        ('<w:tblStyle w:val="Hell"/><w:tblLook w:val="04A0"/>', 0),
    ],
)
def test_heads(properties: str, heads: int) -> None:
    body = table(["Name", "Age"], ["Ann", "7"], properties=properties, heads=heads)
    assert paragraphs(body) == ["Name: Ann | Age: 7"]


@pytest.mark.parametrize(
    "properties",
    [
        '<w:tblStyle w:val="Gitter"/><w:tblLook w:firstRow="1"/>',
        '<w:tblStyle w:val="Hell"/><w:tblLook w:firstRow="0"/>',
        '<w:tblStyle w:val="Hell"/><w:tblLook w:val="0400"/>',
    ],
)
def test_first_rows_that_look_like_the_others(properties: str) -> None:
    assert paragraphs(table(["Name", "Ann"], ["Age", "7"], properties=properties)) == ["Name | Ann", "Age | 7"]


def test_bold_heads() -> None:
    bold = [p(run(text, "<w:b/>")) for text in ("Name", "Age")]
    assert paragraphs(table(bold, ["Ann", "7"])) == ["Name: Ann | Age: 7"]
    assert paragraphs(table(bold, bold)) == ["Name | Age", "Name | Age"]


def test_merged_cells() -> None:
    def cell(text: str, merge: str) -> str:
        return f"<w:tcPr>{merge}</w:tcPr>{p(text)}"

    body = table(
        [cell("City", '<w:vMerge w:val="restart"/>'), cell("Size", '<w:gridSpan w:val="2"/>')],
        [cell("", "<w:vMerge/>"), "people", "area"],
        [cell("Oslo", '<w:vMerge w:val="restart"/>'), "1", "2"],
        [cell("", "<w:vMerge/>"), "3", "4"],
        heads=2,
    )
    assert paragraphs(body) == [
        "City: Oslo | Size people: 1 | Size area: 2",
        "City: Oslo | Size people: 3 | Size area: 4",
    ]


def test_deleted_rows_and_several_paragraphs_in_a_cell() -> None:
    body = table([p("a") + p("b", "<w:r><w:br/><w:t>c</w:t></w:r>"), "d"], ["e", "f"])
    body = body.replace("<w:trPr></w:trPr>" + "<w:tc>" + p("e"), "<w:trPr><w:del/></w:trPr><w:tc>" + p("e"))
    assert paragraphs(body) == ["a b c | d"]


def test_a_table_within_a_table_follows_its_row() -> None:
    assert paragraphs(table(["a", table(["1", "2"], ["3", "4"]) + p("b")], ["c", "d"])) == [
        "a | b",
        "1 | 2",
        "3 | 4",
        "c | d",
    ]


@pytest.mark.parametrize(
    "body",
    [
        table([p("One", style="berschrift1") + p("a")], [p("Two", style="berschrift1") + p("b")]),
        table([p("One", style="berschrift1") + p("a"), p("Two", style="berschrift1") + p("b")]),
    ],
)
def test_tables_for_the_layout_hold_running_text(body: str) -> None:
    assert outline(read(body)) == [(1, "One"), (2, "a"), (1, "Two"), (2, "b")]


def test_one_row_of_several_paragraphs_is_a_layout() -> None:
    assert paragraphs(table([p("a") + p("b") + p("c"), "d"])) == ["a", "b", "c", "d"]


# Pages


def pages(document: Document, kind: int = PARAGRAPH) -> list[int]:
    return [int(document.page[u]) for u in range(1, len(document)) if document.kind[u] == kind]


NOTED, FORCED = "<w:r><w:lastRenderedPageBreak/></w:r>", '<w:r><w:br w:type="page"/></w:r>'


def test_documents_that_do_not_say_where_their_pages_are() -> None:
    assert pages(read(p("a") + p("b"))) == [NONE, NONE]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (p("a") + p(NOTED, "b") + p("c"), [1, 2, 2]),
        (p("a") + p(FORCED) + p("b"), [1, 2]),
        (p("a") + p(FORCED) + p(NOTED, "b") + p(NOTED, "c"), [1, 2, 3]),  # the first is noted where it was forced
        (p("a", FORCED, FORCED) + p("b"), [1, 3]),
        (p("a", style="Neu") + p("b", style="Neu"), [1, 2]),
        (
            p("a", style="Neu") + p("b", style="Neu", properties='<w:pageBreakBefore w:val="0"/>') + p(NOTED, "c"),
            [1, 1, 2],
        ),
        (p("a") + p(run("", ""), FORCED.replace("<w:r>", "<w:r><w:rPr><w:vanish/></w:rPr>")) + p(NOTED, "b"), [1, 2]),
    ],
)
def test_page_breaks(body: str, expected: list[int]) -> None:
    assert pages(read(body)) == expected


def test_a_paragraph_on_two_pages() -> None:
    document = read(p("First here. Second ", NOTED, "ends here. Third.") + p("Next."))
    assert pages(document) == [1, 2]
    assert pages(document, SENTENCE) == [1, 1, 2, 2]


# Another library's view of the same documents

words = st.text("ab cdé.1", min_size=1, max_size=12).map(str.strip).filter(bool)
contents = st.one_of(
    st.tuples(st.just("heading"), st.integers(1, 9), words),
    st.tuples(
        st.just("text"),
        st.sampled_from(["Normal", "List Bullet", "List Number 2", "Quote"]),
        st.lists(words, min_size=1, max_size=3),
    ),
    st.tuples(
        st.just("table"),
        st.sampled_from([None, "Table Grid"]),
        st.lists(st.tuples(words, words), min_size=1, max_size=3),
    ),
)


def written(parts: Iterable[tuple[str, object, object]]) -> WordDocument:
    document = python_docx.Document()
    for kind, how, what in parts:
        if kind == "heading":
            document.add_heading(str(what), how)  # type: ignore[arg-type]
        elif kind == "text":
            paragraph = document.add_paragraph(style=how)  # type: ignore[arg-type]
            for i, text in enumerate(what):  # type: ignore[arg-type, var-annotated]
                paragraph.add_run(text + " ").italic = bool(i % 2)
        else:
            rows = document.add_table(0, 2, how)  # type: ignore[arg-type]
            for row in what:  # type: ignore[attr-defined]
                for cell, text in zip(rows.add_row().cells, row, strict=True):
                    cell.text = text
    return document


def expected(document: WordDocument) -> list[tuple[int, str]]:
    """Level and text of each block, by python-docx."""
    found = []
    for item in document.iter_inner_content():
        if isinstance(item, WordTable):
            found += [(0, " | ".join(cell.text for cell in row.cells)) for row in item.rows]
        else:
            style = re.fullmatch(r"Heading (\d)", item.style.name or "") if item.style else None
            found.append((int(style[1]) if style else 0, " ".join(item.text.split())))
    return found


@settings(max_examples=15)
@given(st.lists(contents, min_size=1, max_size=8))
def test_python_docx_finds_the_same(parts: list[tuple[str, object, object]]) -> None:
    original = written([("heading", 1, "First"), ("heading", 1, "Second"), *parts])
    file = BytesIO()
    original.save(file)
    document = parse(file.getvalue(), "a.docx")
    assert violations(document) == []
    kept = [u for u in range(1, len(document)) if document.kind[u] != SENTENCE]
    found = [(int(document.level[u]), " ".join(document.text_of(u).split())) for u in kept]
    assert found == [(level, " ".join(text.split())) for level, text in expected(original)]


# Bad input


def test_likelihood() -> None:
    data = word(p("x"))
    assert likelihood(data) == 1
    assert detect(data, "a") == detect(data, "a.docx") == "docx"
    assert 0 < likelihood(data[:-20]) < 1
    assert likelihood(b"") == likelihood(b"PK\x03\x04") == likelihood(b"<html>word/document.xml") == 0


OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(500)


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (word(p("x"))[:-20], "damaged or cut-off zip"),
        (word(p("x"))[:200], "damaged or cut-off zip"),
        (word(p("")), "holds no text"),
        (word("", word__document="<x/>"), "no document body"),
        (word("", word__document=""), "not well-formed"),
        (
            word("", word__document="<!DOCTYPE x [<!ENTITY b 'hahahahahahahahahahahahahahahahahahahaha'>]><x>&b;</x>"),
            "entity",
        ),
        (word(p("x"), word__styles="<!DOCTYPE x [<!ENTITY a 'b'><!ENTITY b '&a;&a;'>]><x>&b;</x>"), "entity"),
        (OLE + "EncryptedPackage".encode("utf-16-le"), "encrypted with a password"),
        (OLE + "WordDocument".encode("utf-16-le"), "Word before 2007"),
    ],
)
def test_bad_input(data: bytes, problem: str) -> None:
    with pytest.raises(ParseError, match=problem) as caught:
        parse(data, "a.docx")
    assert str(caught.value).startswith("a.docx: ")
    assert "\n" not in str(caught.value)


def test_entities_from_outside_are_not_read() -> None:
    doctype = f"<!DOCTYPE x [<!ENTITY e SYSTEM 'file://{__file__}'>]>"
    part = f"{doctype}<w:document {SPACES}><w:body>{p('a&e;b')}</w:body></w:document>"
    assert paragraphs("", word__document=part) == ["ab"]


def test_a_body_that_is_not_well_formed_is_mended() -> None:
    assert paragraphs("", word__document=f"<w:document {SPACES}><w:body>{p('a & b')}{p('c')}") == ["a b", "c"]


def test_parts_are_found_where_the_package_says() -> None:
    file = BytesIO()
    with ZipFile(file, "w") as archive:
        archive.writestr("_rels/.rels", relations((f"{OFFICE}/officeDocument", "/main/text.xml")))
        archive.writestr("main/_rels/text.xml.rels", relations((f"{OFFICE}/styles", "../looks.xml")))
        archive.writestr(
            "main/text.xml",
            f"<w:document {SPACES}><w:body>{p('One', style='berschrift1')}{p('x')}</w:body></w:document>",
        )
        archive.writestr("looks.xml", f"<w:styles {SPACES}>{STYLES}</w:styles>")
    assert parse(file.getvalue(), "a.docx").title == "One"


@pytest.mark.parametrize("names", [W, "http://purl.oclc.org/ooxml/wordprocessingml/main"])
@pytest.mark.parametrize("prefix", ["w", "ns0"])
def test_prefixes_and_strict_documents(names: str, prefix: str) -> None:
    part = f"<w:document xmlns:w='{names}'><w:body>{p('x')}</w:body></w:document>"
    part = part.replace("w:", f"{prefix}:").replace(":w=", f":{prefix}=")
    assert paragraphs("", word__document=part) == ["x"]


def test_deep_nesting() -> None:
    controls = "<w:sdt><w:sdtContent>" * 10_000 + p("deep") + "</w:sdtContent></w:sdt>" * 10_000
    assert paragraphs(controls) == ["deep"]
    with pytest.raises(ParseError, match="more than 50 deep"):
        read("<w:tbl><w:tr><w:tc>" * 10_000 + p("x") + "</w:tc></w:tr></w:tbl>" * 10_000)


def test_wild_nesting_is_survived() -> None:
    body = p("a") + "<w:tc><w:tr>" + p("b", p("c")) + "</w:tr></w:tc><w:txbxContent>" + p("d") + "</w:txbxContent>"
    assert paragraphs(body + "<w:tbl><w:tc>" + p("e") + "</w:tc></w:tbl><w:t>f</w:t>") == ["a", "b", "c", "d", "e"]
