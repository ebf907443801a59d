"""Running policies over pairs: traces to a file as they come, outcomes in memory; what was interrupted goes on."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any

from docqn.environment.pairs import Pair
from docqn.errors import DocqnError
from docqn.evaluation.outcomes import Outcomes
from docqn.evaluation.thresholds import best_threshold
from docqn.evaluation.trace_file import TraceWriter
from docqn.policies import Policy, Setting, policy, trained
from docqn.policies.trace import Trace

if TYPE_CHECKING:
    from docqn.corpora.split import Split

BATCH = 64  # pairs
TUNED = ",tuned"  # ends the name of an ensemble whose threshold is to be found

Progress = Callable[[str, int, int], None]  # policy, pairs done, pairs


def expanded(names: Sequence[str]) -> tuple[list[str], dict[str, dict[str, Any]]]:
    """The policies to run, each once: the parts of an ensemble that is to be tuned come before it. And what they tell
    of their trainings."""
    found: dict[str, dict[str, dict[str, Any]]] = {}
    for name in names:
        parts = _parts(name)
        for one in (*parts, name):
            if one.endswith(TUNED):  # what is wrong is told at once; its traces will be named as it names itself
                made = policy(f"{one.removesuffix(TUNED)},0")
                found[made.name.removesuffix(",0") + TUNED] = trained(made)
            elif one not in found:
                found[one] = trained(policy(one))
    return list(found), {name: facts for told in found.values() for name, facts in told.items()}


def run(
    names: Sequence[str],
    split: Split | Sequence[Pair],
    count: int,
    setting: Setting,
    normalization: str = "triviaqa",
    writer: TraceWriter | None = None,
    progress: Progress = lambda policy, done, all: None,
) -> dict[str, Outcomes]:
    """The outcomes of the policies on the first so many pairs, by the policies' own names. Two names of one policy
    (`read-top` and `read-top:800`, a tuned threshold and the same one written out) are run once."""
    found: dict[str, Outcomes] = {}
    known = writer.written() if writer else iter(())
    for name in names:
        made = _made(name, found)
        if made.name in found:
            continue
        outcomes = found[made.name] = Outcomes(normalization)
        for trace in islice(known, count):
            outcomes.add(trace)
        progress(name, len(outcomes), count)
        if len(outcomes) == count:
            continue
        for trace in _traces(made, split, range(len(outcomes), count), setting):
            if writer:
                writer.write(trace)
            outcomes.add(trace)
            progress(name, len(outcomes), count)
    if next(known, None) is not None:
        raise DocqnError("the part that was written holds more traces than this evaluation has; remove it")
    return found


def _traces(made: Policy, split: Split | Sequence[Pair], places: range, setting: Setting) -> Iterator[Trace]:
    for first in range(places.start, places.stop, BATCH):
        batch = split[first : min(first + BATCH, places.stop)]
        yield from made.traces([one if isinstance(one, Pair) else Pair.of(one) for one in batch], setting)


def _made(name: str, found: dict[str, Outcomes]) -> Policy:
    parts = _parts(name)
    if not parts:
        return policy(name)
    first, second = (found[policy(part).name] for part in parts)
    threshold = best_threshold(first, second)
    return policy(f"{name.removesuffix(TUNED)},{threshold}")


def _parts(name: str) -> list[str]:
    """The two policies of an ensemble that is to be tuned."""
    return name.removesuffix(TUNED).partition(":")[2].split(",")[:2] if name.endswith(TUNED) else []
