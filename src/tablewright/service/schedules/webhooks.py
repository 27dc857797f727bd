"""What a webhook is sent of a firing, and its signature, in the manner of Standard Webhooks.

The signature is an HMAC-SHA256 over `id.timestamp.body`, under the key that the secret is the base64 of.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import secrets
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from tablewright.data.base import WebRequest
from tablewright.domain.artifact import ArtifactRef
from tablewright.domain.codec import to_python
from tablewright.domain.run import Run, RunFailure
from tablewright.domain.workflow.schedules import Firing, WorkflowSchedule
from tablewright.errors import InvalidInput
from tablewright.texts.errors import error_text

PREFIX = "whsec_"
"""What a secret begins with."""
KEY_BYTES = 32
LEAST_BYTES = 16
MOST_BYTES = 64
URL_CHARS = 2_000
OUTPUT_BYTES = 64 * 1024
"""Larger outputs are left out; they can be read with the run."""
TEXT_CHARS = 20_000
EVENT = "workflow.run.finished"


def new_secret() -> str:
    """Return a random secret."""
    return PREFIX + base64.b64encode(secrets.token_bytes(KEY_BYTES)).decode()


def check_secret(secret: str) -> str:
    """Return a secret that somebody has chosen. Raises `InvalidInput` for one that is none, or of another length."""
    try:
        key = _key(secret)
    except (binascii.Error, ValueError) as error:
        raise InvalidInput("webhook_secret", field="webhook.secret", least=LEAST_BYTES, most=MOST_BYTES) from error
    if not secret.startswith(PREFIX) or not LEAST_BYTES <= len(key) <= MOST_BYTES:
        raise InvalidInput("webhook_secret", field="webhook.secret", least=LEAST_BYTES, most=MOST_BYTES)
    return secret


def check_url(url: str) -> str:
    """Return an address to send to. Raises `InvalidInput` unless it is one of http or https without a password."""
    try:
        parts = urlsplit(url)
        well = parts.scheme in {"http", "https"} and bool(parts.hostname) and not parts.username and not parts.password
    except ValueError:
        well = False
    if not well or len(url) > URL_CHARS or not url.isascii() or any(ord(char) <= 32 for char in url):
        raise InvalidInput("webhook_url", field="webhook.url")
    return url


def signature(secret: str, *, message_id: str, timestamp: int, body: bytes) -> str:
    """Return what the header `webhook-signature` has."""
    signed = f"{message_id}.{timestamp}.".encode() + body
    return "v1," + base64.b64encode(hmac.new(_key(secret), signed, hashlib.sha256).digest()).decode()


def request(url: str, secret: str, payload: Mapping[str, Any], *, message_id: str, timestamp: int) -> WebRequest:
    """Return the signed request that tells `payload`."""
    body = json.dumps(payload, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")
    return WebRequest(
        method="POST",
        url=url,
        headers={
            "content-type": "application/json",
            "webhook-id": message_id,
            "webhook-timestamp": str(timestamp),
            "webhook-signature": signature(secret, message_id=message_id, timestamp=timestamp, body=body),
        },
        body=body,
        content_wanted=False,
    )


def payload(schedule: WorkflowSchedule, firing: Firing, run: Run | None) -> dict[str, Any]:
    """Return what is told of a firing: how it ended, the answer, the outputs, and the files by their ids."""
    answer = None if run is None else run.answer
    failure = firing.failure or (None if run is None else run.failure)
    data: dict[str, Any] = {
        "schedule_id": schedule.id,
        "workflow_id": schedule.workflow_id,
        "name": schedule.name,
        "due_at": firing.due_at.isoformat(),
        "run_id": None if run is None else run.id,
        "conversation_id": None if run is None else run.conversation_id,
        "outcome": firing.outcome,
        "text": "" if answer is None else answer.text[:TEXT_CHARS],
        "files": [] if answer is None else [to_python(ArtifactRef, file) for file in answer.files],
        "failure": None if failure is None else _failure(schedule, failure),
    }
    outputs = {} if answer is None else answer.outputs
    whole = len(json.dumps(outputs)) <= OUTPUT_BYTES
    data |= {"outputs": outputs if whole else None, "outputs_left_out": not whole}
    return {"type": EVENT, "timestamp": firing.fired_at.isoformat(), "data": data}


def _failure(schedule: WorkflowSchedule, failure: RunFailure) -> dict[str, str]:
    return {"code": failure.code, "message": error_text(failure.code, schedule.language, failure.params)}


def _key(secret: str) -> bytes:
    return base64.b64decode(secret.removeprefix(PREFIX), validate=True)
