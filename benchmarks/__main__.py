"""`python -m benchmarks [NAME ...]` runs benchmarks/bench_NAME.py, or all, and prints a Markdown table of each."""

import argparse
import os
import platform
from collections.abc import Iterable, Iterator
from datetime import datetime
from importlib import import_module
from math import isfinite
from pathlib import Path

from benchmarks import Row


def main(arguments: list[str] | None = None) -> None:
    """Run the benchmarks that the command line names."""
    known = sorted(path.stem.removeprefix("bench_") for path in Path(__file__).parent.glob("bench_*.py"))
    parser = argparse.ArgumentParser(prog="benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"one of: {', '.join(known)}")
    parser.add_argument("--seed", type=int, default=0, help="of everything that is drawn at random (default 0)")
    options = parser.parse_args(arguments)
    if unknown := set(options.names) - set(known):
        parser.error(f"no benchmark {', '.join(sorted(unknown))}; there are: {', '.join(known)}")

    print(f"{datetime.now():%Y-%m-%d %H:%M}, {machine()}, seed {options.seed}")
    for name in options.names or known:
        module = import_module(f"benchmarks.bench_{name}")
        print(f"\n## {name}\n\n{module.__doc__}\n")
        for line in lines(module.run(options.seed)):
            print(line, flush=True)


def machine() -> str:
    """Processor, cores and Python, as figures need them beside them."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.exists() else []
    models = [line.partition(": ")[2] for line in lines if line.startswith("model name")]
    processor = models[0] if models else platform.processor() or platform.machine()
    return f"{processor}, {os.cpu_count()} cores, {platform.system()}, Python {platform.python_version()}"


def lines(rows: Iterable[Row]) -> Iterator[str]:
    """The rows as a table in Markdown, as they come."""
    yield from ("| work | docqn | beside it | ratio | aim |", "|---|--:|--:|--:|--:|")
    for row in rows:
        beside = "" if row.theirs is None else f"{_figure(row.theirs)} {row.unit} ({row.rival})"
        ratio = "" if row.theirs is None else f"{_figure(row.judged)}×"
        yield f"| {row.work} | {_figure(row.ours)} {row.unit} | {beside} | {ratio} | {_aim(row)} |"


def _figure(number: float) -> str:
    return f"{number:,.0f}" if number >= 1000 else f"{number:.3g}"


def _aim(row: Row) -> str:
    unit = f" {row.unit}" if row.theirs is None else "×"
    limits = (("≥", row.at_least), ("≤", row.at_most))
    bounds = [f"{sign} {_figure(limit)}{unit}" for sign, limit in limits if isfinite(limit)]
    return " ".join([*bounds, "✓" if row.reached else "✗"]) if bounds else ""


if __name__ == "__main__":
    main()
