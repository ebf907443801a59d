"""The HTTP API: parse, ask, and ask as a stream of steps."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import aclosing
from dataclasses import asdict
from functools import partial
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Header, Query, Request, Response, UploadFile
from fastapi.responses import StreamingResponse
from pydantic import BaseModel, Field

from docqn.document import SECTION, Document
from docqn.errors import DocqnError
from docqn.export import document_json, outline_json
from docqn.serving.navigator import Exploration
from docqn.serving.result import Result, Visit
from docqn.serving.web.desk import Desk
from docqn.serving.web.limits import Refused
from docqn.serving.web.live import ALIVE, FAULT, event, live, stream
from docqn.serving.web.sessions import Session

SESSION_COOKIE = "docqn_session"
SESSION_HEADER = "Docqn-Session"

router = APIRouter(prefix="/api")


class About(BaseModel):
    """A document that can be asked."""

    id: str
    name: str
    title: str
    format: str
    tokens: int
    nodes: int = Field(description="title, sections and paragraphs")
    sections: int


class Listed(BaseModel):
    """A document by name."""

    id: str
    name: str


class Question(BaseModel):
    """What to ask."""

    documents: list[str] = Field(description="ids", min_length=1)
    question: str
    top: int = Field(1, ge=1, description="how many answers")
    max_tokens: int | None = Field(None, ge=1, description="never observe and read more")


class Problem(BaseModel):
    """What is wrong."""

    error: str


PROBLEMS: dict[int | str, dict[str, Any]] = {
    status: {"model": Problem} for status in (401, 403, 404, 408, 409, 413, 421, 422, 503)
}


def desk(request: Request) -> Desk:
    """The server's desk."""
    found: Desk = request.app.state.desk
    return found


def session(
    request: Request,
    at: Annotated[Desk, Depends(desk)],
    name: Annotated[str | None, Header(alias=SESSION_HEADER)] = None,
) -> Session | None:
    """The visitor's session, by its header or cookie."""
    return at.sessions.find(name or request.cookies.get(SESSION_COOKIE))


AtDesk = Annotated[Desk, Depends(desk)]
Visitor = Annotated[Session | None, Depends(session)]


def about(id: str, document: Document) -> About:
    """What there is to say of a document."""
    return About(
        id=id,
        name=document.source,
        title=document.title,
        format=document.format,
        tokens=len(document.token),
        nodes=int(document.index[-1]) + 1,
        sections=int((document.kind == SECTION).sum()),
    )


async def receive(at: Desk, visitor: Session | None, file: UploadFile) -> tuple[Session, str]:
    """Take in an upload; a visitor without a session gets one."""
    data = await file.read(at.limits.upload_bytes + 1)
    visitor = visitor or at.sessions.begin()
    return visitor, await at.take_in(visitor, file.filename or "document", data)


def remember(response: Response, visitor: Session, request: Request) -> None:
    """Tell the visitor its session."""
    secure = request.url.scheme == "https"
    response.set_cookie(SESSION_COOKIE, visitor.id, httponly=True, samesite="lax", secure=secure)
    response.headers[SESSION_HEADER] = visitor.id


@router.get("/documents", responses=PROBLEMS)
async def documents(at: AtDesk, visitor: Visitor) -> list[Listed]:
    """All documents of the session and of the server."""
    own = [Listed(id=id, name=one.source) for id, one in (visitor.documents if visitor else {}).items()]
    return own + [Listed(id=id, name=name) for id, name in at.served.names.items()]


@router.post("/documents", status_code=201, responses=PROBLEMS)
async def upload(at: AtDesk, visitor: Visitor, file: UploadFile, request: Request, response: Response) -> About:
    """Parse a document. It belongs to the session that the answer names in `Docqn-Session`, and ends with it."""
    visitor, id = await receive(at, visitor, file)
    remember(response, visitor, request)
    return about(id, visitor.documents[id])


@router.get("/documents/{id}", responses=PROBLEMS)
async def document(at: AtDesk, visitor: Visitor, id: str) -> About:
    """One document."""
    return about(id, await at.document(visitor, id))


@router.get("/documents/{id}/nodes", responses=PROBLEMS, response_class=StreamingResponse)
async def nodes(at: AtDesk, visitor: Visitor, id: str) -> StreamingResponse:
    """Every node, as `docqn parse --json` prints them."""
    return StreamingResponse(document_json(await at.document(visitor, id)), media_type="application/json")


@router.get("/documents/{id}/outline", responses=PROBLEMS, response_class=StreamingResponse)
async def outline(at: AtDesk, visitor: Visitor, id: str) -> StreamingResponse:
    """Title and sections, as `docqn parse --outline` prints them."""
    return StreamingResponse(outline_json(await at.document(visitor, id)), media_type="application/json")


@router.delete("/documents/{id}", status_code=204, responses=PROBLEMS)
async def remove(visitor: Visitor, id: str) -> None:
    """Forget a document of the session."""
    if visitor is None or visitor.documents.pop(id, None) is None:
        raise Refused(404, "the session has no such document")


@router.post("/ask", responses=PROBLEMS)
async def ask(at: AtDesk, visitor: Visitor, asked: Question) -> Result:
    """Put a question to documents."""
    return (await at.explore(visitor, asked.documents, asked.question, asked.top, asked.max_tokens)).result


@router.post("/ask/stream", responses=PROBLEMS, response_class=StreamingResponse)
async def ask_stream(at: AtDesk, visitor: Visitor, asked: Question) -> StreamingResponse:
    """The same as server-sent events: `begin`, a `step` for each visit as soon as it is made, at the end `answer` or
    `error`."""
    return stream(_events(at, visitor, asked))


@router.get("/ask/stream", responses=PROBLEMS, response_class=StreamingResponse)
async def ask_stream_by_address(
    at: AtDesk,
    visitor: Visitor,
    document: Annotated[list[str], Query()],
    question: str,
    top: Annotated[int, Query(ge=1)] = 1,
    max_tokens: Annotated[int | None, Query(ge=1)] = None,
) -> StreamingResponse:
    """The same for a browser's `EventSource`."""
    asked = Question(documents=document, question=question, top=top, max_tokens=max_tokens)
    return await ask_stream(at, visitor, asked)


async def _events(at: Desk, visitor: Session | None, asked: Question) -> AsyncIterator[str]:
    yield event("begin", {"documents": asked.documents, "question": asked.question})
    explore = partial(at.explore, visitor, asked.documents, asked.question, asked.top, asked.max_tokens)
    number = 0
    try:
        async with aclosing(live(explore)) as told:
            async for one in told:
                if isinstance(one, Visit):
                    number += 1
                    yield event("step", {"step": number, **asdict(one)})
                elif isinstance(one, Exploration):
                    result = one.result.as_json()
                    yield event("answer", {name: value for name, value in result.items() if name != "trace"})
                else:
                    yield ALIVE
    except DocqnError as error:
        yield event("error", {"error": str(error)})
    except Exception:
        yield event("error", {"error": FAULT})
        raise
