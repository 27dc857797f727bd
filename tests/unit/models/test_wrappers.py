"""Patience and time limits."""

from __future__ import annotations

import asyncio

import pytest
from tests.support.model_requests import all_parts, request, until_error
from tests.support.patience import slow

from tablewright.domain.ids import ManualClock
from tablewright.errors import (
    ModelError,
    ModelOverloaded,
    ModelRejected,
    ModelStreamCut,
    ModelTimeout,
    ModelUnreachable,
)
from tablewright.models.base import ModelSettings, TextPiece
from tablewright.models.scripted import Delay, Fail, Reply, ScriptedModel, StreamCut
from tablewright.models.streams import closing
from tablewright.models.wrappers import RetryingModel, RetryPolicy, TimeLimitedModel


class NotedClock(ManualClock):
    """Sleeps not at all, and notes how long it was asked to."""

    def __init__(self) -> None:
        super().__init__()
        self.slept: list[float] = []

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)


def failing(*errors: ModelError) -> ScriptedModel:
    return ScriptedModel([*(Reply.of(Fail(error=error)) for error in errors), Reply.of("at last")])


@pytest.mark.requirement("models-retried")
async def test_what_may_pass_is_tried_again_with_doubling_waits() -> None:
    clock = NotedClock()
    model = failing(ModelUnreachable(""), ModelStreamCut(""), ModelTimeout(""))

    parts = await all_parts(RetryingModel(model, clock=clock, chance=lambda: 1.0).stream(request()))

    assert parts[0] == TextPiece(text="at last")
    assert clock.slept == [0.5, 1.0, 2.0]


async def test_waits_are_jittered_by_up_to_half() -> None:
    policy = RetryPolicy(first_s=1.0)

    assert policy.wait_s(1, ModelUnreachable(""), 0.0) == 0.5
    assert policy.wait_s(1, ModelUnreachable(""), 1.0) == 1.0


async def test_what_the_endpoint_asks_for_is_waited() -> None:
    clock = NotedClock()

    await all_parts(RetryingModel(failing(ModelOverloaded("", retry_after_s=7.0)), clock=clock).stream(request()))

    assert clock.slept == [7.0]


@pytest.mark.parametrize(
    "errors",
    [
        (ModelRejected("no"),),
        (ModelOverloaded("", retry_after_s=3_600.0),),
        (ModelUnreachable(""),) * 4,
    ],
    ids=["refused", "asked to wait too long", "too many times"],
)
async def test_some_failures_are_final(errors: tuple[ModelError, ...]) -> None:
    with pytest.raises(type(errors[0])):
        await all_parts(RetryingModel(failing(*errors), clock=NotedClock()).stream(request()))


async def test_nothing_is_tried_again_once_a_part_was_given_out() -> None:
    model = ScriptedModel([Reply.of("half an ans", StreamCut()), Reply.of("never asked for")])

    with pytest.raises(ModelStreamCut):
        await all_parts(RetryingModel(model, clock=NotedClock()).stream(request()))

    assert len(model.requests) == 1


async def test_leaving_a_wrapped_stream_leaves_the_models() -> None:
    model = ScriptedModel([Reply.of("a", "b")])

    async with closing(TimeLimitedModel(RetryingModel(model)).stream(request())) as parts:
        await anext(parts)

    assert model.closed_early == 1


async def test_a_silent_model_is_given_up() -> None:
    model = ScriptedModel([Reply.of("a", Delay(seconds=1), "b")], clock=ManualClock())

    seen, error = await until_error(TimeLimitedModel(model, silence_s=slow(0.1)).stream(request()))

    assert isinstance(error, ModelTimeout)
    assert seen == [TextPiece(text="a")]
    assert model.closed_early == 1


async def test_a_call_ends_at_its_own_limit_however_much_still_comes() -> None:
    model = ScriptedModel([Reply.of("a", Delay(seconds=1), "b")], clock=ManualClock())

    with pytest.raises(ModelTimeout):
        await all_parts(TimeLimitedModel(model).stream(request(settings=ModelSettings(timeout_s=0.05))))


async def test_within_its_limits_a_call_is_passed_on_unchanged() -> None:
    model = ScriptedModel(["hello", "hello"])

    limited = await all_parts(TimeLimitedModel(model).stream(request()))

    assert limited == await all_parts(model.stream(request()))


async def test_cancelling_the_reader_is_no_timeout() -> None:
    model = ScriptedModel([Reply.of(Delay(seconds=1))], clock=ManualClock())
    reading = asyncio.create_task(all_parts(TimeLimitedModel(model).stream(request())))
    await asyncio.sleep(0)

    reading.cancel()

    with pytest.raises(asyncio.CancelledError):
        await reading
    assert model.closed_early == 1


def test_a_wrapper_has_its_models_name() -> None:
    assert TimeLimitedModel(RetryingModel(ScriptedModel([], name="a:b"))).name == "a:b"
