"""Two policies together: `ensemble:A,B,5` by a threshold on the stopping index, `ensemble:A,B` by their answers.

By threshold: A's choice where it stops at an index from 1 up to the threshold, else B's. An agent that walks is strong
near the beginning of a document, a ranking further on. The paper finds the threshold on its development set, as `docqn
evaluate` does for `ensemble:A,B,tuned`. B only goes where A's choice does not hold.

By answer: both answer, and the answer is taken whose probabilities sum to most, over both and over all documents of a
question. The stop is that of the policy whose answer it is.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

from docqn.environment.pairs import Pair
from docqn.errors import DocqnError
from docqn.policies import Policy, Setting, trained
from docqn.policies import policy as policy_named
from docqn.policies.consumption import united
from docqn.policies.trace import Trace
from docqn.text.answers import normalize_triviaqa


def policy(argument: str = "") -> Ensemble:
    """An ensemble of the two policies that the argument names, with a threshold or without."""
    names = argument.split(",")
    threshold = int(names.pop()) if names[-1].isdecimal() else None
    if len(names) != 2 or not all(names):
        raise DocqnError(
            f"'ensemble:{argument}' does not name two policies, as in 'ensemble:agent:agents/a,doc-tfidf,5'"
        )
    return Ensemble(policy_named(names[0]), policy_named(names[1]), threshold)


class Ensemble:
    """See the module."""

    def __init__(self, first: Policy, second: Policy, threshold: int | None) -> None:
        parts = [first.name, second.name, *([] if threshold is None else [str(threshold)])]
        self.name = f"ensemble:{','.join(parts)}"
        self.trained = {name: facts for part in (first, second) for name, facts in trained(part).items()}
        self._first, self._second, self._threshold = first, second, threshold

    def traces(self, pairs: Sequence[Pair], setting: Setting) -> list[Trace]:
        setting = replace(setting, watch=None)  # whose way is the one that counts is known only at the end
        first = self._first.traces(pairs, setting)
        asked = [i for i, trace in enumerate(first) if not self._holds(trace)]
        second = dict(
            zip(asked, self._after([pairs[i] for i in asked], [first[i] for i in asked], setting), strict=True)
        )
        return [
            self._together(pair, trace, second.get(i)) for i, (pair, trace) in enumerate(zip(pairs, first, strict=True))
        ]

    def _after(self, pairs: Sequence[Pair], first: Sequence[Trace], setting: Setting) -> list[Trace]:
        """The second policy's traces; it may consume what the first has left over."""
        most = [setting.most(pair.document) for pair in pairs]
        left = [None if one is None else one - trace.tokens_read for one, trace in zip(most, first, strict=True)]
        if not any(one is not None for one in left):
            return self._second.traces(pairs, setting)
        own = [replace(setting, tokens=one, share=None) for one in left]
        return [self._second.traces([pair], one)[0] for pair, one in zip(pairs, own, strict=True)]

    def _holds(self, first: Trace) -> bool:
        """Whether the first policy's choice is taken without asking the second. The title, of index 0, is no choice."""
        return self._threshold is not None and 0 < first.stop_index <= self._threshold

    def _together(self, pair: Pair, first: Trace, second: Trace | None) -> Trace:
        if second is None:
            return replace(first, policy=self.name)
        chosen = by_answer(first, second) if self._threshold is None else second
        paragraphs = list(dict.fromkeys([*first.paragraphs, *second.paragraphs]))
        twice = len(first.paragraphs) + len(second.paragraphs) - len(paragraphs)
        return replace(
            chosen,
            policy=self.name,
            readings=[*first.readings, *second.readings],
            read=united(pair.document, first.read, second.read),
            paragraphs=paragraphs,
            reader_calls=first.reader_calls + second.reader_calls - twice,
            uses_index=first.uses_index or second.uses_index,
            seconds=first.seconds + second.seconds,
        )


def by_answer(first: Trace, second: Trace) -> Trace:
    """The trace whose answer has the larger sum of probabilities. The other's answers count with it."""
    answers = [[trace.answer, *trace.others] if trace.answer else [] for trace in (first, second)]
    total: defaultdict[str, float] = defaultdict(float)
    for answer in [*answers[0], *answers[1]]:
        total[normalize_triviaqa(answer.text)] += answer.probability
    worth = [total[normalize_triviaqa(trace.answer.text)] if trace.answer else -1.0 for trace in (first, second)]
    chosen, other = (first, 1) if worth[0] >= worth[1] else (second, 0)
    return replace(chosen, others=[*chosen.others, *answers[other]])
