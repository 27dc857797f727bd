"""What is made while the first file is read."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack

from tablewright.analyst.grammar.lexicon import entries
from tablewright.bootstrap.rehearsal import rehearse, rehearse_once


async def test_nothing_is_rehearsed_before_a_file_is_given_and_closing_ends_the_wait() -> None:
    async with AsyncExitStack() as stack:
        rehearse_once(asyncio.Event(), stack)
        await asyncio.sleep(0)
        (task,) = [one for one in asyncio.all_tasks() if one.get_name() == "rehearsal"]
    assert task.cancelled()


async def test_it_is_rehearsed_once_a_file_is_given() -> None:
    asked = asyncio.Event()
    async with AsyncExitStack() as stack:
        rehearse_once(asked, stack)
        (task,) = [one for one in asyncio.all_tasks() if one.get_name() == "rehearsal"]
        asked.set()
        await task
    assert task.exception() is None


def test_what_was_rehearsed_need_not_be_read_again() -> None:
    rehearse()
    assert entries.cache_info().currsize == 1
