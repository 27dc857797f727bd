"""Recording calls and answering from the record."""

from __future__ import annotations

import pytest
from tests.support.model_requests import WEATHER_TOOL, all_parts, request, said

from tablewright.errors import ModelOverloaded, ModelRejected
from tablewright.models.base import ThinkingPiece, ToolCalled, UsageSeen
from tablewright.models.recording import RecordingModel, ReplayingModel
from tablewright.models.scripted import Fail, Reply, ScriptedModel
from tablewright.models.streams import closing

RICH = Reply.of(
    ThinkingPiece(text="hm"),
    "答案",
    ToolCalled(call_id="1", name="weather", arguments={"city": "北京"}, provider_state={"id": "x"}),
    UsageSeen(input_tokens=3, output_tokens=4),
)


async def test_a_recorded_call_is_answered_again_exactly() -> None:
    lines: list[bytes] = []
    asked = request(said("user", "天气？"), tools=(WEATHER_TOOL,))

    answered = await all_parts(RecordingModel(ScriptedModel([RICH]), lines.append).stream(asked))

    assert await all_parts(ReplayingModel(lines).stream(asked)) == answered


async def test_the_same_request_recorded_twice_is_answered_in_order() -> None:
    lines: list[bytes] = []
    model = RecordingModel(ScriptedModel(["one", "two"]), lines.append)
    answers = [await all_parts(model.stream(request())) for _ in range(2)]
    replaying = ReplayingModel(lines)

    assert [await all_parts(replaying.stream(request())) for _ in range(2)] == answers
    with pytest.raises(ModelRejected, match="not recorded"):
        await all_parts(replaying.stream(request()))


async def test_another_request_is_not_answered() -> None:
    lines: list[bytes] = []
    await all_parts(RecordingModel(ScriptedModel(["one"]), lines.append).stream(request(said("user", "a"))))

    with pytest.raises(ModelRejected, match="not recorded"):
        await all_parts(ReplayingModel(lines).stream(request(said("user", "b"))))


async def test_a_failed_call_is_recorded_with_its_error() -> None:
    lines: list[bytes] = []
    model = RecordingModel(ScriptedModel([Reply.of("a", Fail(error=ModelOverloaded("busy")))]), lines.append)

    with pytest.raises(ModelOverloaded):
        await all_parts(model.stream(request()))

    assert b'"error":"model_overloaded"' in lines[0]
    with pytest.raises(ModelRejected, match="model_overloaded"):
        await all_parts(ReplayingModel(lines).stream(request()))


async def test_a_call_that_its_reader_left_is_not_recorded() -> None:
    lines: list[bytes] = []

    async with closing(RecordingModel(ScriptedModel(["a"]), lines.append).stream(request())) as parts:
        await anext(parts)

    assert lines == []
