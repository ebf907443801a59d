"""`docqn serve`: the HTTP API and the web page."""

from __future__ import annotations

import socket as _socket
import sys
from contextlib import suppress
from typing import Annotated

import typer

from docqn.errors import DocqnError

HELP = "Documents to offer: files, folders, globs in quotes, addresses. Visitors can bring their own, too."
HOST = "Where to listen; elsewhere than on this machine alone, a token is needed."
TOKEN = "What visitors have to know; made up if --host needs one."
CACHE = "Keep SOURCEs parsed on disk; uploads never are."
MINUTES = "How long uploads are kept after a session's last request."


def command(
    source: Annotated[list[str] | None, typer.Argument(metavar="[SOURCE]...", help=HELP, show_default=False)] = None,
    host: Annotated[str, typer.Option(metavar="HOST", help=HOST)] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, metavar="N", help="0 takes a free one.")] = 8000,
    token: Annotated[str | None, typer.Option(metavar="TOKEN", envvar="DOCQN_TOKEN", help=TOKEN)] = None,
    policy: Annotated[str, typer.Option(metavar="POLICY", help="What navigates, as for `docqn ask`.")] = "default",
    reader: Annotated[str, typer.Option(metavar="READER", help="What reads, as for `docqn ask`.")] = "default",
    upload_mb: Annotated[int, typer.Option(min=1, metavar="N", help="The largest upload.")] = 64,
    seconds: Annotated[float, typer.Option(min=1, metavar="N", help="For a document or a question.")] = 60,
    at_once: Annotated[int, typer.Option(min=1, metavar="N", help="Documents and questions worked on at once.")] = 2,
    session_minutes: Annotated[float, typer.Option(min=1, metavar="N", help=MINUTES)] = 60,
    cache: Annotated[
        bool, typer.Option("--cache/--no-cache", help="Keep SOURCEs parsed on disk, never uploads.")
    ] = True,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print only the address.")] = False,
) -> None:
    """Serve a web page and an HTTP API: ask documents, and watch how the answers are found.

    \b
    Examples:
      docqn serve handbook.pdf reports --port 8080
      docqn serve --host 0.0.0.0 --token "$(openssl rand -hex 16)"
    """  # noqa: D301 (the backslash keeps the lines of the examples)
    try:
        import uvicorn

        from docqn.serving.web.app import create_app
        from docqn.serving.web.guard import LOOPBACK
        from docqn.serving.web.limits import Limits
    except ModuleNotFoundError as error:
        raise DocqnError(f"{error.name} is missing; install what serving needs: pip install 'docqn[serve]'") from error
    import secrets

    if host not in LOOPBACK and not token:
        token = secrets.token_urlsafe(16)
    limits = Limits(upload_bytes=upload_mb << 20, seconds=seconds, at_once=at_once, session_minutes=session_minutes)
    app = create_app(source or [], host=host, token=token, limits=limits, policy=policy, reader=reader, cache=cache)
    with _bound(host, port) as socket:
        name = f"[{host}]" if ":" in host else host
        ask = f"?token={token}" if token else ""
        print(f"http://{name}:{socket.getsockname()[1]}/{ask}", flush=True)
        if not quiet:
            print("docqn: Ctrl-C ends it", file=sys.stderr)
        config = uvicorn.Config(app, log_level="warning", access_log=False, server_header=False, timeout_keep_alive=10)
        with suppress(KeyboardInterrupt):  # is how it ends
            uvicorn.Server(config).run(sockets=[socket])


def _bound(host: str, port: int) -> _socket.socket:
    family = _socket.AF_INET6 if ":" in host else _socket.AF_INET
    made = _socket.socket(family)
    try:
        made.setsockopt(_socket.SOL_SOCKET, _socket.SO_REUSEADDR, 1)
        made.bind((host, port))
        made.listen()  # who comes before the server is ready waits
    except OSError as error:
        made.close()
        raise DocqnError(f"{host}:{port}: cannot be listened on ({error.strerror}); try another --port") from error
    return made
