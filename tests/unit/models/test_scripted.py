"""The model that plays a script."""

from __future__ import annotations

import asyncio

import pytest
from tests.support.model_requests import all_parts, request, said, until_error

from tablewright.domain.ids import ManualClock
from tablewright.domain.message import TextPart, ThinkingPart, ToolCallPart
from tablewright.errors import ModelOverloaded, ModelRejected, ModelStreamCut
from tablewright.models.base import StreamEnded, TextPiece, ThinkingPiece, ToolCalled
from tablewright.models.scripted import Delay, Fail, Reply, ScriptedModel, StreamCut
from tablewright.models.streams import closing

CALL = ToolCalled(call_id="1", name="ask_user", arguments={"question": "Which?"})


async def test_a_reply_is_given_piece_by_piece_and_ends_with_the_whole_message() -> None:
    model = ScriptedModel([Reply.of(ThinkingPiece(text="hm"), "Hel", "lo", CALL)])

    *pieces, end = await all_parts(model.stream(request()))

    assert pieces == [ThinkingPiece(text="hm"), TextPiece(text="Hel"), TextPiece(text="lo"), CALL]
    assert isinstance(end, StreamEnded)
    assert end.reason == "tool_calls"
    assert end.message.parts == (
        ThinkingPart(text="hm"),
        TextPart(text="Hello", origin="output"),
        ToolCallPart(call_id="1", name="ask_user", arguments={"question": "Which?"}),
    )


async def test_each_call_takes_the_next_reply_and_requests_are_recorded() -> None:
    model = ScriptedModel(["one", Reply.of("two", reason="length")])

    ends = [(await all_parts(model.stream(request(said("user", text)))))[-1] for text in ("a", "b")]

    assert [(end.message.text, end.reason) for end in ends if isinstance(end, StreamEnded)] == [
        ("one", "stop"),
        ("two", "length"),
    ]
    assert [asked.messages[0].text for asked in model.requests] == ["a", "b"]


async def test_a_script_may_answer_by_the_request() -> None:
    model = ScriptedModel(lambda asked: asked.messages[-1].text.upper())

    assert (await all_parts(model.stream(request(said("user", "loud")))))[0] == TextPiece(text="LOUD")


async def test_a_script_that_has_run_out_refuses() -> None:
    with pytest.raises(ModelRejected, match="script_ended"):
        await all_parts(ScriptedModel([]).stream(request()))


async def test_errors_and_cuts_end_the_stream_where_the_script_says() -> None:
    model = ScriptedModel([Reply.of("a", Fail(error=ModelOverloaded("busy"))), Reply.of("b", StreamCut())])
    busy = await until_error(model.stream(request()))
    cut = await until_error(model.stream(request()))

    assert (busy[0], type(busy[1])) == ([TextPiece(text="a")], ModelOverloaded)
    assert (cut[0], type(cut[1])) == ([TextPiece(text="b")], ModelStreamCut)
    assert model.closed_early == 0


async def test_a_delay_waits_on_the_models_clock() -> None:
    clock = ManualClock()
    model = ScriptedModel([Reply.of(Delay(seconds=60), "late")], clock=clock)

    reading = asyncio.create_task(all_parts(model.stream(request())))
    await asyncio.sleep(0)
    assert not reading.done()
    await clock.advance(60)

    assert (await reading)[0] == TextPiece(text="late")


async def test_a_stream_that_its_reader_leaves_is_counted() -> None:
    model = ScriptedModel([Reply.of("a", "b")])

    async with closing(model.stream(request())) as parts:
        await anext(parts)

    assert model.closed_early == 1


async def test_a_cancelled_reader_stops_a_delay() -> None:
    model = ScriptedModel([Reply.of(Delay(seconds=60), "late")], clock=ManualClock())
    reading = asyncio.create_task(all_parts(model.stream(request())))
    await asyncio.sleep(0)

    reading.cancel()
    with pytest.raises(asyncio.CancelledError):
        await reading

    assert model.closed_early == 1
