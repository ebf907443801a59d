"""The agent at work on one core: acting, updates at the paper's sizes and the small ones, and where their time goes.

Products alone are those of the layers and LSTM gates for what was encoded: one of each in a forward pass, three in one
that is learnt from. The share outside is what torch's profiler sees of an update besides products, convolutions and
LSTMs; its own time counts. Plain encoding runs the LSTM over the whole path to every node of a tree, up to 120 words,
padded to 120 or to the longest of 64 of like length. Documents are generated. Memory is that of a process of its own,
on the corpus that DOCQN_BENCH_CORPUS names: the paper's sizes, a full replay, every answer prediction in it read, and
an evaluation. Seconds are those of the processor.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterable
from math import inf
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time

import numpy as np
import torch
from torch.profiler import ProfilerActivity, profile, record_function

from benchmarks import Row
from benchmarks.agent_world import Agent, agent, plain_observations, products, questions
from docqn.environment.mdp import States
from docqn.environment.pairs import Pair

ROUNDS = int(os.environ.get("DOCQN_BENCH_ROUNDS", "8"))
CURSORS = 64
BATCHED = 2  # times as fast as one at a time
OUTSIDE = 0.15
SHARED = 5  # times less than plain encoding
MEGABYTES = 3000
_PRODUCTS = (
    "mm addmm bmm mv addmv dot convolution_backward mkldnn_convolution mkldnn_rnn_layer mkldnn_rnn_layer_backward"
)
_MATRIX = {f"aten::{name}" for name in _PRODUCTS.split()}


def run(seed: int) -> Iterable[Row]:
    """Rows as they are measured."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        pairs = questions(seed)
        for preset in ("docqn", "docqn-small"):
            for encoder in ("lstm", "mlp"):
                yield from _agent(agent(preset, encoder, pairs, seed), f"{preset}, {encoder}")
        yield from _encoding(agent("docqn", "lstm", pairs, seed), pairs)
    finally:
        torch.set_num_threads(threads)
    yield from _memory(seed)


def _agent(made: Agent, name: str) -> Iterable[Row]:
    many, one = made.explorer(CURSORS), made.explorer(1)

    def act_one() -> None:
        for _ in range(CURSORS // 4):
            one.act(made.learner.values, 0.0, 0.0)

    many_s, one_s = _best(lambda: many.act(made.learner.values, 0.0, 0.0), act_one)
    ours, theirs = CURSORS / many_s, CURSORS // 4 / one_s
    yield Row(f"{name}: acting, {CURSORS} cursors", ours, "one", theirs, unit="steps/s", at_least=BATCHED)

    samples = [made.sample() for _ in range(ROUNDS)]
    for sample in samples:  # reads what it has to
        made.learner.update(sample, 1e-4)
    following = [made.maker.environment.step(sample.states, sample.action)[0] for sample in samples]
    (seconds,) = _best(lambda: [made.learner.update(sample, 1e-4) for sample in samples], rounds=3)
    seconds /= ROUNDS
    yield Row(f"{name}: updates of {made.settings.batch}", 1 / seconds, unit="updates/s")
    work = [_work(made, sample.states, after) for sample, after in zip(samples, following, strict=True)]
    flops = float(np.mean([flops for flops, _ in work]))
    (products_s,) = _best(lambda: [go() for _, go in work], rounds=3)
    ours, theirs = flops / seconds / 1e9, flops / (products_s / ROUNDS) / 1e9
    yield Row(f"{name}: update", ours, "products alone", theirs, unit="GFLOP/s")
    aim = OUTSIDE if made.settings.hidden == 300 else inf  # of small matrices the rest is more, whatever is done
    share = _outside(lambda: [made.learner.update(sample, 1e-4) for sample in samples])
    yield Row(f"{name}: share outside matrix products", 100 * share, unit="%", at_most=100 * aim)


def _work(made: Agent, states: States, after: States) -> tuple[float, Callable[[], None]]:
    """Floating point operations of an update, and its matrix products by themselves."""
    learnt, judged = (products(made.learner.online, made.maker.of(which)) for which in (states, after))
    times = [(shape, 3 * count) for shape, count in learnt] + [(shape, 2 * count) for shape, count in judged]
    flops = sum(2.0 * m * k * n * count for (m, k, n), count in times)
    matrices = [(torch.randn(m, k), torch.randn(k, n), count) for (m, k, n), count in times]

    def go() -> None:
        for left, right, count in matrices:
            for _ in range(count):
                left @ right

    return flops, go


def _outside(work: Callable[[], object]) -> float:
    """The share of some work that is spent elsewhere than in matrix products."""
    with profile(activities=[ProfilerActivity.CPU]) as seen, record_function("all of it"):
        work()
    events = seen.key_averages()
    (whole,) = (event.cpu_time_total for event in events if event.key == "all of it")
    matrix = sum(event.self_cpu_time_total for event in events if event.key in _MATRIX)
    return float(1 - matrix / whole)


def _encoding(made: Agent, pairs: list[Pair]) -> Iterable[Row]:
    """All nodes of some trees, each tree by itself."""
    network, environment = made.learner.online, made.maker.environment
    trees = [np.arange(len(pair.document), dtype=np.int32) for pair in pairs[:ROUNDS]]
    states = [
        States(np.full(len(nodes), task, np.int64), nodes, np.zeros(len(nodes), np.int32), np.zeros(len(nodes), bool))
        for task, nodes in enumerate(trees)
    ]
    batches = [made.batch(of) for of in states]
    with torch.no_grad():
        words = [network.words(batch.given, batch.bucket, batch.character) for batch in batches]
        plain, alike = (
            [plain_observations(network, made.maker, environment.place(of), padded=padded) for of in states]
            for padded in (True, False)
        )
        shared_s, plain_s, alike_s = _best(
            lambda: [network.observed(*part) for part in zip(words, batches, strict=True)],
            lambda: [go(part) for go, part in zip(plain, words, strict=True)],
            lambda: [go(part) for go, part in zip(alike, words, strict=True)],
            rounds=3,
        )
        for go, part, batch in zip(plain, words, batches, strict=True):
            apart = (network.observed(part, batch).pool.mean[batch.node] - go(part)).abs().max()
            assert apart < 1e-5, apart
    ours, work = shared_s / len(trees), "encoding all nodes of a tree"
    yield Row(work, ours, "each by itself, padded to 120", plain_s / len(trees), at_most=1 / SHARED)
    yield Row(work, ours, "each by itself, by length", alike_s / len(trees))


def _best(*contestants: Callable[[], object], rounds: int = ROUNDS) -> list[float]:
    """The fewest seconds of the processor of each; they run in turn."""
    best = [inf] * len(contestants)
    for _ in range(rounds):
        for i, contestant in enumerate(contestants):
            start = process_time()
            contestant()
            best[i] = min(best[i], process_time() - start)
    return best


def _memory(seed: int) -> Iterable[Row]:
    corpus = Path(os.environ.get("DOCQN_BENCH_CORPUS", "corpora/schools"))
    if not (corpus / "manifest.json").exists():
        print(f"memory: skipped, no corpus in {corpus}; name one with DOCQN_BENCH_CORPUS", file=sys.stderr)
        return
    with TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "benchmarks.agent_memory", str(corpus), folder, str(seed)]
        process = subprocess.Popen(command)
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if status:
        raise RuntimeError(f"the training ended with status {process.returncode}")
    yield Row("memory of a training with a full replay", used.ru_maxrss / 1024, unit="MB", at_most=MEGABYTES)
