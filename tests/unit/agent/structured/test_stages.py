"""What happens before a model reads a round and after it has reported."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

from tests.support.agent_bench import requests
from tests.support.model_requests import sales
from tests.support.structured_bench import EchoTool, bench, call, calls, report

from tablewright.agent.structured.transcript import MAIN, call_scope
from tablewright.domain.events import CodeSaved, ContextCleaned, Event, EventBody, RoundAnswered
from tablewright.domain.message import TranscriptEntry
from tablewright.domain.table_facts import TableForm
from tablewright.domain.task import StructuredRound

WITH_CODE = "# Report\n```python\nprint(1)\n```\nend"
LONG = "row " * 1_000


async def test_the_code_of_a_report_is_kept_and_a_placeholder_takes_its_place() -> None:
    one = bench([calls(call("echo", text="42")), report(WITH_CODE)], EchoTool())
    took = await one.ask()
    (saved,) = took.of(CodeSaved)
    assert took.answer.text == f"# Report\n<!-- CODE_SAVED: {saved.code_id} | print(1) -->\nend"
    assert (saved.file_path, saved.original_length) == (f"data/{saved.code_id}.py", 8)
    assert one.artifacts.kept[f"1/{saved.code_id}.py"] == b"print(1)"


async def test_a_run_that_was_interrupted_while_its_code_was_kept_keeps_it_once() -> None:
    one = bench([report(WITH_CODE, number=1)], EchoTool())
    await one.ask()
    bodies: tuple[EventBody, ...] = (*one.took.of(RoundAnswered), *one.took.of(CodeSaved))
    at = datetime(2026, 1, 1, tzinfo=UTC)
    log = tuple(Event(run_id="run-1", seq=seq, at=at, body=body) for seq, body in enumerate(bodies, start=1))
    again = bench([], EchoTool())
    async for item in again.agent.run(replace(again.given(), log=log), again.context()):
        again.took.items.append(item)
    assert again.took.of(CodeSaved) == []
    assert again.took.answer.text == one.took.answer.text


async def test_what_a_model_has_read_before_is_made_shorter_and_counted() -> None:
    script = [calls(call("echo", "c1", text=LONG)), calls(call("echo", "c2", text="x"), number=2), report(number=3)]
    one = bench(script, EchoTool())
    await one.ask()
    (told,) = one.took.of(ContextCleaned)
    assert told.saved_tokens == told.original_tokens - told.cleaned_tokens > 500
    first, second, third = ("".join(message.text for message in asked.messages) for asked in requests(one.model))
    asked_and_told, asked = 2, 1
    assert [text.count(LONG.strip()) for text in (first, second, third)] == [0, asked_and_told, asked]
    assert "characters left out" in third


async def test_a_program_that_reads_the_task_reads_every_result_to_its_end() -> None:
    script = [calls(call("echo", "c1", text=LONG)), calls(call("echo", "c2", text="x"), number=2), report(number=3)]
    one = bench(script, EchoTool())
    await one.ask()
    task = requests(one.model)[-1].task
    assert isinstance(task, StructuredRound)
    assert [outcome.text.count("row") for taken in task.rounds for outcome in taken.outcomes] == [LONG.count("row"), 0]


async def test_each_call_of_the_model_has_a_transcript_of_its_own() -> None:
    one = bench(["no JSON", calls(call("echo", text="42")), report()], EchoTool())
    await one.ask()
    entries = [item for item in one.took.items if isinstance(item, TranscriptEntry)]
    scopes = [call_scope(1, 1), call_scope(1, 2), call_scope(2, 1)]
    for scope in scopes:
        said = [entry.message for entry in entries if entry.scope == scope]
        assert [message.role for message in said][-2:] == ["user", "assistant"]
    assert [entry.message.role for entry in entries if entry.scope == scopes[0]] == ["system", "user", "assistant"]
    assert len([entry for entry in entries if entry.scope == MAIN]) == 3
    assert {entry.scope for entry in entries} == {MAIN, *scopes}


async def test_numbers_of_a_placeholder_are_no_statements() -> None:
    one = bench([report("```python\nx = 41\n```\nThere are 42.", number=1)], EchoTool())
    took = await one.ask()
    assert [source.value for source in took.answer.sources] == [42]


async def test_what_connects_the_tables_is_told() -> None:
    one = bench([report("Nothing.", number=1)], EchoTool())
    form = TableForm(tables=("a", "b"), parts=("May", "June"))
    tables = tuple(replace(sales(), id=name, name=name) for name in form.tables)
    async for _ in one.agent.run(replace(one.given(), datasets=tables, relations=(form,)), one.context()):
        pass
    (asked,) = requests(one.model)
    assert any('tables 1 "a", 2 "b" have the same columns' in message.text for message in asked.messages)
