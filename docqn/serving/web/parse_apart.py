"""Parsing in a process of its own, which can be ended when it takes too long or too much: what comes from elsewhere may
be made to do harm."""

from __future__ import annotations

import asyncio
import os
import sys
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from docqn.document import ARRAYS, Document
from docqn.errors import DocqnError, ParseError
from docqn.serving.web.limits import Limits, Refused

_WRONG = 2  # the status of a process that found something wrong with the document


async def parse_apart(data: bytes, name: str, limits: Limits) -> Document:
    """The document in `data`. Nothing of it stays on disk."""
    with TemporaryDirectory(prefix="docqn-") as folder:
        out = Path(folder, "document")
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", __name__, name, str(out), str(limits.memory_bytes)),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": os.pathsep.join([str(Path(__file__).parents[3]), *sys.path])},
        )
        try:
            said, _ = await asyncio.wait_for(process.communicate(data), limits.seconds)
        except TimeoutError:
            raise Refused(408, f"{name}: takes longer than {limits.seconds:g} seconds to read") from None
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()
        if process.returncode == _WRONG:
            raise ParseError(name, said.decode(errors="replace"))
        if process.returncode:
            raise Refused(422, f"{name}: cannot be read; it takes more memory than it may, or is damaged")
        document = Document.load(out)
        copies: dict[str, Any] = {
            array: np.array(getattr(document, array)) for array in ARRAYS
        }  # the file will be gone
        return replace(document, source=name, **copies)


def main(name: str, out: str, memory: str) -> None:
    """Parse standard input into a file."""
    from docqn.parsers import parse_bytes

    _bound(int(memory))
    try:
        parse_bytes(sys.stdin.buffer.read(), name).save(Path(out))
    except ParseError as error:
        sys.stdout.write(error.reason)
        sys.exit(_WRONG)
    except DocqnError as error:
        sys.stdout.write(str(error).replace(out, name))
        sys.exit(_WRONG)


def _bound(memory: int) -> None:
    """No more memory than that, where the system can tell."""
    try:
        import resource
    except ImportError:  # not on Windows
        return
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))


if __name__ == "__main__":
    main(*sys.argv[1:])
