"""A question that may mean several things: its readings are offered, and the run goes on with the chosen one."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from tests.support.offers import OPTIONS, OTHER_WORDS, QUESTION, ROWS, regions_sandbox, unsure_analyst
from tests.support.service_bench import Bench, Script, bench

from tablewright.agent.code.analyst import CodeAnalyst
from tablewright.agent.react.agent import React
from tablewright.domain.answer import Answer
from tablewright.domain.codec import from_json, to_json
from tablewright.domain.conversation import Conversation
from tablewright.domain.events import Event, QuestionAsked, RequestAnswered
from tablewright.domain.run import Approvals, RequestAnswer, Run
from tablewright.service.history import events_of
from tablewright.service.runs.runs import Ask
from tablewright.store.base import Store


async def service(folder: Path, store: Store | None = None, script: Script = CodeAnalyst().run) -> Bench:
    return bench(folder, script, store=store, model=unsure_analyst(), sandbox=await regions_sandbox())


async def conversation_with_table(here: Bench) -> tuple[Conversation, str]:
    conversation = await here.conversations.create(here.scope)

    async def content() -> AsyncIterator[bytes]:
        yield b"East\nWest\n"

    file = await here.files.upload(here.scope, name="orders.csv", content=content(), conversation_id=conversation.id)
    return conversation, file.id


async def asked(here: Bench, question: str = QUESTION, approvals: Approvals = "ask") -> Run:
    conversation, file_id = await conversation_with_table(here)
    ask = Ask(text=question, file_ids=(file_id,), approvals=approvals, language="en")
    return await here.settled(await here.runs.start(here.scope, conversation.id, ask))


async def answered(here: Bench, run: Run, words: str) -> Answer:
    request = (await here.runs.requests(here.scope, run.id))[-1]
    await here.runs.answer(here.scope, run.id, request.id, RequestAnswer(decision="answer", text=words))
    ended = await here.settled(run)
    assert ended.answer is not None, ended.failure
    return ended.answer


def count(answer: Answer) -> object:
    assert answer.result is not None, answer.text
    return answer.result.rows[0][0]


async def questions(here: Bench, run: Run) -> list[QuestionAsked]:
    stored = await events_of(here.store, here.scope, run.id)
    return [event.body for event in stored if isinstance(event.body, QuestionAsked)]


@pytest.mark.requirement("unsure-is-offered")
async def test_the_readings_are_asked_about_with_their_results(tmp_path: Path) -> None:
    here = await service(tmp_path)
    run = await asked(here)
    assert run.state == "waiting"
    (question,) = await questions(here, run)
    assert question.options == OPTIONS
    assert [reading.text for reading in question.readings] == ["orders in East", "orders in West"]
    assert [reading.result and reading.result.rows for reading in question.readings] == [((1204,),), ((1187,),)]


@pytest.mark.requirement("unsure-is-offered")
@pytest.mark.parametrize("words", ["2", "orders in West", OPTIONS[1], "West"])
async def test_the_chosen_reading_is_carried_out(words: str, tmp_path: Path) -> None:
    here = await service(tmp_path)
    answer = await answered(here, await asked(here), words)
    assert (answer.outcome, count(answer)) == ("completed", ROWS["West"])


@pytest.mark.requirement("unsure-is-offered")
async def test_after_a_restart_the_choice_still_holds(tmp_path: Path) -> None:
    before = await service(tmp_path)
    run = await asked(before)
    after = await service(tmp_path, before.store)
    assert count(await answered(after, run, "1")) == ROWS["East"]


async def test_other_words_are_read_as_a_new_wording(tmp_path: Path) -> None:
    here = await service(tmp_path)
    assert count(await answered(here, await asked(here), OTHER_WORDS)) == ROWS["West"]


async def test_other_words_may_leave_it_open_again(tmp_path: Path) -> None:
    here = await service(tmp_path)
    run = await asked(here)
    first = (await here.runs.requests(here.scope, run.id))[-1]
    again = RequestAnswer(decision="answer", text=f"  {QUESTION} ")
    await here.runs.answer(here.scope, run.id, first.id, again)
    assert (await here.settled(run)).state == "waiting"
    assert count(await answered(here, run, "2")) == ROWS["West"]


@pytest.mark.requirement("unsure-is-offered")
async def test_where_nobody_is_there_the_run_ends_with_the_offers(tmp_path: Path) -> None:
    run = await asked(await service(tmp_path), approvals="auto")
    assert (run.state, run.outcome) == ("finished", "declined")
    assert run.answer is not None
    assert [reading.text for reading in run.answer.readings] == ["orders in East", "orders in West"]
    assert all(option in run.answer.text for option in OPTIONS)


async def test_an_agent_with_tools_asks_and_goes_on_too(tmp_path: Path) -> None:
    here = await service(tmp_path, script=React().run)
    run = await asked(here)
    assert (await questions(here, run))[0].options == OPTIONS
    request = (await here.runs.requests(here.scope, run.id))[-1]
    await here.runs.answer(here.scope, run.id, request.id, RequestAnswer(decision="answer", text="2"))
    await here.settled(run)
    calls = [part for message in await here.store.log.transcript(here.scope, run.id) for part in message.parts]
    code = [part for part in calls if part.type == "tool_call" and part.name == "run_python"]
    assert "west" in str(code)


async def test_a_log_from_before_readings_loads(tmp_path: Path) -> None:
    here = await service(tmp_path)
    run = await asked(here)
    stored = await events_of(here.store, here.scope, run.id)
    event = next(event for event in stored if isinstance(event.body, QuestionAsked))
    assert from_json(Event, to_json(Event, event)) == event
    old = from_json(QuestionAsked, '{"request_id": "q", "prompt": "Which?", "type": "question.asked"}')
    assert old.readings == ()
    assert b"readings" not in to_json(QuestionAsked, old)
    assert not [each for each in stored if isinstance(each.body, RequestAnswered)]


@pytest.mark.requirement("choice-is-remembered")
async def test_a_choice_is_remembered_in_the_tenant_until_it_is_removed(tmp_path: Path) -> None:
    here = await service(tmp_path)
    assert count(await answered(here, await asked(here), "2")) == ROWS["West"]
    (kept,) = await here.store.vocabulary.all(here.scope)
    assert (kept.kind, kept.meaning, kept.created_by) == ("reading", "orders in West", here.scope.owner)
    again = await asked(here)
    assert again.state == "finished"
    assert again.answer is not None
    assert count(again.answer) == ROWS["West"]
    await here.store.vocabulary.remove(here.scope, kept.id)
    assert (await asked(here)).state == "waiting"


async def test_other_words_are_remembered_with_what_was_chosen_for_them(tmp_path: Path) -> None:
    here = await service(tmp_path)
    run = await asked(here)
    first = (await here.runs.requests(here.scope, run.id))[-1]
    again = RequestAnswer(decision="answer", text=QUESTION)
    await here.runs.answer(here.scope, run.id, first.id, again)
    assert await here.store.vocabulary.all(here.scope) == ()
    assert (await here.settled(run)).state == "waiting"
    await answered(here, run, "1")
    assert [one.meaning for one in await here.store.vocabulary.all(here.scope)] == ["orders in East"]
