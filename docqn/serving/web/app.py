"""The application: the API, the page, and the guard around both."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from fastapi.staticfiles import StaticFiles
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp

import docqn
from docqn.errors import DocqnError
from docqn.serving.web import api, pages
from docqn.serving.web.desk import Desk
from docqn.serving.web.guard import LOOPBACK, Guard
from docqn.serving.web.limits import Limits
from docqn.serving.web.live import FAULT

_OF_REQUEST = 2.5  # times the time for a document or question: an upload waits for its turn, too
_IN_WORDS = {404: "there is nothing at this address", 405: "this address does not do that"}


def create_app(
    sources: Sequence[str] = (),
    *,
    host: str = "127.0.0.1",
    token: str | None = None,
    limits: Limits | None = None,
    **settings: Any,
) -> ASGIApp:
    """The application over these documents. `host` is where it will listen: elsewhere than on loopback it needs a
    token, and goes by any name. The settings are those of `Desk`."""
    if host not in LOOPBACK and not token:
        raise DocqnError(f"{host} can be reached from elsewhere: a token is needed")
    app = FastAPI(
        title="docqn",
        version=docqn.__version__,
        summary="Answers questions from long documents, with the place and the way to it.",
        docs_url=None,  # both load scripts from elsewhere
        redoc_url=None,
    )
    desk = app.state.desk = Desk(sources, limits=limits, **settings)
    app.include_router(api.router)
    app.include_router(pages.router)
    app.mount("/static", StaticFiles(directory=pages.STATIC), name="static")
    app.add_exception_handler(DocqnError, _wrong)
    app.add_exception_handler(RequestValidationError, _malformed)
    app.add_exception_handler(HTTPException, _nowhere)
    app.add_exception_handler(Exception, _fault)
    return Guard(
        app,
        upload_bytes=desk.limits.upload_bytes,
        seconds=_OF_REQUEST * desk.limits.seconds,
        hosts=LOOPBACK if host in LOOPBACK else None,
        token=token,
    )


def _say(request: Request, status: int, message: str) -> Response:
    """In JSON for programs, on a page for people."""
    if request.url.path.startswith("/api"):
        return JSONResponse({"error": message}, status)
    return pages.page("error.html", status, problem=message)


async def _wrong(request: Request, error: Exception) -> Response:
    return _say(request, getattr(error, "status", 422), str(error))


async def _malformed(request: Request, error: Exception) -> Response:
    if isinstance(error, RequestValidationError) and error.errors():
        first = error.errors()[0]
        return _say(request, 422, f"{'.'.join(map(str, first['loc'][1:])) or 'request'}: {first['msg']}")
    return _say(request, 422, "the request cannot be understood")


async def _nowhere(request: Request, error: Exception) -> Response:
    status = getattr(error, "status_code", 404)
    return _say(request, status, _IN_WORDS.get(status, str(getattr(error, "detail", ""))))


async def _fault(request: Request, error: Exception) -> Response:
    return _say(request, 500, FAULT)
