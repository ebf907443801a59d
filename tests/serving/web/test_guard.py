"""Who may come in, from where."""

from __future__ import annotations

import pytest
from starlette.testclient import TestClient

from docqn.errors import DocqnError
from docqn.serving.web.app import create_app
from docqn.serving.web.guard import HEADERS

TOKEN = "sesame-123"


def client(host: str = "127.0.0.1", token: str | None = None, at: str = "http://localhost:8000") -> TestClient:
    return TestClient(create_app(host=host, token=token), base_url=at, follow_redirects=False)


@pytest.mark.parametrize(
    ("at", "status"),
    [
        ("http://localhost:8000", 200),
        ("http://127.0.0.1:1", 200),
        ("http://[::1]:8000", 200),
        ("http://evil.example", 421),
        ("http://localhost.evil.example:8000", 421),
        ("http://192.168.1.7:8000", 421),
    ],
)
def test_on_loopback_the_server_goes_by_its_own_names_only(at: str, status: int) -> None:
    assert client(at=at).get("/api/documents").status_code == status


@pytest.mark.parametrize(
    ("origin", "status"),
    [
        (None, 201),
        ("http://localhost:8000", 201),
        ("http://evil.example", 403),
        ("null", 403),
        ("http://localhost:9", 403),
    ],
)
def test_other_sites_cannot_send(origin: str | None, status: int) -> None:
    headers = {"Origin": origin} if origin else {}
    answer = client().post("/api/documents", files={"file": ("a.md", b"# A\n\nText.\n")}, headers=headers)
    assert answer.status_code == status


def test_elsewhere_a_token_is_needed() -> None:
    with pytest.raises(DocqnError, match="a token is needed"):
        create_app(host="0.0.0.0")
    visitor = client("0.0.0.0", TOKEN, "http://box.example:8000")
    for path in ("/", "/api/documents", "/openapi.json", "/static/docqn.css", "/d/x"):
        assert visitor.get(path).status_code == 401, path
    for wrong in ("", "sesame-12", "sesame-1234", "ünïcode"):
        assert visitor.get("/", params={"token": wrong}).status_code == 401
        bearer = {b"Authorization": f"Bearer {wrong}".encode()}
        assert visitor.get("/api/documents", headers=bearer).status_code == 401
    assert visitor.get("/api/documents", headers={"Authorization": f"Bearer {TOKEN}"}).status_code == 200


def test_a_page_opened_with_the_token_does_not_keep_it_in_its_address() -> None:
    visitor = client("0.0.0.0", TOKEN, "http://box.example:8000")
    answer = visitor.get("/d/abc", params={"q": "a b", "token": TOKEN})
    assert (answer.status_code, answer.headers["location"]) == (303, "/d/abc?q=a+b")
    cookie = answer.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie
    assert visitor.get("/").status_code == 200
    elsewhere = visitor.get("//evil.example", params={"token": TOKEN})
    assert not elsewhere.headers.get("location", "").startswith("//")


def test_browsers_are_told_to_be_careful() -> None:
    visitor = client()
    for path in ("/", "/api/documents", "/none", "/static/docqn.css"):
        headers = visitor.get(path).headers
        assert all(headers[name] == value for name, value in HEADERS.items()), path
    assert visitor.get("/").headers["cache-control"] == "no-store"


def test_session_cookies_are_not_for_scripts_or_other_sites() -> None:
    answer = client().post("/documents", files={"file": ("a.md", b"# A\n\nText.\n")})
    assert answer.status_code == 303
    assert "HttpOnly" in answer.headers["set-cookie"]
    assert "samesite=lax" in answer.headers["set-cookie"].lower()
