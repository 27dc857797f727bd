"""A conversation's session between its runs, with agents whose question is code: cells with `---` between them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path

import pytest
from tests.support.agent_bench import LocalSandbox, LocalSession
from tests.support.service_bench import Bench, Items, bench
from tests.unit.service.scripts import answer

from tablewright.agent.base import AgentContext, AgentInput
from tablewright.domain.conversation import Conversation
from tablewright.domain.events import CodeFinished, QuestionAsked, SessionLost, StepFinished, WarningRaised
from tablewright.domain.run import RequestAnswer, Run
from tablewright.domain.scope import Scope
from tablewright.errors import StepExhausted
from tablewright.sandbox.base import Done, ErrorOutput, LeaseScope, Session, TextOutput
from tablewright.service.runs.runs import Ask
from tablewright.store.base import Store

CELLS = "\n---\n"


async def coding(given: AgentInput, context: AgentContext, *, elapsed_s: float = 0.1) -> Items:
    """Runs the question's cells and answers with what they printed; a cell `ask` asks back."""
    session = await context.sandbox.acquire(LeaseScope(run_id=given.run_id), given.inputs)
    said: list[str] = []
    for number, code in enumerate(given.question.split(CELLS)):
        if code == "ask" and not given.answered:
            yield QuestionAsked(request_id=f"q-{given.run_id}", prompt="?")
            return
        step = f"{given.run_id}/{number}/{len(given.answered)}"
        yield CodeFinished(step_id=step, code=code)
        status = await _ran(session, code, said)
        yield StepFinished(step_id=step, status="ok" if status == "ok" else "error", elapsed_s=elapsed_s)
        if status == "oom":
            raise StepExhausted(step=step, status=status)
    await session.release()
    yield answer("".join(said).strip() or "nothing")


async def _ran(session: Session, code: str, said: list[str]) -> str:
    status = "none"
    async for output in session.execute(code, step_id="step"):
        if isinstance(output, TextOutput):
            said.append(output.text)
        elif isinstance(output, ErrorOutput):
            said.append(f"{output.name}\n")
        elif isinstance(output, Done):
            status = output.status
    return status


class Talk:
    """A service, and one conversation in it."""

    def __init__(self, service: Bench, conversation: Conversation, sandbox: LocalSandbox) -> None:
        self.service = service
        self.conversation = conversation
        self.sandbox = sandbox

    async def run(self, *cells: str, file_ids: tuple[str, ...] = ()) -> Run:
        """Ask, and return the run as it stands afterwards."""
        ask = Ask(text=CELLS.join(cells), file_ids=file_ids)
        run = await self.service.runs.start(self.service.scope, self.conversation.id, ask)
        return await self.service.settled(run)

    async def says(self, *cells: str) -> str:
        run = await self.run(*cells)
        assert run.answer is not None
        return run.answer.text

    async def lost(self, run: Run) -> list[str]:
        """Why variables were given up in `run`; each time the person is told."""
        bodies = [event.body for event in await self.service.events(run)]
        reasons = [body.reason for body in bodies if isinstance(body, SessionLost)]
        assert len(reasons) == sum(isinstance(body, WarningRaised) for body in bodies)
        return reasons

    def end_sessions(self) -> None:
        """Kill what is parked."""
        for session in self.sandbox.sessions:
            session.released = True

    @property
    def live(self) -> list[LocalSession]:
        return [session for session in self.sandbox.sessions if not session.released]


async def talk(folder: Path, *, store: Store | None = None, elapsed_s: float = 0.1) -> Talk:
    sandbox = LocalSandbox()
    service = bench(folder, partial(coding, elapsed_s=elapsed_s), store=store, sandbox=sandbox)
    return Talk(service, await service.conversations.create(service.scope), sandbox)


@pytest.fixture
async def one(tmp_path: Path) -> Talk:
    return await talk(tmp_path)


@pytest.mark.requirement("conversation-keeps-variables")
async def test_the_next_question_sees_the_variables_and_nothing_is_run_again(one: Talk) -> None:
    await one.says("x = 41")
    assert await one.says("x += 1", "print(x)") == "42"
    assert one.sandbox.executed == ["x = 41", "x += 1", "print(x)"]
    assert len(one.sandbox.sessions) == 1


@pytest.mark.requirement("conversation-variables-come-back")
async def test_a_session_that_is_gone_is_made_again_silently_before_it_is_needed(one: Talk) -> None:
    await one.says("x = 41\nprint('noise')")
    await one.says("x += 1")
    one.end_sessions()
    run = await one.run("print(x)")
    assert run.answer is not None
    assert run.answer.text == "42"
    assert one.sandbox.executed[2:] == ["x = 41\nprint('noise')", "x += 1", "print(x)"]
    assert await one.lost(run) == []
    types = await one.service.types(run)
    assert types.count("step.finished") == 1
    assert await one.says("print(x + 1)") == "43"


async def test_what_is_not_taken_up_is_not_run_again(one: Talk) -> None:
    await one.says("x = 41")
    one.end_sessions()
    assert await one.says("x = 1", "print(x)") == "1"
    assert one.sandbox.executed == ["x = 41", "x = 1", "print(x)"]


async def test_what_was_made_meanwhile_is_made_again_after_what_was_before_it(one: Talk) -> None:
    await one.says("x = 40\ny = 0")
    one.end_sessions()
    assert await one.says("y = 1") == "nothing"
    assert await one.says("z = 1", "y += z", "print(x + y)") == "42"
    assert one.sandbox.executed[2:] == ["z = 1", "y += z", "x = 40\ny = 0", "y = 1", "z = 1", "y += z", "print(x + y)"]


async def test_what_failed_is_not_run_again(one: Talk) -> None:
    await one.says("x = 42", "1 / 0", "y = 0")
    one.end_sessions()
    assert await one.says("print(x + y)") == "42"
    assert one.sandbox.executed[3:] == ["x = 42", "y = 0", "print(x + y)"]


@pytest.mark.requirement("conversation-lost-variables-told")
async def test_where_it_cannot_be_made_again_the_run_goes_on_and_says_so(
    one: Talk, monkeypatch: pytest.MonkeyPatch
) -> None:
    await one.says("import os\nx = 1\nassert 'BROKEN' not in os.environ")
    one.end_sessions()
    monkeypatch.setenv("BROKEN", "1")
    run = await one.run("y = 41", "print(x)", "print(y)")
    assert run.answer is not None
    assert run.answer.text == "NameError\n41"
    assert await one.lost(run) == ["replay_failed"]
    monkeypatch.delenv("BROKEN")
    one.end_sessions()
    executed = len(one.sandbox.executed)
    assert await one.says("print(y + 1)") == "42"
    assert one.sandbox.executed[executed:] == ["y = 41", "print(y)", "print(y + 1)"]


async def test_a_replay_that_kills_its_session_leaves_a_fresh_one(one: Talk, monkeypatch: pytest.MonkeyPatch) -> None:
    await one.says("import os\nx = 1\nif 'BROKEN' in os.environ: end('crashed', session_lost=True)")
    one.end_sessions()
    monkeypatch.setenv("BROKEN", "1")
    run = await one.run("y = 41", "print(x)", "print(y)")
    assert run.answer is not None
    assert run.answer.text == "NameError\n41"
    assert await one.lost(run) == ["replay_failed"]
    assert len(one.live) == 1


async def test_what_would_take_too_long_is_not_tried(tmp_path: Path) -> None:
    one = await talk(tmp_path, elapsed_s=40)
    await one.says("x = 1", "y = 1")
    one.end_sessions()
    run = await one.run("z = 1", "z += 1", "print(x)", "print(z)")
    assert await one.lost(run) == ["replay_too_long"]
    assert one.sandbox.executed == ["x = 1", "y = 1", "z = 1", "z += 1", "print(x)", "print(z)"]
    assert run.answer is not None
    assert run.answer.text == "NameError\n2"


async def test_a_run_that_was_given_a_file_that_is_gone_is_not_run_again(one: Talk) -> None:
    async def content() -> AsyncIterator[bytes]:
        yield b"a"

    service = one.service
    file = await service.files.upload(service.scope, name="a.csv", content=content())
    await one.run("x = 1", file_ids=(file.id,))
    await service.files.delete(service.scope, file.id)
    run = await one.run("print(x)")
    assert await one.lost(run) == ["files_gone"]
    assert one.sandbox.sessions[0].released


async def test_a_file_that_came_since_is_given_to_the_session_under_a_name_of_its_own(one: Talk) -> None:
    async def content() -> AsyncIterator[bytes]:
        yield b"a"

    service = one.service
    for number in range(2):
        await service.files.upload(service.scope, name="a.csv", content=content(), conversation_id=one.conversation.id)
        await one.run(f"x = {number}")
    (session,) = one.sandbox.sessions
    assert [item.name for item in session.inputs] == ["a.csv", "a (2).csv"]


@pytest.mark.requirement("run-waits-for-answers")
async def test_a_run_that_waits_holds_no_session_and_goes_on_in_a_fresh_one(one: Talk) -> None:
    await one.says("x = 40")
    run = await one.run("x += 1", "ask", "print(x)")
    assert run.state == "waiting"
    assert one.live == []
    await one.service.runs.answer(one.service.scope, run.id, f"q-{run.id}", RequestAnswer(decision="answer", text="go"))
    run = await one.service.settled(run)
    assert run.answer is not None
    assert run.answer.text.splitlines()[-1] == "41"
    assert one.sandbox.executed[2:4] == ["x = 40", "x += 1"]


async def test_what_used_up_its_memory_is_not_kept(one: Talk) -> None:
    run = await one.run("x = 1", "end('oom')")
    assert run.outcome == "failed"
    assert one.live == []
    assert await one.says("print(x)") == "1"


async def test_a_run_that_was_stopped_leaves_its_session(one: Talk) -> None:
    service = one.service
    run = await service.runs.start(service.scope, one.conversation.id, Ask(text=CELLS.join(("x = 1", "hang()"))))
    await one.sandbox.hanging.wait()
    await service.runs.cancel(service.scope, run.id)
    assert (await service.settled(run)).outcome == "cancelled"
    assert await one.says("print(x)") == "1"
    assert len(one.sandbox.sessions) == 1


async def test_conversations_share_nothing(one: Talk) -> None:
    await one.says("x = 1")
    other = Talk(one.service, await one.service.conversations.create(one.service.scope), one.sandbox)
    assert await other.says("print(x)") == "NameError"
    stranger = Scope(owner="stranger")
    theirs = await one.service.conversations.create(stranger)
    await one.service.sessions.forget(stranger, one.conversation.id)
    run = await one.service.runs.start(stranger, theirs.id, Ask(text="print(x)"))
    await one.service.settled(run, stranger)
    answer = (await one.service.runs.get(stranger, run.id)).answer
    assert answer is not None
    assert answer.text == "NameError"
    assert len(one.live) == 3


@pytest.mark.requirement("conversation-deleted-with-its-session")
async def test_deleting_a_conversation_releases_its_session(one: Talk) -> None:
    await one.says("x = 1")
    assert len(one.live) == 1
    await one.service.conversations.delete(one.service.scope, one.conversation.id)
    assert one.live == []


async def test_deleting_a_conversation_in_the_middle_of_a_run_leaves_no_session(one: Talk) -> None:
    service = one.service
    run = await service.runs.start(service.scope, one.conversation.id, Ask(text="hang()"))
    await one.sandbox.hanging.wait()
    await service.conversations.delete(service.scope, one.conversation.id)
    await asyncio.gather(*[task for task in asyncio.all_tasks() if task.get_name() == f"run {run.id}"])
    assert one.live == []


@pytest.mark.requirement("mcp-session-per-call")
async def test_no_session_is_kept_for_a_conversation_of_one_question(one: Talk) -> None:
    with one.service.sessions.single(one.conversation.id):
        await one.says("x = 1")
    assert one.live == []


async def test_a_session_that_another_process_has_passed_by_is_brought_up_to_date(one: Talk, tmp_path: Path) -> None:
    there = await talk(tmp_path, store=one.service.store)
    there.conversation = one.conversation
    await one.says("x = 1\ny = 1")
    assert await there.says("y = x + 40") == "nothing"
    assert await one.says("print(x + y)") == "42"
    assert len(one.live) == len(there.live) == 1


async def test_sessions_that_ended_by_themselves_are_forgotten(one: Talk) -> None:
    await one.says("x = 1")
    one.end_sessions()
    other = Talk(one.service, await one.service.conversations.create(one.service.scope), one.sandbox)
    await other.says("x = 1")
    assert len(one.service.sessions._parked) == 1
