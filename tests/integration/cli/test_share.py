"""Links to conversations as commands make, list and revoke them, here and over the API."""

from __future__ import annotations

import argparse
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx2
import pytest
from asgi_lifespan import LifespanManager
from tests.support.parts import FakeParts

from tablewright.api.access import Access
from tablewright.api.app import create_api
from tablewright.cli import share
from tablewright.cli.clients.base import Client
from tablewright.cli.clients.http import open_remote
from tablewright.cli.clients.in_process import InProcessClient
from tablewright.cli.exits import WrongUse
from tablewright.service.runs.runs import Ask


def arguments(*words: str, days: int | None = None) -> argparse.Namespace:
    """Return what the parser would make of a command."""
    return argparse.Namespace(words=list(words), days=days, language="en")


@pytest.mark.requirement("share-by-link")
@pytest.mark.parametrize("remote", [False, True])
async def test_a_link_is_made_listed_and_revoked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], remote: bool
) -> None:
    address = "http://127.0.0.1:8787"
    parts = FakeParts(folder=tmp_path)
    api = create_api(parts.opening(), Access(keyless=True, read_key=lambda _key: None))
    async with LifespanManager(api) as running:
        app, transport = api.state.app, httpx2.ASGITransport(app=running.app)
        local = InProcessClient(app, address=address)
        into = (await local.start_conversation("Sales", "en")).id
        run = await app.runs.start(local._scope, into, Ask(text="how many?"))
        [_ async for _ in local.follow(run.id)]

        @asynccontextmanager
        async def opened(*_: object, **__: object) -> AsyncIterator[Client]:
            if not remote:
                yield local
                return
            async with open_remote(address, key=None, language="en", transport=transport) as client:
                yield client

        monkeypatch.setattr(share, "client", opened)
        await share._share(arguments(into, days=3), [into])
        told = capsys.readouterr()
        link = told.out.strip()
        assert link.startswith(f"{address}/shared/")
        assert "Open until" in told.err
        async with httpx2.AsyncClient(transport=transport, base_url=address) as anyone:
            assert (await anyone.get(link)).status_code == 200
            await share._share(arguments("list", into), ["list", into])
            (line,) = capsys.readouterr().out.splitlines()
            share_id, conversation_id, state = line.split("\t")
            assert (conversation_id, state[:10]) == (into, "open until")
            await share._share(arguments("revoke", share_id), ["revoke", share_id])
            assert (await anyone.get(link)).status_code == 404
        await share._share(arguments("list"), ["list"])
        assert capsys.readouterr().out.split("\t")[2] == "revoked\n"


@pytest.mark.parametrize("words", [["revoke"], ["revoke", "a", "b"], ["list", "a", "b"], ["a", "b"]])
def test_what_is_no_command_is_said_to_be_none(words: list[str]) -> None:
    with pytest.raises(WrongUse):
        share.run(arguments(*words))
    with pytest.raises(WrongUse):
        share.run(arguments("list", days=3))
