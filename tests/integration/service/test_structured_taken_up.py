"""A report is made in structured rounds although processes die over it."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.support.killing import Killing
from tests.support.structured_process import ROUNDS, service_on

from tablewright.domain.events import RoundAnswered, ToolFinished
from tablewright.store.sql import SqlStore

NOTES = [f"{number}{name}" for number in range(1, ROUNDS + 1) for name in "ab"]


async def goes_on_after_a_kill_at(number: int, folder: Path, killing: Killing) -> bool:
    """Kill a process as it stores an event; the next brings its report to the end.

    Returns whether there was an event of this number to be killed at.
    """
    left = await killing.at(number, "tests.support.structured_process", folder)
    store = SqlStore(left.url)
    await store.open()
    service = service_on(store, folder)
    await service.runs.open_up()
    try:
        run = await service.runs.get(service.scope, left.run_id)
        bodies = [event.body for event in await service.events(run)]
        ended = await service.runs.get(service.scope, left.run_id)
        assert ended.answer is not None
        assert ended.answer.text == " ".join(NOTES)
        assert [body.answer.current_round for body in bodies if isinstance(body, RoundAnswered)][-1] == ROUNDS + 1
        assert [body.tool_call_id for body in bodies if isinstance(body, ToolFinished)] == [
            f"r{note}" for note in NOTES
        ]
        assert set((folder / "notes").read_text().split()) == set(NOTES)
    finally:
        await service.runs.close()
        await store.close()
    return left.killed


@pytest.mark.requirement("structured-taken-up")
@pytest.mark.parametrize("number", [1, 8, 13])
async def test_a_report_goes_on_after_its_process_was_killed(tmp_path: Path, number: int, killing: Killing) -> None:
    assert await goes_on_after_a_kill_at(number, tmp_path, killing)


@pytest.mark.long
@pytest.mark.requirement("structured-taken-up")
async def test_a_report_goes_on_after_its_process_was_killed_at_any_event(
    tmp_path_factory: pytest.TempPathFactory, killing: Killing
) -> None:
    number = 1
    while await goes_on_after_a_kill_at(number, tmp_path_factory.mktemp("one"), killing):
        number += 1
    assert number > ROUNDS * 5
