"""Which files of a session are handed over: once each, anew when changed, not without measure, finished ones at a
stop."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest
from tests.support.agent_bench import LocalSandbox, LocalSession, MemoryArtifacts

from tablewright.agent.emission import Item
from tablewright.domain.events import ArtifactCreated, WarningRaised
from tablewright.domain.ids import ManualClock
from tablewright.sandbox.base import LeaseScope
from tablewright.tools.execution.artifact_delivery import MOST_FILES, MOST_WARNINGS, QUIET_NS, ArtifactDelivery
from tablewright.tools.execution.workspace import Workspace


@dataclass(slots=True, kw_only=True)
class Desk:
    """A session with files, and what was handed over of it."""

    files: ArtifactDelivery
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
    workspace = Workspace(sandbox, LeaseScope(run_id="r"))
    await workspace.session()
    files = ArtifactDelivery(workspace, artifacts, events.append, clock)
    return Desk(files=files, session=sandbox.sessions[0], clock=clock, events=events, artifacts=artifacts)


async def test_a_file_that_was_changed_to_one_of_the_same_size_is_handed_over_anew() -> None:
    agent_bench = await opened()
    agent_bench.write("output/a", b"1")
    agent_bench.write("output/b", b"1")
    await agent_bench.clock.advance(1)
    await agent_bench.files.rest()
    await agent_bench.clock.advance(1)
    agent_bench.write("output/b", b"2")
    await agent_bench.files.rest()
    assert agent_bench.names == ["a", "b", "b"]
    assert list(agent_bench.artifacts.kept.values()) == [b"1", b"1", b"2"]
    assert len(agent_bench.files.kept) == 2


@pytest.mark.requirement("stopped-run-hands-over")
async def test_what_was_finished_before_a_stop_is_handed_over_and_what_is_being_written_is_not() -> None:
    agent_bench = await opened()
    agent_bench.write("output/before")
    agent_bench.write("output/changed")
    agent_bench.write("scratch")
    await agent_bench.files.step_begins()
    agent_bench.write("output/changed", b"11")
    agent_bench.write("output/in the same tick")
    agent_bench.write("output/long ago", ago_ns=QUIET_NS + 1)
    await agent_bench.files.finished()
    assert agent_bench.names == ["before", "long ago"]


@pytest.mark.requirement("stopped-run-hands-over")
async def test_what_was_being_written_at_the_stop_is_not_finished_by_a_stop_that_takes_long() -> None:
    agent_bench = await opened()
    await agent_bench.files.step_begins()
    agent_bench.write("output/just now")
    await agent_bench.files.finished()
    await agent_bench.clock.advance(2 * QUIET_NS / 1e9)
    await agent_bench.files.finished()
    assert agent_bench.names == []


@pytest.mark.requirement("stopped-run-hands-over")
async def test_where_no_step_runs_all_is_finished() -> None:
    agent_bench = await opened()
    await agent_bench.files.step_begins()
    agent_bench.files.step_ended()
    agent_bench.write("output/just now")
    await agent_bench.files.finished()
    assert agent_bench.names == ["just now"]


async def test_more_than_one_run_may_hand_over_is_left_and_that_is_said_once() -> None:
    agent_bench = await opened()
    for number in range(MOST_FILES + 2):
        agent_bench.write(f"output/{number}")
    await agent_bench.files.rest()
    assert len(agent_bench.names) == MOST_FILES
    assert [event.code for event in agent_bench.events if isinstance(event, WarningRaised)] == ["files_too_many"]


async def test_a_name_that_cannot_be_kept_does_not_end_the_run() -> None:
    agent_bench = await opened()
    assert await agent_bench.files.hand_over("output/\udcff.csv") is None
    (warning,) = agent_bench.events
    assert isinstance(warning, WarningRaised)
    assert warning.params == {"name": "?.csv"}


async def test_files_that_are_not_there_are_said_so_some_times_only() -> None:
    agent_bench = await opened()
    for number in range(MOST_WARNINGS + 5):
        await agent_bench.files.hand_over(f"output/missing {number}")
    assert [event.code for event in agent_bench.events if isinstance(event, WarningRaised)] == [
        "file_not_kept"
    ] * MOST_WARNINGS
