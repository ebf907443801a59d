"""Evidence files by the names that question files give them."""

from pathlib import Path

import pytest

from docqn.corpora.evidence import EvidenceFile, find_evidence
from docqn.errors import ParseError


@pytest.mark.parametrize(
    ("name", "there"),
    [
        ("Nile.html", "Nile.html"),
        ("Nile.html", "wikipedia/Nile.html"),
        ("Nile.txt", "Nile.html"),  # named as text, kept as HTML
        ("Nile.html", "Nile.txt"),
        ("AC%2FDC.txt", "AC%2FDC.txt"),
        ("Tea_%28drink%29.html", "Tea_(drink).html"),
        ("Tea_(drink).html", "Tea_%28drink%29.html"),
        ("Caf%C3%A9.txt", "Café.html"),
        ("Café.txt", "Caf%C3%A9.html"),
        ("O'Brien.html", "O%27Brien.html"),
        ("St._Helens.html", "St._Helens.html"),
        ("100%.html", "100%.html"),
        ("a folder/manual.pdf", "a folder/manual.pdf"),
    ],
)
def test_spellings(tmp_path: Path, name: str, there: str) -> None:
    path = tmp_path / there
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(b"x")
    assert find_evidence(tmp_path, name) == EvidenceFile(str(path))


def test_the_name_as_it_stands_comes_first(tmp_path: Path) -> None:
    for name in ("Nile.txt", "Nile.html"):
        (tmp_path / name).write_bytes(b"x")
    assert find_evidence(tmp_path, "Nile.txt") == EvidenceFile(str(tmp_path / "Nile.txt"))


@pytest.mark.parametrize(
    "name", ["../secret.html", "%2E%2E/secret.html", "{}/secret.html", "none.html", "a" * 999, "\0"]
)
def test_what_is_not_in_the_folder_is_not_found(tmp_path: Path, name: str) -> None:
    (tmp_path / "evidence").mkdir()
    (tmp_path / "secret.html").write_bytes(b"x")
    assert find_evidence(tmp_path / "evidence", name.format(tmp_path)) is None


def test_the_ending_tells_the_format_and_text_gives_the_tree_that_it_allows(tmp_path: Path) -> None:
    (tmp_path / "Nile.txt").write_text("Nile\n====\n\nThe Nile is a river.\n\nIt flows north.\n")
    (tmp_path / "Nile.html").write_text("<h1>Nile</h1><p>The Nile is a river.</p>")
    texts = {}
    for name in ("Nile.txt", "Nile.html"):
        file = EvidenceFile(str(tmp_path / name))
        document = file.parse(file.read(), name)
        assert document.source == name
        texts[document.format] = document.text
    assert set(texts) == {"text", "html"}
    assert all("The Nile is a river." in text for text in texts.values())


def test_an_empty_page_is_an_error_of_that_page(tmp_path: Path) -> None:
    (tmp_path / "Nile.html").write_bytes(b"")
    file = EvidenceFile(str(tmp_path / "Nile.html"))
    with pytest.raises(ParseError, match="is empty"):
        file.parse(file.read(), "Nile.html")
