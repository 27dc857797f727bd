"""An Anthropic endpoint that says what a test tells it: `POST /v1/messages`, streaming."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

from tests.support.scripted_http import Response, ScriptedServer, Step, json_response
from tests.support.wire import DEFAULT_COUNT, Call, Counted, Raw, Say, Saying, Think

_STOP = {"stop": "end_turn", "length": "max_tokens", "tool_calls": "tool_use", "content_filter": "refusal"}


class FakeAnthropic(ScriptedServer):
    """Its `base_url` is the server's root."""

    @property
    def base_url(self) -> str:
        return self.url

    def says(self, *sayings: Saying, reason: str | None = "stop", count: Counted | None = DEFAULT_COUNT) -> None:
        """Queue a stream; `reason` None leaves out `message_delta` and `message_stop`."""
        counted = count or Counted(input_tokens=0, output_tokens=0)
        blocks = _Blocks(steps=[_start(counted)])
        for saying in sayings:
            blocks.add(saying)
        blocks.close()
        if reason is not None:
            usage = {"output_tokens": counted.output_tokens}
            delta = {"stop_reason": _STOP[reason], "stop_sequence": None}
            blocks.steps.append(event("message_delta", {"delta": delta, "usage": usage}))
            blocks.steps.append(event("message_stop", {}))
        self.respond(Response(steps=tuple(blocks.steps)))

    def fails(
        self, status: int, message: str = "refused", *, code: str | None = None, headers: dict[str, str] | None = None
    ) -> None:
        """Queue an error as Anthropic writes it."""
        error = {"type": code or "invalid_request_error", "message": message}
        self.respond(json_response({"type": "error", "error": error}, status=status, headers=headers))


@dataclass(kw_only=True)
class _Blocks:
    """The content blocks of one message, written as their pieces come."""

    steps: list[Step] = field(default_factory=list[Step])
    _open: str | None = None
    _index: int = -1

    def add(self, saying: Saying) -> None:
        if isinstance(saying, Say):
            self._enter("text", {"type": "text", "text": ""})
            self._delta({"type": "text_delta", "text": saying.text})
        elif isinstance(saying, Think):
            self._enter("thinking", {"type": "thinking", "thinking": "", "signature": ""})
            self._delta({"type": "thinking_delta", "thinking": saying.text})
            if saying.signature is not None:
                self._delta({"type": "signature_delta", "signature": saying.signature})
                self.close()
        elif isinstance(saying, Call):
            self.close()
            self._enter("tool_use", {"type": "tool_use", "id": saying.call_id, "name": saying.name, "input": {}})
            for fragment in saying.fragments:
                self._delta({"type": "input_json_delta", "partial_json": fragment})
            self.close()
        else:
            self.steps.append(saying.content if isinstance(saying, Raw) else saying)

    def close(self) -> None:
        if self._open is not None:
            self.steps.append(event("content_block_stop", {"index": self._index}))
            self._open = None

    def _enter(self, kind: str, block: dict[str, Any]) -> None:
        if self._open == kind:
            return
        self.close()
        self._open = kind
        self._index += 1
        self.steps.append(event("content_block_start", {"index": self._index, "content_block": block}))

    def _delta(self, delta: dict[str, Any]) -> None:
        self.steps.append(event("content_block_delta", {"index": self._index, "delta": delta}))


def event(kind: str, data: dict[str, Any]) -> bytes:
    """One server-sent event of this kind."""
    return f"event: {kind}\ndata: {json.dumps({'type': kind, **data}, ensure_ascii=False)}\n\n".encode()


def _start(count: Counted) -> bytes:
    usage = {
        "input_tokens": count.input_tokens - count.cached_tokens,
        "cache_read_input_tokens": count.cached_tokens,
        "cache_creation_input_tokens": 0,
        "output_tokens": 1,
    }
    message: dict[str, Any] = {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "fake-model",
        "content": [],
        "stop_reason": None,
        "stop_sequence": None,
        "usage": usage,
    }
    return event("message_start", {"message": message})
