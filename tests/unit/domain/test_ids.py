"""Identifiers and clocks."""

from __future__ import annotations

import asyncio
from uuid import UUID

from hypothesis import given
from hypothesis import strategies as st
from tests.support.patience import PATIENCE_S

from tablewright.domain.ids import ManualClock, Uuid7Ids, uuid7

MOMENTS = st.integers(min_value=0, max_value=2**48 - 1)
ENTROPY = st.binary(min_size=10, max_size=10)


@given(MOMENTS, ENTROPY)
def test_a_uuid7_carries_its_version_its_variant_and_its_time(moment: int, entropy: bytes) -> None:
    value = uuid7(moment, entropy)
    assert value.version == 7
    assert value.variant == "specified in RFC 4122"
    assert value.int >> 80 == moment


@given(MOMENTS, MOMENTS, ENTROPY, ENTROPY)
def test_a_later_identifier_sorts_after_an_earlier_one(one: int, other: int, first: bytes, second: bytes) -> None:
    if one < other:
        assert str(uuid7(one, first)) < str(uuid7(other, second))


def test_identifiers_are_not_repeated() -> None:
    ids = Uuid7Ids()
    made = {ids.new() for _ in range(1000)}
    assert len(made) == 1000
    assert all(UUID(one).version == 7 for one in made)


def test_identifiers_of_one_millisecond_sort_as_they_were_made() -> None:
    ids = Uuid7Ids()
    made = [ids.new() for _ in range(5000)]
    assert made == sorted(made)


async def test_who_sleeps_on_the_manual_clock_wakes_when_it_has_advanced_enough() -> None:
    clock = ManualClock()
    woken: list[float] = []

    async def sleeper() -> None:
        await clock.sleep(10)
        woken.append(clock.monotonic())

    task = asyncio.create_task(sleeper())
    await asyncio.sleep(0)
    await clock.advance(9)
    assert not woken
    await clock.advance(1)
    await asyncio.wait_for(task, PATIENCE_S)
    assert woken == [10]
