"""Errors as the clients of other wires expect them, whoever answers: the guard, a route, the validation."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from starlette.types import ASGIApp, Message, Receive, Scope, Send


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorAnswer:
    """An error as it is sent: its status, its body (a `text` instead of JSON, if there is one) and further headers."""

    status: int
    body: dict[str, Any] = field(default_factory=dict[str, Any])
    text: str | None = None
    headers: dict[str, str] = field(default_factory=dict[str, str])


Rewrite = Callable[[int, dict[str, Any]], ErrorAnswer]
"""Makes the answer of a wire from a status and our own body of an error, `{error: {code, message, field?}}`."""
SENT_BYTES = 2 * 1024**2
"""How much of a request is kept to find its name in it."""


@dataclass(frozen=True, slots=True)
class NamedRewrite:
    """Makes an answer that also has the name of the request: the `field` of what was sent, where it could be read."""

    field: str
    make: Callable[[int, dict[str, Any], str], ErrorAnswer]

    def of(self, sent: bytes) -> Rewrite:
        """Return what makes the answer to a request."""
        name = self._name(sent)
        return lambda status, body: self.make(status, body, name)

    def _name(self, sent: bytes) -> str:
        try:
            read = json.loads(sent)
        except ValueError:
            return ""
        name = read.get(self.field) if isinstance(read, dict) else None
        return name if isinstance(name, str) else ""


class ErrorBodies:
    """Middleware that rewrites errors below some paths; `wires` are the rewriters by what the paths begin with."""

    def __init__(self, app: ASGIApp, wires: Mapping[str, Rewrite | NamedRewrite]) -> None:
        self._app = app
        self._wires = dict(wires)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        path = scope["path"] if scope["type"] == "http" else ""
        rewrite = next((one for begins, one in self._wires.items() if path.startswith(begins)), None)
        if rewrite is None:
            await self._app(scope, receive, send)
            return
        held: Message | None = None
        body, sent = b"", b""

        async def kept() -> Message:
            nonlocal sent
            message = await receive()
            if isinstance(rewrite, NamedRewrite) and len(sent) < SENT_BYTES:
                sent += message.get("body", b"")
            return message

        async def rewritten(message: Message) -> None:
            nonlocal held, body
            if message["type"] == "http.response.start" and message["status"] >= 400:
                held = message
            elif held is None:
                await send(message)
            else:
                body += message.get("body", b"")
                if not message.get("more_body", False):
                    made = rewrite.of(sent) if isinstance(rewrite, NamedRewrite) else rewrite
                    await _send(held, body, made, send)

        await self._app(scope, kept, rewritten)


async def _send(start: Message, body: bytes, rewrite: Rewrite, send: Send) -> None:
    try:
        fault = json.loads(body)
    except ValueError:
        fault = None
    if isinstance(fault, dict) and isinstance(fault.get("error"), dict):
        answer = rewrite(start["status"], fault)
        written = json.dumps(answer.body, ensure_ascii=False, separators=(",", ":"))
        body = (written if answer.text is None else answer.text).encode()
        more = {name.encode(): value.encode() for name, value in answer.headers.items()}
        kept = [(name, value) for name, value in start["headers"] if name.lower() not in more]
        start = {**start, "status": answer.status, "headers": [*kept, *more.items()]}
    headers = [(name, value) for name, value in start["headers"] if name.lower() != b"content-length"]
    await send({**start, "headers": [*headers, (b"content-length", str(len(body)).encode())]})
    await send({"type": "http.response.body", "body": body, "more_body": False})
