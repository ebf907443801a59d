"""The web page: drop in a document or choose one, ask, and follow the way to the answer."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import aclosing
from functools import cache, partial
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import quote

from fastapi import APIRouter, File, Query, Request, Response, UploadFile
from fastapi.responses import HTMLResponse, RedirectResponse, StreamingResponse
from jinja2 import Environment, PackageLoader, StrictUndefined

from docqn.document import Document
from docqn.errors import DocqnError
from docqn.serving.navigator import Exploration
from docqn.serving.result import Visit
from docqn.serving.web import views
from docqn.serving.web.api import AtDesk, Visitor, about, receive, remember
from docqn.serving.web.live import ALIVE, event, live, stream
from docqn.serving.wording import account, missing, place, sureness

STATIC = Path(__file__).with_name("static")
TOP = 4  # answers on a page

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)


@cache
def templates() -> Environment:
    """The templates; what goes into them is escaped."""
    made = Environment(
        loader=PackageLoader("docqn.serving.web"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.globals |= {"sureness": sureness, "place": place, "account": account, "missing": missing, "told": views.told}
    return made


def page(name: str, status: int = 200, **values: Any) -> HTMLResponse:
    """A whole page."""
    return HTMLResponse(templates().get_template(name).render(**values), status)


@router.get("/")
async def home(at: AtDesk, visitor: Visitor) -> HTMLResponse:
    """Where one chooses a document."""
    own = [(id, document.source) for id, document in (visitor.documents if visitor else {}).items()]
    return page("home.html", own=own, served=[*at.served.names.items()], megabytes=at.limits.upload_bytes >> 20)


@router.post("/documents")
async def upload(at: AtDesk, visitor: Visitor, request: Request, file: Annotated[UploadFile, File()]) -> Response:
    """Take in a document and go to it."""
    visitor, id = await receive(at, visitor, file)
    response = RedirectResponse(f"/d/{id}", 303)
    remember(response, visitor, request)
    return response


@router.get("/d/{id}")
async def document(at: AtDesk, visitor: Visitor, id: str, q: Annotated[str | None, Query()] = None) -> Response:
    """A document, and the answer to a question if there is one."""
    found = await at.document(visitor, id)
    if q is None:
        return _asking(id, found)
    try:
        return _answered(id, q, await at.explore(visitor, [id], q, TOP))
    except DocqnError as error:
        return _asking(id, found, q, error)


@router.get("/d/{id}/live")
async def answering(at: AtDesk, visitor: Visitor, id: str, q: str) -> StreamingResponse:
    """The same while it is worked on: a `step` for each visit as soon as it is made, and at the end the `page`."""
    return stream(_events(at, visitor, id, await at.document(visitor, id), q))


async def _events(at: AtDesk, visitor: Visitor, id: str, found: Document, q: str) -> AsyncIterator[str]:
    number = 0
    try:
        async with aclosing(live(partial(at.explore, visitor, [id], q, TOP, None))) as told:
            async for one in told:
                if isinstance(one, Visit):
                    number += 1
                    yield event("step", {"step": number, "path": found.path(one.node), "told": views.told(one)})
                elif isinstance(one, Exploration):
                    yield event("page", _text(_answered(id, q, one)))
                else:
                    yield ALIVE
    except DocqnError as error:
        yield event("page", _text(_asking(id, found, q, error)))


def _asking(id: str, found: Document, question: str = "", error: DocqnError | None = None) -> HTMLResponse:
    """The page where a document is asked, and what was wrong with the question."""
    shown = {"id": id, "about": about(id, found), "lines": views.outline(found), "question": question}
    return page("document.html", getattr(error, "status", 422) if error else 200, **shown, problem=str(error or ""))


def _answered(id: str, question: str, explored: Exploration) -> HTMLResponse:
    return page("answer.html", **_answer(id, explored), save=f"/d/{id}/answer.html?q={quote(question)}")


def _text(page: HTMLResponse) -> str:
    return bytes(page.body).decode()


@router.get("/d/{id}/answer.html")
async def saved(at: AtDesk, visitor: Visitor, id: str, q: str) -> Response:
    """The answer as one HTML file that needs nothing else."""
    response = page(
        "saved.html",
        **_answer(id, await at.explore(visitor, [id], q, TOP)),
        style=(STATIC / "docqn.css").read_text(encoding="utf-8"),
        script=(STATIC / "player.js").read_text(encoding="utf-8"),
    )
    response.headers["Content-Disposition"] = 'attachment; filename="answer.html"'
    return response


def _answer(id: str, found: Exploration) -> dict[str, Any]:
    """What the templates show of an answer."""
    (pair,) = found.pairs
    result = found.result
    at = result.evidence
    return {
        "id": id,
        "about": about(id, pair.document),
        "question": result.question,
        "result": result,
        "lines": views.outline(pair.document, [visit.node for visit in result.trace]),
        "panels": views.panels(found),
        "bars": views.bars(found),
        "read_by": views.read_by(found),
        "evidence": at,
        "marked": [*views.pieces(pair.document, at.node, (), 0.0, (at.start, at.end))] if at else [],
    }
