"""The stream of a question while it is worked on."""

from __future__ import annotations

import asyncio
import json
import re
import threading
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import urlencode

import pytest
from starlette.testclient import TestClient
from starlette.types import ASGIApp, Message

from docqn.errors import DocqnError
from docqn.policies.read_best import ReadBest
from docqn.serving.web.app import create_app
from docqn.serving.web.limits import Limits
from tests.serving.web.stepping import READ, Stepping

QUESTION = "How many working days of leave does the other parent get?"


def client(app: ASGIApp) -> TestClient:
    return TestClient(app, base_url="http://localhost:8000", raise_server_exceptions=False)


def asked(app: ASGIApp) -> dict[str, str]:
    (document,) = client(app).get("/api/documents").json()
    return {"document": document["id"], "question": QUESTION}


def events(text: str) -> Iterator[tuple[str, Any]]:
    for part in text.split("\n\n")[:-1]:
        if not part.startswith(":"):
            name, data = part.split("\n")
            yield name.removeprefix("event: "), json.loads(data.removeprefix("data: "))


def listen(app: ASGIApp, hear: Callable[[str], bool], after: Callable[[], None] = lambda: None) -> str:
    """All that comes of a stream to a client that hears it part by part and leaves as soon as `hear` says so."""

    async def talk() -> str:
        left, parts = asyncio.Event(), [""]
        requests: list[Message] = [{"type": "http.request", "body": b"", "more_body": False}]

        async def receive() -> Message:
            if requests:
                return requests.pop()
            await left.wait()
            return {"type": "http.disconnect"}

        async def send(message: Message) -> None:
            parts.append(message.get("body", b"").decode())
            if hear(parts[-1]):
                left.set()

        scope = {
            "type": "http",
            "asgi": {"version": "3.0", "spec_version": "2.3"},
            "http_version": "1.1",
            "method": "GET",
            "scheme": "http",
            "path": "/api/ask/stream",
            "query_string": urlencode(query).encode(),
            "headers": [(b"host", b"localhost")],
        }
        await app(scope, receive, send)
        after()
        return "".join(parts)

    query = asked(app)
    return asyncio.run(talk())  # waits for the threads that it has begun


def test_a_step_comes_before_the_next_is_made() -> None:
    gates = [threading.Event() for _ in range(READ)]

    def wait(number: int) -> None:
        assert gates[number - 1].wait(20)  # until the client has heard of it

    heard = iter(gates)

    def hear(text: str) -> bool:
        if text.startswith("event: step"):
            next(heard, threading.Event()).set()
        return False

    policy = Stepping(wait)
    told = [*events(listen(create_app(policy=policy), hear))]
    assert policy.shown == READ
    assert [name for name, _ in told] == ["begin", *["step"] * (READ + 1), "answer"]
    app = create_app(policy=ReadBest(READ))
    query = asked(app)
    whole = client(app).post("/api/ask", json={"documents": [query["document"]], "question": QUESTION}).json()
    trace, seconds = whole.pop("trace"), whole.pop("seconds")
    assert [data for name, data in told if name == "step"] == [
        {"step": number, **visit} for number, visit in enumerate(trace, 1)
    ]
    answer = told[-1][1]
    assert answer.pop("seconds") > 0 < seconds
    assert answer == whole


def test_a_client_that_leaves_ends_the_work_and_frees_its_place() -> None:
    gate = threading.Event()
    policy = Stepping(lambda _: None if gate.wait(20) else pytest.fail("the client does not leave"))
    app = create_app(policy=policy, limits=Limits(at_once=1, waiting=1))
    text = listen(app, lambda text: text.startswith("event: step"), gate.set)
    assert [name for name, _ in events(text)] == ["begin", "step"]
    assert policy.shown == 1
    again = listen(app, lambda text: False)
    assert [name for name, _ in events(again)][-1] == "answer"


def test_work_that_takes_too_long_ends_at_its_next_step() -> None:
    gate = threading.Event()
    policy = Stepping(lambda _: None if gate.wait(20) else pytest.fail("the client waits for ever"))
    text = listen(create_app(policy=policy, limits=Limits(seconds=3)), lambda text: False, gate.set)
    told = [*events(text)]
    assert [name for name, _ in told] == ["begin", "step", "error"]
    assert told[-1][1] == {"error": "this takes longer than 3 seconds"}
    assert ": working" in text
    assert policy.shown == 1


@pytest.mark.parametrize(
    ("error", "said"),
    [(DocqnError("the reader is gone"), "the reader is gone"), (RuntimeError("a secret"), "something went wrong")],
)
def test_an_error_in_the_middle_ends_the_stream(error: Exception, said: str) -> None:
    def fail(number: int) -> None:
        if number == 2:
            raise error

    app = create_app(policy=Stepping(fail))
    text = client(app).get("/api/ask/stream", params=asked(app)).text
    *before, (last, data) = events(text)
    assert [name for name, _ in before] == ["begin", "step", "step"]
    assert (last, data["error"].startswith(said)) == ("error", True)
    assert "a secret" not in text


def test_the_page_comes_after_its_steps() -> None:
    app = create_app(policy=ReadBest(READ))
    visitor, address = client(app), f"/d/{asked(app)['document']}"
    streamed = visitor.get(f"{address}/live", params={"q": QUESTION})
    assert streamed.headers["x-accel-buffering"] == "no"
    *steps, (name, page) = events(streamed.text)
    assert [name for name, _ in steps] == ["step"] * (READ + 1)
    assert name == "page"
    for step in (data for _, data in steps):
        assert f'aria-label="Step {step["step"]}"' in page
        assert f'data-told="{step["told"]}"' in page
        assert f'data-node="{step["path"][-1]}"' in page
    seconds = re.compile(r"\d+\.\d s<")
    assert seconds.sub("", page) == seconds.sub("", visitor.get(address, params={"q": QUESTION}).text) != page


def test_the_page_says_what_is_wrong() -> None:
    app = create_app(policy=Stepping(lambda _: (_ for _ in ()).throw(DocqnError("the reader is gone"))))
    visitor, address = client(app), f"/d/{asked(app)['document']}"
    (first, _), (last, page) = events(visitor.get(f"{address}/live", params={"q": QUESTION}).text)
    assert (first, last) == ("step", "page")
    assert "the reader is gone" in page
    ((name, page),) = events(visitor.get(f"{address}/live", params={"q": " "}).text)
    assert (name, "the question is empty" in page) == ("page", True)
    assert visitor.get("/d/none/live", params={"q": QUESTION}).status_code == 404
