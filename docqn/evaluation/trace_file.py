"""Traces on disk: JSON lines, a header with the settings and then one trace a line; gzipped if the name ends in .gz."""

from __future__ import annotations

import gzip
import json
import shutil
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, cast

from docqn.errors import DocqnError
from docqn.files import lock
from docqn.policies.trace import Trace

FORMAT = "traces 2"
_OTHER = "was begun with other settings; remove it to begin anew, or name another file"

Header = dict[str, Any]


class TraceWriter:
    """Traces written as they come to `FILE.part`, which becomes FILE when all are there.

    If there is such a part, written with the same header, it is gone on from; `written` are the traces that it holds.
    One that holds none is begun anew.
    """

    def __init__(self, path: Path, header: Header) -> None:
        self.path = path
        self.part = path.with_name(f"{path.name}.part")
        self._header = header
        self._file: IO[str] | None = None
        self._ready = False  # for more traces

    def written(self) -> Iterator[Trace]:
        """The traces of the part, whose last line may have been cut off; then it is open for more."""
        self._open()
        whole = 0
        with _reading(self.part, _opened(self.part)) as file:
            for number, line in enumerate(file, start=1):
                if not line.endswith(b"\n"):
                    break
                if number > 1:
                    yield _trace(self.part, number, line)
                elif _header(self.part, line) != json.loads(json.dumps(self._header)):
                    if file.readline():
                        raise DocqnError(f"{self.part}: {_OTHER}")
                    break
                whole += len(line)
        self._cut(whole)

    def write(self, trace: Trace) -> None:
        """Add a trace."""
        self._print(trace.as_json())

    def finish(self) -> None:
        """All are there."""
        self.close()
        try:
            if self.path.suffix == ".gz":
                packed = self.path.with_name(f"{self.path.name}.packing")
                with self.part.open("rb") as plain, gzip.open(packed, "wb", compresslevel=6) as file:
                    shutil.copyfileobj(plain, file)
                packed.replace(self.path)
                self.part.unlink()
            else:
                self.part.replace(self.path)
        except OSError as error:
            raise _unwritable(self.path, error) from error

    def close(self) -> None:
        """Leave the part as it is, to be gone on from."""
        file, self._file = self._file, None
        try:
            if file is not None:
                file.close()
        except OSError as error:
            raise _unwritable(self.part, error) from error

    def _open(self) -> None:
        """Open the part; nobody else may write to it meanwhile."""
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._file = self.part.open("a", encoding="utf-8", errors="surrogatepass")
            lock(self._file, f"{self.part}: another evaluation is writing it")
        except OSError as error:
            raise _unwritable(self.part, error) from error

    def _cut(self, whole: int) -> None:
        """Forget what follows so many bytes; the header comes first."""
        if self._file is None:
            raise ValueError("the writer is closed")
        self._file.truncate(whole)
        self._ready = True
        if not whole:
            self._print({"docqn": FORMAT, **self._header})

    def _print(self, record: dict[str, Any]) -> None:
        if self._file is None or not self._ready:
            raise ValueError("go through `written` first")
        try:
            self._file.write(json.dumps(record, separators=(",", ":"), ensure_ascii=False) + "\n")
        except OSError as error:
            raise _unwritable(self.part, error) from error


def read_header(path: Path) -> Header:
    """The settings that a file of traces was made with."""
    with _reading(path, _opened(path)) as file:
        return _header(path, file.readline())


def read_traces(path: Path) -> Iterator[Trace]:
    """The traces of a file, in order."""
    with _reading(path, _opened(path)) as file:
        _header(path, file.readline())
        for number, line in enumerate(file, start=2):
            yield _trace(path, number, line)


def _trace(path: Path, number: int, line: bytes) -> Trace:
    try:
        return Trace.from_json(json.loads(line.decode("utf-8", "surrogatepass")))
    except (ValueError, RecursionError) as error:
        raise DocqnError(f"{path}: line {number} is not a trace ({_fault(error)})") from error


def _fault(error: Exception) -> str:
    """What is wrong, and where if it is known: pydantic's errors tell of every fault, the first is enough."""
    if not hasattr(error, "errors"):
        return str(error)
    first = error.errors()[0]
    return f"{'.'.join(map(str, first['loc']))}: {first['msg']}"


def _header(path: Path, line: bytes) -> Header:
    try:
        header = json.loads(line)
        if header.pop("docqn") == FORMAT:
            return cast(Header, header)
    except (ValueError, KeyError, AttributeError, TypeError, RecursionError):
        pass
    raise DocqnError(f"{path}: is not a file of docqn's traces ({FORMAT})")


def _opened(path: Path) -> IO[bytes]:
    try:
        with path.open("rb") as file:
            zipped = file.read(2) == b"\x1f\x8b"
        return cast(IO[bytes], gzip.open(path)) if zipped else path.open("rb")
    except OSError as error:
        raise DocqnError(f"{path}: cannot be read ({error.strerror})") from error


@contextmanager
def _reading(path: Path, file: IO[bytes]) -> Iterator[IO[bytes]]:
    """The file, closed in the end; what goes wrong in reading is the user's to see."""
    with file:
        try:
            yield file
        except (OSError, EOFError, zlib.error) as error:
            raise DocqnError(f"{path}: cannot be read ({getattr(error, 'strerror', None) or error})") from error


def _unwritable(path: Path, error: OSError) -> DocqnError:
    return DocqnError(f"{path}: cannot be written ({error.strerror})")
