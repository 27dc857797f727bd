"""What a run is told: its tables, under names that do not clash, and the conversation so far."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

from tests.support.service_bench import Bench, Items, bench
from tests.unit.service.scripts import answer, answering

from tablewright.agent.base import AgentContext, AgentInput
from tablewright.domain.dataset import StoredFile
from tablewright.domain.events import CodeFinished, StepFinished
from tablewright.domain.run import Run
from tablewright.domain.task import TurnFacts
from tablewright.errors import ModelTimeout
from tablewright.service.runs.inputs import TURNS, superseded_places
from tablewright.service.runs.runs import Ask


async def upload(
    service: Bench, name: str, content: str, conversation_id: str | None = None, *, downloaded: bool = False
) -> StoredFile:
    async def stream() -> AsyncIterator[bytes]:
        yield content.encode()

    return await service.files.upload(
        service.scope, name=name, content=stream(), conversation_id=conversation_id, downloaded=downloaded
    )


async def ask(service: Bench, conversation_id: str, text: str = "?", *file_ids: str) -> Run:
    run = await service.runs.start(service.scope, conversation_id, Ask(text=text, file_ids=file_ids))
    return await service.settled(run)


async def test_a_run_reads_the_files_of_its_message_and_of_its_conversation(tmp_path: Path) -> None:
    service = bench(tmp_path, answering)
    conversation = await service.conversations.create(service.scope)
    await upload(service, "before.csv", "one", conversation.id)
    named = await upload(service, "named.csv", "two")
    await upload(service, "elsewhere.csv", "three")
    await ask(service, conversation.id, "?", named.id)
    (given,) = service.agent.given
    assert [facts.file_name for facts in given.datasets] == ["named.csv", "before.csv"]
    assert [facts.path for facts in given.datasets] == ["/data/shared/named.csv", "/data/shared/before.csv"]
    assert [item.name for item in given.inputs] == ["named.csv", "before.csv"]
    assert [item.path.read_bytes() for item in given.inputs] == [b"two", b"one"]
    await ask(service, conversation.id, "again?")
    assert [item.name for item in service.agent.given[1].inputs] == ["before.csv", "named.csv"]


async def test_files_of_one_name_are_read_under_different_names(tmp_path: Path) -> None:
    service = bench(tmp_path, answering)
    conversation = await service.conversations.create(service.scope)
    both = [(await upload(service, "a.csv", content, conversation.id)).id for content in ("one", "two")]
    await ask(service, conversation.id, "?", *both)
    await ask(service, conversation.id, "and?")
    for given in service.agent.given:
        assert [item.name for item in given.inputs] == ["a.csv", "a (2).csv"]
        assert [facts.path for facts in given.datasets] == ["/data/shared/a.csv", "/data/shared/a (2).csv"]


async def test_a_newer_file_of_a_name_is_the_table_of_later_questions(tmp_path: Path) -> None:
    service = bench(tmp_path, answering)
    conversation = await service.conversations.create(service.scope)
    older = await upload(service, "a.csv", "one", conversation.id)
    await ask(service, conversation.id, "?", older.id)
    newer = await upload(service, "a.csv", "two")
    await ask(service, conversation.id, "?", newer.id)
    await ask(service, conversation.id, "and?")
    await ask(service, conversation.id, "and before?", older.id)
    tables = [[facts.file_name for facts in given.datasets] for given in service.agent.given]
    assert tables == [["a.csv"], ["a (2).csv"], ["a (2).csv"], ["a.csv"]]
    assert [item.name for item in service.agent.given[2].inputs] == ["a.csv", "a (2).csv"]


async def test_a_replaced_file_is_no_table_of_the_database_of_the_files(tmp_path: Path) -> None:
    service = bench(tmp_path, answering)
    conversation = await service.conversations.create(service.scope)
    for content in ("one", "two"):
        await upload(service, "a.csv", content, conversation.id)
    run = await ask(service, conversation.id)
    linked = await service.store.files.linked(service.scope, conversation.id)
    assert await superseded_places(service.store, service.scope, run, linked) == {"a.csv"}


async def test_what_was_fetched_from_the_web_lies_in_a_folder_of_its_own(tmp_path: Path) -> None:
    service = bench(tmp_path, answering)
    conversation = await service.conversations.create(service.scope)
    await upload(service, "a.csv", "one", conversation.id)
    fetched = await upload(service, "a.csv", "two", conversation.id, downloaded=True)
    assert (await service.files.get(service.scope, fetched.id)).downloaded
    await ask(service, conversation.id, "?", fetched.id)
    (given,) = service.agent.given
    assert [item.name for item in given.inputs] == ["downloads/a (2).csv", "a.csv"]
    assert [item.path.read_bytes() for item in given.inputs] == [b"two", b"one"]
    assert [facts.path for facts in given.datasets] == ["/data/shared/downloads/a (2).csv", "/data/shared/a.csv"]
    assert [facts.file_name for facts in given.datasets] == ["a (2).csv", "a.csv"]


async def test_what_an_earlier_run_made_is_read_only_when_it_is_named(tmp_path: Path) -> None:
    async def making(given: AgentInput, context: AgentContext) -> Items:
        await context.artifacts.put("made.csv", "text/csv", b"one")
        yield answer()

    service = bench(tmp_path, making)
    conversation = await service.conversations.create(service.scope)
    await ask(service, conversation.id)
    (made,) = (await service.files.list(service.scope, conversation_id=conversation.id)).items
    await ask(service, conversation.id, "and?")
    assert service.agent.given[1].inputs == ()
    await ask(service, conversation.id, "and that?", made.id)
    assert [facts.file_name for facts in service.agent.given[2].datasets] == ["made.csv"]


async def test_a_run_knows_the_earlier_questions_their_answers_and_the_code_that_worked(tmp_path: Path) -> None:
    async def coding(given: AgentInput, context: AgentContext) -> Items:
        for step, status in (("s-1", "ok"), ("s-2", "error"), ("s-3", "ok")):
            yield CodeFinished(step_id=step, code=f"{step} of {given.question}")
            yield StepFinished(step_id=step, status=status, elapsed_s=0.1)  # type: ignore[arg-type]  # a status
        yield answer(f"answer to {given.question}")

    service = bench(tmp_path, coding)
    conversation = await service.conversations.create(service.scope)
    await ask(service, conversation.id, "one")
    await ask(service, conversation.id, "two")
    assert service.agent.given[0].history == ()
    assert service.agent.given[1].history == (
        TurnFacts(question="one", answer="answer to one", code="s-1 of one\n\ns-3 of one"),
    )


async def test_a_question_that_was_not_answered_is_not_history(tmp_path: Path) -> None:
    async def failing_first(given: AgentInput, context: AgentContext) -> Items:
        if given.question == "fail":
            raise ModelTimeout(model="m")
        yield answer(given.question)

    service = bench(tmp_path, failing_first)
    conversation = await service.conversations.create(service.scope)
    for text in ("one", "fail", "two"):
        await ask(service, conversation.id, text)
    assert [turn.question for turn in service.agent.given[2].history] == ["one"]


async def test_a_long_conversation_is_told_from_its_last_questions(tmp_path: Path) -> None:
    service = bench(tmp_path, answering)
    conversation = await service.conversations.create(service.scope)
    for number in range(TURNS + 3):
        await ask(service, conversation.id, f"question {number}")
    told = [turn.question for turn in service.agent.given[-1].history]
    assert told == [f"question {number}" for number in range(2, TURNS + 2)]
