"""What commands show of how far they are."""

import io
import sys

import pytest

from docqn.cli import main
from docqn.cli.messages import INTERRUPTED, bar


class Screen(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(("quiet", "screen"), [(False, True), (True, True), (False, False)])
def test_a_bar_only_where_somebody_watches(monkeypatch: pytest.MonkeyPatch, quiet: bool, screen: bool) -> None:
    errors = Screen() if screen else io.StringIO()
    monkeypatch.setattr(sys, "stderr", errors)
    monkeypatch.setenv("TERM", "xterm")
    with bar("Reading", quiet) as advance:
        for done in range(1, 4):
            advance(done, 3)
    assert ("Reading" in errors.getvalue()) == (screen and not quiet)
    assert ("100%" in errors.getvalue()) == (screen and not quiet)


def test_interrupted_before_a_command_has_begun_it_says_so(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def app(arguments: list[str] | None, prog_name: str) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("docqn.cli.app", app)
    with pytest.raises(SystemExit, match=str(INTERRUPTED)):
        main(["parse"])
    assert capsys.readouterr().err == "docqn: interrupted\n"
