"""Text waits for its like, and all runs of a process wait together."""

from __future__ import annotations

import asyncio

from tablewright.domain.ids import ManualClock
from tablewright.service.runs.linger import LINGER_S, Linger


async def turns() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


async def test_who_comes_while_others_wait_is_let_go_with_them() -> None:
    clock = ManualClock()
    linger, first, second = Linger(clock), asyncio.Event(), asyncio.Event()
    waits = [asyncio.create_task(linger.over(first))]
    await turns()
    await clock.advance(LINGER_S / 2)
    waits.append(asyncio.create_task(linger.over(second)))
    await turns()
    assert not any(wait.done() for wait in waits)
    await clock.advance(LINGER_S / 2)
    await turns()
    assert all(wait.done() for wait in waits)


async def test_who_left_is_not_hurried_in_the_next_linger() -> None:
    clock = ManualClock()
    linger, urgent, other = Linger(clock), asyncio.Event(), asyncio.Event()
    waits = [asyncio.create_task(linger.over(each)) for each in (urgent, other)]
    await turns()
    urgent.set()
    await turns()
    assert [wait.done() for wait in waits] == [True, False]
    urgent.clear()
    await clock.advance(LINGER_S)
    await turns()
    assert waits[1].done()
    assert not urgent.is_set()


async def test_a_linger_that_nobody_waits_for_any_more_does_not_shorten_the_next() -> None:
    clock = ManualClock()
    linger, urgent = Linger(clock), asyncio.Event()
    wait = asyncio.create_task(linger.over(urgent))
    await turns()
    await clock.advance(LINGER_S * 0.8)
    urgent.set()
    await wait
    urgent.clear()
    again = asyncio.create_task(linger.over(urgent))
    await turns()
    await clock.advance(LINGER_S * 0.8)
    await turns()
    assert not again.done()
    await clock.advance(LINGER_S * 0.2)
    await turns()
    assert again.done()
