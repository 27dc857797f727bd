"""Versions of real workbooks: exact, small, safe with two writers and with a process that dies."""

from __future__ import annotations

import asyncio
import random
from datetime import timedelta
from pathlib import Path

import pytest
import xlsxwriter
from tests.support.workbook_bench import SALES, WorkbookBench, kept_bytes, step
from tests.support.workbooks import write_rich, write_xlsx

from tablewright.domain.artifact import BlobRef
from tablewright.domain.cells import SheetChanges
from tablewright.domain.codec import from_json
from tablewright.domain.ids import ManualClock
from tablewright.domain.operations.cells import SetFormula, SetValues
from tablewright.domain.operations.structure import DeleteRows, InsertRows
from tablewright.domain.scope import SystemScope
from tablewright.errors import (
    Conflict,
    FormatUnsupported,
    NotFound,
    PlanInvalid,
    StoreUnavailable,
    VersionDamaged,
    WorkbookChanged,
)
from tablewright.service.retention.collector import GRACE, Collector
from tablewright.store.base import Store
from tablewright.store.memory import MemoryStore
from tablewright.texts.errors import describe
from tablewright.workbook.base import NewSheet

WRITE = SetValues(range="F1", values=(("x",),))


@pytest.fixture(params=["memory", "sqlite_store", "postgres_store"])
def store(request: pytest.FixtureRequest) -> Store:
    if request.param == "memory":
        return MemoryStore()
    found: Store = request.getfixturevalue(request.param)
    return found


@pytest.fixture
def bench(tmp_path: Path) -> WorkbookBench:
    return WorkbookBench(folder=tmp_path)


@pytest.mark.requirement("versions-restore-the-bytes")
async def test_undo_and_redo_give_the_very_bytes(store: Store, tmp_path: Path) -> None:
    bench = WorkbookBench(folder=tmp_path, store=store)
    content = write_rich(tmp_path / "rich.xlsx").read_bytes()
    file = await bench.put(content)
    states = [content]
    for number in range(3):
        await bench.workbooks.edit(bench.scope, file.id, [InsertRows(row=2 + number)], base_version=number + 1)
        states.append(await bench.file_bytes(file))
    assert len(set(states)) == 4
    for earlier in reversed(states[:-1]):
        await bench.workbooks.undo(bench.scope, file.id)
        assert await bench.file_bytes(file) == earlier
    with pytest.raises(Conflict):
        await bench.workbooks.undo(bench.scope, file.id)
    for later in states[1:]:
        await bench.workbooks.redo(bench.scope, file.id)
        assert await bench.file_bytes(file) == later
    with pytest.raises(Conflict):
        await bench.workbooks.redo(bench.scope, file.id)
    assert [await bench.bytes_of(file, number) for number in (1, 2, 3, 4)] == states


async def test_redo_is_possible_until_something_new_is_done(bench: WorkbookBench) -> None:
    file = await bench.put()
    await bench.workbooks.edit(bench.scope, file.id, [InsertRows(row=2)])
    await bench.workbooks.undo(bench.scope, file.id)
    made = await bench.workbooks.edit(bench.scope, file.id, [WRITE])
    assert (made.version.number, made.version.parent) == (3, 1)
    with pytest.raises(Conflict):
        await bench.workbooks.redo(bench.scope, file.id)
    await bench.workbooks.undo(bench.scope, file.id)
    assert (await bench.workbooks.redo(bench.scope, file.id)).number == 3


@pytest.mark.requirement("versions-share-equal-parts")
async def test_twenty_versions_of_a_large_workbook_cost_little_more_than_their_changes(bench: WorkbookBench) -> None:
    chance = random.Random(7)
    path = bench.folder / "large.xlsx"
    with xlsxwriter.Workbook(str(path)) as book:
        for name in ("Edited", "Large one", "Large two"):
            sheet = book.add_worksheet(name)
            for row in range(40 if name == "Edited" else 20_000):
                sheet.write_row(row, 0, [chance.random() for _ in range(10)])
    content = path.read_bytes()
    assert len(content) > 5_000_000
    file = await bench.put(content)
    for number in range(20):
        edit = SetValues(sheet="Edited", range=f"A{number + 1}", values=((number,),))
        await bench.workbooks.edit(bench.scope, file.id, [edit])
    await collected(bench)

    # The head whole, every part once, and of each version the small sheet with what belongs to it.
    assert kept_bytes(bench.folder) < 2 * len(content) + 20 * 15_000
    assert await bench.bytes_of(file, 1) == content
    assert len(await bench.workbooks.versions(bench.scope, file.id)) == 21


async def collected(bench: WorkbookBench) -> None:
    """Let the collector remove what nothing stands on, an hour from now."""
    later = ManualClock(bench.clock.now() + GRACE + timedelta(minutes=1))
    await Collector(bench.store, bench.blobs, later, SystemScope(instance_id="i")).collect()


async def test_the_collector_leaves_what_versions_stand_on(store: Store, tmp_path: Path) -> None:
    bench = WorkbookBench(folder=tmp_path, store=store)
    file = await bench.put()
    content = await bench.file_bytes(file)
    await bench.execute(file, step(1, "insert_rows", row=2))
    latest = await bench.file_bytes(file)
    await collected(bench)
    assert await bench.file_bytes(file) == latest
    assert await bench.bytes_of(file, 1) == content
    version = await bench.workbooks.version(bench.scope, file.id, 2)
    assert version.changes is not None
    stored = b"".join([piece async for piece in bench.blobs.open(bench.scope, version.changes.sha256)])
    assert from_json(tuple[SheetChanges, ...], stored)[0].sheet == "Sales"
    await bench.workbooks.undo(bench.scope, file.id)
    await collected(bench)
    assert await bench.file_bytes(file) == content
    await store.files.remove(bench.scope, file.id)
    await collected(bench)
    assert kept_bytes(tmp_path) == 0


@pytest.mark.requirement("versions-second-writer-is-told")
async def test_of_two_writers_the_second_is_told(store: Store, tmp_path: Path) -> None:
    bench = WorkbookBench(folder=tmp_path, store=store)
    file = await bench.put()
    other = WorkbookBench(folder=tmp_path, store=store)
    edits = [
        service.workbooks.edit(service.scope, file.id, [SetValues(range=f"F{row}", values=((row,),))])
        for row, service in enumerate((bench, other, bench, other), 1)
    ]
    ended = await asyncio.gather(*edits, return_exceptions=True)
    won = [item for item in ended if not isinstance(item, BaseException)]
    assert all(isinstance(item, WorkbookChanged) for item in ended if isinstance(item, BaseException))
    versions = await bench.workbooks.versions(bench.scope, file.id)
    assert len(versions) == 1 + len(won)
    assert [version.parent for version in versions] == [None, *range(1, len(versions))]
    with pytest.raises(WorkbookChanged):
        await bench.workbooks.edit(bench.scope, file.id, [WRITE], base_version=1)


async def test_a_plan_that_two_attempts_execute_at_once_is_one_round(store: Store, tmp_path: Path) -> None:
    bench = WorkbookBench(folder=tmp_path, store=store)
    file = await bench.put()
    rounds = await asyncio.gather(*(bench.execute(file, step(1, "insert_rows", row=2)) for _ in range(3)))
    assert len({found.id for found in rounds}) == 1
    assert len(await bench.workbooks.versions(bench.scope, file.id)) == 2
    read = await asyncio.gather(*(bench.execute(file, step(1, "describe"), plan_id="p-2") for _ in range(3)))
    assert len({found.id for found in read}) == 1


async def test_a_process_that_dies_before_the_commit_leaves_the_workbook_as_it_was(
    bench: WorkbookBench, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = await bench.put()
    content = await bench.file_bytes(file)

    async def dies(*_args: object, **_given: object) -> None:
        raise StoreUnavailable("gone")

    with monkeypatch.context() as patched:
        patched.setattr(type(bench.store.workbooks), "commit", dies)
        with pytest.raises(StoreUnavailable):
            await bench.execute(file, step(1, "insert_rows", row=2))
    assert await bench.file_bytes(file) == content
    assert await bench.run_workbook(file).version() == 1
    done = await bench.execute(file, step(1, "insert_rows", row=2))
    assert done.version == 2


async def test_a_process_that_dies_after_the_commit_finds_its_round_again(bench: WorkbookBench) -> None:
    file = await bench.put()
    done = await bench.execute(file, step(1, "insert_rows", row=2))
    again = WorkbookBench(folder=bench.folder, store=bench.store)
    assert await again.execute(file, step(1, "insert_rows", row=2)) == done
    assert len(await bench.workbooks.versions(bench.scope, file.id)) == 2


@pytest.mark.requirement("versions-rollback-by-request")
async def test_a_request_is_undone_with_what_came_after_it(bench: WorkbookBench) -> None:
    file = await bench.put()
    first = await bench.execute(file, step(1, "insert_rows", row=2), number=2)
    second = await bench.execute(file, step(1, "insert_rows", row=3), number=3)
    read = await bench.execute(file, step(1, "describe"), plan_id="plan-2")
    edited = await bench.workbooks.edit(bench.scope, file.id, [WRITE])
    assert (await bench.workbooks.rollback(bench.scope, file.id, edited.version.request_id)).number == 3
    assert (await bench.workbooks.rollback(bench.scope, file.id, edited.version.request_id)).number == 3
    await bench.workbooks.redo(bench.scope, file.id)
    assert (await bench.workbooks.rollback(bench.scope, file.id, read.id)).number == 3
    assert (await bench.workbooks.rollback(bench.scope, file.id, second.id)).number == 2
    await bench.workbooks.redo(bench.scope, file.id)
    assert (await bench.workbooks.rollback(bench.scope, file.id, first.plan_id)).number == 1
    with pytest.raises(NotFound):
        await bench.workbooks.rollback(bench.scope, file.id, "nobody")
    with pytest.raises(NotFound):
        await bench.workbooks.rollback(bench.scope, file.id, file.id)


async def test_an_edit_is_done_whole_or_not_at_all(bench: WorkbookBench) -> None:
    file = await bench.put()
    with pytest.raises(PlanInvalid) as refused:
        await bench.workbooks.edit(bench.scope, file.id, [WRITE, DeleteRows(row=2, sheet="Nowhere")])
    assert (refused.value.params["step"], refused.value.params["problem"]) == (2, "sheet_missing")
    assert len(await bench.workbooks.versions(bench.scope, file.id)) == 1
    edited = await bench.workbooks.edit(bench.scope, file.id, [SetFormula(range="F2", formula="=1/0")])
    assert edited.changed
    assert [notice.code for notice in edited.warnings] == ["formula_error_new"]
    same = await bench.workbooks.edit(bench.scope, file.id, [SetFormula(range="F2", formula="=1/0")])
    assert (same.changed, same.version.number) == (False, 2)


async def test_a_file_of_another_kind_becomes_xlsx_by_its_first_edit_and_is_itself_again_when_undone(
    bench: WorkbookBench,
) -> None:
    file = await bench.put(b"a,b\n1,2\n", name="plain.csv")
    edited = await bench.workbooks.edit(bench.scope, file.id, [WRITE])
    assert [notice.code for notice in edited.warnings] == ["converted_text"]
    stored = await bench.store.files.get(bench.scope, file.id)
    assert (stored.name, stored.kind) == ("plain.xlsx", "xlsx")
    difference = await bench.workbooks.compare(bench.scope, file.id, 1, 2)
    assert [[cell.ref for cell in sheet.cells] for sheet in difference.sheets] == [["F1"]]
    await bench.workbooks.undo(bench.scope, file.id)
    stored = await bench.store.files.get(bench.scope, file.id)
    assert (stored.name, stored.kind, stored.mime) == ("plain.csv", "csv", "text/csv")
    assert await bench.file_bytes(file) == b"a,b\n1,2\n"


async def test_a_workbook_is_made_of_rows(bench: WorkbookBench) -> None:
    conversation = await bench.conversation()
    sheets = (NewSheet(name="S", rows=(("a", "b"), (1, "=A2*2")), at="B2"),)
    file = await bench.workbooks.create(bench.scope, name="made", sheets=sheets, conversation_id=conversation.id)
    assert file.name == "made.xlsx"
    assert await bench.contents(file) == {"B2": "a", "C2": "b", "B3": 1, "C3": "=A2*2"}
    (version,) = await bench.workbooks.versions(bench.scope, file.id)
    assert (version.author, version.number) == ("client", 1)
    assert (await bench.workbooks.state(bench.scope, conversation.id)).file == file


async def test_a_conversation_or_a_channel_means_its_newest_workbook(bench: WorkbookBench) -> None:
    made = await bench.conversation()
    conversation = await bench.store.conversations.add_keyed(bench.scope, "excel", "ch-1", made)
    with pytest.raises(NotFound):
        await bench.workbooks.state(bench.scope, "ch-1")
    await bench.put(conversation_id=conversation.id)
    newest = await bench.put(name="other.xlsx", conversation_id=conversation.id)
    await bench.put(b"{}", name="data.json", conversation_id=conversation.id)
    for name in ("ch-1", conversation.id, newest.id):
        assert (await bench.workbooks.state(bench.scope, name)).file == newest
    other = await bench.put(b"[]", name="rows.json")
    with pytest.raises(FormatUnsupported):
        await bench.workbooks.state(bench.scope, other.id)
    with pytest.raises(NotFound):
        await bench.workbooks.state(bench.scope, "nothing")


async def test_a_version_that_is_damaged_where_it_is_kept_does_not_become_the_head(bench: WorkbookBench) -> None:
    file = await bench.put(write_xlsx(bench.folder / "a.xlsx", SALES).read_bytes())
    await bench.workbooks.edit(bench.scope, file.id, [WRITE])
    first = await bench.workbooks.version(bench.scope, file.id, 1)
    assert first.manifest is not None
    manifest = await bench.blobs.path(bench.scope, first.manifest.sha256)
    part = from_json(tuple[BlobRef, ...], manifest.read_bytes())[1]
    (await bench.blobs.path(bench.scope, part.sha256)).write_bytes(bytes(part.size_bytes))
    with pytest.raises(VersionDamaged) as refused:
        await bench.workbooks.undo(bench.scope, file.id)
    assert "“sales.xlsx”的第 1 版在存储中已损坏" in describe(refused.value, "zh")
    assert (await bench.workbooks.version(bench.scope, file.id)).number == 2


async def test_a_comparison_shows_the_first_cells_that_differ_and_says_that_there_are_more(
    bench: WorkbookBench,
) -> None:
    rows = [[row, row + 1] for row in range(2_000)]
    file = await bench.put(write_xlsx(bench.folder / "long.xlsx", {"S": rows}).read_bytes())
    await bench.workbooks.edit(bench.scope, file.id, [InsertRows(row=1)])
    (sheet,) = (await bench.workbooks.compare(bench.scope, file.id, 1, 2)).sheets
    assert (len(sheet.cells), sheet.truncated, sheet.range) == (1_000, True, "A1:B2001")
    assert (sheet.cells[0].ref, sheet.cells[0].before, sheet.cells[0].after) == ("A1", 0, None)
