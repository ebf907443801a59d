"""Files that are written whole or not at all."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from docqn.errors import DocqnError


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """A temporary path beside `path`, to be written and then renamed. What goes wrong is the user's to see. What is no
    file, such as /dev/stdout, is written to as it is."""
    special = path.exists() and not path.is_file()
    part = path if special else path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        yield part
        if not special:
            part.replace(path)
    except OSError as error:
        raise DocqnError(f"{path}: cannot be written ({error.strerror or error})") from error
    finally:
        if not special:
            with suppress(OSError):
                part.unlink(missing_ok=True)
