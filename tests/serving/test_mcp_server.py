"""The Model Context Protocol, with its own client."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, TypeVar

import pytest
from mcp import Client, StdioServerParameters

import docqn
from docqn.serving.mcp_server import MOST_CHARACTERS, create_server

HANDBOOK = Path(docqn.__file__).parent / "examples" / "handbook.md"
LEAVE = "How many working days of leave does the other parent get?"

T = TypeVar("T")


def talk(server: Any, work: Callable[[Client], Awaitable[T]]) -> T:
    async def run() -> T:
        async with Client(server) as client:
            return await work(client)

    return asyncio.run(run())


def call(server: Any, tool: str, **arguments: Any) -> Any:
    """What a tool gives; its error as text."""
    answer = talk(server, lambda client: client.call_tool(tool, arguments))
    if answer.is_error:
        (part,) = answer.content
        return getattr(part, "text", "")
    content = answer.structured_content
    return content["result"] if content and {*content} == {"result"} else content


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for number in range(6):
        (tmp_path / f"{number}.md").write_text(f"# Tea {number}\n\n## Origin\n\nTea number {number} comes from Uji.\n")
    (tmp_path / "long.md").write_text("# Long\n\n## All\n\n" + "Many words stand here. " * 3000)
    return tmp_path


def test_an_assistant_can_ask_and_cite(folder: Path) -> None:
    server = create_server([str(HANDBOOK)])
    found = call(server, "ask", question=LEAVE, answers=2)
    assert found["answerable"]
    best = found["answers"][0]
    assert (best["answer"], best["document"], best["line"]) == ("45", "handbook.md", 415)
    assert best["headings"][-1] == "6.4.2 The other parent"
    assert len(found["answers"]) == 2
    assert "The other parent has 45" in call(server, "read", document="handbook.md", node=best["node"])


def test_many_documents_have_names_without_folders(folder: Path) -> None:
    (folder / "bad.md").write_bytes(b"\0\1\2" * 99)
    server = create_server([str(folder)])
    names = call(server, "documents")
    assert names == [*(f"{n}.md" for n in range(6)), "bad.md", "long.md"]
    found = call(server, "ask", question="Where does tea number 4 come from?")
    assert str(folder) not in str(found)
    assert "bad.md" in str(found["notes"])
    one = call(server, "ask", question="Where does tea come from?", documents=["2.md"])
    assert {answer["document"] for answer in one["answers"]} == {"2.md"}


def test_an_assistant_can_look_around(folder: Path) -> None:
    server = create_server([str(folder)])
    outline = call(server, "outline", document="1.md")
    assert [(line["depth"], line["text"]) for line in outline] == [(0, "Tea 1"), (1, "Origin")]
    whole = call(server, "read", document="1.md", node=0)
    assert whole == "# Tea 1\n\n## Origin\n\nTea number 1 comes from Uji."
    first = call(server, "read", document="long.md", node=0)
    assert f"read on with skip={MOST_CHARACTERS}]" in first
    second = call(server, "read", document="long.md", node=0, skip=MOST_CHARACTERS)
    assert len(second) > MOST_CHARACTERS


@pytest.mark.parametrize(
    ("tool", "arguments", "said"),
    [
        ("ask", {"question": " "}, "the question is empty"),
        ("ask", {"question": "Who?", "documents": ["/etc/passwd"]}, "there is no document '/etc/passwd'"),
        ("outline", {"document": "../x"}, "there is no document '../x'"),
        ("read", {"document": "1.md", "node": 99}, "1.md has no node 99"),
        ("read", {"document": "1.md", "node": -1}, "1.md has no node -1"),
    ],
)
def test_what_is_wrong_is_said(folder: Path, tool: str, arguments: dict[str, Any], said: str) -> None:
    assert said in call(create_server([str(folder)]), tool, **arguments)


def test_the_command_speaks_over_standard_input_and_output(folder: Path, cache_folder: Path) -> None:
    paths = os.pathsep.join([str(Path(docqn.__file__).parents[1]), *sys.path])
    environment = {"PYTHONPATH": paths, "DOCQN_CACHE": str(cache_folder)}
    command = StdioServerParameters(command=sys.executable, args=["-m", "docqn", "mcp", str(HANDBOOK)], env=environment)

    async def look(client: Client) -> set[str]:
        return {tool.name for tool in (await client.list_tools()).tools}

    assert talk(command, look) == {"documents", "ask", "outline", "read"}
