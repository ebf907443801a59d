"""Building a corpus: question files and documents, in shards by many processes, merged into one folder."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import NamedTuple

from docqn.corpora.layout import MANIFEST
from docqn.corpora.manifest import Manifest
from docqn.corpora.merge import merge, sources_digest
from docqn.corpora.parallel import run_tasks
from docqn.corpora.plan import Plan, make_plan
from docqn.corpora.progress import Progress, no_progress
from docqn.corpora.records import Bad
from docqn.corpora.shards import Shard, build_shard, shard_digest
from docqn.errors import DocqnError
from docqn.files import lock

FEWEST_BAD = 10  # as many bad records never stop a build, unless none are allowed

Report = Callable[[Bad], None]


class Built(NamedTuple):
    """The corpus, and how it came to be."""

    manifest: Manifest
    reused: int  # shards of an earlier build that was interrupted
    untouched: bool  # it was there already


def build(
    files: Sequence[Path],
    evidence: Path | None,
    out: Path,
    *,
    rules: str | None = None,
    splits: Sequence[str] = (),
    format: str | None = None,
    jobs: int | None = None,
    max_bad: float = 0.01,
    progress: Progress = no_progress,
    report: Report = lambda bad: None,
) -> Built:
    """Build the corpus in `out`. An interrupted build leaves `OUT.partial`, from which the next one goes on."""
    jobs = jobs or _cores()
    plan = make_plan(files, evidence, rules=rules, splits=splits, format=format, progress=progress)
    partial_folder = out.parent / f"{out.name}.partial"
    if out.exists():
        manifest = _same(out, plan, jobs, progress)
        shutil.rmtree(partial_folder, ignore_errors=True)  # of a build that was interrupted at its very end
        return Built(manifest, 0, True)
    gate = _Gate(plan, max_bad, report)
    for bad in plan.bad:
        gate.count(bad)
    try:
        partial_folder.mkdir(parents=True, exist_ok=True)
        with (partial_folder / "lock").open("w") as mine:
            lock(mine, f"{out}: another build is making it; let it end, or choose another place (--out)")
            shards = _build_shards(plan, partial_folder, jobs, gate, progress)
            progress("merging", 0, 1)
            folder = partial_folder / "corpus"
            shutil.rmtree(folder, ignore_errors=True)  # of a merge that was interrupted
            folder.mkdir()
            manifest = merge(plan, shards, folder)
            os.rename(folder, out)
        shutil.rmtree(partial_folder)
        progress("merging", 1, 1)
    except OSError as error:
        raise DocqnError(f"{error.filename or out}: {error.strerror or error}") from error
    return Built(manifest, sum(shard.reused for shard in shards), False)


def _build_shards(plan: Plan, folder: Path, jobs: int, gate: _Gate, progress: Progress) -> list[Shard]:
    shards = []
    documents = 0
    progress("documents", 0, len(plan.names))
    with closing(run_tasks(partial(build_shard, folder=folder), plan.tasks(), min(jobs, plan.shards()))) as done:
        for shard in done:
            shards.append(shard)
            documents += shard.documents
            progress("documents", documents, len(plan.names))
            for bad in shard.bad:
                gate.count(bad)
    return shards


def _same(out: Path, plan: Plan, jobs: int, progress: Progress) -> Manifest:
    """The corpus that is there, if it was built from the same."""
    if not (out / MANIFEST).exists():
        raise DocqnError(f"{out}: is there already and is not a corpus; choose another place (--out)")
    manifest = Manifest.load(out)
    digests = []
    with closing(run_tasks(shard_digest, plan.tasks(), min(jobs, plan.shards()))) as done:
        for digest in done:
            digests.append(digest)
            progress("comparing", len(digests), plan.shards())
    if sources_digest(plan, [digest for _, digest in sorted(digests)]) != manifest.sources_digest:
        raise DocqnError(f"{out}: was built from other files or settings; delete it, or choose another place (--out)")
    return manifest


def _cores() -> int:
    """Those that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class _Gate:
    """Reports bad records, and ends the build when they are too many."""

    def __init__(self, plan: Plan, share: float, report: Report) -> None:
        self.most = max(FEWEST_BAD, int(share * plan.records)) if share else 0
        self.all, self.report, self.found = plan.records, report, 0

    def count(self, bad: Bad) -> None:
        self.report(bad)
        self.found += 1
        if self.found > self.most:
            limit = f"{f'more than {self.most}' if self.most else 'some'} of {self.all} questions and documents are bad"
            raise DocqnError(f"{limit} (--max-bad allows more); the last: {bad}")
