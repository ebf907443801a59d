"""The file of a split: its questions, the pairs that were kept, and those that were dropped with the reason."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from docqn.arrays import Array, save_arrays
from docqn.corpora.layout import file_meta
from docqn.corpora.nop import Fate
from docqn.corpora.ragged import Offsets, Ragged, offsets
from docqn.corpora.records import PageRecord, QuestionRecord
from docqn.text.tokens import token_spans, token_texts

Ints = NDArray[np.int32]

_BETWEEN = "\n\n"  # keeps the tokens of two questions apart


@dataclass(frozen=True)
class Questions:
    """The questions of a split and their tokens."""

    records: list[QuestionRecord]
    words: list[str]  # the tokens of all
    first_word: Offsets  # where each question's begin

    @classmethod
    def of(cls, records: Iterable[QuestionRecord]) -> Questions:
        """Tokenise all questions at once."""
        records = list(records)
        text = _BETWEEN.join(record.text for record in records)
        spans = token_spans(text)
        begins = offsets(len(record.text) + len(_BETWEEN) for record in records)
        return cls(records, token_texts(text, spans), np.searchsorted(spans[:, 0], begins))

    def arrays(self, number: Mapping[str, int]) -> dict[str, Array]:
        """Their arrays; `number` is the vocabulary."""
        strings = {
            "id": [record.id for record in self.records],
            "text": [record.text for record in self.records],
            "source": [record.source for record in self.records],
            "answer": list(chain.from_iterable(record.answers for record in self.records)),
        }
        arrays: dict[str, Array] = {
            "question_answer": offsets(len(record.answers) for record in self.records),
            "question_token": np.fromiter(map(number.__getitem__, self.words), np.int32, len(self.words)),
            "question_token_offset": self.first_word,
        }
        for name, values in strings.items():
            rows = Ragged.of_strings(values)
            arrays |= {name: rows.values, f"{name}_offset": rows.offset}
        return arrays


@dataclass(frozen=True)
class Pairs:
    """All pairs of a split, in the order of questions and pages."""

    question: Ints
    pages: list[PageRecord]
    single: dict[str, Ints]  # one entry a pair
    rows: dict[str, Ragged]  # several a pair

    def arrays(self) -> dict[str, Array]:
        """Their arrays, first of those that were kept."""
        fates = self.single["fate"]
        kept, dropped = np.flatnonzero(fates == Fate.KEPT), np.flatnonzero(fates != Fate.KEPT)
        verified = np.array([page.verified for page in self.pages], np.int8)
        arrays: dict[str, Array] = {
            "question": self.question[kept],
            "coverage": np.array([self.pages[i].coverage for i in kept.tolist()], np.float32),
            "verified": verified[kept],
            "doubtful": np.array([self.pages[i].doubtful for i in kept.tolist()], np.bool_),
            "dropped_question": self.question[dropped],
            "dropped_verified": verified[dropped],
        }
        for name in ("document", "first_answer", "original_first_answer", "context", "supporting_counts"):
            arrays[name] = self.single[name][kept]
        for name, rows in self.rows.items():
            some = rows.take(kept)
            arrays |= {name: some.values, f"{name}_offset": some.offset}
        for name in ("document", "fate", "original_first_answer", "supporting_counts"):
            arrays[f"dropped_{name}"] = self.single[name][dropped]
        return arrays


def write_split(path: Path, questions: Questions, pairs: Pairs, number: Mapping[str, int]) -> str:
    """Write the file. Returns its digest."""
    return save_arrays(path, questions.arrays(number) | pairs.arrays(), file_meta("split"))
