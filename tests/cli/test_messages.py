"""What commands show of how far they are."""

import io
import sys

import pytest

from docqn.cli.messages import bar


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
