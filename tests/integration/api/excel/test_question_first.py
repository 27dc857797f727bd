"""A request is stored before its sheets become a workbook: what they hold is a matter of its run."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from tests.support.excel_bench import SHEET, ExcelClient, Model, plan, put
from tests.support.parts import FakeParts
from tests.support.patience import PATIENCE_S, found
from tests.support.workbooks import InlineWorker

from tablewright.errors import FileTooLarge, ReadersUnavailable, TablewrightError
from tablewright.texts.errors import describe
from tablewright.workbook.base import NewSheet
from tablewright.workbook.package.editor import PackageEditor


class HeldEditor(PackageEditor):
    """Makes workbooks only while `free` is set, and not at all where there is an `error`."""

    def __init__(self, error: TablewrightError | None = None) -> None:
        super().__init__(InlineWorker())
        self.error = error
        self.free = asyncio.Event()

    async def create(self, target: Path, sheets: Sequence[NewSheet]) -> None:
        await self.free.wait()
        if self.error is not None:
            raise self.error
        await super().create(target, sheets)


@pytest.fixture
def editor(parts: FakeParts) -> HeldEditor:
    """Return the editor of the application."""
    parts.editor = made = HeldEditor()
    return made


@pytest.fixture
def excel(editor: HeldEditor, excel: ExcelClient) -> ExcelClient:
    """Return a client of a service with this editor."""
    return excel


async def messages(excel: ExcelClient) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    for conversation in (await excel.http.get("/api/v1/conversations")).json()["items"]:
        found += (await excel.http.get(f"/api/v1/conversations/{conversation['id']}/messages")).json()["items"]
    return found


async def question(excel: ExcelClient) -> dict[str, Any]:
    """Return the stored request, once it is there."""

    async def look() -> dict[str, Any] | None:
        return next(iter(await messages(excel)), None)

    return await found(look)


@pytest.mark.requirement("question-stored-first")
async def test_a_request_is_stored_while_its_sheets_become_a_workbook(
    editor: HeldEditor, excel: ExcelClient, model: Model
) -> None:
    model.say(plan(put("B2", 13)))
    asking = asyncio.create_task(excel.ask())
    stored = await question(excel)
    assert (stored["text"], stored["file_ids"]) == ("Raise the pens", [])
    assert not asking.done()
    editor.free.set()
    async with asyncio.timeout(PATIENCE_S):
        response = await asking
    assert (response["success"], response["version"]) == (True, 1)
    assert response["executionPlan"]
    assert (await question(excel))["file_ids"] == [response["workbookId"]]


@pytest.mark.requirement("question-stored-first")
@pytest.mark.parametrize("error", [FileTooLarge("sheet_too_long", name="c1.xlsx"), ReadersUnavailable()])
@pytest.mark.parametrize("streamed", [False, True])
async def test_sheets_that_cannot_become_a_workbook_are_the_end_of_the_run(
    editor: HeldEditor, excel: ExcelClient, error: TablewrightError, *, streamed: bool
) -> None:
    editor.error = error
    editor.free.set()
    told = dict(await excel.frames(excel.body()))["RESULT"] if streamed else await excel.ask()
    assert (told["success"], told["error"]) == (False, describe(error, "en"))
    assert (told["multiRoundResult"]["completed"], told["multiRoundResult"]["continueNeeded"]) == (False, False)
    assert "workbookId" not in told
    run = (await excel.http.get(f"/api/v1/runs/{(await question(excel))['run_id']}")).json()
    assert (run["question"], run["outcome"], run["failure"]["code"]) == ("Raise the pens", "failed", error.code)


@pytest.mark.parametrize("body", [{"operation": " "}, {"model": 3, "previousRounds": "many"}])
async def test_a_body_that_cannot_be_taken_is_refused_and_not_stored(excel: ExcelClient, body: dict[str, Any]) -> None:
    assert (await excel.post(excel.body(**body))).status_code == 422
    excel.sheets = [{**SHEET, "name": "a/b"}]
    assert (await excel.post(excel.body())).status_code == 422
    assert await messages(excel) == []
