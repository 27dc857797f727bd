"""Reading apart from the event loop."""

from __future__ import annotations

import asyncio
import json
import threading
from typing import Any

from tests.support.patience import PATIENCE_S
from tests.unit.analyst.facts import SALES, Values
from tests.unit.analyst.test_model import parts_of, words

from tablewright.analyst.apart import Apart
from tablewright.analyst.understanding.remembered import CHARS_READ
from tablewright.data.base import ValueLookup
from tablewright.domain.outline import WorkbookOutline
from tablewright.domain.task import AnalyzeTable, PlanOperations
from tablewright.models.base import ToolCalled


async def test_others_go_on_while_a_sentence_is_read() -> None:
    begun, released = asyncio.Event(), threading.Event()
    home = asyncio.get_running_loop()

    async def read(values: ValueLookup) -> bool:
        home.call_soon_threadsafe(begun.set)
        return released.wait(timeout=PATIENCE_S)

    reading = asyncio.create_task(Apart().do(Values(), read))
    await begun.wait()
    released.set()
    assert await reading


async def test_values_are_looked_up_where_they_belong() -> None:
    class Homely(Values):
        async def values(self, profile_ref: str, column: str) -> Any:
            assert asyncio.get_running_loop() is home
            return await super().values(profile_ref, column)

    async def read(values: ValueLookup) -> Any:
        assert asyncio.get_running_loop() is not home
        return await values.values("nothing", "at all")

    home = asyncio.get_running_loop()
    assert await Apart().do(Homely(), read) == await Values().values("nothing", "at all")


async def test_what_is_too_long_is_not_read_and_says_so() -> None:
    question = "sort by units and " + "very " * CHARS_READ
    parts = await parts_of(AnalyzeTable(question=question, language="en", datasets=(SALES,)))
    call = next(part for part in parts if isinstance(part, ToolCalled))
    assert str(CHARS_READ) in str(call.arguments["reason"])
    task = PlanOperations(question=question, language="zh", outline=WorkbookOutline(sheets=()))
    assert str(CHARS_READ) in json.loads(words(await parts_of(task)))["error"]
