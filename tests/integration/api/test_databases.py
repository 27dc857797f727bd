"""Connections over HTTP: operators make them, hosts are allowed by the settings, passwords are never told."""

from __future__ import annotations

import sqlite3
import stat
from collections.abc import AsyncIterator
from pathlib import Path

import httpx2
import pytest
from asgi_lifespan import LifespanManager
from tests.support.parts import FakeParts

from tablewright.api.access import Access
from tablewright.api.app import create_api
from tablewright.bootstrap.databases import LazyDatabases
from tablewright.domain.ids import SystemClock
from tablewright.service.api_keys import ApiKeys
from tablewright.service.databases.connections import ConnectionPolicy

SECRET = "geheim-4711"  # of no server
PATH = "/api/v1/connections"


@pytest.fixture
def parts(tmp_path: Path) -> FakeParts:
    (tmp_path / "shops").mkdir()
    with sqlite3.connect(tmp_path / "shops" / "shop.db") as connection:
        connection.execute("CREATE TABLE orders (id INTEGER)")
    connection.close()
    policy = ConnectionPolicy(hosts=("127.0.0.1", "db:5432"), folders=(tmp_path / "shops",))
    return FakeParts(folder=tmp_path, databases=LazyDatabases(policy))


@pytest.fixture
async def guarded(parts: FakeParts, tmp_path: Path) -> AsyncIterator[httpx2.AsyncClient]:
    """A client of a service that needs keys."""
    api = create_api(parts.opening(), Access(keyless=False, read_key=ApiKeys(tmp_path).scope_of))
    async with LifespanManager(api) as running:
        transport = httpx2.ASGITransport(app=running.app)
        async with httpx2.AsyncClient(transport=transport, base_url="http://127.0.0.1:8787") as opened:
            yield opened


async def test_a_connection_is_made_listed_tested_and_deleted(client: httpx2.AsyncClient, tmp_path: Path) -> None:
    made = await client.post(PATH, json={"name": "shop", "url": f"sqlite:///{tmp_path / 'shops' / 'shop.db'}"})
    assert made.status_code == 201, made.text
    listed = (await client.get(PATH)).json()["items"]
    assert [found["name"] for found in listed] == ["shop"]
    tested = (await client.post(f"{PATH}/shop/test")).json()
    assert (tested["ok"], tested["tables"]) == (True, 1)
    assert (await client.delete(f"{PATH}/shop")).status_code == 204
    assert (await client.get(PATH)).json()["items"] == []
    assert (await client.delete(f"{PATH}/shop")).status_code == 404


async def test_a_password_is_sealed_and_in_no_answer(
    client: httpx2.AsyncClient, parts: FakeParts, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    url = f"postgresql://reader:{SECRET}@127.0.0.1:1/shop"
    answers = [
        await client.post(PATH, json={"name": "shop", "url": url}),
        await client.post(PATH, json={"name": "shop", "url": url}),
        await client.get(PATH),
        await client.post(f"{PATH}/shop/test"),
    ]
    assert [answer.status_code for answer in answers] == [201, 409, 200, 200]
    tested = answers[-1].json()
    assert (tested["ok"], tested["error"]["code"]) == (False, "database_away")
    kept = "".join(map(repr, parts.store.connections._kept.values()))
    assert SECRET not in "".join(answer.text for answer in answers) + kept + caplog.text
    assert answers[0].json()["address"] == "postgresql://reader@127.0.0.1:1/shop"
    key = tmp_path / "connections.key"
    assert stat.S_IMODE(key.stat().st_mode) == 0o600
    key.chmod(0o644)
    refused = (await client.post(f"{PATH}/shop/test")).json()
    assert refused["error"]["code"] == "secrets_unreadable"


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"name": "shop", "url": "postgresql://u:p@db:5433/x"}, "databases.hosts"),
        ({"name": "shop", "url": "postgresql://u:p@169.254.169.254/x"}, "databases.hosts"),
        ({"name": "shop", "url": "postgresql://u:p@/x?host=/var/run"}, "no host"),
        ({"name": "shop", "url": "mysql://u:p@127.0.0.1/x?unix_socket=/run/x"}, "no host"),
        ({"name": "shop", "url": "mysql://u:p@127.0.0.1/x?local_infile=1"}, "local_infile"),
        ({"name": "shop", "url": "oracle://u:p@127.0.0.1/x"}, "begin with one of"),
        ({"name": "shop", "url": "sqlite:////etc/passwd"}, "no file of SQLite"),
        ({"name": "primary", "url": "postgresql://u:p@127.0.0.1/x"}, "a name has"),
        ({"name": "a b", "url": "postgresql://u:p@127.0.0.1/x"}, "a name has"),
        ({"name": "shop", "url": "postgresql://u:p@127.0.0.1:nine/x"}, "cannot be read"),
    ],
)
async def test_what_may_not_be_connected_to_is_refused(
    client: httpx2.AsyncClient, given: dict[str, str], said: str
) -> None:
    answer = await client.post(PATH, json=given, headers={"accept-language": "en"})
    assert answer.status_code == 422
    assert said in answer.json()["error"]["message"]


async def test_only_operators_make_connections(guarded: httpx2.AsyncClient, tmp_path: Path) -> None:
    keys = ApiKeys(tmp_path)
    plain, operator = keys.create("a", SystemClock(), "ann"), keys.create("b", SystemClock(), "bob", operator=True)
    given = {"name": "shop", "url": f"postgresql://reader:{SECRET}@db:5432/shop"}
    for key, status in ((plain, 403), (operator, 201)):
        answer = await guarded.post(PATH, json=given, headers={"authorization": f"Bearer {key}"})
        assert answer.status_code == status
    listed = await guarded.get(PATH, headers={"authorization": f"Bearer {plain}"})
    assert [found["name"] for found in listed.json()["items"]] == ["shop"]
    for method, path in (("DELETE", f"{PATH}/shop"), ("POST", f"{PATH}/shop/test")):
        answer = await guarded.request(method, path, headers={"authorization": f"Bearer {plain}"})
        assert answer.status_code == 403
