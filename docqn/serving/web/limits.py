"""What one server gives its visitors: sizes, times, and how much at once."""

from __future__ import annotations

from dataclasses import dataclass

from docqn.errors import DocqnError


@dataclass(frozen=True)
class Limits:
    """Bounds of a server."""

    upload_bytes: int = 64 << 20
    seconds: float = 60.0  # for parsing, and for a question
    memory_bytes: int = 4 << 30  # of the process that parses
    at_once: int = 2  # documents parsed, and questions answered
    waiting: int = 16  # for their turn
    documents: int = 20  # uploaded in a session
    held_bytes: int = 2 << 30  # of all uploaded documents
    sessions: int = 200
    session_minutes: float = 60.0  # without a request, after which a session and its documents are gone
    question: int = 1000  # characters
    asked: int = 20  # documents in one question
    top: int = 20  # answers


class Refused(DocqnError):
    """A request that is not served, with the status of HTTP that says why."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(status, message)
        self.status = status
        self.message = message

    def __str__(self) -> str:
        return self.message
