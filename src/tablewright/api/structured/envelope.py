"""Errors as clients of this wire expect them: `{success: false, error}`, whoever answers."""

from __future__ import annotations

import json

from starlette.types import ASGIApp, Message, Receive, Scope, Send

PATHS = "/api/v1/agent/"


class Enveloped:
    """Middleware that adds `success: false` to the errors of this wire."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or not scope["path"].startswith(PATHS):
            await self._app(scope, receive, send)
            return
        held: Message | None = None
        body = b""

        async def enveloped(message: Message) -> None:
            nonlocal held, body
            if message["type"] == "http.response.start" and message["status"] >= 400:
                held = message
            elif held is None:
                await send(message)
            else:
                body += message.get("body", b"")
                if not message.get("more_body", False):
                    await _send(held, _with_success(body), send)

        await self._app(scope, receive, enveloped)


def _with_success(body: bytes) -> bytes:
    try:
        fault = json.loads(body)
    except ValueError:
        return body
    if not isinstance(fault, dict) or "error" not in fault:
        return body
    return json.dumps({"success": False, **fault}, ensure_ascii=False, separators=(",", ":")).encode()


async def _send(start: Message, body: bytes, send: Send) -> None:
    headers = [(name, value) for name, value in start["headers"] if name.lower() != b"content-length"]
    await send({**start, "headers": [*headers, (b"content-length", str(len(body)).encode())]})
    await send({"type": "http.response.body", "body": body, "more_body": False})
