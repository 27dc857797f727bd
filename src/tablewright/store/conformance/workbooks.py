"""Tests of stores of workbooks."""

from __future__ import annotations

import asyncio
from dataclasses import replace

from tablewright.domain.artifact import BlobRef
from tablewright.domain.cells import CellChange, SheetChanges
from tablewright.domain.dataset import StoredFile
from tablewright.domain.notice import Notice
from tablewright.domain.rounds.plan import PlanStep
from tablewright.domain.rounds.round import Round, StepResult
from tablewright.domain.workbook import Version
from tablewright.errors import NotFound, WorkbookChanged
from tablewright.store.base import Store
from tablewright.store.conformance.examples import ANN, BOB, OTHER_TENANT, SYSTEM, T0, after, file, refused

PARTS = tuple(BlobRef(sha256=f"{number:02}" * 32, size_bytes=number) for number in range(10))


def state(number: int, parent: int | None, *, name: str = "sales.xlsx") -> Version:
    """Make a version; its blob is the part with the same number."""
    return Version(
        workbook_id="f-1",
        number=number,
        parent=parent,
        blob=PARTS[number],
        name=name,
        author="upload" if parent is None else "round",
        request_id=f"q-{number}",
        created_at=after(number),
        manifest=PARTS[0],
    )


def file_of(version: Version, *, run_id: str | None = None) -> StoredFile:
    """Make the file in its state at a version."""
    named = replace(file("f-1", version.name, run_id=run_id), datasets=())
    return replace(named, sha256=version.blob.sha256, size_bytes=version.blob.size_bytes)


def executed(round_id: str, number: int, *, plan_id: str = "p-1", run_id: str = "r-1") -> Round:
    """Make a round of two steps, one of which failed."""
    step = PlanStep(step=1, function="set_values", parameters={"range": "A1", "values": [["门店", 1.5, None]]})
    why = Notice(code="sheet_missing", params={"id": "x", "known": "a, b"}, field="sheet")
    change = CellChange(ref="A1", before=None, after="门店")
    return Round(
        id=round_id,
        workbook_id="f-1",
        run_id=run_id,
        plan_id=plan_id,
        number=number,
        steps=(
            StepResult(step=step, status="completed", wrote=True, cells_changed=1),
            StepResult(step=replace(step, step=2, retries=1), status="failed", error=why),
        ),
        created_at=T0,
        changes=(SheetChanges(sheet="一", range="A1", cells=(change,)),),
        warnings=(why,),
    )


async def made(store: Store, *, run_id: str | None = None) -> None:
    """Store a file and turn it into a workbook."""
    first = state(1, None)
    await store.files.add(ANN, file_of(first, run_id=run_id), refs=(PARTS[1],), conversation_id=None)
    await store.workbooks.add(ANN, first, refs=(PARTS[7],))


class WorkbooksConformance:
    """Heads, versions, rounds, and the blobs that they refer to."""

    async def test_a_file_becomes_a_workbook_once(self, store: Store) -> None:
        with refused(NotFound):
            await store.workbooks.add(ANN, state(1, None), refs=())
        await made(store)
        again = await store.workbooks.add(ANN, replace(state(1, None), summary="other"), refs=())
        assert (again.id, again.head, again.latest) == ("f-1", 1, 1)
        assert await store.workbooks.versions(ANN, "f-1") == (state(1, None),)

    async def test_many_that_make_one_file_a_workbook_at_once_find_the_same(self, store: Store) -> None:
        await store.files.add(ANN, file_of(state(1, None)), refs=(), conversation_id=None)
        found = await asyncio.gather(*(store.workbooks.add(ANN, state(1, None), refs=PARTS[:3]) for _ in range(4)))
        assert {(workbook.head, workbook.latest) for workbook in found} == {(1, 1)}

    async def test_a_workbook_of_another_owner_or_tenant_does_not_exist(self, store: Store) -> None:
        await made(store)
        for stranger in (BOB, OTHER_TENANT):
            with refused(NotFound):
                await store.workbooks.get(stranger, "f-1")
            with refused(NotFound):
                await store.workbooks.versions(stranger, "f-1")
            with refused(NotFound):
                await store.workbooks.commit(stranger, state(2, 1), file=file_of(state(2, 1)), refs=())
            with refused(NotFound):
                await store.workbooks.move_head(stranger, "f-1", expected=1, number=1, file=file_of(state(1, None)))
            with refused(NotFound):
                await store.workbooks.rounds(stranger, "f-1")
            with refused(NotFound):
                await store.workbooks.add_round(stranger, executed("o-1", 2))

    async def test_a_commit_writes_version_head_file_and_round_together(self, store: Store) -> None:
        await made(store)
        written = await store.workbooks.commit(
            ANN, replace(state(2, 1), number=0), file=file_of(state(2, 1)), refs=(), round_=executed("o-1", 2)
        )
        assert written == state(2, 1)
        assert await store.workbooks.version(ANN, "f-1", 2) == state(2, 1)
        workbook = await store.workbooks.get(ANN, "f-1")
        assert (workbook.head, workbook.latest) == (2, 2)
        assert await store.files.get(ANN, "f-1") == file_of(state(2, 1))
        assert await store.workbooks.rounds(ANN, "f-1") == (replace(executed("o-1", 2), version=2),)
        with refused(NotFound):
            await store.workbooks.version(ANN, "f-1", 3)

    async def test_a_commit_on_anything_but_the_head_changes_nothing(self, store: Store) -> None:
        await made(store)
        await store.workbooks.commit(ANN, state(2, 1), file=file_of(state(2, 1)), refs=())
        with refused(WorkbookChanged):
            await store.workbooks.commit(
                ANN, state(3, 1), file=file_of(state(3, 1)), refs=(), round_=executed("o-1", 2)
            )
        assert len(await store.workbooks.versions(ANN, "f-1")) == 2
        assert await store.workbooks.rounds(ANN, "f-1") == ()
        assert (await store.files.get(ANN, "f-1")).sha256 == PARTS[2].sha256

    async def test_of_many_who_commit_at_once_one_wins(self, store: Store) -> None:
        await made(store)
        commits = (
            store.workbooks.commit(ANN, state(2, 1), file=file_of(state(2, 1)), refs=(PARTS[8],)) for _ in range(5)
        )
        ended = await asyncio.gather(*commits, return_exceptions=True)
        assert sorted(type(item).__name__ for item in ended) == ["Version"] + 4 * ["WorkbookChanged"]
        assert len(await store.workbooks.versions(ANN, "f-1")) == 2

    async def test_moving_the_head_writes_the_file_and_keeps_every_version(self, store: Store) -> None:
        await made(store)
        await store.workbooks.commit(ANN, state(2, 1), file=file_of(state(2, 1)), refs=())
        await store.workbooks.move_head(ANN, "f-1", expected=2, number=1, file=file_of(state(1, None)))
        workbook = await store.workbooks.get(ANN, "f-1")
        assert (workbook.head, workbook.latest) == (1, 2)
        assert (await store.files.get(ANN, "f-1")).sha256 == PARTS[1].sha256
        with refused(WorkbookChanged):
            await store.workbooks.move_head(ANN, "f-1", expected=2, number=1, file=file_of(state(1, None)))
        with refused(NotFound):
            await store.workbooks.move_head(ANN, "f-1", expected=1, number=7, file=file_of(state(1, None)))
        third = await store.workbooks.commit(ANN, state(3, 1), file=file_of(state(3, 1)), refs=())
        assert (third.number, third.parent) == (3, 1)

    async def test_a_round_that_wrote_nothing_is_kept_once(self, store: Store) -> None:
        await made(store)
        await store.workbooks.add_round(ANN, executed("o-1", 2))
        await store.workbooks.add_round(ANN, executed("o-2", 2))
        await store.workbooks.add_round(ANN, executed("o-3", 3, run_id="r-2"))
        assert [found.id for found in await store.workbooks.rounds(ANN, "f-1")] == ["o-1", "o-3"]
        assert await store.workbooks.rounds(ANN, "f-1", run_ids=("r-1",)) == (executed("o-1", 2),)
        assert await store.workbooks.rounds(ANN, "f-1", run_ids=()) == ()

    async def test_versions_keep_their_blobs_and_the_file_that_of_the_head(self, store: Store) -> None:
        await made(store)
        hashes = [part.sha256 for part in PARTS]
        await store.workbooks.commit(ANN, state(2, 1), file=file_of(state(2, 1)), refs=(PARTS[7], PARTS[8], PARTS[8]))
        kept = {PARTS[2].sha256, PARTS[7].sha256, PARTS[8].sha256}
        assert await store.files.unreferenced(SYSTEM, "acme", hashes) == set(hashes) - kept
        assert await store.files.unreferenced(SYSTEM, "globex", hashes) == set(hashes)
        await store.files.remove(ANN, "f-1")
        assert await store.files.unreferenced(SYSTEM, "acme", hashes) == set(hashes)

    async def test_a_removed_file_takes_its_versions_and_rounds_along(self, store: Store) -> None:
        await made(store)
        await store.workbooks.add_round(ANN, executed("o-1", 2))
        await store.files.remove(ANN, "f-1")
        with refused(NotFound):
            await store.workbooks.get(ANN, "f-1")
        await made(store)
        assert await store.workbooks.rounds(ANN, "f-1") == ()
        assert await store.workbooks.versions(ANN, "f-1") == (state(1, None),)

    async def test_the_name_of_a_version_stays_free_of_others_where_a_run_made_the_file(self, store: Store) -> None:
        await store.files.add(ANN, file("f-2", "sales.xlsx", run_id="r-1"), refs=(), conversation_id=None)
        csv = state(1, None, name="sales.csv")
        await store.files.add(ANN, file_of(csv, run_id="r-1"), refs=(), conversation_id=None)
        await store.workbooks.add(ANN, csv, refs=())
        await store.workbooks.commit(ANN, state(2, 1), file=file_of(state(2, 1), run_id="r-1"), refs=())
        assert (await store.files.get(ANN, "f-1")).name == "sales (2).xlsx"
        await store.workbooks.move_head(ANN, "f-1", expected=2, number=1, file=file_of(csv, run_id="r-1"))
        assert (await store.files.get(ANN, "f-1")).name == "sales.csv"

    async def test_what_was_known_of_an_earlier_content_does_not_replace_a_later_one(self, store: Store) -> None:
        await made(store)
        await store.workbooks.commit(ANN, state(2, 1), file=file_of(state(2, 1)), refs=())
        await store.files.replace(ANN, file_of(state(1, None)), refs=())
        assert (await store.files.get(ANN, "f-1")).sha256 == PARTS[2].sha256
        with refused(NotFound):
            await store.files.replace(BOB, file_of(state(1, None)), refs=())
