"""What all tests share: how Hypothesis draws its examples, that an interrupt interrupts, and what a machine without a
browser does."""

import os
import signal

import pytest
from hypothesis import settings

from tests.serving.web.browser import missing

# No deadline: how long one example takes says more about the machine than about the code.
settings.register_profile("dev", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True, print_blob=True)
settings.load_profile("ci" if os.environ.get("CI") else "dev")

# A script that runs the tests in the background has them ignore interrupts, and so what they start.
signal.signal(signal.SIGINT, signal.default_int_handler)

LEFT_OUT = pytest.StashKey[int]()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Without a browser its tests are not run, and that is said at the end."""
    if missing():
        needy = [item for item in items if item.get_closest_marker("browser")]
        items[:] = [item for item in items if not item.get_closest_marker("browser")]
        config.hook.pytest_deselected(items=needy)
        config.stash[LEFT_OUT] = len(needy)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    if count := config.stash.get(LEFT_OUT, 0):
        terminalreporter.write_line(f"{count} tests in a browser were left out: this machine has no {missing()}")
