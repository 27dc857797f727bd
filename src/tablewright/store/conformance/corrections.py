"""Tests of corrections."""

from __future__ import annotations

import asyncio

from tablewright.domain.scope import Scope
from tablewright.domain.workflow.stored import WorkflowCorrection
from tablewright.errors import NotFound
from tablewright.store.base import Store
from tablewright.store.conformance.examples import ANN, BOB, OTHER_TENANT, after, refused
from tablewright.store.correction_store import MOST


def correction(number: int = 1, *, wanted: str | None = None) -> WorkflowCorrection:
    """Make a correction that was said after so many seconds."""
    return WorkflowCorrection(
        id=f"c-{number}",
        message="查一下订单\x1b 📦",
        workflow_id="w-1",
        wanted_id=wanted,
        created_at=after(number),
    )


async def kept(store: Store, scope: Scope = ANN) -> list[str]:
    """Return the ids of what is kept, in order."""
    return [one.id for one in await store.corrections.all(scope)]


class CorrectionsConformance:
    """Corrections of an owner."""

    async def test_corrections_come_back_as_they_were_said_the_oldest_first(self, store: Store) -> None:
        said = [correction(2, wanted="w-2"), correction(1), correction(3)]
        for one in said:
            await store.corrections.add(ANN, one)
        assert await store.corrections.all(ANN) == (said[1], said[0], said[2])

    async def test_corrections_are_nobody_elses(self, store: Store) -> None:
        await store.corrections.add(ANN, correction())
        for other in (BOB, OTHER_TENANT):
            assert await kept(store, other) == []
            with refused(NotFound):
                await store.corrections.remove(other, "c-1")
        assert await kept(store) == ["c-1"]

    async def test_a_correction_that_is_removed_is_gone(self, store: Store) -> None:
        for number in (1, 2):
            await store.corrections.add(ANN, correction(number))
        await store.corrections.remove(ANN, "c-1")
        assert await kept(store) == ["c-2"]
        with refused(NotFound):
            await store.corrections.remove(ANN, "c-1")

    async def test_the_oldest_corrections_give_way(self, store: Store) -> None:
        await store.corrections.add(BOB, correction(0))
        for number in range(1, MOST + 3):
            await store.corrections.add(ANN, correction(number))
        assert await kept(store) == [f"c-{number}" for number in range(3, MOST + 3)]
        assert await kept(store, BOB) == ["c-0"]

    async def test_corrections_at_the_same_time_are_all_kept(self, store: Store) -> None:
        await asyncio.gather(*(store.corrections.add(ANN, correction(number)) for number in range(5)))
        assert await kept(store) == [f"c-{number}" for number in range(5)]
