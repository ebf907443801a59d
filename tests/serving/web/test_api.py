"""The HTTP API, from the outside."""

from __future__ import annotations

import asyncio
import json
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

import docqn
from docqn.environment.pairs import Pair
from docqn.policies import Setting
from docqn.policies.read_best import ReadBest
from docqn.policies.trace import Trace
from docqn.serving.web.app import create_app
from docqn.serving.web.limits import Limits
from docqn.serving.web.sessions import Sessions
from tests.documents import document

MANUAL = b"# Tea\n\n## Green\n\nGreen tea comes from Uji.\n\n## Black\n\nBlack tea comes from Assam.\n"
QUESTION = "Where does green tea come from?"
LEAVE = "How many working days of leave does the other parent get?"


def client(*sources: str, token: str = "", **settings: Any) -> TestClient:
    app = create_app(sources, token=token or None, **settings)
    return TestClient(app, base_url="http://localhost:8000", raise_server_exceptions=False)


@pytest.fixture
def visitor() -> Iterator[TestClient]:
    with client() as made:
        yield made


def upload(visitor: TestClient, data: bytes = MANUAL, name: str = "tea.md") -> Any:
    return visitor.post("/api/documents", files={"file": (name, data)})


def handbook(visitor: TestClient) -> str:
    return next(str(one["id"]) for one in visitor.get("/api/documents").json() if one["name"] == "handbook.md")


def test_an_upload_can_be_asked(visitor: TestClient) -> None:
    made = upload(visitor)
    assert made.status_code == 201
    about = made.json()
    assert (about["name"], about["title"], about["format"], about["sections"]) == ("tea.md", "Tea", "markdown", 2)
    answer = visitor.post("/api/ask", json={"documents": [about["id"]], "question": QUESTION}).json()
    assert answer["answer"] == "Uji"
    assert answer["evidence"]["source"] == "tea.md"
    assert answer["evidence"]["path"] == ["Tea", "Green"]


def test_it_answers_as_the_command_line_does(visitor: TestClient) -> None:
    asked = {"documents": [handbook(visitor)], "question": LEAVE, "top": 3, "max_tokens": 500}
    ours = docqn.ask(Path(docqn.__file__).parent / "examples" / "handbook.md", LEAVE, top=3, max_tokens=500).as_json()
    theirs = visitor.post("/api/ask", json=asked).json()
    for result in (ours, theirs):
        del result["seconds"]
        text = json.dumps(result)
        result.clear()
        result["text"] = text.replace(str(Path(docqn.__file__).parent / "examples") + "/", "")
    assert ours == theirs


def test_parsed_documents_are_those_of_the_command_line(visitor: TestClient) -> None:
    id = upload(visitor).json()["id"]
    nodes = visitor.get(f"/api/documents/{id}/nodes").json()
    assert [node["kind"] for node in nodes["nodes"]][:3] == ["title", "section", "paragraph"]
    outline = visitor.get(f"/api/documents/{id}/outline").json()
    assert [part["title"] for part in outline["nodes"]] == ["Green", "Black"]


def events(text: str) -> list[tuple[str, Any]]:
    parts = [part for part in text.split("\n\n") if part and not part.startswith(":")]
    return [(one.split("\n")[0].removeprefix("event: "), json.loads(one.split("data: ", 1)[1])) for one in parts]


def test_a_question_as_a_stream_of_steps(visitor: TestClient) -> None:
    id = handbook(visitor)
    asked = {"documents": [id], "question": LEAVE}
    answer = visitor.post("/api/ask", json=asked).json()
    posted = visitor.post("/api/ask/stream", json=asked)
    fetched = visitor.get("/api/ask/stream", params={"document": id, "question": LEAVE})
    assert posted.headers["content-type"].startswith("text/event-stream")
    for stream in (posted, fetched):
        told = events(stream.text)
        assert [name for name, _ in told] == ["begin", *["step"] * answer["steps"], "answer"]
        assert [data["step"] for name, data in told if name == "step"] == [*range(1, answer["steps"] + 1)]
        assert told[-1][1]["answer"] == answer["answer"]
    wrong = visitor.post("/api/ask/stream", json={"documents": ["none"], "question": LEAVE})
    assert [name for name, _ in events(wrong.text)] == ["begin", "error"]


def test_documents_belong_to_their_session(visitor: TestClient) -> None:
    made = upload(visitor)
    id, session = made.json()["id"], made.headers["docqn-session"]
    other = TestClient(visitor.app, base_url="http://localhost:8000")
    assert other.get(f"/api/documents/{id}").status_code == 404
    assert other.get(f"/api/documents/{id}", headers={"Docqn-Session": session}).status_code == 200
    assert other.delete(f"/api/documents/{id}").status_code == 404
    assert [one["name"] for one in other.get("/api/documents").json()] == ["handbook.md"]
    assert [one["name"] for one in visitor.get("/api/documents").json()] == ["tea.md", "handbook.md"]
    assert visitor.delete(f"/api/documents/{id}").status_code == 204
    assert visitor.get(f"/api/documents/{id}").status_code == 404
    assert visitor.delete(f"/api/documents/{handbook(visitor)}").status_code == 404


def test_sessions_end() -> None:
    now = [0.0]
    sessions = Sessions(Limits(session_minutes=10, sessions=2, documents=1), lambda: now[0])
    first, second = sessions.begin(), sessions.begin()
    assert len({first.id, second.id}) == 2
    id = sessions.keep(first, MANUAL, document(["Tea."]))
    assert sessions.keep(first, MANUAL, document(["Tea."])) == id
    for wrong in (lambda: sessions.begin(), lambda: sessions.keep(first, b"other", document(["Other."]))):
        with pytest.raises(docqn.DocqnError):
            wrong()
    now[0] = 500
    assert sessions.find(first.id) is first
    now[0] = 700
    assert sessions.find(second.id) is None
    assert sessions.find(first.id) is first
    assert sessions.find(None) is None
    sessions.begin()


def test_an_upload_leaves_nothing_on_disk(visitor: TestClient, cache_folder: Path, tmp_path: Path) -> None:
    before = set(Path(tempfile.gettempdir()).glob("docqn-*"))
    id = upload(visitor).json()["id"]
    visitor.post("/api/ask", json={"documents": [id], "question": QUESTION})
    assert set(Path(tempfile.gettempdir()).glob("docqn-*")) <= before
    assert list(cache_folder.rglob("*.docqn")) == []


@pytest.mark.parametrize(
    ("asked", "status", "said"),
    [
        ({"question": QUESTION}, 422, "documents: "),
        ({"documents": [], "question": QUESTION}, 422, "documents: "),
        ({"documents": ["x"], "question": QUESTION}, 404, "no such document"),
        ({"documents": ["../../etc/passwd"], "question": QUESTION}, 404, "no such document"),
        ({"documents": [""], "question": "  "}, 422, "the question is empty"),
        ({"documents": ["x"], "question": "a" * 1001}, 413, "longer than 1000 characters"),
        ({"documents": ["x"] * 21, "question": QUESTION}, 422, "from 1 to 20 documents"),
        ({"documents": ["x"], "question": QUESTION, "max_tokens": 0}, 422, "max_tokens: "),
        ({"documents": ["x"], "question": QUESTION, "policy": "os:system"}, 404, "no such document"),
    ],
)
def test_what_is_wrong_is_said(visitor: TestClient, asked: dict[str, Any], status: int, said: str) -> None:
    answer = visitor.post("/api/ask", json=asked)
    assert answer.status_code == status
    assert said in answer.json()["error"]


@pytest.mark.parametrize(
    ("data", "name", "said"),
    [
        (b"", "a.md", "a.md: is empty"),
        (b"\0\1\2" * 99, "a.md", "a.md: "),
        (b"%PDF-1.4\n%%EOF", "../../x.pdf", "x.pdf: "),
        (b"\0\1\2" * 99, "C:\\secret\\a.txt", "a.txt: "),
    ],
)
def test_a_bad_upload_is_one_line(visitor: TestClient, data: bytes, name: str, said: str) -> None:
    answer = upload(visitor, data, name)
    assert answer.status_code == 422
    assert answer.json()["error"].startswith(said)
    assert upload(visitor).status_code == 201


def test_a_request_without_a_file_is_one_line(visitor: TestClient) -> None:
    assert "file: " in visitor.post("/api/documents", data={"x": "y"}).json()["error"]
    assert visitor.post("/api/ask", content=b"{", headers={"Content-Type": "application/json"}).status_code == 422


def test_uploads_are_limited_in_size_and_number() -> None:
    with client(limits=Limits(upload_bytes=1000, documents=2)) as visitor:
        large = upload(visitor, MANUAL * 50)
        assert (large.status_code, "larger than" in large.json()["error"]) == (413, True)
        huge = upload(visitor, b"x" * (3 << 20))
        assert huge.status_code == 413
        head = b'--b\r\nContent-Disposition: form-data; name="file"; filename="a.md"\r\n\r\n'
        chunks = (head if not n else b"x" * 100_000 for n in range(30))  # without saying how much will come
        kind = {"Content-Type": "multipart/form-data; boundary=b"}
        assert visitor.post("/api/documents", content=chunks, headers=kind).status_code == 413
        assert [upload(visitor, MANUAL, f"{n}.md").status_code for n in range(3)] == [201, 201, 409]


def test_all_uploads_together_are_limited() -> None:
    with client(limits=Limits(held_bytes=5000)) as visitor:
        statuses = [upload(visitor, MANUAL, f"{n}.md").status_code for n in range(20)]
        assert {*statuses} == {201, 503}
        assert statuses == sorted(statuses)


class Gated(ReadBest):
    """Waits until its gate is opened."""

    def __init__(self) -> None:
        super().__init__(2)
        self.gate = threading.Event()
        self.running = 0
        self.most = 0
        self.lock = threading.Lock()

    def traces(self, pairs: Sequence[Pair], setting: Setting) -> list[Trace]:
        with self.lock:
            self.running += 1
            self.most = max(self.most, self.running)
        assert self.gate.wait(60)
        with self.lock:
            self.running -= 1
        return super().traces(pairs, setting)


def test_only_so_many_questions_are_worked_on_at_once() -> None:
    gated = Gated()
    with client(policy=gated, limits=Limits(at_once=2, waiting=3)) as visitor, ThreadPoolExecutor(9) as pool:
        asked = {"documents": [upload(visitor).json()["id"]], "question": QUESTION}
        work = [pool.submit(visitor.post, "/api/ask", json=asked) for _ in range(9)]
        first = [one.result().status_code for _, one in zip(range(4), as_completed(work), strict=False)]
        gated.gate.set()
        statuses = sorted(one.result().status_code for one in work)
    assert first == [503] * 4
    assert statuses == [200] * 5 + [503] * 4
    assert gated.most == 2


def test_what_takes_too_long_is_given_up_but_keeps_its_turn() -> None:
    gated = Gated()
    with client(policy=gated, limits=Limits(seconds=3, at_once=1, waiting=9)) as visitor:
        asked = {"documents": [upload(visitor).json()["id"]], "question": QUESTION}
        late = visitor.post("/api/ask", json=asked)
        assert (late.status_code, late.json()["error"]) == (408, "this takes longer than 3 seconds")
        with ThreadPoolExecutor(1) as pool:
            following = pool.submit(visitor.post, "/api/ask", json=asked)
            time.sleep(0.3)
            assert gated.running == 1  # the one that nobody waits for any more
            gated.gate.set()
            assert following.result().status_code == 200
    assert gated.most == 1


def test_parsing_that_takes_too_long_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    from docqn.serving.web.limits import Refused
    from docqn.serving.web.parse_apart import parse_apart

    with pytest.raises(Refused, match="longer than") as caught:
        asyncio.run(parse_apart(MANUAL, "tea.md", Limits(seconds=0.01)))
    assert caught.value.status == 408
    with pytest.raises(Refused, match="more memory"):
        asyncio.run(parse_apart(MANUAL, "tea.md", replace(Limits(), memory_bytes=1 << 24)))


def test_the_server_offers_files_by_name_alone(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "tea.md").write_bytes(MANUAL)
    (tmp_path / "coffee.md").write_bytes(MANUAL.replace(b"tea", b"coffee"))
    (tmp_path / "secret.txt").write_text("Nobody reads this.")
    with client(str(tmp_path / "*" / "tea.md"), str(tmp_path / "coffee.md")) as visitor:
        listed = {one["name"]: one["id"] for one in visitor.get("/api/documents").json()}
        assert {*listed} == {"a/tea.md", "coffee.md", "handbook.md"}
        whole = visitor.get("/").text + visitor.get(f"/d/{listed['a/tea.md']}?q=tea").text
        answer = visitor.post("/api/ask", json={"documents": [listed["a/tea.md"]], "question": QUESTION})
        assert str(tmp_path) not in whole + answer.text
        (tmp_path / "coffee.md").unlink()
        gone = visitor.get(f"/api/documents/{listed['coffee.md']}")
        assert (gone.status_code, gone.json()) == (422, {"error": "coffee.md: no such file"})
        for path in ("/static/../app.py", "/static/%2e%2e/app.py", "/static/..%2fapp.py", "/d/..%2f..%2fetc%2fpasswd"):
            assert visitor.get(path).status_code == 404, path


def test_the_schema_describes_every_address(visitor: TestClient) -> None:
    schema = visitor.get("/openapi.json").json()
    assert {*schema["paths"]} == {
        "/api/documents",
        "/api/documents/{id}",
        "/api/documents/{id}/nodes",
        "/api/documents/{id}/outline",
        "/api/ask",
        "/api/ask/stream",
    }
    assert {"answer", "score", "evidence", "trace"} <= schema["components"]["schemas"]["Result"]["properties"].keys()
    assert all(method["description"] for path in schema["paths"].values() for method in path.values())


def test_a_fault_of_the_program_is_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    class Broken(ReadBest):
        def traces(self, pairs: Sequence[Pair], setting: Setting) -> list[Trace]:
            raise RuntimeError("a secret")

    with client(policy=Broken(2)) as visitor:
        answer = visitor.post("/api/ask", json={"documents": [handbook(visitor)], "question": LEAVE})
        assert (answer.status_code, "secret" in answer.text) == (500, False)
