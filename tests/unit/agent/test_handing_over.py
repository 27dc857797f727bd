"""Which files of a session are handed over: once each, anew when changed, not without measure, finished ones at a stop."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest
from tests.support.agent_bench import Bench, LocalSandbox, LocalSession, MemoryArtifacts

from tablewright.agent.code_analyst import CodeAnalyst
from tablewright.agent.emitting import Item
from tablewright.agent.handing_over import MOST_FILES, MOST_WARNINGS, QUIET_NS, HandOver
from tablewright.agent.workspace import Workspace
from tablewright.domain.events import ArtifactCreated, WarningRaised
from tablewright.domain.ids import ManualClock
from tablewright.models.scripted import ScriptedModel


@dataclass(slots=True, kw_only=True)
class Desk:
    """A session with files, and what was handed over of it."""

    files: HandOver
    session: LocalSession
    clock: ManualClock
    events: list[Item]
    artifacts: MemoryArtifacts = field(default_factory=MemoryArtifacts)

    @property
    def now_ns(self) -> int:
        return int(self.clock.now().timestamp() * 1e9)

    def write(self, path: str, content: bytes = b"1", *, ago_ns: int = 0) -> None:
        self.session.written[path] = content
        self.session.written_ns[path] = self.now_ns - ago_ns

    @property
    def names(self) -> list[str]:
        return [event.artifact.name for event in self.events if isinstance(event, ArtifactCreated)]


async def opened() -> Desk:
    sandbox, clock, events, artifacts = LocalSandbox(), ManualClock(), list[Item](), MemoryArtifacts()
    workspace = Workspace(sandbox, Bench(agent=CodeAnalyst(), model=ScriptedModel([])).given())
    await workspace.session()
    files = HandOver(workspace, artifacts, events.append, clock)
    return Desk(files=files, session=sandbox.sessions[0], clock=clock, events=events, artifacts=artifacts)


async def test_a_file_that_was_changed_to_one_of_the_same_size_is_handed_over_anew() -> None:
    desk = await opened()
    desk.write("output/a", b"1")
    desk.write("output/b", b"1")
    await desk.clock.advance(1)
    await desk.files.rest()
    await desk.clock.advance(1)
    desk.write("output/b", b"2")
    await desk.files.rest()
    assert desk.names == ["a", "b", "b"]
    assert list(desk.artifacts.kept.values()) == [b"1", b"1", b"2"]
    assert len(desk.files.kept) == 2


@pytest.mark.requirement("stopped-run-hands-over")
async def test_what_was_finished_before_a_stop_is_handed_over_and_what_is_being_written_is_not() -> None:
    desk = await opened()
    desk.write("output/before")
    desk.write("output/changed")
    desk.write("scratch")
    await desk.files.step_begins()
    desk.write("output/changed", b"11")
    desk.write("output/in the same tick")
    desk.write("output/long ago", ago_ns=QUIET_NS + 1)
    await desk.files.finished()
    assert desk.names == ["before", "long ago"]


@pytest.mark.requirement("stopped-run-hands-over")
async def test_what_was_being_written_at_the_stop_is_not_finished_by_a_stop_that_takes_long() -> None:
    desk = await opened()
    await desk.files.step_begins()
    desk.write("output/just now")
    await desk.files.finished()
    await desk.clock.advance(2 * QUIET_NS / 1e9)
    await desk.files.finished()
    assert desk.names == []


@pytest.mark.requirement("stopped-run-hands-over")
async def test_where_no_step_runs_all_is_finished() -> None:
    desk = await opened()
    await desk.files.step_begins()
    desk.files.step_ended()
    desk.write("output/just now")
    await desk.files.finished()
    assert desk.names == ["just now"]


async def test_more_than_one_run_may_hand_over_is_left_and_that_is_said_once() -> None:
    desk = await opened()
    for number in range(MOST_FILES + 2):
        desk.write(f"output/{number}")
    await desk.files.rest()
    assert len(desk.names) == MOST_FILES
    assert [event.code for event in desk.events if isinstance(event, WarningRaised)] == ["files_too_many"]


async def test_a_name_that_cannot_be_kept_does_not_end_the_run() -> None:
    desk = await opened()
    assert await desk.files.hand_over("output/\udcff.csv") is None
    (warning,) = desk.events
    assert isinstance(warning, WarningRaised)
    assert warning.params == {"name": "?.csv"}


async def test_files_that_are_not_there_are_said_so_some_times_only() -> None:
    desk = await opened()
    for number in range(MOST_WARNINGS + 5):
        await desk.files.hand_over(f"output/missing {number}")
    assert [event.code for event in desk.events if isinstance(event, WarningRaised)] == [
        "file_not_kept"
    ] * MOST_WARNINGS
