"""Files are kept, known and given back; what cannot be used leaves nothing behind."""

from __future__ import annotations

import asyncio
import errno
import os
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import pytest
from tests.support.patience import PATIENCE_S
from tests.support.service_bench import Bench, bench
from tests.unit.service.scripts import answering

from tablewright.domain.dataset import DistinctValues
from tablewright.domain.ids import CountingIds, ManualClock
from tablewright.domain.scope import Scope, SystemScope
from tablewright.errors import FileTooLarge, FileUnreadable, InvalidInput, NotFound, StorageFull
from tablewright.service.files.files import FileLimits, RunArtifacts, StoredValues
from tablewright.service.retention.collector import Collector


async def stream(*pieces: str) -> AsyncIterator[bytes]:
    for piece in pieces:
        yield piece.encode()


def left_over(folder: Path) -> list[str]:
    return [path.name for path in (folder / "blobs").rglob("*") if path.is_file() and path.name != ".lock"]


async def read(service: Bench, file_id: str) -> bytes:
    opened = await service.files.open(service.scope, file_id)
    return b"".join([piece async for piece in opened.content])


async def test_an_upload_is_kept_profiled_and_linked(tmp_path: Path) -> None:
    service = bench(tmp_path, answering)
    conversation = await service.conversations.create(service.scope)
    file = await service.files.upload(
        service.scope, name="门店.csv", content=stream("one\n", "two\n"), conversation_id=conversation.id
    )
    assert (file.name, file.mime, file.kind, file.size_bytes) == ("门店.csv", "text/csv", "csv", 8)
    assert await service.files.get(service.scope, file.id) == file
    assert (await service.files.list(service.scope, conversation_id=conversation.id)).items == (file,)
    assert await read(service, file.id) == b"one\ntwo\n"
    assert await service.files.profile(service.scope, file.id) == file.datasets
    assert (await service.files.preview(service.scope, file.id, rows=1)).rows == (("one",),)
    values = StoredValues(service.blobs, service.scope)
    found = await values.values(file.datasets[0].profile_ref, "line")
    assert found == DistinctValues(values=("one", "two"), counts=(1, 1), complete=True)
    assert await values.values(file.datasets[0].profile_ref, "other") is None
    assert await values.values("0" * 64, "line") is None


@pytest.mark.requirement("store-failed-upload-leaves-nothing")
async def test_a_file_that_cannot_be_read_leaves_nothing_behind(tmp_path: Path) -> None:
    service = bench(tmp_path, answering)
    with pytest.raises(FileUnreadable):
        await service.files.upload(service.scope, name="a.csv", content=stream("broken"))
    assert (await service.files.list(service.scope)).items == ()
    assert left_over(tmp_path) == []


async def test_a_file_that_is_too_large_is_refused_while_it_arrives(tmp_path: Path) -> None:
    sent = 0

    async def endless() -> AsyncIterator[bytes]:
        nonlocal sent
        while True:
            sent += 1
            yield b"x" * 10

    service = bench(tmp_path, answering, limits=FileLimits(upload_bytes=95))
    with pytest.raises(FileTooLarge) as refused:
        await service.files.upload(service.scope, name="a.csv", content=endless())
    assert (refused.value.params["name"], refused.value.params["limit_bytes"]) == ("a.csv", 95)
    assert sent == 10
    assert left_over(tmp_path) == []
    kept = await service.files.upload(service.scope, name="a.csv", content=stream("x" * 95))
    assert kept.size_bytes == 95


async def test_an_upload_that_breaks_off_leaves_nothing_behind(tmp_path: Path) -> None:
    async def broken() -> AsyncIterator[bytes]:
        yield b"half"
        raise ConnectionResetError

    service = bench(tmp_path, answering)
    with pytest.raises(ConnectionResetError):
        await service.files.upload(service.scope, name="a.csv", content=broken())
    assert left_over(tmp_path) == []


async def test_a_full_disk_is_said_and_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_handle: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    service = bench(tmp_path, answering)
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(StorageFull) as refused:
        await service.files.upload(service.scope, name="a.csv", content=stream("one"))
    assert refused.value.params["path"] == str(tmp_path / "blobs")
    assert left_over(tmp_path) == []


async def test_a_file_needs_a_name_and_a_conversation_that_exists(tmp_path: Path) -> None:
    service = bench(tmp_path, answering)
    for name in ("", "/", "\0", "..", "a/"):
        with pytest.raises(InvalidInput):
            await service.files.upload(service.scope, name=name, content=stream("one"))
    with pytest.raises(NotFound):
        await service.files.upload(service.scope, name="a.csv", content=stream("one"), conversation_id="c-9")
    assert left_over(tmp_path) == []


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("C:\\data\\销售 2026.xlsx", "销售 2026.xlsx"),
        ("../../etc/passwd.csv", "passwd.csv"),
        ("a\nb\u202e.csv", "ab.csv"),
        (".hidden.csv", "hidden.csv"),
        ("字" * 300 + ".csv", "字" * 65 + ".csv"),
        ("half\ud800.csv", "half?.csv"),
    ],
)
async def test_a_name_is_one_that_any_file_system_takes(tmp_path: Path, given: str, kept: str) -> None:
    service = bench(tmp_path, answering)
    assert (await service.files.upload(service.scope, name=given, content=stream("one"))).name == kept


@pytest.mark.requirement("store-owner-scoped")
async def test_a_file_of_another_owner_does_not_exist(tmp_path: Path) -> None:
    service = bench(tmp_path, answering)
    file = await service.files.upload(service.scope, name="a.csv", content=stream("one"))
    stranger = Scope(owner="somebody else")
    for use in (service.files.get, service.files.open, service.files.profile, service.files.delete):
        with pytest.raises(NotFound):
            await use(stranger, file.id)
    with pytest.raises(NotFound):
        await service.files.preview(stranger, file.id)
    assert (await service.files.get(service.scope, file.id)).id == file.id


async def test_what_a_run_makes_belongs_to_its_owner_and_conversation(tmp_path: Path) -> None:
    service = bench(tmp_path, answering)
    conversation = await service.conversations.create(service.scope)
    artifacts = RunArtifacts(
        service.store,
        service.blobs,
        CountingIds("f"),
        service.scope,
        run_id="r-1",
        conversation_id=conversation.id,
    )
    first = await artifacts.put("result.csv", "text/csv", b"one\ntwo")
    second = await artifacts.put("result.csv", "text/csv", stream("three"))
    chart = await artifacts.put("图.png", "image/png", b"png")
    assert [ref.name for ref in (first, second, chart)] == ["result.csv", "result (2).csv", "图.png"]
    assert (second.size_bytes, second.mime) == (5, "text/csv")
    assert await read(service, second.id) == b"three"
    listed = (await service.files.list(service.scope, conversation_id=conversation.id)).items
    assert {file.id for file in listed} == {first.id, second.id, chart.id}
    assert service.tables.profiled == []
    (facts,) = await service.files.profile(service.scope, first.id)
    assert facts.rows == 2
    assert await service.files.profile(service.scope, chart.id) == ()
    await service.files.profile(service.scope, first.id)
    assert service.tables.profiled == ["result.csv"]


async def test_the_collector_removes_what_nothing_stands_on_an_hour_later(tmp_path: Path) -> None:
    clock = ManualClock()
    service = bench(tmp_path, answering, clock=clock)
    kept = await service.files.upload(service.scope, name="kept.csv", content=stream("one"))
    gone = await service.files.upload(service.scope, name="gone.csv", content=stream("two"))
    await service.files.delete(service.scope, gone.id)
    collector = Collector(service.store, service.blobs, clock, SystemScope(instance_id="i-1"))
    assert await collector.collect() == 0
    await clock.advance(timedelta(hours=1, seconds=1).total_seconds())
    assert await collector.collect() == 2
    assert await collector.collect() == 0
    assert await read(service, kept.id) == b"one"
    assert sorted(left_over(tmp_path)) == sorted([kept.sha256, kept.datasets[0].profile_ref])


async def test_bytes_that_are_put_again_are_not_collected(tmp_path: Path) -> None:
    clock = ManualClock()
    service = bench(tmp_path, answering, clock=clock)
    gone = await service.files.upload(service.scope, name="a.csv", content=stream("one"))
    await service.files.delete(service.scope, gone.id)
    await clock.advance(7200)
    before = clock.now() - timedelta(hours=1)
    old = await service.blobs.older_than(SystemScope(instance_id="i-1"), before)
    assert gone.sha256 in old["local"]
    again = await asyncio.create_task(service.files.upload(service.scope, name="b.csv", content=stream("one")))
    assert again.sha256 == gone.sha256
    collector = Collector(service.store, service.blobs, clock, SystemScope(instance_id="i-1"))
    assert await collector.collect() == 0
    assert await read(service, again.id) == b"one"


async def test_the_collector_comes_by_itself(tmp_path: Path) -> None:
    clock = ManualClock()
    service = bench(tmp_path, answering, clock=clock)
    collector = Collector(service.store, service.blobs, clock, SystemScope(instance_id="i-1"))
    await collector.open_up()
    (working,) = (task for task in asyncio.all_tasks() if task.get_name() == "collector")
    kept = await service.files.upload(service.scope, name="kept.csv", content=stream("one"))
    gone = await service.files.upload(service.scope, name="gone.csv", content=stream("two"))
    await service.files.delete(service.scope, gone.id)
    async with asyncio.timeout(PATIENCE_S):
        while gone.sha256 in left_over(tmp_path):
            await clock.advance(3600)
            await asyncio.wait((working,), timeout=0.01)
    assert kept.sha256 in left_over(tmp_path)
    await collector.close()
    assert working.cancelled()
