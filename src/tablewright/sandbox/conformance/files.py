"""The service can read the files that code wrote while the session is leased, and cannot be led elsewhere."""

from __future__ import annotations

from pathlib import Path

import pytest

from tablewright.errors import NotFound
from tablewright.sandbox.base import Input, Sandbox, Session
from tablewright.sandbox.conformance.examples import EXITS, SCOPE, end, run

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
