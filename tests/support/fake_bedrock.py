"""A Bedrock endpoint that says what a test tells it: `POST /model/…/converse-stream`, in AWS's binary framing."""

from __future__ import annotations

import json
import struct
import zlib
from typing import Any

from tests.support.scripted_http import Response, ScriptedServer, Step, json_response
from tests.support.wire import DEFAULT_COUNT, Call, Counted, Raw, Say, Saying, Think

_STOP = {"stop": "end_turn", "length": "max_tokens", "tool_calls": "tool_use", "content_filter": "guardrail_intervened"}


class FakeBedrock(ScriptedServer):
    """Its `base_url` is the server's root."""

    @property
    def base_url(self) -> str:
        return self.url

    def says(self, *sayings: Saying, reason: str | None = "stop", count: Counted | None = DEFAULT_COUNT) -> None:
        """Queue a stream; `reason` None leaves out the finish."""
        steps: list[Step] = [_frame("messageStart", {"role": "assistant"})]
        for index, saying in enumerate(sayings):
            steps.extend(_block(saying, index))
        if reason is not None:
            steps.append(_frame("messageStop", {"stopReason": _STOP[reason]}))
            if count is not None:
                usage = {"inputTokens": count.input_tokens - count.cached_tokens, "outputTokens": count.output_tokens}
                usage |= {"cacheReadInputTokens": count.cached_tokens} if count.cached_tokens else {}
                total = {"totalTokens": count.input_tokens + count.output_tokens}
                steps.append(_frame("metadata", {"usage": {**usage, **total}, "metrics": {"latencyMs": 1}}))
        self.respond(Response(steps=tuple(steps), headers={"content-type": "application/vnd.amazon.eventstream"}))

    def fails(self, status: int, message: str = "refused", *, kind: str = "ValidationException") -> None:
        """Queue an error as AWS writes it."""
        self.respond(json_response({"message": message}, status=status, headers={"x-amzn-errortype": kind}))


def _block(saying: Saying, index: int) -> list[Step]:
    if isinstance(saying, Say):
        return [_delta(index, {"text": saying.text}), _stop(index)]
    if isinstance(saying, Think):
        signed: list[Step] = [] if saying.signature is None else [_reasoning(index, {"signature": saying.signature})]
        return [_reasoning(index, {"text": saying.text}), *signed, _stop(index)]
    if isinstance(saying, Call):
        start = {"toolUse": {"toolUseId": saying.call_id, "name": saying.name}}
        return [
            _frame("contentBlockStart", {"contentBlockIndex": index, "start": start}),
            *(_delta(index, {"toolUse": {"input": fragment}}) for fragment in saying.fragments),
            _stop(index),
        ]
    return [saying.content if isinstance(saying, Raw) else saying]


def _reasoning(index: int, content: dict[str, str]) -> bytes:
    return _delta(index, {"reasoningContent": content})


def _delta(index: int, delta: dict[str, Any]) -> bytes:
    return _frame("contentBlockDelta", {"contentBlockIndex": index, "delta": delta})


def _stop(index: int) -> bytes:
    return _frame("contentBlockStop", {"contentBlockIndex": index})


def _frame(kind: str, data: dict[str, Any]) -> bytes:
    """One message of AWS's event stream: lengths, headers, payload, each part with its checksum."""
    named = {":message-type": "event", ":event-type": kind, ":content-type": "application/json"}
    headers = b"".join(
        struct.pack(">B", len(name)) + name.encode() + struct.pack(">BH", 7, len(value)) + value.encode()
        for name, value in named.items()
    )
    payload = json.dumps(data).encode()
    prelude = struct.pack(">II", 16 + len(headers) + len(payload), len(headers))
    message = prelude + struct.pack(">I", zlib.crc32(prelude)) + headers + payload
    return message + struct.pack(">I", zlib.crc32(message))
