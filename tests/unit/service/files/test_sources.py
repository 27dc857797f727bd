"""How far a caller reaches."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from tests.support.service_bench import Bench, bench
from tests.unit.service.scripts import answering

from tablewright.data.base import Download
from tablewright.domain.scope import Scope
from tablewright.errors import FileUnreadable, NotFound
from tablewright.service.files.profiles import Previews
from tablewright.service.files.sources import Caller, ResolvedPlace, Sources, is_address
from tablewright.workbook.memory import MemoryEditor

HERE = Caller(scope=Scope(), local=True)
FAR = Caller(scope=Scope())
OTHER = Caller(scope=Scope(owner="other"))


class Web:
    """Downloads that give every address the same table, and remember the addresses."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    @asynccontextmanager
    async def open(self, url: str) -> AsyncIterator[Download]:
        async def content() -> AsyncIterator[bytes]:
            yield b"a\n"
            yield b"1\n"

        self.asked.append(url)
        yield Download(name="web.csv", mime="text/csv", content=content())


@pytest.fixture
def parts(tmp_path: Path) -> Bench:
    return bench(tmp_path, answering)


@pytest.fixture
def sources(parts: Bench, tmp_path: Path) -> Sources:
    shared = tmp_path / "shared"
    (shared / "deep").mkdir(parents=True)
    (shared / "deep" / "open.csv").write_text("a\n1\n", encoding="utf-8")
    (tmp_path / "secret.csv").write_text("a\n1\n", encoding="utf-8")
    (shared / "out.csv").symlink_to(tmp_path / "secret.csv")
    return Sources(parts.files, Previews(parts.tables, MemoryEditor()), parts.blobs, Web(), shared=shared)


async def kept(parts: Bench, sources: Sources, caller: Caller, place: str) -> str:
    conversation = await parts.conversations.create(caller.scope)
    return (await sources.keep(caller, place, conversation.id)).file.name


async def test_a_caller_on_this_machine_names_any_file(parts: Bench, sources: Sources, tmp_path: Path) -> None:
    secret = tmp_path / "secret.csv"
    assert await kept(parts, sources, HERE, str(secret)) == "secret.csv"
    assert await kept(parts, sources, HERE, secret.as_uri()) == "secret.csv"
    assert (await sources.preview(HERE, str(secret))).total_rows == 2
    assert await sources.check(HERE, str(secret)) == ResolvedPlace(path=secret, name="secret.csv")


async def test_a_caller_over_a_network_reaches_the_shared_folder_and_nothing_beside_it(
    parts: Bench, sources: Sources, tmp_path: Path
) -> None:
    for place in ("deep/open.csv", "/data/shared/deep/open.csv", str(tmp_path / "shared" / "deep" / "open.csv")):
        assert await kept(parts, sources, FAR, place) == "open.csv"
    outside = (
        str(tmp_path / "secret.csv"),
        "../secret.csv",
        "deep/../../secret.csv",
        "/data/shared/../secret.csv",
        "out.csv",
        (tmp_path / "secret.csv").as_uri(),
        "/etc/passwd",
        "deep/open.csv\0.png",
        "",
    )
    for place in outside:
        with pytest.raises(NotFound):
            await sources.keep(FAR, place, "c")
        with pytest.raises(NotFound):
            await sources.preview(FAR, place)


async def test_a_file_of_the_caller_is_found_by_id_address_and_name_and_by_nobody_else(
    parts: Bench, sources: Sources, tmp_path: Path
) -> None:
    async def content() -> AsyncIterator[bytes]:
        yield b"a\n1\n"

    mine = await parts.files.upload(FAR.scope, name="mine.csv", content=content())
    conversation = await parts.conversations.create(FAR.scope)
    for place in (mine.id, f"/api/v1/files/{mine.id}/download", "mine.csv"):
        kept_again = await sources.keep(FAR, place, conversation.id)
        assert (kept_again.file.id, kept_again.brought) == (mine.id, False)
        with pytest.raises(NotFound):
            await sources.preview(OTHER, place)
    copy = await sources.keep(FAR, mine.id, conversation.id, copied=True)
    assert copy.brought
    assert (copy.file.id != mine.id, copy.file.sha256) == (True, mine.sha256)


async def test_pipes_devices_and_folders_are_no_files(sources: Sources, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for place in (str(tmp_path / "pipe"), "/dev/zero", str(tmp_path)):
        with pytest.raises(FileUnreadable):
            await sources.preview(HERE, place)
    with pytest.raises(NotFound):
        await sources.preview(HERE, str(tmp_path / "missing.csv"))


async def test_an_address_is_fetched_for_every_caller_and_leaves_nothing_behind_when_only_looked_at(
    parts: Bench, sources: Sources
) -> None:
    assert await kept(parts, sources, FAR, "https://example.com/a") == "web.csv"
    before = (await parts.files.list(FAR.scope)).items
    assert (await sources.preview(FAR, "https://example.com/a")).rows == (("a",), ("1",))
    assert (await parts.files.list(FAR.scope)).items == before
    assert await sources.check(FAR, "https://example.com/a") == ResolvedPlace()


async def test_what_was_fetched_is_told_from_uploads_and_found_again_where_the_code_read_it(
    parts: Bench, sources: Sources
) -> None:
    conversation = await parts.conversations.create(FAR.scope)
    fetched = (await sources.keep(FAR, "https://example.com/a", conversation.id)).file
    assert fetched.downloaded
    for caller in (FAR, HERE):
        for place in ("/data/shared/downloads/web.csv", "/data/shared/web.csv", "web.csv")[: 3 if caller is FAR else 2]:
            again = await sources.keep(caller, place, conversation.id)
            assert (again.file.id, again.brought) == (fetched.id, False)
    with pytest.raises(NotFound):
        await sources.preview(OTHER, "/data/shared/downloads/web.csv")
    copy = await sources.keep(FAR, fetched.id, conversation.id, copied=True)
    assert not copy.file.downloaded


def test_only_a_scheme_makes_an_address() -> None:
    assert is_address("https://a/b")
    assert is_address("ftp://a/b")
    assert not is_address("file:///a/b")
    assert not is_address("/a/b")
    assert not is_address("C:\\a")
