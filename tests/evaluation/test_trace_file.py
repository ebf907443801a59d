"""Traces on disk: there and back, gone on from, damaged."""

import gzip
import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings

from docqn.errors import DocqnError
from docqn.evaluation.trace_file import TraceWriter, read_header, read_traces
from docqn.policies.trace import Trace
from tests.evaluation.traces import answer, outcomes, trace, walk

HEADER = {"seed": 3, "policies": ["p"], "who": "Ö"}
TRACES = [trace(f"q{i}", steps=walk(i), others=[answer("Milk")] * i) for i in range(4)]


def write(path: Path, traces: list[Trace], header: dict[str, object] = HEADER) -> list[Trace]:
    """Write what is not there yet, and finish; what was there."""
    writer = TraceWriter(path, header)
    known = list(writer.written())
    for one in traces[len(known) :]:
        writer.write(one)
    writer.finish()
    return known


@pytest.mark.parametrize("name", ["traces.jsonl", "traces.jsonl.gz", "new folder/traces"])
def test_there_and_back(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    assert write(path, TRACES) == []
    assert list(read_traces(path)) == TRACES
    assert read_header(path) == HEADER
    assert [file.name for file in path.parent.iterdir()] == [path.name]


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(traces=outcomes())
def test_any_traces(tmp_path: Path, traces: list[Trace]) -> None:
    write(tmp_path / "traces", traces)
    assert list(read_traces(tmp_path / "traces")) == traces


def test_lone_surrogates_survive(tmp_path: Path) -> None:
    odd = trace("q\ud800", answer=answer("\udfff"))
    write(tmp_path / "traces", [odd])
    assert list(read_traces(tmp_path / "traces")) == [odd]


def test_a_part_is_gone_on_from_wherever_it_was_cut(tmp_path: Path) -> None:
    whole = tmp_path / "whole"
    write(whole, TRACES)
    expected = whole.read_bytes()
    path = tmp_path / "traces"
    for cut in (*range(0, len(expected), 97), len(expected)):
        (tmp_path / "traces.part").write_bytes(expected[:cut])
        known = write(path, TRACES)
        assert known == TRACES[: len(known)]
        assert len(known) == max(expected[:cut].count(b"\n") - 1, 0)
        assert path.read_bytes() == expected


def test_a_writer_left_alone_leaves_its_part(tmp_path: Path) -> None:
    writer = TraceWriter(tmp_path / "traces.gz", HEADER)
    assert list(writer.written()) == []
    writer.write(TRACES[0])
    writer.close()
    assert [file.name for file in tmp_path.iterdir()] == ["traces.gz.part"]
    assert write(tmp_path / "traces.gz", TRACES) == TRACES[:1]
    assert list(read_traces(tmp_path / "traces.gz")) == TRACES


def test_a_part_with_other_settings_is_not_touched(tmp_path: Path) -> None:
    writer = TraceWriter(tmp_path / "traces", HEADER)
    list(writer.written())
    writer.write(TRACES[0])
    writer.close()
    before = (tmp_path / "traces.part").read_bytes()
    other = TraceWriter(tmp_path / "traces", {**HEADER, "seed": 4})
    with pytest.raises(DocqnError, match=r"traces\.part: was begun with other settings"):
        list(other.written())
    other.close()
    assert (tmp_path / "traces.part").read_bytes() == before


def test_a_part_without_traces_is_no_hindrance(tmp_path: Path) -> None:
    writer = TraceWriter(tmp_path / "traces", {**HEADER, "seed": 4})
    list(writer.written())
    writer.close()
    assert write(tmp_path / "traces", TRACES) == []
    assert read_header(tmp_path / "traces") == HEADER
    assert list(read_traces(tmp_path / "traces")) == TRACES


def test_two_do_not_write_one_file(tmp_path: Path) -> None:
    first = TraceWriter(tmp_path / "traces", HEADER)
    assert list(first.written()) == []
    second = TraceWriter(tmp_path / "traces", HEADER)
    with pytest.raises(DocqnError, match=r"traces\.part: another evaluation is writing it"):
        list(second.written())
    second.close()
    first.write(TRACES[0])
    first.close()
    assert write(tmp_path / "traces", TRACES) == TRACES[:1]


def test_a_disk_that_is_full_at_the_very_end_is_an_error(tmp_path: Path) -> None:
    writer = TraceWriter(tmp_path / "traces", HEADER)
    list(writer.written())
    writer.write(TRACES[0])
    writer.close()
    writer._file = Path("/dev/full").open("w")  # noqa: SIM115 (the writer closes it)
    writer._file.write("x")
    with pytest.raises(DocqnError, match=r"traces\.part: cannot be written \(No space left"):
        writer.finish()


def test_a_folder_in_the_place_of_the_part_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "traces.part").mkdir()
    with pytest.raises(DocqnError, match=r"traces\.part: cannot be written \(Is a directory"):
        write(tmp_path / "traces", TRACES)


def test_writing_comes_after_what_is_written(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="written"):
        TraceWriter(tmp_path / "traces", HEADER).write(TRACES[0])


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{}\n",
        b"[]\n",
        b"not JSON\n",
        b"\xff\xfe\n",
        b'{"docqn": "traces 1"}\n',
        gzip.compress(b"something else\n"),
        b"\x1f\x8bnot gzip at all",
    ],
)
def test_another_file_is_an_error(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "traces"
    path.write_bytes(content)
    for read in (read_header, lambda path: list(read_traces(path))):
        with pytest.raises(DocqnError, match=r"traces: (is not a file of docqn's traces|cannot be read)"):
            read(path)


@pytest.mark.parametrize(
    "damage",
    [
        {"read": [[1]]},
        {"read": "many"},
        {"answer": {"text": "x"}},
        {"steps": [{"nodes": 1}]},
        {"steps": 3},
        {"steps": [{"node": 0, "index": 0, "kind": "title", "text": "", "action": 7}]},
        {"steps": [{"node": 0, "index": 0, "kind": "chapter", "text": "", "action": 0}]},
        {"stop_kind": "chapter"},
        {"stop_index": "two"},
        {"stopped": []},
        {"tokens_total": None},
        {"answer_indices": [None]},
        {"seconds": "long"},
        {"read": [[0, 1e400]]},
        {"policy": 1},
        {"unknown": 1},
    ],
)
def test_a_line_that_is_no_trace_is_named(tmp_path: Path, damage: dict[str, object]) -> None:
    path = tmp_path / "traces"
    write(path, TRACES)
    lines = path.read_text().splitlines()
    lines[2] = json.dumps({**json.loads(lines[2]), **damage})
    path.write_text("\n".join(lines))
    with pytest.raises(DocqnError, match=r"line 3 is not a trace \(.+\)$"):
        list(read_traces(path))


def test_a_cut_gzip_file_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "traces.gz"
    write(path, TRACES)
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(DocqnError, match=r"traces\.gz: cannot be read"):
        list(read_traces(path))


def test_no_such_file_and_no_such_folder(tmp_path: Path) -> None:
    with pytest.raises(DocqnError, match="No such file"):
        read_header(tmp_path / "none")
    (tmp_path / "file").write_text("")
    with pytest.raises(DocqnError, match="cannot be written"):
        write(tmp_path / "file" / "traces", TRACES)
