"""A corpus on disk: opened in an instant, read without copying, and never holding more memory than it was bid."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path

from docqn.arrays import Array, ArrayFile, open_arrays
from docqn.corpora import split as splits
from docqn.corpora import vocabulary as words
from docqn.corpora.layout import DOCUMENTS, PER_TOKEN, STORED, VOCABULARY, file_meta, split_file
from docqn.corpora.manifest import Manifest
from docqn.corpora.ragged import Ragged, Strings
from docqn.corpora.split import Split
from docqn.corpora.vocabulary import Vocabulary
from docqn.document import Document
from docqn.errors import DocqnError

RELEASE_AFTER = 256 << 20  # bytes read, about; pages of the map that were read count as the process's memory
_READ_AROUND = 1 << 16  # bytes that the system maps about each array that is touched

_NEEDED = frozenset(("first_node", "first_word", "first_byte", "sizes", "name", "name_offset", "format", *STORED))


class Corpus:
    """The documents, words and splits in a folder that `docqn corpus build` made."""

    def __init__(self, folder: Path | str) -> None:
        self.folder = Path(folder)
        self.manifest = Manifest.load(self.folder)
        self._documents = self._open(DOCUMENTS, "documents", _NEEDED)
        self.arrays: dict[str, Array] = self._documents.arrays  # of all documents, one after another
        self.first_node = self.arrays["first_node"]  # [documents + 1]: where each document's nodes begin
        self.first_word = self.arrays["first_word"]  # its tokens
        self.first_byte = self.arrays["first_byte"]  # its text
        self.names = Strings(Ragged(self.arrays["name"], self.arrays["name_offset"]))
        self._splits: dict[str, Split] = {}
        self._read = 0
        bytes = self.manifest.files[DOCUMENTS]["bytes"] // max(len(self), 1)
        self._usual = bytes + _READ_AROUND * len(STORED)  # that reading a document takes, in the mean
        counts = (self.manifest.nodes, self.manifest.tokens, len(self.arrays["utf8"]))
        if len(self) != self.manifest.documents or counts != tuple(
            int(first[-1]) for first in (self.first_node, self.first_word, self.first_byte)
        ):
            raise DocqnError(f"{self.folder}: the documents are not those of the manifest; build the corpus again")

    def __len__(self) -> int:
        return len(self.first_node) - 1

    @property
    def splits(self) -> tuple[str, ...]:
        """Names of the splits."""
        return tuple(self.manifest.splits)

    def split(self, name: str) -> Split:
        """The split of this name."""
        if name not in self.manifest.splits:
            raise DocqnError(f"{self.folder}: has no split {name!r}; choose {', '.join(self.splits)}")
        if name not in self._splits:
            self._splits[name] = Split(self, name, self._open(split_file(name), "split", splits.NEEDED).arrays)
        return self._splits[name]

    @cached_property
    def vocabulary(self) -> Vocabulary:
        """The words of all documents and questions."""
        return Vocabulary(self._open(VOCABULARY, "vocabulary", words.NEEDED).arrays)

    def document(self, number: int) -> Document:
        """A document, as views of the arrays of all; its tokens are numbers in the corpus's vocabulary."""
        number = range(len(self))[number]
        nodes, tokens, text = (
            slice(*first[number : number + 2].tolist()) for first in (self.first_node, self.first_word, self.first_byte)
        )
        place = dict.fromkeys(STORED, nodes) | dict.fromkeys(PER_TOKEN, tokens) | {"utf8": text}
        document = Document(
            source=self.names[number],
            format=self.manifest.formats[self.arrays["format"][number]],
            vocabulary_utf8=self.vocabulary.utf8,
            **{name: self.arrays[name][where] for name, where in place.items()},
        )
        vars(document)["vocabulary"] = self.vocabulary.words  # decodes a word when asked for it
        self._read += self._usual
        if self._read > RELEASE_AFTER:
            self.release()
        return document

    def release(self) -> None:
        """Give what was read of the documents back to the system. What refers to them stays valid."""
        self._read = 0
        self._documents.release()

    def _open(self, name: str, what: str, needed: frozenset[str]) -> ArrayFile:
        opened = open_arrays(self.folder / name)
        if not (file_meta(what).items() <= opened.meta.items() and needed <= opened.arrays.keys()):
            raise DocqnError(f"{self.folder / name}: is not what the manifest says; build the corpus again")
        return opened
