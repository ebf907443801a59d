"""Results in words, on the command line and on the page."""

from __future__ import annotations

from docqn.serving.result import Evidence, Result

_SURE = ((0.9, "very sure"), (0.7, "fairly sure"), (0.5, "not very sure"), (0.0, "unsure"))


def sureness(score: float) -> str:
    """In words and percent."""
    words = next(words for bound, words in _SURE if score >= bound)
    return f"{words}, {100 * score:.0f} %"


def account(result: Result) -> str:
    """What the answer took: `read 3.1 % of 84,200 tokens in 9 steps, 0.7 s`."""
    share = 100 * result.tokens_read / max(result.tokens_total, 1)
    among = f" in {result.documents:,} documents" if result.documents > 1 else ""
    steps = f"{result.steps} step{'' if result.steps == 1 else 's'}"
    percent = f"{share:.1f}" if share >= 0.1 or not share else f"{share:.1g}"
    return f"read {percent} % of {result.tokens_total:,} tokens{among} in {steps}, {result.seconds:.1f} s"


def place(evidence: Evidence) -> str:
    """The document with the page or line."""
    if evidence.page is not None:
        return f"{evidence.source}, page {evidence.page}"
    return evidence.source if evidence.line is None else f"{evidence.source}, line {evidence.line}"


def missing(result: Result) -> str:
    """That there is no answer."""
    return f"The document{'s do' if result.documents > 1 else ' does'} not seem to answer this."
