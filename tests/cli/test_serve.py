"""`docqn serve` and `docqn mcp` from the outside."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import HTTPCookieProcessor, build_opener, urlopen

import pytest

import docqn
from docqn.cli import main

TEA = "# Tea\n\nGreen tea comes from Uji.\n"


@contextmanager
def serving(folder: Path, *arguments: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """The command in a process of its own, and the address that it prints."""
    paths = os.pathsep.join([str(Path(docqn.__file__).parents[1]), *sys.path])
    environment = {**os.environ, "PYTHONPATH": paths, "DOCQN_CACHE": str(folder / "cache")}
    command = [sys.executable, "-m", "docqn", "serve", "--port", "0", *arguments]
    with subprocess.Popen(
        command, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            assert process.stdout is not None
            yield process, process.stdout.readline().strip()
        finally:
            process.kill()


def test_it_prints_its_address_serves_and_ends(tmp_path: Path) -> None:
    (tmp_path / "tea.md").write_text(TEA)
    with serving(tmp_path, "tea.md") as (process, address):
        with urlopen(f"{address}api/documents", timeout=20) as answer:
            assert [one["name"] for one in json.load(answer)] == ["tea.md", "handbook.md"]
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=20)
    assert (process.returncode, out, err) == (0, "", "docqn: Ctrl-C ends it\n")


def test_elsewhere_it_makes_up_a_token(tmp_path: Path) -> None:
    with serving(tmp_path, "--host", "0.0.0.0", "--quiet") as (_, address):
        plain, _, token = address.replace("0.0.0.0", "127.0.0.1").partition("?token=")
        assert len(token) > 15
        with pytest.raises(HTTPError, match="401") as caught:
            urlopen(plain, timeout=20)
        caught.value.close()
        browser = build_opener(HTTPCookieProcessor())
        with browser.open(f"{plain}?token={token}&x=1", timeout=20) as answer:
            assert answer.status == 200


def failed(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    with pytest.raises(SystemExit) as caught:
        main([*arguments])
    assert caught.value.code == 2
    out, err = capsys.readouterr()
    assert out == ""
    return str(err)


def test_what_is_wrong_is_one_line(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        said = failed(capsys, "serve", "--port", port)
        assert said.startswith(f"docqn: error: 127.0.0.1:{port}: cannot be listened on")
    assert failed(capsys, "serve", str(tmp_path)).startswith(f"docqn: error: {tmp_path}: no documents in this folder")
    assert "'none' is not among the readers" in failed(capsys, "serve", "--reader", "none")
    assert failed(capsys, "mcp", str(tmp_path / "*.md")).endswith("no file matches\n")


@pytest.mark.parametrize(("command", "lacking"), [("serve", "uvicorn"), ("mcp", "mcp.server.mcpserver")])
def test_without_the_extra_it_says_what_to_install(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, command: str, lacking: str
) -> None:
    monkeypatch.setitem(sys.modules, lacking, None)
    monkeypatch.delitem(sys.modules, "docqn.serving.mcp_server", raising=False)
    assert "pip install 'docqn[serve]'" in failed(capsys, command, "tea.md")
