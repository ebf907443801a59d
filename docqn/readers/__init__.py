"""Readers: find the answer to a question in a passage. One reader, one module.

A reader's module defines `reader(argument: str) -> Reader`; the argument is what follows the name, a folder for trained
ones (`--reader rasor:runs/rasor`), for which the folder alone will do too.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple, Protocol

from docqn import plugins


class Reading(NamedTuple):
    """What a reader says of one passage: its best answer there and how sure it is."""

    start: int  # characters of the passage
    end: int
    text: str  # passage[start:end]
    logit: float  # z_l: the score of the answer; comparable between passages as far as the reader can
    probability: float  # of being the answer
    entropy: float  # z_e: of the distribution over spans
    tokens: int  # z_n: length of the passage in tokens


class Reader(Protocol):
    """Reads batches of question–passage pairs. The same pair always gives the same reading."""

    fingerprint: str  # changes whenever its readings may

    def read(self, questions: Sequence[str], passages: Sequence[str]) -> list[Reading]:
        """One reading a pair. A passage without a token gives an empty answer."""
        ...


def reader(name: str) -> Reader:
    """The reader with this name, `name:argument`, `package.module:Name`, or a trained one's folder or ONNX file."""
    if name.partition(":")[0] not in plugins.names(__name__, "reader") and Path(name).exists():
        from docqn.readers.neural.folder import kind_of

        name = f"{kind_of(Path(name)) or 'transformer'}:{name}"
    made: Reader = plugins.make(__name__, name, "reader", ("fingerprint", "read"))
    return made
