"""What can be asked about a file, over HTTP."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import httpx2
import pytest
from tests.integration.api.test_uploads import form, send
from tests.support.parts import FakeParts

from tablewright.domain.dataset import DatasetFacts
from tablewright.domain.language import Language
from tablewright.errors import ReadersUnavailable


class Suggester:
    """Suggests a question that says what it was given, and counts how often it was asked."""

    def __init__(self) -> None:
        self.asked = 0
        self.begun, self.held = asyncio.Event(), asyncio.Event()
        self.held.set()
        self.error: Exception | None = None

    async def suggested(self, language: Language, datasets: Sequence[DatasetFacts], most: int) -> tuple[str, ...]:
        self.asked += 1
        self.begun.set()
        await self.held.wait()
        if self.error is not None:
            raise self.error
        assert all(facts.content for facts in datasets)
        return tuple(f"{language} {facts.name} {place}" for facts in datasets for place in range(most + 1))[:most]


@pytest.fixture
def suggester(parts: FakeParts) -> Suggester:
    parts.suggester = suggester = Suggester()
    return suggester


async def test_questions_are_sought_once_for_a_content_and_a_language(
    suggester: Suggester, client: httpx2.AsyncClient
) -> None:
    file = (await send(client, form())).json()["id"]
    for language in ("zh", "en", "zh", "en"):
        found = await client.get(f"/api/v1/files/{file}/questions", params={"language": language})
        assert found.status_code == 200
        assert found.json() == {"questions": [f"{language} a {place}" for place in range(5)]}
    assert suggester.asked == 2


async def test_the_language_is_that_of_the_request_unless_it_is_named(
    suggester: Suggester, client: httpx2.AsyncClient
) -> None:
    file = (await send(client, form())).json()["id"]
    found = await client.get(f"/api/v1/files/{file}/questions", headers={"accept-language": "zh-CN"})
    assert found.json()["questions"][0].startswith("zh ")
    assert suggester.asked == 1


async def test_a_file_that_is_not_there_and_a_language_that_is_none(client: httpx2.AsyncClient) -> None:
    assert (await client.get("/api/v1/files/none/questions")).status_code == 404
    file = (await send(client, form())).json()["id"]
    assert (await client.get(f"/api/v1/files/{file}/questions", params={"language": "fr"})).status_code == 422
    assert (await client.get(f"/api/v1/files/{file}/questions")).json() == {"questions": []}


async def test_the_shapes_of_a_table_and_none_of_a_large_one(client: httpx2.AsyncClient) -> None:
    file = (await send(client, form(content=b"a,b\n1,2\n1,3\n"))).json()["id"]
    found = await client.get(f"/api/v1/files/{file}/shapes", params={"table": "t1"})
    assert found.json()["columns"][0] == {"column": "a", "parts": [], "common": [["1", 2]], "others": 0}
    assert (await client.get(f"/api/v1/files/{file}/shapes")).json() == found.json()
    large = (await send(client, form(name="b.csv", content=b"a\n" + b"1\n" * 101))).json()["id"]
    assert (await client.get(f"/api/v1/files/{large}/shapes", params={"table": "t1"})).json() == {"columns": []}
    missing = await client.get(f"/api/v1/files/{file}/shapes", params={"table": "t9"})
    assert missing.status_code == 404
    assert "t9" in missing.json()["error"]["message"]


async def test_who_asks_while_questions_are_sought_waits_for_the_same(
    suggester: Suggester, client: httpx2.AsyncClient
) -> None:
    file = (await send(client, form())).json()["id"]
    suggester.held.clear()
    asked = [asyncio.create_task(client.get(f"/api/v1/files/{file}/questions?language=en")) for _ in range(3)]
    await suggester.begun.wait()
    asked[0].cancel()
    suggester.held.set()
    found = [answer.json() for answer in await asyncio.gather(*asked[1:])]
    assert found == [{"questions": [f"en a {place}" for place in range(5)]}] * 2
    assert suggester.asked == 1


async def test_what_failed_is_sought_again(suggester: Suggester, client: httpx2.AsyncClient) -> None:
    file = (await send(client, form())).json()["id"]
    suggester.error = ReadersUnavailable(words="none")
    assert (await client.get(f"/api/v1/files/{file}/questions")).status_code == 503
    suggester.error = None
    assert (await client.get(f"/api/v1/files/{file}/questions")).status_code == 200
