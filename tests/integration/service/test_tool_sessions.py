"""What tools of a run use of its conversation: the session that `run_python` shares, and the files by name."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from tests.support.patience import PATIENCE_S
from tests.support.sandboxes import running
from tests.support.service_bench import Bench, Items, bench

from tablewright.agent.base import AgentContext, AgentInput
from tablewright.data.files.tables import FileTables
from tablewright.domain.answer import Answer
from tablewright.domain.conversation import Conversation
from tablewright.domain.events import AnswerCompleted, ContinueAsked, EventBody
from tablewright.domain.run import RequestAnswer, Run
from tablewright.errors import FileNotNamed
from tablewright.sandbox.conformance.examples import until
from tablewright.sandbox.embedded.config import EmbeddedConfig
from tablewright.sandbox.embedded.sandbox import EmbeddedSandbox
from tablewright.sandbox.pool import PoolSize
from tablewright.service.files.conversation_files import ConversationFiles
from tablewright.service.runs.runs import Ask
from tablewright.tools.base import ToolContext
from tablewright.tools.run_python import RunPython
from tablewright.tools.toolset import Toolset

pytestmark = pytest.mark.asyncio(loop_scope="module")
WAIT = "\n# wait\n"


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def sandbox() -> AsyncIterator[EmbeddedSandbox]:
    async with running(EmbeddedConfig(preload=(), size=PoolSize(minimum=1, maximum=2))) as embedded:
        yield embedded


async def calling(given: AgentInput, context: AgentContext) -> Items:
    """Calls `run_python` with the question, of which a part after `WAIT` is called once somebody has said so."""
    parts = given.question.split(WAIT)
    about = ToolContext(
        run_id=given.run_id,
        language="en",
        artifacts=context.artifacts,
        clock=context.clock,
        ids=context.ids,
        sandbox=context.sandbox,
        inputs=given.inputs,
    )
    events: list[EventBody] = []
    code = parts[1] if given.answered else parts[0]
    result = await Toolset([RunPython()]).call("run_python", {"code": code}, about, events.append)
    for event in events:
        yield event
    if len(parts) > 1 and not given.answered:
        yield ContinueAsked(request_id=f"{given.run_id}-go", prompt="Go on?")
        return
    yield AnswerCompleted(answer=Answer(text=result.text, outcome="completed"))


@pytest_asyncio.fixture(loop_scope="module")
async def service(sandbox: EmbeddedSandbox, tmp_path: Path) -> AsyncIterator[Bench]:
    yield bench(tmp_path, calling, sandbox=sandbox)


async def answered(service: Bench, run: Run) -> str:
    async with asyncio.timeout(PATIENCE_S):
        bodies = [event.body async for event in service.runs.follow(service.scope, run.id)]
    return next(body.answer.text for body in bodies if isinstance(body, AnswerCompleted))


async def asked(service: Bench, conversation: Conversation, text: str) -> str:
    run = await service.runs.start(service.scope, conversation.id, Ask(text=text))
    return await answered(service, run)


async def test_calls_of_later_questions_go_on_from_the_same_variables(sandbox: EmbeddedSandbox, service: Bench) -> None:
    conversation = await service.conversations.create(service.scope)
    await asked(service, conversation, "a = 20")
    await asked(service, conversation, "b = a + 1")
    assert await asked(service, conversation, "print(a * 2 + b)") == "61"
    await service.conversations.delete(service.scope, conversation.id)
    await until(lambda: sandbox.stats().leased == 0)


async def test_a_run_that_has_waited_goes_on_from_its_own_variables(sandbox: EmbeddedSandbox, service: Bench) -> None:
    conversation = await service.conversations.create(service.scope)
    run = await service.runs.start(service.scope, conversation.id, Ask(text=f"a = 20{WAIT}print(a + 1)"))
    assert (await service.settled(run)).state == "waiting"
    await until(lambda: sandbox.stats().leased == 0)
    await service.runs.answer(service.scope, run.id, f"{run.id}-go", RequestAnswer(decision="approve"))
    assert await answered(service, run) == "21"
    assert await asked(service, conversation, "print(a + 2)") == "22"
    await service.conversations.delete(service.scope, conversation.id)
    await until(lambda: sandbox.stats().leased == 0)


async def _content(text: str) -> AsyncIterator[bytes]:
    yield text.encode()


async def test_a_conversation_has_its_own_files_alone(service: Bench) -> None:
    scope = service.scope
    mine, other = [await service.conversations.create(scope) for _ in range(2)]
    for conversation, name in ((mine, "sales.csv"), (mine, "sales.csv"), (other, "secret.csv")):
        await service.files.upload(scope, name=name, content=_content(name), conversation_id=conversation.id)
    files = ConversationFiles(service.store, service.blobs, FileTables(), scope, mine.id)
    names = [file.name for file in await files.all()]
    assert len(names) == len(set(names)) == 2
    assert (await files.find("data/sales.csv")).path.read_text() == "sales.csv"
    for name in ("secret.csv", "data/secret.csv", "../secret.csv"):
        with pytest.raises(FileNotNamed) as raised:
            await files.find(name)
        assert "secret" not in str(raised.value.params["known"])
