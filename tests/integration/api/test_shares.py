"""Links to conversations: who opens them, what they show, and what they never show."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx2
import pytest
from asgi_lifespan import LifespanManager
from tests.integration.api.test_native_face import ask, conversation, followed, upload
from tests.support.parts import FakeParts
from tests.unit.service.exports.test_page import Tags

from tablewright.agent.base import AgentContext, AgentInput
from tablewright.api.access import Access
from tablewright.api.app import create_api
from tablewright.domain.answer import Answer
from tablewright.domain.events import (
    AnswerCompleted,
    CodeFinished,
    EventBody,
    OutputText,
    StepAnnounced,
    StepFinished,
    StepStarted,
)
from tablewright.domain.ids import ManualClock, SystemClock, Uuid7Ids
from tablewright.domain.message import TranscriptEntry
from tablewright.domain.scope import Scope, SystemScope
from tablewright.errors import ShareUnknown
from tablewright.service.api_keys import ApiKeys
from tablewright.service.shares.shares import MOST, Shares, ShareTerms
from tablewright.store.blobs import BlobFolder

EVIL = "<script>alert(1)</script>\"'><img src=x onerror=alert(2)><iframe src=//evil.org></iframe>"


async def hostile(given: AgentInput, context: AgentContext) -> AsyncIterator[EventBody | TranscriptEntry]:
    """Play a run whose every part is markup."""
    yield StepAnnounced(step_id="s1", name=EVIL)
    yield CodeFinished(step_id="s1", code=f"open('/data/shared/a.csv')  # {EVIL}")
    yield StepStarted(step_id="s1")
    yield OutputText(step_id="s1", text=EVIL)
    yield StepFinished(step_id="s1", status="ok", elapsed_s=0.1)
    yield AnswerCompleted(answer=Answer(text=EVIL, outcome="completed"))


async def shared(client: httpx2.AsyncClient, into: str, **how: Any) -> dict[str, Any]:
    made = await client.post(f"/api/v1/conversations/{into}/shares", json=how)
    assert made.status_code == 201, made.text
    link: dict[str, Any] = made.json()
    return link


async def asked(client: httpx2.AsyncClient, text: str = "how many rows?") -> str:
    into = await conversation(client)
    await followed(client, await ask(client, into, text))
    return into


@pytest.fixture
def keys(tmp_path: Path) -> ApiKeys:
    return ApiKeys(tmp_path)


@pytest.fixture
async def abroad(parts: FakeParts, keys: ApiKeys) -> AsyncIterator[httpx2.AsyncClient]:
    """Return a client, without a key, of a service that listens off loopback."""
    api = create_api(parts.opening(), Access(keyless=False, read_key=keys.scope_of))
    async with LifespanManager(api) as running:
        transport = httpx2.ASGITransport(app=running.app)
        async with httpx2.AsyncClient(transport=transport, base_url="http://tables.example") as opened:
            yield opened


@pytest.mark.requirement("share-by-link")
async def test_whoever_has_a_link_reads_the_conversation_as_it_stood(client: httpx2.AsyncClient) -> None:
    into = await conversation(client)
    await upload(client, into)
    await followed(client, await ask(client, into, "how many rows?"))
    link = await shared(client, into)
    await followed(client, await ask(client, into, "said afterwards"))
    read = await client.get(f"/api/v1/shared/{link['token']}")
    assert read.status_code == 200
    assert [(turn["author"], turn["text"]) for turn in read.json()["turns"]] == [("user", "how many rows?")]
    run = read.json()["turns"][0]["run"]
    assert run["answer"] == "There are 2 rows."
    assert [output["text"] for output in run["steps"][0]["outputs"]] == ["counting\n"]
    page = await client.get(link["path"])
    assert page.status_code == 200
    assert "There are 2 rows." in page.text
    for answer in (read, page):
        assert "said afterwards" not in answer.text
        assert into not in answer.text
        assert "/data/" not in answer.text


@pytest.mark.requirement("share-by-link")
async def test_a_shared_page_is_kept_nowhere_and_may_do_nothing(client: httpx2.AsyncClient, parts: FakeParts) -> None:
    parts.script = hostile
    link = await shared(client, await asked(client, EVIL))
    page, read = await client.get(link["path"]), await client.get(f"/api/v1/shared/{link['token']}")
    for answer in (page, read):
        assert answer.headers["cache-control"] == "no-store"
        assert answer.headers["referrer-policy"] == "no-referrer"
        assert "noindex" in answer.headers["x-robots-tag"]
    policy = page.headers["content-security-policy"].split("; ")
    assert {"sandbox", "default-src 'none'", "frame-ancestors 'none'", "form-action 'none'"} <= set(policy)
    assert not any(part.startswith(("script-src", "connect-src")) for part in policy)
    shown = Tags(page.text)
    assert not {name for name, _ in shown.tags} & {"script", "iframe", "img", "b", "form", "object"}
    assert not [name for _, attributes in shown.tags for name in attributes if name.startswith("on")]
    assert shown.words.count(EVIL) == 5  # question, answer, name of the step, its code and its output
    assert read.headers["content-type"] == "application/json"
    assert "/data/" not in page.text + read.text


@pytest.mark.requirement("share-by-link")
async def test_what_opens_nothing_is_answered_alike(client: httpx2.AsyncClient) -> None:
    into = await asked(client)
    good, revoked = [await shared(client, into) for _ in range(2)]
    assert (await client.delete(f"/api/v1/shares/{revoked['id']}")).status_code == 204
    token = good["token"]
    wrong = (revoked["token"], token[:-1], token + "A", token.swapcase(), "A" * 43, good["id"], into, "%00", "..%2f")
    gone = await shared(client, (other := await asked(client)))
    assert (await client.get(gone["path"])).status_code == 200
    assert (await client.delete(f"/api/v1/conversations/{other}")).status_code == 204
    answers = [await client.get(f"/api/v1/shared/{each}") for each in (*wrong[:-1], gone["token"])]
    pages = [await client.get(f"/shared/{each}") for each in (*wrong[:-1], gone["token"])]
    for kind in (answers, pages):
        assert {answer.status_code for answer in kind} == {404}
        assert len({answer.text for answer in kind}) == 1
        assert len({tuple(sorted(answer.headers.items())) for answer in kind}) == 1
    assert answers[0].json()["error"]["code"] == "share_unknown"
    beyond = await client.get(f"/shared/{wrong[-1]}")  # at most sent to the same without its slash
    assert beyond.status_code in {307, 404}
    assert (await client.get(good["path"])).status_code == 200


async def test_an_expired_link_opens_nothing(parts: FakeParts, client: httpx2.AsyncClient, tmp_path: Path) -> None:
    into, clock, scope = await asked(client), ManualClock(), Scope()
    blobs = BlobFolder(tmp_path / "blobs", SystemClock())
    shares = Shares(parts.store, blobs, clock, Uuid7Ids(), SystemScope(instance_id="i-1"))
    made = await shares.make(scope, into, days=2)
    await clock.advance(2 * 86_400 - 1)
    assert (await shares.open(made.token)).turns
    await clock.advance(1)
    with pytest.raises(ShareUnknown):
        await shares.open(made.token)
    assert [view.state for view in await shares.list(scope)] == ["expired"]
    await clock.advance(31 * 86_400)
    assert await shares.forget() == 1
    off = Shares(parts.store, blobs, clock, Uuid7Ids(), SystemScope(instance_id="i-1"), ShareTerms(most=0))
    open_one = await shares.make(scope, into)
    assert (await shares.open(open_one.token)).turns
    with pytest.raises(ShareUnknown):
        await off.open(open_one.token)


@pytest.mark.requirement("share-by-link")
async def test_a_link_needs_no_key_and_reaches_nothing_else(abroad: httpx2.AsyncClient, keys: ApiKeys) -> None:
    anna, ben = (
        {"authorization": f"Bearer {keys.create(name, SystemClock(), owner=name)}"} for name in ("anna", "ben")
    )
    into = (await abroad.post("/api/v1/conversations", json={}, headers=anna)).json()["id"]
    sent = await abroad.post(f"/api/v1/conversations/{into}/messages", json={"text": "secret?"}, headers=anna)
    await followed(abroad, sent.json()["run_id"], headers=anna)
    path = f"/api/v1/conversations/{into}/shares"
    link = (await abroad.post(path, json={}, headers=anna)).json()
    assert (await abroad.get(f"/api/v1/shared/{link['token']}")).json()["turns"][0]["text"] == "secret?"
    assert (await abroad.get(link["path"])).status_code == 200
    for wanted in (path, "/api/v1/shares", f"/api/v1/conversations/{into}", "/api/v1/files", "/api/v1/sharedx"):
        assert (await abroad.get(wanted)).status_code == 401
        taken = {"authorization": f"Bearer {link['token']}"}
        assert (await abroad.get(wanted, headers=taken)).status_code == 401
    for method in ("POST", "PUT", "DELETE", "PATCH"):
        assert (await abroad.request(method, f"/api/v1/shared/{link['token']}", json={})).status_code == 401
    for beyond in ("/../conversations", "/messages", "/..%2fconversations"):
        assert (await abroad.get(f"/api/v1/shared/{link['token']}{beyond}")).status_code in {401, 404}
    assert (await abroad.get(path, headers=ben)).status_code == 404
    assert (await abroad.post(path, json={}, headers=ben)).status_code == 404
    assert (await abroad.delete(f"/api/v1/shares/{link['id']}", headers=ben)).status_code == 404
    assert (await abroad.get("/api/v1/shares", headers=ben)).json()["items"] == []
    assert (await abroad.get(link["path"], headers={"host": "tables.example"})).status_code == 200


@pytest.mark.requirement("share-by-link")
async def test_links_are_listed_without_what_opens_them(client: httpx2.AsyncClient, parts: FakeParts) -> None:
    into = await asked(client)
    link = await shared(client, into, days=90)
    await client.delete(f"/api/v1/shares/{(await shared(client, into))['id']}")
    listed = await client.get(f"/api/v1/conversations/{into}/shares")
    assert [item["state"] for item in listed.json()["items"]] == ["revoked", "open"]
    assert (await client.get("/api/v1/shares")).json() == listed.json()
    assert link["token"] not in listed.text
    assert link["token"] not in repr(await parts.store.shares.all(Scope()))


async def test_what_cannot_be_shared_is_refused_with_the_reason(client: httpx2.AsyncClient) -> None:
    empty = await conversation(client)
    assert (await client.post(f"/api/v1/conversations/{empty}/shares", json={})).status_code == 409
    into = await asked(client)
    for days in (0, -1, 91, 10**9):
        refused = await client.post(f"/api/v1/conversations/{into}/shares", json={"days": days})
        assert (refused.status_code, refused.json()["error"]["field"]) == (422, "days")
        assert "90" in refused.json()["error"]["message"]
    for _ in range(MOST):
        await shared(client, into)
    assert (await client.post(f"/api/v1/conversations/{into}/shares", json={})).status_code == 409
