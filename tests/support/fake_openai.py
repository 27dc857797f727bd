"""An OpenAI-compatible endpoint that says what a test tells it: `POST /v1/chat/completions`, streaming."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from tests.support.scripted_http import Response, ScriptedServer, Step, json_response
from tests.support.wire import DEFAULT_COUNT, Call, Counted, Raw, Say, Saying, Think

_FINISH = {"stop": "stop", "length": "length", "tool_calls": "tool_calls", "content_filter": "content_filter"}


class FakeOpenAI(ScriptedServer):
    """Its `base_url` ends in `/v1`, as a provider's does. Reasoning is sent in the field `reasoning_field`."""

    def __init__(self, *, reasoning_field: str = "reasoning_content") -> None:
        super().__init__()
        self._reasoning_field = reasoning_field

    @property
    def base_url(self) -> str:
        return f"{self.url}/v1"

    def says(self, *sayings: Saying, reason: str | None = "stop", count: Counted | None = DEFAULT_COUNT) -> None:
        """Queue a stream; `reason` None leaves out the finish, as a broken server does."""
        self.respond(self.saying(*sayings, reason=reason, count=count))

    def saying(self, *sayings: Saying, reason: str | None = "stop", count: Counted | None = DEFAULT_COUNT) -> Response:
        """Return such a stream."""
        steps: list[Step] = [_chunk({"role": "assistant", "content": ""})]
        calls = 0
        for saying in sayings:
            if isinstance(saying, Call):
                steps.extend(_call(saying, calls))
                calls += 1
            else:
                steps.append(self._step(saying))
        if reason is not None:
            steps.append(_chunk({}, finish=_FINISH[reason]))
        if count is not None:
            steps.append(_usage(count))
        return Response(steps=(*steps, b"data: [DONE]\n\n"))

    def says_each(self, texts: Iterable[str]) -> None:
        """Queue a stream for each text."""
        for text in texts:
            self.says(Say(text=text))

    def fails(
        self, status: int, message: str = "refused", *, code: str | None = None, headers: dict[str, str] | None = None
    ) -> None:
        """Queue an error as OpenAI writes it."""
        error = {"message": message, "type": "invalid_request_error", "param": None, "code": code}
        self.respond(json_response({"error": error}, status=status, headers=headers))

    def _step(self, saying: Say | Think | Raw | Step) -> Step:
        if isinstance(saying, Say):
            return _chunk({"content": saying.text})
        if isinstance(saying, Think):
            return _chunk({self._reasoning_field: saying.text})
        return saying.content if isinstance(saying, Raw) else saying


def event(data: object) -> bytes:
    """One server-sent event with `data` as JSON."""
    return f"data: {json.dumps(data, ensure_ascii=False)}\n\n".encode()


def _chunk(delta: dict[str, Any], *, finish: str | None = None) -> bytes:
    return event(_frame([{"index": 0, "delta": delta, "finish_reason": finish}]))


def _usage(count: Counted) -> bytes:
    usage = {
        "prompt_tokens": count.input_tokens,
        "completion_tokens": count.output_tokens,
        "total_tokens": count.input_tokens + count.output_tokens,
        "prompt_tokens_details": {"cached_tokens": count.cached_tokens},
    }
    return event({**_frame([]), "usage": usage})


def _frame(choices: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion.chunk",
        "created": 1_700_000_000,
        "model": "fake-model",
        "choices": choices,
    }


def _call(call: Call, index: int) -> list[bytes]:
    first = {
        "index": index,
        "id": call.call_id,
        "type": "function",
        "function": {"name": call.name, "arguments": ""},
    }
    pieces = [{"index": index, "function": {"arguments": fragment}} for fragment in call.fragments]
    return [_chunk({"tool_calls": [piece]}) for piece in (first, *pieces)]
