"""All lexical baselines on the development pairs of TriviaQA-Schools-NoP, as `docqn evaluate` runs them.

DOCQN_BENCH_CORPUS names the folder of a corpus that `docqn corpus build` made. Readings are not cached.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from benchmarks import Row

POLICIES = ("random-walk", "random-para", "first-paragraph", "read-top", "tfidf", "doc-tfidf", "bm25")
SPLIT = os.environ.get("DOCQN_BENCH_SPLIT", "dev")
SECONDS = 60
MEGABYTES = 1500


def run(seed: int) -> Iterable[Row]:
    """Time and memory of a process of its own; nothing where there is no corpus."""
    corpus = Path(os.environ.get("DOCQN_BENCH_CORPUS", "corpora/schools"))
    if not (corpus / "manifest.json").exists():
        print(f"skipped: no corpus in {corpus}; name one with DOCQN_BENCH_CORPUS", file=sys.stderr)
        return
    with TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "docqn", "evaluate", str(corpus), "--split", SPLIT, "--no-cache", "--quiet"]
        command += ["--seed", str(seed), "--json", str(Path(folder) / "results.json")]
        start = perf_counter()
        process = subprocess.Popen([*command, *(part for name in POLICIES for part in ("--policy", name))])
        _, status, used = os.wait4(process.pid, 0)
        seconds = perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
    if status:
        raise RuntimeError(f"docqn evaluate ended with status {process.returncode}")
    yield Row(f"{len(POLICIES)} policies on {SPLIT}", seconds, at_most=SECONDS)
    yield Row("the same, seconds of a processor", used.ru_utime + used.ru_stime)
    yield Row("memory, at most", used.ru_maxrss / 1024, unit="MB", at_most=MEGABYTES)
