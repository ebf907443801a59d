import re
import time
from collections.abc import Callable
from contextlib import suppress
from itertools import count
from pathlib import Path

import mwparserfromhell
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from docqn.document import NONE, PARAGRAPH, SECTION, SENTENCE, Document
from docqn.errors import ParseError
from docqn.invariants import violations
from docqn.parsers import markdown, text
from docqn.parsers.wikitext import likelihood, parse

MANUAL = Path(__file__).parents[1] / "data" / "manual.wiki"


def parsed(source: str) -> Document:
    document = parse(source.encode(), "Tea.wiki")
    assert violations(document) == []
    return document


def nodes(document: Document, kind: int) -> list[str]:
    return [document.text_of(node) for node in range(len(document)) if document.kind[node] == kind]


def paragraphs(source: str) -> list[str]:
    return nodes(parsed(source), PARAGRAPH)


def sections(source: str) -> list[tuple[int, str]]:
    """Depth and heading of each section."""
    document = parsed(source)
    return [(int(document.depth[n]), document.text_of(n)) for n in range(len(document)) if document.kind[n] == SECTION]


def lines(source: str, kind: int = PARAGRAPH) -> list[tuple[int, str]]:
    document = parsed(source)
    return [(int(document.line[n]), document.text_of(n)) for n in range(len(document)) if document.kind[n] == kind]


@pytest.fixture(scope="module")
def manual() -> Document:
    return parse(MANUAL.read_bytes(), "Larkspur.wiki")


def test_manual_has_the_outline_that_its_author_gave_it(manual: Document) -> None:
    assert manual.title == "Larkspur"
    headings = [(int(manual.depth[n]), manual.text_of(n)) for n in range(len(manual)) if manual.kind[n] == SECTION]
    assert headings == [
        (1, "Parts"),
        (1, "Setting up"),
        (2, "Choosing a place"),
        (2, "Switching on"),
        (1, "Reception"),
        (1, "See also"),
        (1, "References"),
    ]


def test_manual_keeps_words_and_drops_marks(manual: Document) -> None:
    texts = nodes(manual, PARAGRAPH)
    assert texts[:5] == [
        "name: Larkspur Weather Station",
        "manufacturer: Larkspur makers",
        "introduced: April 2016",
        "price: 89 €",
        "measures: temperature, wind, rain",
    ]
    assert texts[5].startswith(
        "The Larkspur Weather Station is a weather station for gardens. It measures temperature,"
    )
    assert texts[5].endswith("It was first sold in April 2016.")
    assert "The station in a garden in Wellmouth" in texts
    assert "Thousands are in use. Ten metres from the nearest wall is far enough." in texts
    assert texts[texts.index("four screws") :][:5] == [
        "four screws", "Sensor", "measures and sends", "Display", "shows what is sent",
    ]  # fmt: skip
    assert "Lamp: red | Meaning: the battery is too weak | What to do: put in a new one" in texts
    assert "T=18.4 H=61\nW=3.2 [[R]]=0.0" in texts
    assert "In a template they are written {{reading|T=18.4}}." in texts
    assert any("no more than 60 to 80 m away, see the note on radio." in each for each in texts)
    assert "An unclosed link to the weather office and a broken template do no harm here." in texts
    assert not re.search(r"cite|Category:Weather|Larkspur-Wetter|How many|reflist|NOTOC|'''|thumb", manual.text)


def test_manual_gives_each_sentence_its_line(manual: Document) -> None:
    source = MANUAL.read_text().split("\n")
    checked = 0
    for node in range(len(manual)):
        words = re.findall(r"[A-Za-z]{4,}", manual.text_of(node))
        if manual.kind[node] == SENTENCE and words and words[0] != "Lamp":  # a row begins with its head
            assert words[0] in source[manual.line[node] - 1]
            checked += 1
    assert checked > 30


@pytest.mark.parametrize(
    ("source", "shown"),
    [
        ("'''a''' ''b'' '''''c''''' d''''e", "a b c d'e"),
        ("[[a]] [[b|c]] [[b|''c'' d]] [[:Category:e]] [[f (g)|]] [[h]]s", "a c c d Category:e f hs"),
        ("[http://x.org a b] [http://x.org] http://y.org [mailto:z@x c] [d]", "a b http://y.org c [d]"),
        ("a<ref>b</ref> c<ref name=x /> d<ref name='y'>{{cite|e}}</ref>f", "a c df"),
        ("a<!-- b -->c <nowiki>'''d''' [[e]]</nowiki> &amp; &#65;", "ac '''d''' [[e]] & A"),
        ("{{a|b}}c{{d|{{e|f}}}}g {{{1|h}}} {{{2}}}i", "cg h i"),
        ("{{lang|fr|eau}} {{lang-de|Wasser}} {{nowrap|a b}} {{circa|1200}}", "eau Wasser a b c. 1200"),
        ("{{convert|5|km|mi}} {{convert|3|-|4|m}} {{frac|1|2}}", "5 km 3–4 m 1/2"),
        ("{{birth date|1815|12|10}} a{{snd}}b {{ubl|x|y}}", "10 December 1815 a – b x, y"),
        ("<b>a</b> <span style='x'>b</span><br/>c 1 < 2 <stdio.h>", "a b\nc 1 < 2 <stdio.h>"),
        ("a <math>x^2</math> b <sub>2</sub> __NOTOC__ ~~~~", "a x^2 b 2"),
        ("a [[File:x.jpg]] b [[Category:c]] [[de:d]] [[fr:e|f]]", "a b f"),
        ("{{nowrap|a=b|1=c}} {{nowrap|1=x=y}}", "c x=y"),
    ],
)  # fmt: skip
def test_inline_marks_go_and_words_stay(source: str, shown: str) -> None:
    assert paragraphs(source) == [shown]


def test_headings_of_all_levels() -> None:
    source = "== A ==\n=== B ===<!-- c -->\n====C====   \n== ''D'' [[e|E]] ==\n== F ===\n= no\n====== G ======\n==\n"
    assert sections(source) == [(1, "A"), (2, "B"), (3, "C"), (1, "D E"), (1, "F ="), (2, "G")]


def test_lists_of_all_kinds() -> None:
    source = "* a\n** b\n# c\n#: d\n; e : f\n: g\n;h\ni\n*j"
    assert paragraphs(source) == ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"]


def test_tables() -> None:
    source = (
        "{| class=x\n|+ style=y | Caption\n! A !! B\n! scope=col | C\n"
        "|-\n| 1 || [[x|2]]\n| align=left | 3\n|-\n| 4\nand more\n"
        "| colspan=2 | 5\n|-\n! D\n| rowspan=2 | 6 || 7\n|- \n! E\n| x {{!}} 8\n|}\nend"
    )
    assert lines(source) == [
        (2, "Caption"),
        (6, "A: 1 | B: 2 | C: 3"),
        (9, "A: 4 and more | B: 5"),
        (13, "A: D | B: 6 | C: 7"),
        (16, "A: E | B: 6 | C: x | 8"),
        (19, "end"),
    ]


def test_nested_and_unclosed_tables_end_at_the_next_heading() -> None:
    source = "{|\n! A\n|-\n| 1\n{|\n| inner\n|}\n|-\n| 2\n== B ==\nText\n"
    assert sections(source) == [(1, "B")]
    assert paragraphs(source) == ["inner", "A: 1", "A: 2", "Text"]


def test_boxes_become_rows() -> None:
    source = (
        "{{Infobox\n|title=T|image=x.jpg|image_size=20px\n|label1=Born\n|data1=[[1900]]\n"
        "| leader_name =\n|header2=H\n|data3=D}}"
    )
    assert lines(source) == [(2, "title: T"), (4, "Born: 1900"), (6, "H"), (7, "D")]


def test_each_sentence_of_a_row_has_its_own_line() -> None:
    source = "{|\n! H\n! I\n|-\n| a || Begins.<ref>x\ny</ref> Goes on.\n| One.\nTwo\nit is.\n* Three.\n|}"
    assert lines(source) == [(5, "H: a | I: Begins. Goes on. | One. Two it is. Three.")]
    sentences = [(5, "H: a | I: Begins."), (5, "Goes on."), (7, "| One."), (8, "Two it is."), (10, "Three.")]
    assert lines(source, SENTENCE) == sentences


def test_preformatted_text_keeps_its_lines() -> None:
    source = (
        "<pre>\n== a ==\n  ''b''\n</pre>\n c\n  d\n<syntaxhighlight lang=py>\ndef e():\n    pass\n</syntaxhighlight>\nf"
    )
    assert lines(source, SENTENCE) == [
        (2, "== a =="),
        (3, "''b''"),
        (5, "c"),
        (6, "d"),
        (8, "def e():"),
        (9, "pass"),
        (11, "f"),
    ]


def test_poems_quotes_galleries_and_paragraph_tags() -> None:
    assert paragraphs("<poem>\na\nb\n\nc\n</poem>") == ["a\nb", "c"]
    assert paragraphs("a {{quote|b|c}} d") == ["a", "b", "c", "d"]
    assert paragraphs("<gallery>\nFile:a.jpg|b [[c|C]]\nImage:d.jpg\n</gallery>") == ["b C"]
    assert paragraphs("a<p>b</p><div>c</div>\nd") == ["a", "b", "c", "d"]


def test_captions_stand_beside_the_paragraph() -> None:
    source = "a [[File:x.jpg|thumb|left|200px|alt=y|The [[b|B]], [[File:z.jpg|inner]]]] c"
    assert paragraphs(source) == ["The B,", "inner", "a c"]


BROKEN = """{{ [[ {{a| [[a| {{{b| <ref> <!-- <nowiki> <pre> <math> ''' <gallery> {{a|[[b|{{c| [[File:a.jpg|thumb|
--> }} ]] |} </ref>""".split()


@pytest.mark.parametrize("broken", [*BROKEN, "[http://x ", "<ref name=x>{{cite", "{{Infobox\n| a = ", "{|\n| "])
def test_what_is_not_closed_does_not_take_the_rest_along(broken: str) -> None:
    after = "After {{a}} [[b]].<ref>c</ref><!-- d --><nowiki>e</nowiki>"
    source = f"Before. {broken} during\n\nNext.\n\n== Head ==\n{after}\n"
    document = parsed(source)
    assert sections(source) == [(1, "Head")]
    assert "Before." in document.text
    assert "during" in document.text
    assert "Next." in document.text
    assert nodes(document, PARAGRAPH)[-1] == "After b.e"


def test_redirects_titles_and_empty_pages() -> None:
    assert paragraphs("#REDIRECT [[Green tea#Sorts]]\n[[Category:x]]") == ["Redirect to Green tea"]
    assert parsed("{{DISPLAYTITLE:''Green'' tea}}\nText").title == "Green tea"
    with pytest.raises(ParseError, match=r"^Tea.wiki: holds no text"):
        parsed("{{a}}\n[[Category:b]]\n<!-- c -->")


# Lines, against an independent oracle: every word of a generated page is unique


SHAPES = [
    "{}", "{} {}", "'''{}''' {}", "[[x|{}]]", "[[{}]]", "{}<ref>a\nb</ref> {}", "{{{{cite\n|a=b\n}}}}{}", "{}<br>{}",
    "{}<!-- a\nb -->{}", "{{{{nowrap|{} {}}}}}", "<nowiki>{}\n{}</nowiki>", "[http://x.org {}]", "<b\nclass=x>{}</b>",
]  # fmt: skip


@st.composite
def unique_words(draw: st.DrawFn) -> str:
    numbers = count()

    def word() -> str:
        return f"w{next(numbers)}" + draw(st.sampled_from(["", "", "."]))

    def inline() -> str:
        shape = draw(st.sampled_from(SHAPES))
        return shape.format(*(word() for _ in range(2)))

    def prose() -> str:
        return draw(st.sampled_from([" ", "\n"])).join(inline() for _ in range(draw(st.integers(1, 5))))

    def block() -> str:
        kind = draw(st.integers(0, 6))
        if kind == 0:
            return f"== {word()} '{word()}' ==<!-- c -->"
        if kind == 1:
            return "\n".join(
                f"{draw(st.sampled_from(['*', '**', '#', ':']))} {inline()}" for _ in range(draw(st.integers(1, 3)))
            )
        if kind == 2:
            return f"<pre>\n{word()} {word()}\n {word()}\n</pre>"
        if kind == 3:
            return f"[[File:a.jpg|thumb|{word()} {word()}]]\n{prose()}"
        if kind == 4:
            return f"{{{{Infobox a\n| b = {word()}\n| c = {word()}\n}}}}"
        if kind == 5:
            return "{|\n! H !! I\n" + "".join(f"|-\n| {w} || {v}\n" for w, v in [(word(), word())]) + "|}"
        return prose()

    return draw(st.sampled_from(["\n\n", "\n"])).join(block() for _ in range(draw(st.integers(1, 6))))


@settings(max_examples=100)
@given(unique_words(), st.sampled_from(["\n", "\r\n"]))
def test_every_node_has_the_line_of_its_first_word(source: str, end: str) -> None:
    line_of = {word: number for number, line in enumerate(source.split("\n"), 1) for word in re.findall(r"w\d+", line)}
    document = parsed(source.replace("\n", end))
    seen = set()
    for node in range(1, len(document)):
        words = re.findall(r"w\d+", document.text_of(node))
        seen.update(words)
        if words:
            assert document.line[node] == line_of[words[0]], document.text_of(node)
    assert seen >= {word for word in line_of if not re.search(rf"'''{word}|\[\[{word}", source)} - {"w"}


# Words, against mwparserfromhell

WORDS = """aa bb. ''cc'' '''dd''' [[ee]] {{ii}} {{jj|kk|ll=mm}} <ref>nn</ref> <b>oo</b> &amp;
<nowiki>[[ss]]</nowiki>""".split()
MORE = ["[[ff|gg hh]]", "[http://pp.org qq]", "<!-- rr -->", " ", "\n", "\n\n", "\n* tt", "\n== uu ==\n"]
FRAGMENTS = st.sampled_from([*WORDS, *MORE])


@settings(max_examples=150)
@given(st.lists(FRAGMENTS, min_size=1, max_size=25).map(" ".join))
def test_words_are_those_that_mwparserfromhell_leaves(source: str) -> None:
    expected = re.findall(r"[a-z]{2}", mwparserfromhell.parse(re.sub("<ref>nn</ref>", "", source)).strip_code())
    document = parsed(source + "\nend")
    shown = " ".join([*nodes(document, SECTION), *nodes(document, PARAGRAPH)])
    assert sorted(re.findall(r"[a-z]{2}", shown)) == sorted([*expected, "en"])


# Whatever comes

MARKS = """{{ }} {{{ }}} [[ ]] [ ] | || ! !! {| |} |- |+ = == # : ; '' ''' <ref> </ref> <ref/> <!-- -->
<nowiki> </nowiki> <pre> </pre> <br> <poem> </poem> <gallery> File: Category: convert quote label1= data1 ----
__TOC__ &lt; a Word. é \U000f0003 \U000f0101""".split()
ANY = st.sampled_from([*MARKS, "[http://x ", "* ", "Infobox x", "\n", "\n\n", "\n", " "])


@settings(max_examples=200)
@given(
    st.one_of(
        st.binary(max_size=200),
        st.text(max_size=200).map(str.encode),
        st.lists(ANY, max_size=60).map("".join).map(str.encode),
    )
)
def test_any_bytes_give_a_sound_document_or_a_parse_error(data: bytes) -> None:
    assert 0 <= likelihood(data) <= 1
    with suppress(ParseError):
        document = parse(data, "x.wiki")
        assert violations(document) == []
        assert set(document.page.tolist()) == {NONE}
        assert not re.search("[\U000f0000-\U000f01ff]", document.text)


HARD = {
    "templates": lambda n: "{{a|" * (n // 4),
    "links": lambda n: "[[a|" * (n // 4),
    "both": lambda n: "{{a|[[b|" * (n // 8),
    "parameters": lambda n: "{{{a|" * (n // 5),
    "closers": lambda n: "]]}}" * (n // 4),
    "references": lambda n: "<ref>" * (n // 5),
    "comments": lambda n: "<!-- " * (n // 5),
    "tags": lambda n: "<b " * (n // 3),
    "quotes": lambda n: "''a" * (n // 3),
    "equals": lambda n: "=" * n,
    "tables": lambda n: "{|\n|a||b\n" * (n // 9),
    "one row": lambda n: "{|\n" + "|a|" * (n // 3),
    "attributes": lambda n: "{|\n| " + "a=" * (n // 2) + "| b",
    "lists": lambda n: "*" * n + " a",
    "captions": lambda n: "[[File:a|" * (n // 9),
}


@pytest.mark.parametrize("hard", HARD)
def test_hard_input_takes_time_in_proportion(hard: str) -> None:
    make: Callable[[int], str] = HARD[hard]
    start = time.process_time()
    with suppress(ParseError):
        assert violations(parse(make(50_000).encode(), "x.wiki")) == []
    assert time.process_time() - start < 5


def test_wikitext_is_recognised_by_its_content() -> None:
    data = MANUAL.read_bytes()
    assert likelihood(data) > max(0.8, markdown.likelihood(data), text.likelihood(data))
    assert likelihood(b"#REDIRECT [[Tea]]") > 0.4
    assert likelihood(b"Some prose [1] with a note, and x == y.\n") < 0.1
    assert likelihood(bytes(range(256)) * 4) == 0
