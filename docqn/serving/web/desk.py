"""The desk: where documents are taken in and questions answered, a few at once."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import PurePath
from typing import Any, TypeVar

from docqn.document import Document
from docqn.policies import Policy
from docqn.policies import policy as policy_named
from docqn.readers import Reader
from docqn.serving.defaults import reader as reader_named
from docqn.serving.navigator import Exploration, Navigator, checked
from docqn.serving.served import Served
from docqn.serving.way import Tell
from docqn.serving.web.limits import Limits, Refused
from docqn.serving.web.parse_apart import parse_apart
from docqn.serving.web.sessions import Session, Sessions

T = TypeVar("T")


class Desk:
    """The one policy and reader of a server, its documents and its visitors."""

    def __init__(
        self,
        sources: Sequence[str] = (),
        *,
        policy: str | Policy = "default",
        reader: str | Reader = "default",
        limits: Limits | None = None,
        cache: bool = True,
    ) -> None:
        self.limits = limits or Limits()
        self.sessions = Sessions(self.limits)
        self.served = Served(sources, cache=cache)
        self._policy = policy_named(policy) if isinstance(policy, str) else policy
        self._reader = reader_named(reader) if isinstance(reader, str) else reader
        self._turns = asyncio.Semaphore(self.limits.at_once)
        self._waiting = 0

    async def take_in(self, session: Session, name: str, data: bytes) -> str:
        """Parse an upload and keep it in the session; returns its id."""
        shown = PurePath(name.replace("\\", "/")).name or "document"
        if len(data) > self.limits.upload_bytes:
            raise Refused(413, f"{shown}: is larger than {self.limits.upload_bytes / (1 << 20):g} MB")
        await self._begin()
        try:
            document = await parse_apart(data, shown, self.limits)
        finally:
            self._end()
        return self.sessions.keep(session, data, document)

    async def document(self, session: Session | None, id: str) -> Document:
        """A document of the session or of the server."""
        if session is not None and id in session.documents:
            return session.documents[id]
        if id not in self.served.names:
            raise Refused(404, "there is no such document; its session may be over, so upload it again")
        return await self._in_turn(partial(self.served.document, id))

    async def explore(
        self,
        session: Session | None,
        ids: Sequence[str],
        question: str,
        top: int = 1,
        max_tokens: int | None = None,
        watch: Tell | None = None,
    ) -> Exploration:
        """Put a question to documents. `watch` is told each visit, in the thread that works."""
        if len(question) > self.limits.question:
            raise Refused(413, f"the question is longer than {self.limits.question} characters")
        if not 0 < len(ids) <= self.limits.asked:
            raise Refused(422, f"ask from 1 to {self.limits.asked} documents")
        checked(question)
        documents = [await self.document(session, id) for id in dict.fromkeys(ids)]
        navigator = Navigator(*documents, policy=self._policy, reader=self._reader, cache=False)
        ask = partial(navigator.explore, question, top=min(top, self.limits.top), max_tokens=max_tokens, watch=watch)
        return await self._in_turn(ask)

    async def _in_turn(self, work: Callable[[], T]) -> T:
        """Work in a thread. Work that takes too long is not waited for, but keeps its turn until it is done."""
        await self._begin()
        task = asyncio.ensure_future(asyncio.to_thread(work))
        task.add_done_callback(self._end)
        try:
            return await asyncio.wait_for(asyncio.shield(task), self.limits.seconds)
        except TimeoutError:
            raise Refused(408, f"this takes longer than {self.limits.seconds:g} seconds") from None

    async def _begin(self) -> None:
        if self._waiting >= self.limits.waiting:
            raise Refused(503, "too many requests at once; try again soon")
        self._waiting += 1
        try:
            await self._turns.acquire()
        finally:
            self._waiting -= 1

    def _end(self, task: asyncio.Future[Any] | None = None) -> None:
        self._turns.release()
        if task is not None and not task.cancelled():
            task.exception()  # somebody has looked at it, even if nobody waits any more
