"""Work shared out to processes: all of it is done, and an interruption at a bad moment leaves nobody waiting."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from docqn.corpora.parallel import run_tasks
from docqn.errors import DocqnError

WHILE_A_PROCESS_STARTS = """
import os, signal, sys
from multiprocessing.popen_spawn_posix import Popen
from docqn.corpora.parallel import run_tasks

launch = Popen._launch

def launch_and_interrupt(self, process):
    launch(self, process)
    os.kill({"parent": os.getpid(), "child": self.pid}[sys.argv[1]], signal.SIGINT)

if __name__ == "__main__":
    Popen._launch = launch_and_interrupt
    try:
        print(sum(run_tasks(abs, range(4), 2)))
    except KeyboardInterrupt:
        print("interrupted")
"""


@pytest.mark.parametrize("jobs", [1, 2])
def test_every_task_is_done_once(jobs: int) -> None:
    assert sorted(run_tasks(abs, range(-9, 0), jobs)) == list(range(1, 10))


@pytest.mark.skipif(os.name == "nt", reason="Windows has other signals")
@pytest.mark.parametrize(("interrupted", "printed"), [("parent", "interrupted"), ("child", "6")])
def test_an_interruption_while_a_process_starts(tmp_path: Path, interrupted: str, printed: str) -> None:
    """The pool does not know of the process yet, and the process has not come as far as to leave it to its parent."""
    (tmp_path / "run.py").write_text(WHILE_A_PROCESS_STARTS)
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])}
    command = [sys.executable, str(tmp_path / "run.py"), interrupted]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, env=environment)
    assert (done.returncode, done.stdout, done.stderr) == (0, f"{printed}\n", "")


def test_a_process_that_dies_is_an_error() -> None:
    with pytest.raises(DocqnError, match="a process ended on its own"):
        list(run_tasks(os._exit, range(3), 2))


def test_signals_are_what_they_were_when_the_work_is_done() -> None:
    before = [signal.getsignal(one) for one in (signal.SIGINT, signal.SIGTERM)]
    list(run_tasks(abs, range(3), 2))
    assert [signal.getsignal(one) for one in (signal.SIGINT, signal.SIGTERM)] == before
