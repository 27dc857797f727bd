"""A step that a person has changed is said anew, in their language."""

from __future__ import annotations

import httpx2
import pytest

STEP = {"step": 1, "function": "sort_rows", "parameters": {"by": [{"column": "Sales", "descending": False}]}}


@pytest.mark.parametrize(("language", "sentence"), [("zh", "按Sales升序排序"), ("en", "Sort by Sales ascending")])
async def test_a_step_is_said_as_it_is_now(client: httpx2.AsyncClient, language: str, sentence: str) -> None:
    said = await client.post(
        "/api/v1/excel/functions/sentences", json={"steps": [STEP]}, headers={"accept-language": language}
    )
    assert said.json() == {"sentences": [sentence]}


async def test_nothing_is_said_of_a_step_that_is_no_operation_yet(client: httpx2.AsyncClient) -> None:
    steps = [STEP, {"step": 2, "function": "sort_rows", "parameters": {"by": []}}]
    said = await client.post("/api/v1/excel/functions/sentences", json={"steps": steps})
    assert said.json()["sentences"] == ["Sort by Sales ascending", ""]
