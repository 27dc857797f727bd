"""Files that a session is given while it runs."""

from __future__ import annotations

from pathlib import Path

from tablewright.sandbox.base import Input, LeaseScope
from tablewright.sandbox.memory import MemorySandbox
from tablewright.tools.execution.workspace import Workspace

SCOPE = LeaseScope(run_id="run")
FIRST = Input(path=Path("/first"), name="rows.json")
OTHER = Input(path=Path("/other"), name="rows.json")


async def started() -> MemorySandbox:
    sandbox = MemorySandbox({})
    await sandbox.start()
    return sandbox


async def test_before_there_is_a_session_the_later_file_of_a_name_is_the_one() -> None:
    workspace = Workspace(await started(), SCOPE)
    assert await workspace.add(FIRST)
    assert await workspace.add(OTHER)
    assert (await workspace.session()).inputs == (OTHER,)  # type: ignore[attr-defined]  # of the fake


async def test_a_session_that_runs_is_given_new_files_and_keeps_those_it_has() -> None:
    workspace = Workspace(await started(), SCOPE)
    session = await workspace.session()
    assert await workspace.add(FIRST)
    assert not await workspace.add(OTHER)
    assert session.inputs == (FIRST,)  # type: ignore[attr-defined]  # of the fake


async def test_without_a_sandbox_there_is_nobody_to_give_it_to() -> None:
    workspace = Workspace(MemorySandbox({}), SCOPE)
    workspace.prepare()
    assert not await workspace.add(FIRST)
