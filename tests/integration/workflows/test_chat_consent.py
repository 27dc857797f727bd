"""Consent that is given in a chat."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest
from tests.support.chat_bench import ChatBench
from tests.support.scripted_http import ScriptedServer, json_response
from tests.support.workflow_bench import node, workflow

from tablewright.data.download import DownloadLimits
from tablewright.data.web.requests import GuardedRequests
from tablewright.workflows.context_services import ContextServices


@pytest.mark.parametrize(
    ("said", "end"),
    [("Yes, please do", ("done", "sent: ok")), ("同意", ("done", "sent: ok")), ("不同意", ("error", ""))],
)
async def test_consent_takes_a_clear_yes_and_what_is_neither_is_asked_again(
    tmp_path: Path, said: str, end: tuple[str, str]
) -> None:
    async with ScriptedServer() as server:
        server.respond(json_response({"said": "ok"}))
        requests = GuardedRequests(DownloadLimits(size_bytes=100_000), admits=lambda address, at: address.is_loopback)
        send = node("send", "http", url=f"{server.url}/orders", method="POST", text="x")
        flow = workflow(
            [node("start", "start"), send, node("end", "end", text="sent: {{ send.json.said }}")],
            "start > send > end",
            name="sending",
            examples=["send it off"],
        )
        chat = ChatBench(tmp_path, (flow,), services=partial(ContextServices, requests=requests))
        conversation = await chat.conversation()
        first = (await chat.say(conversation, "send it off"))[-1]
        again = (await chat.say(conversation, "which orders do you mean?"))[-1]
        assert (again.type, again.is_waiting_input) == ("[NODE_WAIT_FEEDBACK_BY_send]", True)
        assert again.content == f"Please answer yes or no.\n{first.content}"
        assert server.requests == []
        last = (await chat.say(conversation, said))[-1]
        assert last.type == end[0]
        assert last.content.startswith(end[1])
        await chat.close()
