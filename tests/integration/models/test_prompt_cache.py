"""What a provider is asked to keep of what it is sent, for the next call that begins alike."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from tests.support.fake_anthropic import FakeAnthropic
from tests.support.model_requests import WEATHER_TOOL, all_parts, request, said
from tests.support.wire import Say

from tablewright.domain.message import Message, ToolCallPart, ToolResultPart
from tablewright.domain.task import Chat
from tablewright.models.base import ModelRequest
from tablewright.models.gateway.config import ProviderConfig
from tablewright.models.gateway.model import GatewayModel

CALL = ToolCallPart(call_id="call_1", name="weather", arguments={"city": "Oslo"})
RESULT = ToolResultPart(call_id="call_1", name="weather", text="rain", failed=False)
KEPT = {"type": "ephemeral", "ttl": "5m"}


async def sent_to_anthropic(asked: ModelRequest, **config: Any) -> dict[str, Any]:
    async with FakeAnthropic() as endpoint:
        endpoint.says(Say(text="Yes."))
        mine = ProviderConfig(name="mine", kind="anthropic", base_url=endpoint.base_url, api_key="k", **config)
        model = GatewayModel(mine, "fake-model")
        await all_parts(model.stream(asked))
        await model.aclose()
    body: dict[str, Any] = endpoint.requests[0].json
    return body


async def test_what_no_call_follows_or_a_server_refuses_is_not_marked_to_be_kept() -> None:
    asked = request(said("system", "Be brief."), said("user", "1 + 1?"), tools=(WEATHER_TOOL,))
    assert "cache_control" in str(await sent_to_anthropic(asked))
    assert "cache_control" not in str(await sent_to_anthropic(asked, prompt_cache=False))
    once = Chat(question="1 + 1?", language="en")
    assert "cache_control" not in str(await sent_to_anthropic(replace(asked, task=once)))


async def test_the_next_call_begins_with_what_was_marked_to_be_kept() -> None:
    first = request(said("system", "Be brief."), said("user", "Weather?"), tools=(WEATHER_TOOL,))
    messages = (*first.messages, Message(role="assistant", parts=(CALL,)), Message(role="tool", parts=(RESULT,)))
    one, two = await sent_to_anthropic(first), await sent_to_anthropic(replace(first, messages=messages))
    assert (one["system"], one["tools"]) == (two["system"], two["tools"])
    marks = [message["content"][-1].pop("cache_control", None) for message in (one["messages"][0], *two["messages"])]
    assert marks == [KEPT, None, None, KEPT]
    assert two["messages"][0] == one["messages"][0]
