"""The shell, the parts and the frame of the page over HTTP."""

from __future__ import annotations

import httpx2
import pytest

from tablewright.api import app_page

SHELL = '<!doctype html><meta property="csp-nonce" content="__NONCE__" />'


@pytest.fixture(autouse=True)
def folder(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have a small page in the place of the one that may have been built."""
    place = tmp_path_factory.mktemp("web")
    for name, text in {
        "index.html": SHELL,
        "assets/a.js": "1",
        "frames/chart.html": "<p>",
        "frames/chart.js": "2",
    }.items():
        (place / name).parent.mkdir(exist_ok=True)
        (place / name).write_text(text)
    (place.parent / "secret.js").write_text("no")
    (place / ".digest").write_text("x")
    monkeypatch.setattr(app_page, "_folder", lambda: place)


@pytest.mark.requirement("security-page-policy")
async def test_each_shell_has_a_nonce_of_its_own_that_its_policy_names(client: httpx2.AsyncClient) -> None:
    first, second = await client.get("/"), await client.get("/")
    nonce = first.text.split('content="')[1].split('"')[0]
    assert f"style-src 'self' 'nonce-{nonce}'" in first.headers["content-security-policy"]
    assert "script-src 'self';" in first.headers["content-security-policy"]
    assert first.text != second.text
    assert first.headers["cache-control"] == "no-store"


async def test_parts_are_kept_for_good_and_nothing_else_is_sent(client: httpx2.AsyncClient) -> None:
    part = await client.get("/app/assets/a.js", headers={"accept-encoding": "gzip"})
    assert (part.text, part.headers["content-encoding"]) == ("1", "gzip")
    assert "immutable" in part.headers["cache-control"]
    for path in ("/app/.digest", "/app/%2e%2e/secret.js", "/app/assets//a.js", "/app/none.js", "/app/assets"):
        assert (await client.get(path)).status_code == 404, path


@pytest.mark.requirement("security-page-policy")
async def test_a_frame_without_an_origin_gets_its_parts_and_nothing_else(client: httpx2.AsyncClient) -> None:
    frame = await client.get("/frames/chart.html")
    assert frame.headers["content-security-policy"].startswith("sandbox allow-scripts; default-src 'none'")
    none = {"origin": "null"}
    script = await client.get("/frames/chart.js", headers=none)
    assert script.headers["cross-origin-resource-policy"] == "cross-origin"
    for path in ("/", "/app/assets/a.js", "/api/v1/conversations"):
        assert (await client.get(path, headers=none)).status_code == 403
    assert (await client.post("/frames/chart.js", headers=none)).status_code in {403, 405}


async def test_a_page_that_was_not_built_says_how(client: httpx2.AsyncClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(app_page, "FOLDER", "none")
    monkeypatch.setattr(app_page, "_part", lambda path: None)
    page = await client.get("/")
    assert page.status_code == 200
    assert "npm run build" in page.text
    assert "页面尚未构建" in page.text
