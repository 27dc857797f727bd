"""The service can read the files that code wrote while the session is leased, and cannot be led elsewhere."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from tablewright.errors import NotFound
from tablewright.sandbox.base import Input, Sandbox, Session
from tablewright.sandbox.conformance.examples import EXITS, SCOPE, end, run, text

_MAKES = "import os\nos.makedirs('output/deep', exist_ok=True)\n"


async def content(session: Session, path: str) -> bytes:
    """Return the content of the file at `path`."""
    return b"".join([chunk async for chunk in session.read(path)])


async def paths(session: Session) -> list[str]:
    """Return the paths of the listed files."""
    return [file.path for file in await session.files()]


class SandboxFilesConformance:
    """Needs the fixtures `sandbox` and `session`, and pytest's `tmp_path`."""

    async def test_files_written_for_output_are_read_whole(self, session: Session) -> None:
        code = "open('output/deep/销售.bin', 'wb').write(bytes(range(256)) * 20_000)\nopen('scratch', 'w').close()"
        assert end(await run(session, _MAKES + code)).status == "ok"
        assert await paths(session) == ["output/deep/销售.bin", "scratch"]
        assert await content(session, "output/deep/销售.bin") == bytes(range(256)) * 20_000

    async def test_files_of_a_session_that_was_lost_are_there_until_its_release(self, session: Session) -> None:
        await run(session, f"{_MAKES}open('output/a.txt', 'w').write('kept')")
        assert end(await run(session, EXITS)).session_lost
        assert await paths(session) == ["output/a.txt"]
        assert await content(session, "output/a.txt") == b"kept"
        await session.release()
        with pytest.raises(NotFound):
            await content(session, "output/a.txt")

    @pytest.mark.parametrize(
        "plant",
        [
            "os.symlink('{secret}', 'output/out.txt')",
            "os.symlink('{folder}', 'output/deep/linked')",
            "os.rmdir('output/deep'); os.rmdir('output'); os.symlink('{folder}', 'output')",
            "os.mkfifo('output/out.txt')",
            "os.link('{secret}', 'output/out.txt')",
        ],
        ids=["a_link_to_a_file", "a_link_to_a_folder", "the_folder_as_a_link", "a_pipe", "a_second_name"],
    )
    async def test_what_leads_elsewhere_is_neither_listed_nor_read(
        self, session: Session, tmp_path: Path, plant: str
    ) -> None:
        secret = tmp_path / "secret.txt"
        secret.write_text("nobody reads this")
        await run(session, _MAKES + plant.format(secret=secret, folder=tmp_path))
        assert await paths(session) == []
        for path in ("output/out.txt", "output/secret.txt", "output/deep/linked/secret.txt", "output"):
            with pytest.raises(NotFound):
                await content(session, path)

    async def test_a_file_that_became_a_link_after_it_was_listed_is_not_read(
        self, session: Session, tmp_path: Path
    ) -> None:
        (tmp_path / "secret.txt").write_text("nobody reads this")
        await run(session, f"{_MAKES}open('output/a.txt', 'w').write('x')")
        assert await paths(session) == ["output/a.txt"]
        await run(session, f"os.unlink('output/a.txt')\nos.symlink('{tmp_path / 'secret.txt'}', 'output/a.txt')")
        with pytest.raises(NotFound):
            await content(session, "output/a.txt")

    async def test_an_input_is_no_file_of_the_session(self, sandbox: Sandbox, tmp_path: Path) -> None:
        (tmp_path / "stored").write_text("x")
        session = await sandbox.acquire(SCOPE, [Input(path=tmp_path / "stored", name="a.csv")])
        await run(session, f"{_MAKES}os.symlink('/data/shared/a.csv', 'output/a.csv')")
        assert await paths(session) == []
        await session.release()
        assert (tmp_path / "stored").read_text() == "x"


@asynccontextmanager
async def _given(sandbox: Sandbox, folder: Path) -> AsyncIterator[Session]:
    """Provide a session with an upload and a download, `/data/shared/销售.csv` and `/data/shared/downloads/x.csv`."""
    (folder / "stored").write_text("a,b\n1,2\n")
    inputs = [Input(path=folder / "stored", name=name) for name in ("销售.csv", "downloads/x.csv")]
    session = await sandbox.acquire(SCOPE, inputs)
    yield session
    await session.release()
    assert (folder / "stored").read_text() == "a,b\n1,2\n"


class InputNamesConformance:
    """Needs the fixture `sandbox`, and pytest's `tmp_path`."""

    @pytest.mark.parametrize("name", ["销售.csv", "data/销售.csv", "./data/销售.csv", "x.csv", "data/x.csv"])
    async def test_code_names_an_input_without_its_folder(self, sandbox: Sandbox, tmp_path: Path, name: str) -> None:
        async with _given(sandbox, tmp_path) as given:
            assert text(await run(given, f"print(open({name!r}).read(), end='')")) == "a,b\n1,2\n"
            assert await paths(given) == []

    async def test_what_is_written_under_the_name_of_an_input_is_another_file(
        self, sandbox: Sandbox, tmp_path: Path
    ) -> None:
        write = "open('销售.csv', 'w').write('mine')\nopen('data/x.csv', 'a').write('3,4')"
        read = "print(open('销售.csv').read(), open('data/销售.csv').read()[:3], open('data/x.csv').read()[-3:])"
        async with _given(sandbox, tmp_path) as given:
            await run(given, write)
            assert text(await run(given, read)) == "mine a,b 3,4\n"
            assert await paths(given) == ["data/x.csv", "销售.csv"]

    async def test_a_name_that_code_has_used_otherwise_is_left_to_it(self, sandbox: Sandbox, tmp_path: Path) -> None:
        use = "import os, shutil\nos.unlink('销售.csv')\nshutil.rmtree('data')\nopen('data', 'w').close()"
        look = "print(sorted(os.listdir()), open('x.csv').read(3))"
        async with _given(sandbox, tmp_path) as given:
            await run(given, use)
            assert text(await run(given, look)) == "['data', 'output', 'x.csv'] a,b\n"
