"""The guard at the door: who may come in, from where, with how much; and what browsers are told to be careful with."""

from __future__ import annotations

import asyncio
import json
import secrets
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qsl, urlencode, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
TOKEN_COOKIE = "docqn_token"
_SAFE = {"GET", "HEAD", "OPTIONS"}
_ROOM = 1 << 20  # bytes of a request besides the upload in it
HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
}


class Guard:
    """Wraps the application."""

    def __init__(
        self, app: ASGIApp, *, upload_bytes: int, seconds: float, hosts: frozenset[str] | None, token: str | None
    ) -> None:
        """`hosts`: names that the server goes by, so that no other page can talk to it under its own; None: any."""
        self._app = app
        self._bytes = upload_bytes + _ROOM
        self._too_large = f"this is larger than {upload_bytes / (1 << 20):g} MB"
        self._seconds = seconds
        self._hosts = hosts
        self._token = token

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
        elif scope["type"] == "http":
            await self._serve(scope, receive, send)

    async def _serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = Headers(scope=scope)
        refusal = self._refusal(scope, headers)
        if refusal:
            await _say(send, *refusal)
        elif self._token and (location := self._without_token(scope)):
            cookie = f"{TOKEN_COOKIE}={self._token}; HttpOnly; SameSite=Lax; Path=/"
            await _say(send, 303, "", {"Location": location, "Set-Cookie": cookie})
        else:
            await self._bounded(scope, receive, send)

    def _refusal(self, scope: Scope, headers: Headers) -> tuple[int, str] | None:
        host = _host(headers.get("host", ""))
        if self._hosts is not None and host not in self._hosts:
            return 421, "this server does not go by that name"
        origin = headers.get("origin")
        if scope["method"] not in _SAFE and origin is not None and urlsplit(origin).netloc != headers.get("host"):
            return 403, "requests from other sites are not served"
        if headers.get("content-length", "").isdecimal() and int(headers["content-length"]) > self._bytes:
            return 413, self._too_large
        if self._token and not self._knows(scope, headers):
            return 401, "a token is needed: open the address that `docqn serve` printed, or send it as a bearer token"
        return None

    def _knows(self, scope: Scope, headers: Headers) -> bool:
        offered = [headers.get("authorization", "").removeprefix("Bearer "), dict(_query(scope)).get("token", "")]
        try:
            cookie = SimpleCookie(headers.get("cookie", "")).get(TOKEN_COOKIE)
        except CookieError:
            cookie = None
        offered.append(cookie.value if cookie else "")
        token = (self._token or "").encode()
        return any(secrets.compare_digest(one.encode("utf-8", "replace"), token) for one in offered)

    def _without_token(self, scope: Scope) -> str:
        """Where a page goes that was opened with the token in its address, so that it does not stay there."""
        query = _query(scope)
        if scope["method"] not in _SAFE or scope["path"].startswith("/api") or "token" not in dict(query):
            return ""
        rest = urlencode([(name, value) for name, value in query if name != "token"])
        return "/" + str(scope["path"]).lstrip("/") + (f"?{rest}" if rest else "")

    async def _bounded(self, scope: Scope, receive: Receive, send: Send) -> None:
        """The request with bounds on its size and time, and the answer with headers."""
        begun, left = False, self._bytes

        async def counted() -> Message:
            nonlocal left
            message = await receive()
            left -= len(message.get("body", b""))
            if left < 0:
                raise HTTPException(413, self._too_large)
            return message

        async def careful(message: Message) -> None:
            nonlocal begun
            if message["type"] == "http.response.start":
                begun = True
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
                if not scope["path"].startswith("/static/"):
                    headers.setdefault("Cache-Control", "no-store")
            await send(message)

        try:
            await asyncio.wait_for(self._app(scope, counted, careful), self._seconds)
        except TimeoutError:
            if not begun:
                await _say(careful, 408, "this took too long")


def _host(header: str) -> str:
    """The name in a Host header, without the port."""
    name = urlsplit(f"//{header}").hostname if not header.startswith(("/", "\\")) else None
    return name or ""


def _query(scope: Scope) -> list[tuple[str, str]]:
    return parse_qsl(scope.get("query_string", b"").decode("latin-1"), keep_blank_values=True)


async def _say(send: Send, status: int, message: str, headers: dict[str, str] | None = None) -> None:
    body = json.dumps({"error": message}).encode() if message else b""
    told = {"content-type": "application/json", "content-length": str(len(body)), **HEADERS, **(headers or {})}
    encoded = [(name.lower().encode(), value.encode("latin-1")) for name, value in told.items()]
    await send({"type": "http.response.start", "status": status, "headers": encoded})
    await send({"type": "http.response.body", "body": body})
