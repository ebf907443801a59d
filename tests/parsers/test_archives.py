from io import BytesIO
from zipfile import ZIP_BZIP2, ZIP_DEFLATED, ZipFile

import pytest

from docqn.errors import ParseError
from docqn.parsers import archives
from docqn.parsers.archives import Archive, likelihood_by_member, resolve


def packed(members: dict[str, bytes], method: int = ZIP_DEFLATED) -> bytes:
    file = BytesIO()
    with ZipFile(file, "w", method) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return file.getvalue()


def with_claimed_size(data: bytes, size: int) -> bytes:
    """The archive with another inflated size of its only member, in both places that tell it."""
    entry = data.rindex(b"PK\x01\x02")
    told = size.to_bytes(4, "little")
    return data[:22] + told + data[26 : entry + 24] + told + data[entry + 28 :]


def test_reads_members_whatever_their_case_and_slashes() -> None:
    archive = Archive(packed({"/Word\\Document.XML": b"text"}), "a.docx")
    assert "word/document.xml" in archive
    assert archive.read("word/document.xml") == b"text"
    assert archive.names() == ["word/document.xml"]


def test_a_missing_member_is_named() -> None:
    with pytest.raises(ParseError, match=r"^a\.docx: has no word/document\.xml inside$"):
        Archive(packed({"x": b""}), "a.docx").read("word/document.xml")


def test_names_do_not_break_messages() -> None:
    with pytest.raises(ParseError, match=r"has no x y inside$"):
        Archive(packed({"a": b""}), "a.zip").read("x\n\x1by")


@pytest.mark.parametrize("cut", [1, 30, 60, -1, -10, -30])
def test_a_cut_off_archive(cut: int) -> None:
    with pytest.raises(ParseError, match="damaged or cut-off"):
        Archive(packed({"x": b"text" * 100})[:cut], "a.zip")


def test_a_damaged_member() -> None:
    data = bytearray(packed({"x": bytes(range(256)) * 8}))
    data[60] ^= 0xFF
    with pytest.raises(ParseError, match="is damaged at x"):
        Archive(bytes(data), "a.zip").read("x")


def test_an_encrypted_member() -> None:
    data = bytearray(packed({"x": b"text"}))
    data[6] |= 1
    data[data.rindex(b"PK\x01\x02") + 8] |= 1
    with pytest.raises(ParseError, match="encrypted with a password"):
        Archive(bytes(data), "a.zip").read("x")


def test_compressions_that_documents_do_not_use() -> None:
    with pytest.raises(ParseError, match="compression"):
        Archive(packed({"x": b"text"}, ZIP_BZIP2), "a.zip").read("x")


def test_a_bomb_is_refused_before_it_is_inflated() -> None:
    data = packed({"x": bytes(archives.ANY_RATIO + 1)})
    assert len(data) < 20_000
    with pytest.raises(ParseError, match="zip bomb"):
        Archive(data, "a.zip").read("x")
    with pytest.raises(ParseError, match="inflates to more than the 256 MB"):
        Archive(with_claimed_size(data, archives.MOST_INFLATED + 1), "a.zip").read("x")


def test_a_bomb_in_parts_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "MOST_INFLATED", 1000)
    archive = Archive(packed({name: bytes(300) for name in "abcd"}), "a.zip")
    for name in "abc":
        archive.read(name)
    with pytest.raises(ParseError, match="inflates to more than"):
        archive.read("d")


def test_a_member_that_inflates_to_more_than_it_claims() -> None:
    data = with_claimed_size(packed({"x": bytes(50_000_000)}), 10)
    with pytest.raises(ParseError, match="is damaged at x"):
        Archive(data, "a.zip").read("x")


def test_too_many_members() -> None:
    with pytest.raises(ParseError, match="more than 20000 members"):
        Archive(packed({"x": b""}) + archives._ENTRY * archives.MOST_MEMBERS, "a.zip")


def test_large_members_that_are_no_bombs_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "ANY_RATIO", 100_000)
    text = "".join(f"{i * 7919 % 10_007}," for i in range(500)).encode() * 90
    assert len(text) > archives.ANY_RATIO
    assert Archive(packed({"x": text}), "a.zip").read("x") == text


def test_likelihood() -> None:
    data = packed({"word/document.xml": b"<document/>"})
    assert likelihood_by_member(data, "word/document.xml") == 1
    assert likelihood_by_member(data[:-5], "word/document.xml") == 0.5
    assert likelihood_by_member(packed({"inner.docx": data}, method=0), "word/document.xml") == 0
    assert likelihood_by_member(b"PK\x03\x04", "word/document.xml") == 0
    assert likelihood_by_member(b"", "word/document.xml") == 0


@pytest.mark.parametrize(
    ("base", "reference", "member"),
    [
        ("OEBPS/content.opf", "text/ch1.xhtml#p5", "oebps/text/ch1.xhtml"),
        ("OEBPS/content.opf", "../cover%20page.xhtml", "cover page.xhtml"),
        ("", "/word/document.xml", "word/document.xml"),
        ("word/document.xml", "styles.xml", "word/styles.xml"),
        ("a/b", "../../../../etc/passwd", "etc/passwd"),
    ],
)
def test_resolve(base: str, reference: str, member: str) -> None:
    assert resolve(base, reference) == member
