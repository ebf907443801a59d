"""Give `docqn parse --json` bad input in every format, and print a Markdown table of what it says, takes and needs.

Each file is made and parsed by processes of their own, so that their memory is theirs. Anything but a tree, or one line
and status 2, within the limits is a failure. For Linux and macOS.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile
from datetime import UTC, datetime
from multiprocessing import Process
from pathlib import Path
from typing import NamedTuple

from benchmarks.__main__ import machine
from docqn.parsers import formats
from tools.bad_input.files import SUFFIX, Scale, bad_files

MOST_SECONDS = 120.0
MOST_MEMORY = 4 << 30  # bytes
END = 1 << 16  # bytes of the output that the last node is in

_ID = re.compile(rb'\{"id": (\d+)')


class Outcome(NamedTuple):
    """What became of one source."""

    said: str
    nodes: int
    seconds: float  # of processor time
    memory: int  # bytes at most
    well: bool


def main() -> None:
    """Print the table; the status tells whether all went well."""
    options = argparse.ArgumentParser(prog="tools.bad_input", description=__doc__)
    options.add_argument("formats", nargs="*", default=list(formats()))
    chosen = options.parse_args().formats
    print(f"{datetime.now(UTC):%Y-%m-%d}, {machine()}\n")
    print("| format | input | MB | what comes | processor s | MB at most |\n|---|---|--:|---|--:|--:|")
    well = True
    with tempfile.TemporaryDirectory() as folder:
        for format in chosen:
            path = Path(folder, f"bad.{SUFFIX.get(format, format)}")
            for number, (name, _) in enumerate(bad_files(format, Scale())):
                writer = Process(target=_write, args=(format, number, path))
                writer.start()
                writer.join()
                well &= _row(format, name, path)
                path.unlink()
        if set(chosen) == set(formats()):
            well &= _row("any", "a missing file", Path(folder, "missing.pdf"))
            well &= _row("any", "a folder without documents", Path(folder))
    sys.exit(not well)


def _write(format: str, number: int, path: Path) -> None:
    path.write_bytes(list(bad_files(format, Scale()))[number][1]())


def _row(format: str, name: str, path: Path) -> bool:
    size = path.stat().st_size / 1e6 if path.is_file() else 0.0
    done = parse(path, None if format == "any" else format)
    said = f"{done.nodes:,} nodes" if done.nodes else done.said
    failed = "" if done.well else " **fails**"
    needed = f"{done.seconds:.1f} | {done.memory / 1e6:,.0f}"
    print(f"| {format} | {name} | {size:.3g} | {said}{failed} | {needed} |", flush=True)
    return done.well


def parse(path: Path, format: str | None) -> Outcome:
    """Run the command on the source to its end."""
    command = [sys.executable, "-m", "docqn", "parse", "--json", str(path), *(["--format", format] if format else [])]
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        process = subprocess.Popen(command, stdout=out, stderr=err)
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = code = os.waitstatus_to_exitcode(status)
        seconds = used.ru_utime + used.ru_stime
        memory = used.ru_maxrss * (1 if sys.platform == "darwin" else 1024)
        out.seek(max(out.seek(0, os.SEEK_END) - END, 0))
        ids = _ID.findall(out.read())
        err.seek(0)
        lines = err.read().decode().replace(str(path), path.name).splitlines()
    nodes = int(ids[-1]) + 1 if ids else 0
    said = "; ".join(lines).removeprefix("docqn: error: ")
    clear = (code == 0 and nodes > 0 and not lines) or (code == 2 and not nodes and len(lines) == 1)
    return Outcome(said, nodes, seconds, memory, clear and seconds <= MOST_SECONDS and memory <= MOST_MEMORY)


if __name__ == "__main__":
    main()
