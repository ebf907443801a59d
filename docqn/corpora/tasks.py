"""What a process is given to make one shard of a corpus."""

from __future__ import annotations

import json
from hashlib import blake2b
from typing import NamedTuple

from docqn.corpora.records import PageRecord, Source
from docqn.errors import DocqnError

NOP, ORIGINAL = "nop", "original"
RULES = (NOP, ORIGINAL)  # the preface removed and pairs dropped by the rules of TriviaQA-NoP; or all as it came


class PairTask(NamedTuple):
    """A question on a document."""

    pair: int  # number in the whole build
    question: int  # row of the shard's answers
    page: PageRecord


class DocumentTask(NamedTuple):
    """A document and the questions on it."""

    name: str
    source: Source
    pairs: tuple[PairTask, ...]


class ShardTask(NamedTuple):
    """Some documents, and the answers to the questions on them."""

    number: int
    rules: str
    answers: tuple[tuple[str, ...], ...]
    documents: tuple[DocumentTask, ...]

    def digest(self) -> str:
        """Of all that the shard is made from, the documents' contents included."""
        documents = [(document.name, document.pairs) for document in self.documents]
        digest = blake2b(json.dumps((self.number, self.rules, self.answers, documents)).encode(), digest_size=16)
        for document in self.documents:
            try:
                data = document.source.read()
            except DocqnError:
                data = b""  # cannot be read now; another digest once it can
            digest.update(len(data).to_bytes(8, "little"))
            digest.update(data)
        return digest.hexdigest()
