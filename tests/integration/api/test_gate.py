"""The gate in front of every route, on loopback and off it."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import AsyncIterator
from pathlib import Path

import httpx2
import pytest
from asgi_lifespan import LifespanManager
from tests.support.parts import FakeParts

from tablewright.api.access import Access
from tablewright.api.app import create_api
from tablewright.domain.ids import SystemClock
from tablewright.service.api_keys import ApiKeys


@pytest.mark.requirement("security-foreign-page")
async def test_a_page_from_elsewhere_reaches_no_route(client: httpx2.AsyncClient) -> None:
    for headers in ({"host": "evil.org"}, {"origin": "http://evil.org"}, {"origin": "null"}):
        for path in ("/", "/health", "/api/v1/conversations"):
            got = await client.get(path, headers=headers)
            assert got.status_code == 403, (headers, path)
            assert got.json()["error"]["code"] == "forbidden"
    posted = await client.post("/api/v1/conversations", json={}, headers={"origin": "http://evil.org"})
    assert posted.status_code == 403


@pytest.mark.requirement("security-foreign-form")
async def test_what_a_foreign_form_could_send_is_refused(client: httpx2.AsyncClient) -> None:
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"):
        sent = await client.post("/api/v1/conversations", content=b'{"title": "x"}', headers={"content-type": kind})
        assert sent.status_code == 422
        assert sent.json()["error"]["field"] == "Content-Type"
    assert (await client.get("/api/v1/conversations")).json()["items"] == []


async def test_a_huge_body_is_refused_before_it_is_read_whole(client: httpx2.AsyncClient) -> None:
    sent = await client.post(
        "/api/v1/conversations", content=b" " * 3_000_000, headers={"content-type": "application/json"}
    )
    assert sent.status_code == 413
    assert sent.json()["error"]["code"] == "body_too_large"


async def test_every_response_forbids_guessing_its_type_and_other_origins(client: httpx2.AsyncClient) -> None:
    for path in ("/", "/health", "/api/v1/conversations", "/api/v1/none"):
        headers = (await client.get(path)).headers
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["cross-origin-resource-policy"] == "same-origin"
        assert "access-control-allow-origin" not in headers


@pytest.mark.requirement("security-page-policy")
async def test_the_page_allows_nothing_but_its_own_files(client: httpx2.AsyncClient) -> None:
    page = await client.get("/")
    policy = page.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    for kind in ("script-src", "default-src", "connect-src", "object-src"):
        assert "unsafe" not in next(part for part in policy.split("; ") if part.startswith(kind))
    assert "frame-ancestors 'none'" in policy
    assert "http" not in policy
    reference = await client.get("/docs")
    assert "unsafe" not in reference.headers["content-security-policy"]
    style = reference.text.partition("<style>")[2].partition("</style>")[0]
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    assert f"style-src 'sha256-{digest}'" in reference.headers["content-security-policy"]
    assert "<script" not in reference.text


@pytest.fixture
def keys(tmp_path: Path) -> ApiKeys:
    return ApiKeys(tmp_path)


@pytest.fixture
async def abroad(tmp_path: Path, keys: ApiKeys) -> AsyncIterator[httpx2.AsyncClient]:
    """Return a client of a service that listens off loopback."""
    api = create_api(FakeParts(folder=tmp_path).opening(), Access(keyless=False, read_key=keys.scope_of))
    async with LifespanManager(api) as running:
        transport = httpx2.ASGITransport(app=running.app)
        async with httpx2.AsyncClient(transport=transport, base_url="http://tables.example") as opened:
            yield opened


@pytest.mark.requirement("security-key-off-loopback")
async def test_off_loopback_every_api_path_needs_a_key(abroad: httpx2.AsyncClient, keys: ApiKeys) -> None:
    for method, path in (
        ("GET", "conversations"),
        ("POST", "conversations"),
        ("GET", "files"),
        ("GET", "openapi.json"),
    ):
        got = await abroad.request(method, f"/api/v1/{path}")
        assert got.status_code == 401, path
        assert got.headers["www-authenticate"] == "Bearer"
        assert got.json()["error"]["code"] == "unauthorized"
    assert (await abroad.get("/health")).status_code == 200
    assert (await abroad.get("/")).status_code == 200
    key = keys.create("a", SystemClock(), owner="anna")
    headers = {"authorization": f"Bearer {key}"}
    assert (await abroad.get("/api/v1/conversations", headers=headers)).status_code == 200


@pytest.mark.requirement("security-owners-apart")
async def test_keys_of_different_owners_see_different_things(abroad: httpx2.AsyncClient, keys: ApiKeys) -> None:
    anna, ben = (
        {"authorization": f"Bearer {keys.create(name, SystemClock(), owner=name)}"} for name in ("anna", "ben")
    )
    made = await abroad.post("/api/v1/conversations", json={"title": "hers"}, headers=anna)
    url = f"/api/v1/conversations/{made.json()['id']}"
    assert (await abroad.get(url, headers=anna)).status_code == 200
    for method in ("GET", "PATCH", "DELETE"):
        got = await abroad.request(method, url, headers=ben, json={"title": "x"} if method == "PATCH" else None)
        assert got.status_code == 404
    assert (await abroad.get("/api/v1/conversations", headers=ben)).json()["items"] == []


async def test_a_page_signs_in_with_a_key_and_out_again(abroad: httpx2.AsyncClient, keys: ApiKeys) -> None:
    wrong = await abroad.post("/api/v1/session", json={"key": "tw_wrong"})
    assert wrong.status_code == 401
    key = keys.create("a", SystemClock())
    signed = await abroad.post("/api/v1/session", json={"key": key})
    assert signed.status_code == 204
    cookie = signed.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "samesite=strict" in cookie.lower()
    assert key not in cookie
    assert (await abroad.get("/api/v1/conversations")).status_code == 200
    await abroad.delete("/api/v1/session")
    assert (await abroad.get("/api/v1/conversations", headers={"cookie": cookie.split(";")[0]})).status_code == 401


async def test_a_deleted_key_opens_nothing_any_more(abroad: httpx2.AsyncClient, keys: ApiKeys) -> None:
    key = keys.create("a", SystemClock())
    await abroad.post("/api/v1/session", json={"key": key})
    keys.delete("a")
    assert (await abroad.get("/api/v1/conversations")).status_code == 401
