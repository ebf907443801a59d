"""Sessions: the documents that a visitor has uploaded, in memory, for as long as the visitor stays."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from hashlib import blake2b
from time import monotonic

from docqn.document import ARRAYS, Document
from docqn.serving.web.limits import Limits, Refused


@dataclass
class Session:
    """One visitor."""

    id: str
    used: float
    documents: dict[str, Document] = field(default_factory=dict)


class Sessions:
    """All visitors. Their ids cannot be guessed."""

    def __init__(self, limits: Limits, clock: Callable[[], float] = monotonic) -> None:
        self._limits = limits
        self._clock = clock
        self._known: dict[str, Session] = {}

    def find(self, id: str | None) -> Session | None:
        """The session with this id, if it is not over."""
        self._end_old_ones()
        session = self._known.get(id or "")
        if session is not None:
            session.used = self._clock()
        return session

    def begin(self) -> Session:
        """A new one."""
        self._end_old_ones()
        if len(self._known) >= self._limits.sessions:
            raise Refused(503, "there are too many visitors; try again later")
        session = Session(secrets.token_urlsafe(24), self._clock())
        self._known[session.id] = session
        return session

    def keep(self, session: Session, data: bytes, document: Document) -> str:
        """Put a document into a session; returns its id there. The same one again has the same."""
        id = blake2b(data + document.source.encode("utf-8", "replace"), digest_size=9).hexdigest()
        if id not in session.documents and len(session.documents) >= self._limits.documents:
            raise Refused(409, f"a session holds {self._limits.documents} documents; remove one first")
        held = sum(_bytes(one) for known in self._known.values() for one in known.documents.values())
        if held + _bytes(document) > self._limits.held_bytes:
            raise Refused(503, "the server holds as many documents as it can; try again later")
        session.documents[id] = document
        return id

    def _end_old_ones(self) -> None:
        oldest = self._clock() - 60 * self._limits.session_minutes
        for id in [id for id, session in self._known.items() if session.used < oldest]:
            del self._known[id]


def _bytes(document: Document) -> int:
    """What it takes in memory."""
    return sum(getattr(document, name).nbytes for name in ARRAYS)
