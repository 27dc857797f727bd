"""How sessions are parked and resumed in every sandbox, including the fake."""

from __future__ import annotations

from pathlib import Path

import pytest

from tablewright.sandbox.base import Input, Sandbox, Session
from tablewright.sandbox.conformance.examples import EXITS, KEEPS, READS, SCOPE, USES, WRITES, run, text


class ParkingConformance:
    """Needs the fixtures `sandbox` (started) and `session` (leased from it, without inputs)."""

    async def test_a_parked_session_is_taken_up_with_its_variables_and_files(self, session: Session) -> None:
        await run(session, KEEPS)
        await run(session, WRITES)
        await session.park()
        assert await session.unpark(for_s=60.0)
        assert text(await run(session, USES)) == "42\n"
        assert [file.path for file in await session.files()] == ["out.txt"]

    async def test_a_parked_session_is_given_new_inputs(self, session: Session, tmp_path: Path) -> None:
        path = tmp_path / "upload"
        path.write_text("fresh", encoding="utf-8")
        await session.park()
        assert await session.unpark([Input(path=path, name="new.txt")])
        assert text(await run(session, READS)) == "fresh\n"

    async def test_a_running_session_is_given_new_inputs(self, session: Session, tmp_path: Path) -> None:
        first, second = tmp_path / "first", tmp_path / "second"
        first.write_text("fresh", encoding="utf-8")
        second.write_text("other", encoding="utf-8")
        await run(session, KEEPS)
        new = Input(path=first, name="new.txt")
        assert await session.add([new])
        assert await session.add([new])
        assert not await session.add([Input(path=second, name="new.txt")])
        assert text(await run(session, READS)) == "fresh\n"
        assert text(await run(session, USES)) == "42\n"
        await session.park()
        assert await session.unpark([new])
        await session.release()
        assert not await session.add([new])

    @pytest.mark.parametrize("now", ["gone", "replaced"])
    async def test_a_parked_session_is_not_taken_up_where_a_file_of_it_is_gone(
        self, session: Session, tmp_path: Path, now: str
    ) -> None:
        first, second = tmp_path / "first", tmp_path / "second"
        for path in (first, second):
            path.write_text("fresh", encoding="utf-8")
        await session.park()
        assert await session.unpark([Input(path=first, name="new.txt")])
        await session.park()
        assert not await session.unpark([] if now == "gone" else [Input(path=second, name="new.txt")])

    async def test_a_parked_session_is_not_taken_up_without_time_to_live(self, session: Session) -> None:
        await session.park()
        assert not await session.unpark(for_s=1e9)

    async def test_a_session_that_was_lost_or_released_is_not_taken_up(
        self, sandbox: Sandbox, session: Session
    ) -> None:
        await run(session, EXITS)
        await session.park()
        assert not await session.unpark()
        other = await sandbox.acquire(SCOPE)
        await other.park()
        await other.release()
        assert not await other.unpark()
