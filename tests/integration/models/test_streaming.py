"""Streams over real HTTP: pieces as they are sent, whole calls, reasoning that goes back, usage, leaving early."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import replace

import pytest
from tests.support.gateways import PROVIDERS, Provider, wired
from tests.support.model_requests import WEATHER_TOOL, all_parts, request, said, until_error
from tests.support.patience import PATIENCE_S
from tests.support.scripted_http import Cut, Hang, Hold
from tests.support.wire import Call, Counted, Say, Think

from tablewright.domain.message import ImagePart, Message, ThinkingPart, ToolResultPart
from tablewright.errors import ModelStreamCut
from tablewright.models.base import NamedTool, StreamEnded, TextPiece, ThinkingPiece, ToolCalled, UsageSeen
from tablewright.models.dialogue import output_turn
from tablewright.models.streams import closing
from tablewright.models.tokens import CalibratedEstimator

both = pytest.mark.parametrize("kind", PROVIDERS)


@pytest.mark.requirement("models-stream-piece-by-piece")
@both
async def test_each_piece_arrives_before_the_next_is_sent(kind: Provider) -> None:
    gates = [asyncio.Event() for _ in range(3)]
    async with wired(kind) as wire:
        wire.endpoint.says(
            Say(text="one"), Hold(until=gates[0]), Say(text="two"), Hold(until=gates[1]), Say(text="three")
        )
        async with asyncio.timeout(PATIENCE_S), closing(wire.model.stream(request())) as parts:
            for text, gate in zip(("one", "two", "three"), gates, strict=True):
                assert await anext(parts) == TextPiece(text=text)
                gate.set()
            assert [type(part) async for part in parts] == [UsageSeen, StreamEnded]


@both
async def test_a_call_is_given_whole_once_the_next_part_begins(kind: Provider) -> None:
    gate = asyncio.Event()
    async with wired(kind) as wire:
        wire.endpoint.says(
            Call(call_id="a", name="weather", fragments=('{"city": "O', 'slo"}')),
            Call(call_id="b", name="weather", fragments=("{}",)),
            Hold(until=gate),
            reason="tool_calls",
        )
        async with asyncio.timeout(PATIENCE_S), closing(wire.model.stream(request(tools=(WEATHER_TOOL,)))) as parts:
            assert await anext(parts) == ToolCalled(call_id="a", name="weather", arguments={"city": "Oslo"})
            gate.set()
            assert [part.call_id async for part in parts if isinstance(part, ToolCalled)] == ["b"]


@both
async def test_a_call_whose_arguments_were_cut_is_never_given(kind: Provider) -> None:
    async with wired(kind) as wire:
        wire.endpoint.says(Call(call_id="a", name="weather", fragments=('{"city": "O',)), Cut(clean=True))

        parts, error = await until_error(wire.model.stream(request(tools=(WEATHER_TOOL,))))

    assert parts == []
    assert isinstance(error, ModelStreamCut)


@both
async def test_faulty_arguments_of_a_call_are_read_leniently(kind: Provider) -> None:
    async with wired(kind) as wire:
        wire.endpoint.says(Call(call_id="a", name="weather", fragments=("{'city': 'Oslo',}",)), reason="tool_calls")

        parts = await all_parts(wire.model.stream(request(tools=(WEATHER_TOOL,))))

    assert parts[0] == ToolCalled(call_id="a", name="weather", arguments={"city": "Oslo"})


@pytest.mark.parametrize("field", ["reasoning_content", "reasoning"])
async def test_reasoning_beside_the_text_is_told_from_it(field: str) -> None:
    async with wired("openai", reasoning_field=field) as wire:
        wire.endpoint.says(Think(text="let me "), Think(text="see"), Say(text="done"))

        *pieces, _, end = await all_parts(wire.model.stream(request()))

    assert pieces == [ThinkingPiece(text="let me "), ThinkingPiece(text="see"), TextPiece(text="done")]
    assert isinstance(end, StreamEnded)
    assert end.message.text == "done"


async def test_reasoning_inside_the_text_is_told_from_it_however_it_is_cut() -> None:
    async with wired("openai") as wire:
        wire.endpoint.says(*(Say(text=piece) for piece in ("<th", "ink>let me", " see</thi", "nk>\n\n", "do", "ne")))

        *pieces, _, end = await all_parts(wire.model.stream(request()))

    thoughts = "".join(piece.text for piece in pieces if isinstance(piece, ThinkingPiece))
    words = "".join(piece.text for piece in pieces if isinstance(piece, TextPiece))
    assert (thoughts, words) == ("let me see", "done")
    assert isinstance(end, StreamEnded)
    assert isinstance(end.message.parts[0], ThinkingPart)
    assert end.message.text == "done"


async def test_signed_reasoning_goes_back_as_it_came() -> None:
    async with wired("anthropic") as wire:
        wire.endpoint.says(Think(text="let me see", signature="c2lnbmVk"), Say(text="done"))
        wire.endpoint.says(Say(text="again"))
        end = (await all_parts(wire.model.stream(request())))[-1]
        assert isinstance(end, StreamEnded)

        await all_parts(wire.model.stream(request(said("user", "hello"), end.message, said("user", "more"))))

        assert wire.endpoint.requests[1].json["messages"][1] == {
            "role": "assistant",
            "content": [
                {"type": "thinking", "thinking": "let me see", "signature": "c2lnbmVk"},
                {"type": "text", "text": "done"},
            ],
        }


async def test_signed_reasoning_does_not_go_to_another_provider() -> None:
    async with wired("anthropic") as signed, wired("openai") as other:
        signed.endpoint.says(Think(text="let me see", signature="c2lnbmVk"), Say(text="done"))
        other.endpoint.says(Say(text="again"))
        end = (await all_parts(signed.model.stream(request())))[-1]
        assert isinstance(end, StreamEnded)

        await all_parts(other.model.stream(request(said("user", "hello"), end.message, said("user", "more"))))

        sent = other.endpoint.requests[0].json["messages"][1]
        assert "signature" not in sent
        assert "let me see" not in str(sent)


async def test_unsigned_reasoning_goes_back_only_beside_calls() -> None:
    async with wired("openai") as wire:
        wire.endpoint.says(Think(text="plain"), Say(text="done"))
        wire.endpoint.says(
            Think(text="calling"), Call(call_id="a", name="weather", fragments=("{}",)), reason="tool_calls"
        )
        wire.endpoint.says(Say(text="end"))
        first = (await all_parts(wire.model.stream(request())))[-1]
        second = (await all_parts(wire.model.stream(request(tools=(WEATHER_TOOL,)))))[-1]
        assert isinstance(first, StreamEnded)
        assert isinstance(second, StreamEnded)

        result = Message(role="tool", parts=(ToolResultPart(call_id="a", name="weather", text="rain"),))
        turns = (said("user", "a"), first.message, said("user", "b"), second.message, result)
        await all_parts(wire.model.stream(request(*turns, tools=(WEATHER_TOOL,))))

        _, plain, _, calling, _ = wire.endpoint.requests[2].json["messages"]
        assert plain == {"role": "assistant", "content": "done"}
        assert calling["reasoning_content"] == "calling"


async def test_tokens_are_estimated_where_the_provider_does_not_count() -> None:
    async with wired("openai") as wire:
        wire.endpoint.says(Say(text="twelve words or so"), count=None)

        usage = (await all_parts(wire.model.stream(request(said("user", "word " * 420)))))[-2]

    assert isinstance(usage, UsageSeen)
    assert usage.method == "estimate"
    assert usage.input_tokens == pytest.approx(500, abs=20)
    assert usage.output_tokens > 0


@both
async def test_what_the_provider_counts_corrects_the_next_estimate(kind: Provider) -> None:
    counter = CalibratedEstimator()
    asked = request(said("user", "word " * 420))
    async with wired(kind, counter=counter) as wire:
        wire.endpoint.says(Say(text="ok"), count=Counted(input_tokens=1_000, output_tokens=2))
        await all_parts(wire.model.stream(asked))

    assert counter.count(asked.messages, model="mine:fake-model").tokens == pytest.approx(1_000, abs=5)


@both
async def test_old_output_is_left_out_where_the_context_has_no_room_for_it(
    kind: Provider, caplog: pytest.LogCaptureFixture
) -> None:
    turns = [
        turn for _ in range(4) for turn in (said("assistant", "code", "output"), output_turn(["x " * 2_000], "en"))
    ]
    async with wired(kind, context_tokens=3_500, max_output_tokens=1_000) as wire:
        wire.endpoint.says(Say(text="ok"))
        with caplog.at_level(logging.DEBUG, logger="tablewright.models.gateway.model"):
            await all_parts(wire.model.stream(request(said("user", "go"), *turns)))

        sent = str(wire.endpoint.requests[0].json["messages"])
        assert sent.count("earlier output left out") == 2
        assert sent.count("x " * 1_999) == 2
    assert "input tokens of 2500 (estimate)" in caplog.text


@both
async def test_leaving_a_stream_closes_its_connection(kind: Provider) -> None:
    async with wired(kind) as wire:
        wire.endpoint.says(Say(text="one"), Hang())
        async with asyncio.timeout(PATIENCE_S):
            async with closing(wire.model.stream(request())) as parts:
                assert await anext(parts) == TextPiece(text="one")

            await wire.endpoint.requests[0].left.wait()


@pytest.mark.requirement("models-cancel-closes-connection")
@both
@pytest.mark.parametrize("before", [(), (Say(text="one"),)], ids=["before the first piece", "after a piece"])
async def test_cancelling_a_call_closes_its_connection(kind: Provider, before: tuple[Say, ...]) -> None:
    async with wired(kind) as wire, asyncio.timeout(PATIENCE_S):
        wire.endpoint.says(*before, Hang())
        reading = asyncio.create_task(all_parts(wire.model.stream(request())))
        received = await wire.endpoint.arrived()

        reading.cancel()
        with pytest.raises(asyncio.CancelledError):
            await reading

        await received.left.wait()


@both
async def test_a_model_works_on_after_a_call_was_left(kind: Provider) -> None:
    async with wired(kind) as wire, asyncio.timeout(PATIENCE_S):
        wire.endpoint.says(Say(text="one"), Hang())
        wire.endpoint.says(Say(text="two"))
        async with closing(wire.model.stream(request())) as parts:
            await anext(parts)

        assert (await all_parts(wire.model.stream(request())))[0] == TextPiece(text="two")


@both
async def test_two_calls_at_once_do_not_mix(kind: Provider) -> None:
    gate = asyncio.Event()
    async with wired(kind) as wire, asyncio.timeout(PATIENCE_S):
        wire.endpoint.says(Hold(until=gate), Say(text="same"))
        wire.endpoint.says(Say(text="same"))
        first = asyncio.create_task(all_parts(wire.model.stream(request())))
        await wire.endpoint.arrived(1)

        second = await all_parts(wire.model.stream(request()))
        assert not first.done()
        gate.set()

        assert await first == second


async def test_an_image_is_left_out_for_a_model_that_does_not_read_images() -> None:
    picture = Message(role="user", parts=(ImagePart(mime="image/png", data_base64="iVBORw0KGgo=", origin="output"),))
    async with wired("openai", images=False) as wire:
        wire.endpoint.says(Say(text="ok"))
        await all_parts(wire.model.stream(request(picture)))

        assert wire.endpoint.requests[0].json["messages"] == [
            {"role": "user", "content": "[an image stood here; this model does not read images]"}
        ]


@both
async def test_a_model_without_tools_is_sent_none(kind: Provider) -> None:
    async with wired(kind, tools=False) as wire:
        wire.endpoint.says(Say(text="ok"))
        await all_parts(wire.model.stream(request(tools=(WEATHER_TOOL,), tool_choice="required")))

        assert not {"tools", "tool_choice"} & wire.endpoint.requests[0].json.keys()


@both
async def test_one_tool_can_be_named_that_must_be_called(kind: Provider) -> None:
    tools = (WEATHER_TOOL, replace(WEATHER_TOOL, name="clock"))
    async with wired(kind) as wire:
        wire.endpoint.says(Say(text="ok"))
        await all_parts(wire.model.stream(request(tools=tools, tool_choice=NamedTool("weather"))))

        choice = wire.endpoint.requests[0].json["tool_choice"]
    forced = {"type": "tool", "name": "weather"}, {"type": "function", "function": {"name": "weather"}}
    assert choice in forced


async def test_strict_tools_are_asked_for_where_the_configuration_says_so() -> None:
    async with wired("openai", strict_tools=True) as wire:
        wire.endpoint.says(Say(text="ok"))
        await all_parts(wire.model.stream(request(tools=(WEATHER_TOOL,))))

        sent = wire.endpoint.requests[0].json["tools"][0]["function"]
        assert sent["strict"] is True
        assert sent["parameters"]["additionalProperties"] is False


@both
async def test_a_refusal_by_the_providers_filter_is_an_end_not_a_cut(kind: Provider) -> None:
    async with wired(kind) as wire:
        wire.endpoint.says(Say(text="I"), reason="content_filter")

        end = (await all_parts(wire.model.stream(request())))[-1]

    assert isinstance(end, StreamEnded)
    assert end.reason == "content_filter"


@both
async def test_headers_and_key_of_the_configuration_are_sent(kind: Provider) -> None:
    async with wired(kind, headers={"x-team": "tables"}, api_key="k-123") as wire:
        wire.endpoint.says(Say(text="ok"))
        await all_parts(wire.model.stream(request()))

        headers = wire.endpoint.requests[0].headers
        assert headers["authorization"] == "Bearer k-123"
        assert headers["x-team"] == "tables"
        assert headers["x-stainless-retry-count"] == "0"
