"""A Gemini endpoint that says what a test tells it: `POST /v1beta/models/…:streamGenerateContent`."""

from __future__ import annotations

import json
from typing import Any

from tests.support.scripted_http import Response, ScriptedServer, Step, json_response
from tests.support.wire import DEFAULT_COUNT, Call, Counted, Raw, Say, Saying, Think

_FINISH = {"stop": "STOP", "length": "MAX_TOKENS", "tool_calls": "STOP", "content_filter": "SAFETY"}


class FakeGoogle(ScriptedServer):
    """Its `base_url` is the server's root."""

    @property
    def base_url(self) -> str:
        return self.url

    def says(self, *sayings: Saying, reason: str | None = "stop", count: Counted | None = DEFAULT_COUNT) -> None:
        """Queue a stream; `reason` None leaves out the finish."""
        steps: list[Step] = [_step(saying) for saying in sayings]
        if reason is not None:
            last: dict[str, Any] = {"candidates": [{"content": {"role": "model"}, "finishReason": _FINISH[reason]}]}
            if count is not None:
                last["usageMetadata"] = _usage(count)
            steps.append(_event(last))
        self.respond(Response(steps=tuple(steps)))

    def fails(self, status: int, message: str = "refused") -> None:
        """Queue an error as Google writes it."""
        error = {"code": status, "message": message, "status": "FAILED"}
        self.respond(json_response({"error": error}, status=status))


def _step(saying: Saying) -> Step:
    if isinstance(saying, Say):
        return _part({"text": saying.text})
    if isinstance(saying, Think):
        return _part({"text": saying.text, "thought": True, "thoughtSignature": saying.signature})
    if isinstance(saying, Call):
        arguments = json.loads("".join(saying.fragments))
        return _part({"functionCall": {"id": saying.call_id, "name": saying.name, "args": arguments}})
    return saying.content if isinstance(saying, Raw) else saying


def _part(part: dict[str, Any]) -> bytes:
    return _event({"candidates": [{"content": {"role": "model", "parts": [part]}}]})


def _event(data: dict[str, Any]) -> bytes:
    return f"data: {json.dumps({**data, 'responseId': 'r1', 'modelVersion': 'fake-model'})}\r\n\r\n".encode()


def _usage(count: Counted) -> dict[str, int]:
    return {
        "promptTokenCount": count.input_tokens,
        "candidatesTokenCount": count.output_tokens,
        "cachedContentTokenCount": count.cached_tokens,
        "totalTokenCount": count.input_tokens + count.output_tokens,
    }
