"""One's own questions, a line each."""

import json
from pathlib import Path

import pytest

from docqn.corpora import formats
from docqn.corpora.formats import jsonl


def write(path: Path, *records: object) -> Path:
    path.write_text("".join(f"{record if isinstance(record, str) else json.dumps(record)}\n" for record in records))
    return path


def test_documents_beside_the_file_or_in_a_folder(tmp_path: Path) -> None:
    record = {"id": "1", "question": "How long?", "answers": ["5 days", "", "5 days"], "document": "manual.md"}
    path = write(tmp_path / "leave.train.jsonl", record, "", {**record, "id": 2, "document": ["manual.md", "other.md"]})
    for folder in (tmp_path, tmp_path / "manuals"):
        folder.mkdir(exist_ok=True)
        (folder / "manual.md").write_text("# Leave\n\n5 days\n")
    file = jsonl.read(path, None)
    assert formats.detect(path) == "jsonl"
    assert file.split == "leave"
    assert [(q.id, q.answers, [p.document for p in q.pages]) for q in file.questions] == [
        ("1", ("5 days",), ["manual.md"]),
        ("2", ("5 days",), ["manual.md", "other.md"]),
    ]
    assert file.sources["manual.md"].read() == b"# Leave\n\n5 days\n"
    assert file.sources.keys() == {"manual.md"}
    assert jsonl.read(path, tmp_path / "manuals").sources["manual.md"] != file.sources["manual.md"]


@pytest.mark.parametrize(
    ("record", "reason"),
    [
        ('{"id": 1, "question":', "is not valid JSON (Expecting value at character 21)"),
        ('{"id": "1', "is not valid JSON (Unterminated string starting at character 7)"),
        ("9" * 5000, "is not valid JSON"),
        ("[" * 100_000, "is not valid JSON"),
        ([1], "is not a JSON object"),
        ({"question": "Q", "document": "a"}, "has no id"),
        ({"id": True, "question": "Q", "document": "a"}, "has no id"),
        ({"id": "1", "document": "a"}, "has no question"),
        ({"id": "1", "question": "Q"}, "its document is not"),
        ({"id": "1", "question": "Q", "document": [1]}, "its document is not"),
        ({"id": "1", "question": "Q", "document": "a", "answers": "b"}, "its answers are not"),
        ({"id": "1", "question": "Q", "document": "a", "answers": [1]}, "its answers are not"),
    ],
)
def test_bad_lines_are_named_and_others_are_read(tmp_path: Path, record: object, reason: str) -> None:
    path = write(tmp_path / "a.jsonl", {"id": "0", "question": "Q", "document": "a"}, record)
    file = jsonl.read(path, None)
    assert [q.id for q in file.questions] == ["0"]
    (bad,) = file.bad
    assert bad.reason.startswith(reason)
    assert bad.id in ("line 2", "1", "True")


def test_answers_may_be_left_out(tmp_path: Path) -> None:
    path = write(tmp_path / "a.jsonl", {"id": "0", "question": "Q", "document": "a", "answers": None})
    assert jsonl.read(path, None).questions[0].answers == ()
