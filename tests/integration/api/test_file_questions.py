"""What can be asked about a file, over HTTP."""

from __future__ import annotations

from collections.abc import Sequence

import httpx2
import pytest
from tests.integration.api.test_uploads import form, send
from tests.support.parts import FakeParts

from tablewright.domain.dataset import DatasetFacts
from tablewright.domain.language import Language


class Suggester:
    """Suggests a question that says what it was given, and counts how often it was asked."""

    def __init__(self) -> None:
        self.asked = 0

    async def suggested(self, language: Language, datasets: Sequence[DatasetFacts], most: int) -> tuple[str, ...]:
        self.asked += 1
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
