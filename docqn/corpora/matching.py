"""Where answers stand in a document: aliases as sequences of normalised words, looked up in its stream of words.

The words of a token are what TriviaQA's normalisation leaves of it: `U.S.` gives `u`, `s`; articles and signs give
none. A match lies within one title, heading or paragraph. An alias of a single character never matches.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from docqn.corpora.ragged import Ragged, offsets
from docqn.document import NONE, PARAGRAPH, SENTENCE, Document
from docqn.text.answers import normalize_triviaqa
from docqn.text.tokens import token_spans

Ints = NDArray[np.int32]
Numbers = dict[str, int]  # of normalised words; grows as they are met
Alias = tuple[int, ...]  # numbers of its words

_BETWEEN = "\n\n"  # keeps the tokens of two aliases apart
_NEGATIONS = ("n't", "n’t")


class Answers(NamedTuple):
    """The answer nodes of a question in a document."""

    anywhere: bool  # in any node
    in_titles: bool  # in the title or a heading
    answer_paragraphs: Ints
    answer_sentences: Ints
    answer_spans: Ints  # [matches, 2]: characters of the document's text, in paragraphs


@lru_cache(maxsize=1 << 18)
def words_of(token: str) -> tuple[str, ...]:
    """The normalised words of a token. Signs that TriviaQA's rules do not know, such as “ and –, give none either."""
    return tuple(word for word in normalize_triviaqa(token).split() if any(map(str.isalnum, word)))


def aliases(answers: Sequence[Sequence[str]], numbers: Numbers) -> list[list[Alias]]:
    """Each question's distinct aliases as words; those of no or a single character are left out."""
    flat = [answer for row in answers for answer in row]
    text = _BETWEEN.join(flat)
    spans = token_spans(text)
    tokens = [text[a:b] for a, b in spans.tolist()]
    known = {token: i for i, token in enumerate(dict.fromkeys(tokens))}
    token = np.fromiter(map(known.__getitem__, tokens), np.int32, len(tokens))
    word, at = _stream(token, list(known), _glued(spans[:, 0], spans[:, 1]), numbers)

    begins = offsets(len(answer) + len(_BETWEEN) for answer in flat)
    bounds = np.searchsorted(spans[at, 0], begins).tolist()
    words = word.tolist()
    names = list(numbers)  # a word’s number is its place
    found: list[list[Alias]] = []
    i = 0
    for row in answers:
        distinct = dict.fromkeys(tuple(words[bounds[k] : bounds[k + 1]]) for k in range(i, i + len(row)))
        found.append([alias for alias in distinct if len(alias) > 1 or (alias and len(names[alias[0]]) > 1)])
        i += len(row)
    return found


class WordIndex:
    """The words of a document in order, and for each word its places."""

    def __init__(self, document: Document, numbers: Numbers) -> None:
        self._document = document
        glued = _glued(document.token_start, document.token_end)
        self._word, self._token = _stream(document.token, document.vocabulary, glued, numbers)
        self._order = np.argsort(self._word, kind="stable")
        self._sorted = self._word[self._order]
        self._present = set(self._sorted[np.flatnonzero(np.diff(self._sorted, prepend=-1))].tolist())
        self._block = _owners(document, document.kind != SENTENCE)
        self._sentence = _owners(document, document.kind == SENTENCE)

    def answers(self, aliases: Iterable[Alias]) -> Answers:
        """The nodes that hold any of the aliases."""
        found = [self._tokens(alias) for alias in aliases if self._present.issuperset(alias)]
        tokens = np.concatenate([np.empty((0, 2), np.int32), *found])
        return self._answers(tokens[:, 0], tokens[:, 1])

    def _tokens(self, alias: Alias) -> Ints:
        """[matches, 2]: first and last token of the alias's occurrences within a node."""
        low, high = np.searchsorted(self._sorted, (alias[0], alias[0] + 1))
        at = self._order[low:high]
        at = at[at <= len(self._word) - len(alias)]
        for further, word in enumerate(alias[1:], start=1):
            at = at[self._word[at + further] == word]
        tokens = np.stack([self._token[at], self._token[at + len(alias) - 1]], axis=1)
        inside: Ints = tokens[self._block[tokens[:, 0]] == self._block[tokens[:, 1]]]
        return inside

    def _answers(self, first: Ints, last: Ints) -> Answers:
        document = self._document
        block = self._block[first]
        inside = document.kind[block] == PARAGRAPH
        sentence = self._sentence[first]
        whole = (sentence == self._sentence[last]) & (sentence != NONE)
        spans = np.stack([document.token_start[first[inside]], document.token_end[last[inside]]], axis=1)
        return Answers(
            anywhere=bool(len(first)),
            in_titles=not inside.all(),
            answer_paragraphs=np.unique(block[inside]),
            answer_sentences=np.unique(sentence[whole]),
            answer_spans=np.unique(spans, axis=0),
        )


def _stream(token: Ints, vocabulary: Sequence[str], glued: NDArray[np.bool_], numbers: Numbers) -> tuple[Ints, Ints]:
    """The words of the tokens, and which token each is from."""
    used, place = np.unique(token, return_inverse=True)
    tokens = [vocabulary[i] for i in used.tolist()]
    plain = place.copy()
    words = [words_of(text) for text in tokens]

    # TriviaQA's rules see `don't` whole and make `don t` of it; here it is `do` `n't`.
    negations = [i for i, text in enumerate(tokens) if len(text) == 3 and text.lower() in _NEGATIONS]
    for at in np.flatnonzero(np.isin(place, negations) & glued).tolist() if negations else ():
        words += [words_of(tokens[plain[at - 1]] + "n"), ("t",)]
        place[at - 1 : at + 1] = (len(words) - 2, len(words) - 1)

    flat = [numbers.setdefault(word, len(numbers)) for row in words for word in row]
    rows = Ragged(np.array(flat, np.int32), offsets(map(len, words))).take(place)
    return rows.values, np.repeat(np.arange(len(place), dtype=np.int32), np.diff(rows.offset))


def _glued(start: Ints, end: Ints) -> NDArray[np.bool_]:
    """Whether each token begins where the one before it ends."""
    glued = np.zeros(len(start), bool)
    glued[1:] = start[1:] == end[:-1]
    return glued


def _owners(document: Document, among: NDArray[np.bool_]) -> Ints:
    """For each token the node of these that has it, NONE if none has."""
    owner = np.full(len(document.token), NONE, np.int32)
    nodes = np.flatnonzero(among).astype(np.int32)
    sizes = document.end_token[nodes] - document.first_token[nodes]
    places = np.arange(sizes.sum()) + np.repeat(document.first_token[nodes] - (np.cumsum(sizes) - sizes), sizes)
    owner[places] = np.repeat(nodes, sizes)
    return owner
