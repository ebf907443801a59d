"""Fuzzing: whatever bytes come, a parser gives a sound document or a ParseError, and does not take long.

`python -m fuzz.fuzz_docx --seconds 60` mutates seeds at random; with atheris installed, it lets coverage guide it.
"""

import argparse
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from random import Random

from docqn.document import Document
from docqn.errors import ParseError
from docqn.invariants import violations

Parse = Callable[[bytes, str], Document]
Mutate = Callable[[bytes, Random], bytes]

LONGEST_SECONDS = 10.0  # for one input
LARGEST = 1 << 20  # bytes of an input
MOST_SEEDS = 200  # what was mutated may be mutated again


def check(parse: Parse, data: bytes) -> None:
    """Fail if the bytes lead to anything but a sound document or a ParseError on one line."""
    try:
        found = violations(parse(data, "fuzz"))
    except ParseError as error:
        found = ["a message of several lines"] if "\n" in str(error) else []
    if found:
        raise AssertionError("; ".join(found))


def fuzz(parse: Parse, seeds: Sequence[bytes], mutate: Mutate) -> None:
    """Run for as long as the command line says; the first input that fails is kept in a file."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--seconds", type=float, default=30)
    options.add_argument("--seed", type=int, default=0)
    settings = options.parse_args()
    with suppress(ImportError):
        _guided(parse, seeds, mutate, settings.seconds)
        return
    random, count, slowest, pool = Random(settings.seed), 0, 0.0, list(seeds)
    end = time.monotonic() + settings.seconds
    while time.monotonic() < end:
        data = mutate(random.choice(pool), random)[:LARGEST]
        start = time.process_time()
        try:
            check(parse, data)
        except BaseException:
            _keep(data)
            raise
        slowest = max(slowest, time.process_time() - start)
        count += 1
        if len(pool) < MOST_SEEDS and random.random() < 0.1:
            pool.append(data)
        if slowest > LONGEST_SECONDS:
            _keep(data)
            sys.exit(f"an input took {slowest:.1f} s")
    print(f"{count} inputs, all well; the slowest took {slowest:.2f} s")


def _keep(data: bytes) -> None:
    with tempfile.NamedTemporaryFile(prefix="fuzz-", delete=False) as file:
        file.write(data)
    print(f"the input is kept as {file.name}", file=sys.stderr)


def _guided(parse: Parse, seeds: Sequence[bytes], mutate: Mutate, seconds: float) -> None:
    import atheris  # type: ignore[import-untyped]

    def mutator(data: bytes, most: int, seed: int) -> bytes:
        return mutate(data, Random(seed))[:most]

    with tempfile.TemporaryDirectory() as corpus:
        for i, seed in enumerate(seeds):
            (Path(corpus) / str(i)).write_bytes(seed)
        arguments = [sys.argv[0], f"-max_total_time={int(seconds)}", f"-timeout={int(LONGEST_SECONDS)}", corpus]
        atheris.instrument_all()
        atheris.Setup(arguments, lambda data: check(parse, data), custom_mutator=mutator)
        atheris.Fuzz()


def mutated(data: bytes, random: Random, words: Sequence[bytes] = (b"\0", b"\xff", b"<", b">", b"\n")) -> bytes:
    """The bytes with a few places changed, removed, repeated, swapped or set to one of the words."""
    for _ in range(random.choice((1, 1, 2, 4, 8))):
        start = random.randrange(len(data) + 1)
        end = min(len(data), start + random.choice((0, 1, 2, 8, 32, 256)))
        part = data[start:end]
        change = random.randrange(5)
        if change == 0:
            part = random.choice(words)
        elif change == 1:
            part = b""
        elif change == 2:
            part *= random.choice((2, 3, 50))
        elif change == 3:
            part = bytes(byte ^ (1 << random.randrange(8)) for byte in part[:2]) + part[2:]
        else:
            other = random.randrange(len(data) + 1)
            part = data[other : other + random.choice((1, 8, 64, 512))]
        data = data[:start] + part + data[end:]
    return data
