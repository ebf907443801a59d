"""Policies: how to get from a question to a paragraph of its document. One policy, one module.

A policy's module defines `policy(argument: str) -> Policy`; the argument is what follows the name, such as the folder
of a trained agent or the parts of an ensemble (`--policy ensemble:bm25,first-paragraph,5`).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from docqn import plugins
from docqn.document import Document
from docqn.environment.mdp import TEST_LIMIT
from docqn.environment.pairs import Pair
from docqn.policies.trace import Step, Trace
from docqn.readers import Reader

if TYPE_CHECKING:
    from docqn.corpora.store import Corpus

Watch = Callable[[Pair, Step], None]


@dataclass(frozen=True, eq=False)
class Setting:
    """What all policies are run with."""

    reader: Reader
    seed: int = 0
    limit: int = TEST_LIMIT  # of steps
    masked: bool = (
        True  # whether only legal actions are offered; otherwise, as in the paper, illegal ones stay in place
    )
    corpus: "Corpus | None" = None  # that the pairs are from, for what is counted over all documents
    tokens: int | None = None  # of each document that may be observed or read, each counted once; None: all
    share: float | None = None  # of each document's tokens, a limit too
    watch: Watch | None = None  # is shown each step and each paragraph that is read; what it raises ends the work

    def most(self, document: Document) -> int | None:
        """Tokens of the document that may be observed or read; None: all."""
        if self.share is None:
            return self.tokens
        part = int(self.share * len(document.token))
        return part if self.tokens is None else min(part, self.tokens)


class Policy(Protocol):
    """Goes through documents in batches. What it does with a pair does not depend on the others of the batch.

    It consumes no more of a document than `setting.most(document)`; a paragraph is read whole or not at all. What it
    shows to `setting.watch` is the beginning of what is then in the trace; one that reads all at once shows nothing.
    One that was trained may say how: `trained` has, by its name, the `preset`, the `seed` and whatever else matters.
    """

    name: str

    def traces(self, pairs: Sequence[Pair], setting: Setting) -> list[Trace]:
        """What it did, one trace a pair. Labels of the pairs go into the traces; only an oracle uses them."""
        ...


def policy(name: str) -> Policy:
    """The policy with this name, `name:argument`, or `package.module:Name`."""
    made: Policy = plugins.make(__name__, name, "policy", ("name", "traces"))
    return made


def trained(one: Policy) -> dict[str, dict[str, Any]]:
    """What it tells of its training, and an ensemble of its parts', by policy's name."""
    return dict(getattr(one, "trained", {}))


def builtin() -> tuple[str, ...]:
    """Names of the built-in policies."""
    return plugins.names(__name__, "policy")
