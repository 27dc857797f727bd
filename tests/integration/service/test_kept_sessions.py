"""Conversations on the embedded sandbox: their sessions between questions, and what becomes of them."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest
import pytest_asyncio
from tests.support.agent_bench import code
from tests.support.patience import PATIENCE_S
from tests.support.sandboxes import running
from tests.support.service_bench import Bench, Items, bench

from tablewright.agent.base import AgentContext, AgentInput
from tablewright.agent.code.analyst import CodeAnalyst
from tablewright.domain.conversation import Conversation
from tablewright.domain.events import SessionLost
from tablewright.models.scripted import ScriptedModel
from tablewright.sandbox.conformance.examples import until
from tablewright.sandbox.embedded.config import EmbeddedConfig
from tablewright.sandbox.embedded.sandbox import EmbeddedSandbox
from tablewright.sandbox.pool import PoolSize
from tablewright.service.runs.runs import Ask

pytestmark = pytest.mark.asyncio(loop_scope="module")
WORKERS = 2


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def sandbox() -> AsyncIterator[EmbeddedSandbox]:
    size = PoolSize(minimum=1, maximum=WORKERS)
    async with running(EmbeddedConfig(preload=("pandas", "numpy"), size=size)) as embedded:
        yield embedded


async def answering(given: AgentInput, context: AgentContext) -> Items:
    """Runs the question as code, and says that it is done."""
    model = ScriptedModel([code(("Do it", given.question)), "Done."])
    async for item in CodeAnalyst().run(given, replace(context, model=model)):
        yield item


class Talk:
    """One conversation in a service."""

    def __init__(self, service: Bench, conversation: Conversation) -> None:
        self.service = service
        self.conversation = conversation

    async def prints(self, *lines: str) -> str:
        """Ask, and return what the code printed."""
        run = await self.service.runs.start(self.service.scope, self.conversation.id, Ask(text="\n".join(lines)))
        async with asyncio.timeout(PATIENCE_S):
            events = [event async for event in self.service.runs.follow(self.service.scope, run.id)]
        bodies = [event.body for event in events]
        assert bodies[-1].type == "run.finished"
        assert bodies[-1].outcome == "completed"
        self.lost = [body.reason for body in bodies if isinstance(body, SessionLost)]
        self.handed = [body.artifact.name for body in bodies if body.type == "artifact.created"]
        return "".join(body.text for body in bodies if body.type == "output.text").strip()

    async def delete(self) -> None:
        await self.service.conversations.delete(self.service.scope, self.conversation.id)


@pytest_asyncio.fixture(loop_scope="module")
async def talks(sandbox: EmbeddedSandbox, tmp_path: Path) -> AsyncIterator[list[Talk]]:
    """Three conversations; what they leave is gone at the end."""
    service = bench(tmp_path, answering, sandbox=sandbox)
    made = [Talk(service, await service.conversations.create(service.scope)) for _ in range(3)]
    yield made
    for talk in made:
        await talk.delete()
    await until(lambda: sandbox.stats().leased == 0)


def worker_of(sandbox: EmbeddedSandbox) -> int:
    """The process of the one session that is leased."""
    (session,) = sandbox._sessions
    process = session._worker.process
    assert process is not None
    return process


@pytest.mark.requirement("conversation-keeps-variables")
async def test_variables_imports_and_files_are_there_at_the_next_question(
    sandbox: EmbeddedSandbox, talks: list[Talk]
) -> None:
    talk = talks[0]
    assert await talk.prints("import pandas as pd", "df = pd.DataFrame({'a': [1, 2]})", "df.to_csv('kept.csv')") == ""
    process = worker_of(sandbox)
    assert await talk.prints("print(df.a.sum(), len(pd.read_csv('kept.csv')))") == "3 2"
    assert worker_of(sandbox) == process


@pytest.mark.requirement("conversation-variables-come-back")
async def test_a_session_that_was_killed_between_questions_is_made_again(
    sandbox: EmbeddedSandbox, talks: list[Talk]
) -> None:
    talk = talks[0]
    await talk.prints("x = 41", "print('once')")
    await talk.prints("x += 1")
    os.kill(worker_of(sandbox), signal.SIGKILL)
    assert await talk.prints("print(x)") == "42"
    assert talk.lost == []


async def test_names_made_anew_are_not_disturbed_by_what_was_before(talks: list[Talk]) -> None:
    talk = talks[0]
    await talk.prints("x, result = 1, 'old'")
    assert await talk.prints("x = 2", "result = x", "print(result)") == "2"


@pytest.mark.requirement("sandbox-parked-sessions-yield")
async def test_other_conversations_take_the_workers_and_each_comes_back_to_its_own_variables(
    sandbox: EmbeddedSandbox, talks: list[Talk]
) -> None:
    for number, talk in enumerate(talks):
        await talk.prints(f"mine = {number}")
    assert sandbox.stats().leased <= WORKERS
    for number, talk in enumerate(talks):
        assert await talk.prints("print(mine)") == str(number)
        assert talk.lost == []


async def test_many_that_ask_at_once_are_served_though_sessions_are_parked(talks: list[Talk]) -> None:
    for _ in range(2):
        said = await asyncio.gather(*[talk.prints("import time", "time.sleep(0.05)", "print(1)") for talk in talks])
        assert said == ["1", "1", "1"]


@pytest.mark.requirement("conversation-files-handed-over-once")
@pytest.mark.parametrize("killed", [False, True])
async def test_a_file_is_handed_over_by_the_run_that_wrote_it(
    sandbox: EmbeddedSandbox, talks: list[Talk], *, killed: bool
) -> None:
    talk = talks[0]
    await talk.prints("import os", "os.makedirs('output', exist_ok=True)", "text = 'one'")
    await talk.prints("open('output/a.txt', 'w').write(text);")
    assert talk.handed == ["a.txt"]
    if killed:
        os.kill(worker_of(sandbox), signal.SIGKILL)
    assert await talk.prints("print(text, open('output/a.txt').read())") == "one one"
    assert talk.handed == []
    await talk.prints("open('output/a.txt', 'w').write('two');")
    assert talk.handed == ["a (2).txt"]
    assert talk.lost == []


@pytest.mark.requirement("conversation-lost-variables-told")
async def test_a_replay_that_fails_is_told_and_the_next_variables_come_back(
    sandbox: EmbeddedSandbox, talks: list[Talk]
) -> None:
    async def content() -> AsyncIterator[bytes]:
        yield b"41"

    talk, files, scope = talks[0], talks[0].service.files, talks[0].service.scope
    file = await files.upload(scope, name="n.csv", content=content(), conversation_id=talk.conversation.id)
    await talk.prints("x = 1", "y = int(open('/data/shared/n.csv').read())", "x = 2")
    await files.delete(scope, file.id)
    assert await talk.prints("try:", "    print(x, y)", "except NameError as error:", "    print(error.name)") == "x"
    assert talk.lost == ["replay_failed"]
    await talk.prints("z = 42")
    os.kill(worker_of(sandbox), signal.SIGKILL)
    assert await talk.prints("print(z)") == "42"
    assert talk.lost == []


async def test_what_is_run_again_finds_what_it_found_the_first_time(
    sandbox: EmbeddedSandbox, talks: list[Talk]
) -> None:
    talk = talks[0]
    await talk.prints("x = 41")
    os.kill(worker_of(sandbox), signal.SIGKILL)
    await talk.prints("y = len([name for name in list(locals()) if name == 'y'])", "x, y = 40, y + 2")
    os.kill(worker_of(sandbox), signal.SIGKILL)
    await talk.prints("z = 0")
    assert await talk.prints("print(x + y)") == "42"
    assert talk.lost == []


@pytest.mark.requirement("conversation-deleted-with-its-session")
async def test_deleting_a_conversation_ends_its_process(sandbox: EmbeddedSandbox, talks: list[Talk]) -> None:
    talk = talks[0]
    await talk.prints("x = 1")
    process = worker_of(sandbox)
    await talk.delete()
    await until(lambda: not Path(f"/proc/{process}").exists())
    talk.conversation = await talk.service.conversations.create(talk.service.scope)
