import xml.etree.ElementTree as ET
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docqn.errors import ParseError
from docqn.parsers import xml
from docqn.parsers.xml import scan, tree


class Recorder:
    def __init__(self) -> None:
        self.events: list[tuple[str, str, int]] = []
        self.all_text = ""
        self.deepest = self.depth = 0

    def start(self, tag: str, attributes: dict[str, str], line: int) -> None:
        self.depth += 1
        self.deepest = max(self.deepest, self.depth)
        self.events.append((tag, repr(attributes), line))

    def end(self, tag: str) -> None:
        self.depth -= 1

    def text(self, text: str, line: int) -> None:
        self.all_text += text
        if text.strip():
            self.events.append(("", text, line))


def texts(data: bytes) -> str:
    return scan(data, "a.xml", Recorder).all_text


def test_names_attributes_and_lines() -> None:
    data = b"<?xml version='1.0'?>\n<x:a xmlns:x='u'>\none\n\ntwo<b\n x:c='1'/></x:a>"
    assert scan(data, "a.xml", Recorder).events == [
        ("a", "{'x': 'u'}", 2),
        ("", "one", 3),
        ("", "two", 5),
        ("b", "{'c': '1'}", 5),
    ]
    assert scan(data, "a.xml", Recorder, {"u": "u:"}).events[0] == ("u:a", "{}", 2)
    assert scan(data, "a.xml", Recorder, {"v": ""}).events[-1] == ("b", "{'?c': '1'}", 5)


def test_lines_beyond_those_that_libxml2_counts() -> None:
    assert scan(b"<a>" + b"\n" * 100_000 + b"x</a>", "a.xml", Recorder).events[-1] == ("", "x", 100_001)


def test_any_depth() -> None:
    deep = scan(b"<a>" * 200_000 + b"x" + b"</a>" * 200_000, "a.xml", Recorder)
    assert (deep.deepest, deep.depth) == (200_000, 0)


@pytest.mark.parametrize("start", [b"", b"<!DOCTYPE a>", b"<!DOCTYPE a PUBLIC '-//X' 'http://example.org/x.dtd'>"])
def test_entities_of_html_need_no_declaration(start: bytes) -> None:
    assert texts(start + b"<a>x&nbsp;y &eacute; &amp; &#233; &nosuch;</a>") == "x\xa0y é & é &nosuch;"


def test_entities_for_signs_are_replaced() -> None:
    assert texts(b"<!DOCTYPE a [<!ENTITY deg '&#176;'>]><a>5&deg;</a>") == "5°"


def test_nothing_from_outside_is_loaded() -> None:
    data = (
        f"<!DOCTYPE a [<!ENTITY x SYSTEM 'file://{__file__}'><!ENTITY % y SYSTEM 'file://{__file__}'>%y;]><a>-&x;-</a>"
    )
    assert texts(data.encode()) == "--"


BOMB = "<!DOCTYPE a [<!ENTITY b0 'ha'>" + "".join(f"<!ENTITY b{i + 1} '{f'&b{i};' * 9}'>" for i in range(12))


@pytest.mark.parametrize(
    "data",
    [
        BOMB + "]><a>&b12;</a>",
        BOMB + "]><a b='&b12;'/>",
        BOMB + "]><a>&b12;",  # not well-formed either
        f"<!DOCTYPE a [<!ENTITY b '{'ha' * 10_000}'>]><a>{'&b;' * 10_000}</a>",
    ],
)
def test_entity_bombs_are_refused(data: str) -> None:
    with pytest.raises(ParseError, match=r"^a\.xml: declares an entity|not well-formed"):
        scan(data.encode(), "a.xml", Recorder)


def test_parameter_entities_declare_nothing() -> None:
    data = f"<!DOCTYPE a [<!ENTITY % p \"<!ENTITY b '{'ha' * 10_000}'>\">%p;<!ENTITY c '&b;&b;'>]><a>{'&c;' * 99}</a>"
    assert texts(data.encode()) == "&c;" * 99


def test_default_attributes_of_a_dtd_are_left_out() -> None:
    data = b"<!DOCTYPE a [<!ATTLIST b c CDATA '" + b"x" * 100_000 + b"'>]><a>" + b"<b/>" * 10_000 + b"</a>"
    assert scan(data, "a.xml", Recorder).events[-1] == ("b", "{}", 1)


@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-16", "iso-8859-1", "windows-1252", "shift_jis", "gb18030", "koi8-r"]
)
def test_encodings(encoding: str) -> None:
    text = {"shift_jis": "日本", "gb18030": "中文", "koi8-r": "Привет"}.get(encoding, "naïve")
    assert texts(f"<?xml version='1.0' encoding='{encoding}'?><a>{text}</a>".encode(encoding)) == text


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"<a>one<b>two</a>", "onetwo"),
        (b"<a>one & two", "one two"),
        (b"<a>one\x01two</a>", "onetwo"),
        (b"<a>caf\xe9</a>", "caf\ufffd"),
        (b"<a><x:b>one</x:b></a>", "one"),
    ],
)
def test_what_is_not_well_formed_is_mended(data: bytes, text: str) -> None:
    assert texts(data).replace("  ", " ") == text


def test_lines_of_what_was_mended() -> None:
    assert scan(b"<?xml version='1.0'?>\n<!-- x -->\n\n<a>\n<b>one\n</a>", "a.xml", Recorder).events[-1] == (
        "",
        "one",
        5,
    )


@pytest.mark.parametrize(
    "data", [b"", b"plain text", b"<!DOCTYPE", b"\x00\x01\x02", b"<?xml version='1.0' encoding='nosuch'?>"]
)
def test_what_cannot_be_mended(data: bytes) -> None:
    with pytest.raises(ParseError, match="not well-formed XML"):
        scan(data, "a.xml", Recorder)


def test_large_files_are_not_mended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(xml, "MOST_MENDED", 100)
    with pytest.raises(ParseError, match="mismatched tag: line 1"):
        scan(b"<a>" + b"x" * 100 + b"<b></a>", "a.xml", Recorder)


def test_what_would_be_mended_only_in_part_is_refused() -> None:
    assert texts(b"<a>" + b"<b>x" * 200) == "x" * 200
    with pytest.raises(ParseError, match="no element found"):
        scan(b"<a>" + b"<b>x" * 300, "a.xml", Recorder)


def test_large_trees_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(xml, "MOST_TREE", 100)
    with pytest.raises(ParseError, match="more than docqn reads"):
        tree(b"<a>" + b"x" * 100 + b"</a>", "a.xml")


elements = st.recursive(
    st.text("ab &<é\n", max_size=5),
    lambda inner: st.tuples(
        st.sampled_from("pqr"),
        st.dictionaries(st.sampled_from("kl"), st.text("x\"'&<", max_size=3)),
        st.lists(inner, max_size=3),
    ),
)


def build(parent: ET.Element, node: object) -> None:
    if isinstance(node, tuple):
        tag, attributes, inner = node
        child = ET.SubElement(parent, tag, attributes)
        for part in inner:
            build(child, part)
    elif len(parent):
        parent[-1].tail = (parent[-1].tail or "") + str(node)
    else:
        parent.text = (parent.text or "") + str(node)


@given(st.lists(elements, max_size=4))
def test_trees_are_those_of_the_standard_library(nodes: list[object]) -> None:
    root = ET.Element("root")
    for node in nodes:
        build(root, node)
    data = ET.tostring(root, "utf-8")
    assert ET.tostring(tree(data, "a.xml")) == ET.tostring(ET.fromstring(data))


@given(st.binary(max_size=200))
def test_any_bytes(data: bytes) -> None:
    with suppress(ParseError):
        scan(b"<a>" + data, "a.xml", Recorder)
