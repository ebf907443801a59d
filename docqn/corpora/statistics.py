"""The paper's Tables 1 and 2 and Figure 2: a split before and after the rules, in numbers."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from docqn.corpora.layout import SIZES
from docqn.corpora.nop import Fate
from docqn.corpora.split import Split
from docqn.document import NONE
from docqn.errors import DocqnError
from docqn.files import replacing

Ints = NDArray[np.int32]

BIN = 10  # node indices in a bar of Figure 2
BINS = 30  # bars; the last one holds all larger indices too


def statistics(split: Split) -> dict[str, Any]:
    """All figures of a split; `original` has the same ones for the split as it was read."""
    arrays = split.arrays
    dropped_document = arrays["dropped_document"]
    original = _variant(
        split,
        question=np.concatenate([split.question, arrays["dropped_question"]]),
        document=np.concatenate([split.document, dropped_document]),
        first_answer=np.concatenate([arrays["original_first_answer"], arrays["dropped_original_first_answer"]]),
        variant=0,
    )
    kept = _variant(split, split.question, split.document, split.first_answer, variant=1)
    return kept | {
        "dropped": _by_fate(arrays["dropped_fate"]),
        "dropped_questions": _by_fate(_lost_questions(split)),
        "verified": _verified(split),
        "original": original | {"questions": len(split.question_ids)},
    }


def _variant(split: Split, question: Ints, document: Ints, first_answer: Ints, variant: int) -> dict[str, Any]:
    """The figures of these pairs; `variant` is 0 for documents before the rules, 1 for after."""
    documents = np.unique(document[document != NONE])
    sizes = split.corpus.arrays["sizes"][documents, variant]
    means = sizes.mean(axis=0).tolist() if len(sizes) else [None] * len(SIZES)
    first = first_answer[first_answer != NONE]
    bars = np.bincount(np.minimum(first // BIN, BINS - 1), minlength=BINS) if len(first) else np.zeros(BINS, int)
    return {
        "questions": len(np.unique(question)),
        "pairs": len(question),
        "documents": len(documents),
        "fao_median": float(np.median(first)) if len(first) else None,
        "fao_histogram": bars.tolist(),
        **{f"{name}_mean": mean for name, mean in zip(SIZES, means, strict=True)},
    }


def _lost_questions(split: Split) -> Ints:
    """Of each question that lost all its pairs, the rule that took the last one, in the order of the rules."""
    last = np.zeros(len(split.question_ids), np.int32)
    np.maximum.at(last, split.arrays["dropped_question"], split.arrays["dropped_fate"])
    last[split.question] = Fate.KEPT
    lost: Ints = last[last != Fate.KEPT]
    return lost


def _by_fate(fates: Ints) -> dict[str, int]:
    counts = np.bincount(fates, minlength=len(Fate)).tolist()
    return {fate.label: counts[fate] for fate in Fate if fate != Fate.KEPT}


def _verified(split: Split) -> dict[str, int]:
    """What people judged of the pairs, and what became of the paragraphs that they named."""
    verified = np.concatenate([split.arrays["verified"], split.arrays["dropped_verified"]])
    counts = np.concatenate([split.arrays["supporting_counts"], split.arrays["dropped_supporting_counts"]])
    given, missing, in_preface = counts.clip(min=0).sum(axis=0).tolist()
    return {
        "judged": int((verified != NONE).sum()),
        "supported": int((verified == 1).sum()),
        "with_paragraphs": int((np.diff(split.supporting.offset) > 0).sum()),
        "supporting_paragraphs": given,
        "not_found": missing,
        "in_preface": in_preface,
    }


def write_figure(path: Path, statistics: Mapping[str, Mapping[str, Any]]) -> None:
    """Figure 2: shares of pairs by the index of their first answer node, before and after the rules, with medians."""
    try:
        from matplotlib import rc_context
        from matplotlib.figure import Figure
    except ImportError:
        raise DocqnError("figures need matplotlib; install docqn[report]") from None
    kind = path.suffix.lstrip(".").lower() or "png"
    figure = Figure(figsize=(7, 2.4 * len(statistics)), layout="constrained")
    axes = figure.subplots(len(statistics), squeeze=False, sharex=True)[:, 0]
    left = np.arange(BINS) * BIN
    for axis, (name, numbers) in zip(axes, statistics.items(), strict=True):
        for label, variant, color in (("as read", numbers["original"], "tab:gray"), ("kept", numbers, "tab:blue")):
            bars = np.array(variant["fao_histogram"])
            median = variant["fao_median"]
            if median is None:
                continue
            label = f"{label}, median {median:g}"
            axis.bar(left, 100 * bars / bars.sum(), BIN, align="edge", alpha=0.5, color=color, label=label)
            axis.axvline(median, color=color, linestyle="--")
        axis.set(title=name, ylabel="% of pairs")
        if axis.patches:
            axis.legend()
    axes[-1].set_xlabel(f"index of the first answer node ({left[-1]} and above in the last bar)")
    undated = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}.get(kind)  # the same figure is the same file
    try:
        with rc_context({"svg.hashsalt": "first answers"}), replacing(path) as part:
            figure.savefig(part, format=kind, metadata=undated)
    except ValueError as error:
        raise DocqnError(f"{path}: {error}") from error
