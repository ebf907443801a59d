"""Navigator: many questions to the same documents. `ask`: one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from time import perf_counter
from typing import NamedTuple, Self

from docqn.document import PARAGRAPH, Document
from docqn.environment.pairs import Pair
from docqn.errors import DocqnError
from docqn.policies import Policy, Setting
from docqn.policies import policy as policy_named
from docqn.policies.trace import Trace
from docqn.policies.words import words_of
from docqn.readers import Reader
from docqn.readers.cache import Cache, CachedReader
from docqn.serving.abstaining import threshold as threshold_of
from docqn.serving.answering import ranked_answers
from docqn.serving.defaults import DEFAULT
from docqn.serving.defaults import reader as reader_named
from docqn.serving.result import Candidate, Result, Visit
from docqn.serving.shelves import Library, Progress, Shelf
from docqn.serving.way import Tell, Way

Source = str | Path | Document


class Exploration(NamedTuple):
    """A result with the documents that were navigated, and the traces through them."""

    result: Result
    pairs: list[Pair]
    traces: list[Trace]
    ways: list[list[Visit]]  # the visits to each document; the result has them one after the other


class Navigator:
    """Documents, a policy and a reader, loaded once. Several threads may ask."""

    def __init__(
        self,
        *sources: Source,
        policy: str | Policy = "default",
        reader: str | Reader = "default",
        cache: bool = True,
        threshold: float | None = None,
        progress: Progress | None = None,
    ) -> None:
        """`sources`: files, folders, globs, addresses, or documents. `cache`: whether parsed documents, readings and
        the index of many documents are kept on disk. `threshold`: the score below which there is no answer."""
        self.policy = policy_named(policy) if isinstance(policy, str) else policy
        made = reader_named(reader) if isinstance(reader, str) else reader
        self.reader = reader if isinstance(reader, str) and reader != DEFAULT else made.fingerprint
        self.threshold = threshold_of(made) if threshold is None else threshold
        self._readings = Cache() if cache else None
        self._reader: Reader = CachedReader(made, self._readings) if self._readings else made
        self._library = Library(sources, cache=cache, progress=progress)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the files on disk; asking again opens them anew."""
        self._library.close()
        if self._readings:
            self._readings.close()

    def ask(self, question: str, *, top: int = 1, max_tokens: int | None = None, seed: int = 0) -> Result:
        """The answer with its `top - 1` alternatives; no more than `max_tokens` are observed and read."""
        return self.explore(question, top=top, max_tokens=max_tokens, seed=seed).result

    def explore(
        self,
        question: str,
        *,
        top: int = 1,
        max_tokens: int | None = None,
        seed: int = 0,
        watch: Tell | None = None,
    ) -> Exploration:
        """The same with what it comes from. `watch` is told each visit as soon as it is made; what it raises ends the
        work."""
        start = perf_counter()
        question = checked(question)
        if max_tokens is not None and max_tokens < 1:
            raise DocqnError(f"{max_tokens} tokens are too few to read anything")
        shelf = self._library.shelf(question)
        pairs = [Pair(question, document, name=document.source) for document in shelf.documents]
        way = Way(watch or (lambda visit: None))
        setting = Setting(self._reader, seed, watch=way.step if watch else None)
        traces, ways = [], []
        for pair, trace in zip(pairs, self._traces(pairs, setting, max_tokens), strict=True):
            traces.append(trace)
            ways.append(way.end(pair, trace))
        answers = ranked_answers(pairs, traces)
        result = self._result(question, shelf, answers, traces, [visit for way in ways for visit in way], top)
        if max_tokens is not None and not result.reader_calls:
            result.notes.append(f"no paragraph fits into the limit of tokens ({max_tokens}); allow more")
        return Exploration(replace(result, seconds=perf_counter() - start), pairs, traces, ways)

    def _traces(self, pairs: Sequence[Pair], setting: Setting, most: int | None) -> Iterator[Trace]:
        """One trace a document; documents that are watched are gone through one after the other. Of limited tokens each
        gets an equal share of what the ones before it left."""
        if most is None and setting.watch is None:
            yield from self.policy.traces(pairs, setting)
            return
        left = most
        for number, pair in enumerate(pairs):
            share = None if left is None else left // (len(pairs) - number)
            (trace,) = self.policy.traces([pair], replace(setting, tokens=share))
            if share is not None and trace.tokens_read > share:
                raise DocqnError(f"the policy {self.policy.name!r} does not keep to a limit of tokens; ask without")
            left = None if left is None else left - trace.tokens_read
            yield trace

    def _result(
        self,
        question: str,
        shelf: Shelf,
        answers: list[Candidate],
        traces: Sequence[Trace],
        way: list[Visit],
        top: int,
    ) -> Result:
        best = answers[0] if answers else None
        answerable = best is not None and best.score >= self.threshold
        return Result(
            question=question,
            answer=best.answer if best and answerable else None,
            score=best.score if best else 0.0,
            answerable=answerable,
            evidence=best.evidence if best and answerable else None,
            alternatives=answers[1:top] if answerable else answers[:top],
            tokens_total=shelf.tokens,
            tokens_read=sum(trace.tokens_read for trace in traces),
            steps=len(way),
            reader_calls=sum(trace.reader_calls for trace in traces),
            seconds=0.0,
            policy=self.policy.name,
            reader=self.reader,
            trace=way,
            documents=shelf.asked,
            notes=[*shelf.notes, *(_hints(question, shelf.documents) if not answerable else [])],
        )


def ask(
    source: Source | Sequence[Source],
    question: str,
    *,
    policy: str | Policy = "default",
    reader: str | Reader = "default",
    top: int = 1,
    max_tokens: int | None = None,
    cache: bool = True,
) -> Result:
    """The answer to a question from a document or several; see `Navigator` for many questions."""
    sources = [source] if isinstance(source, str | Path | Document) else source
    with Navigator(*sources, policy=policy, reader=reader, cache=cache) as navigator:
        return navigator.ask(question, top=top, max_tokens=max_tokens)


def checked(question: str) -> str:
    """The question without space around it."""
    if not question.strip():
        raise DocqnError("the question is empty; ask something")
    return " ".join(question.split())


def _hints(question: str, documents: Sequence[Document]) -> list[str]:
    """Why there may be no answer."""
    if not any((document.kind == PARAGRAPH).any() for document in documents):
        return ["there is no text below the headings, so nothing to read"]
    words = set(words_of(question))
    if not words:
        return ["the question has no word to look for; ask in English, about something by its name"]
    if not any(words.intersection(words_of(" ".join(document.vocabulary))) for document in documents):
        return ["no word of the question is in what was read; ask in English, with the words of the document"]
    return []
