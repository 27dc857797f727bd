"""Translate exceptions of SDKs and connections to one family of errors, without ever repeating a key."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import httpx2
from pydantic_ai import exceptions as vendor

from tablewright.errors import (
    ModelError,
    ModelOverloaded,
    ModelRejected,
    ModelStreamCut,
    ModelTimeout,
    ModelUnknown,
    ModelUnreachable,
)

WORDS_CHARS = 300
_SHAPED_LIKE_KEY = re.compile(r"\b(?:(?:sk|pk|tw|gsk|ghp|xai)[-_]|AIza|AKIA|ASIA|Bearer\s+)[\w*.-]{8,}")


def failure(error: Exception, *, model: str, secrets: Iterable[str], began: bool, place: str = "") -> ModelError:
    """Return the `ModelError` for `error`.

    `began` says whether the answer had begun to arrive; `place` is the endpoint.
    """
    if (ours := _ours(error)) is not None:
        return ours
    said = redacted(_message(error), secrets)
    if isinstance(error, vendor.ModelRequestTimeout | vendor.ModelTimeoutError | httpx2.TimeoutException):
        return ModelTimeout(words=said, model=model)
    if isinstance(error, vendor.ModelHTTPError):
        return _of_status(error, said, model)
    if isinstance(error, vendor.ModelRequestRejectedError | vendor.ModelQuotaExceededError | vendor.UserError):
        return ModelRejected(words=said, model=model)
    if isinstance(error, vendor.ModelRateLimitError | vendor.ModelUnavailableError | vendor.ModelServerError):
        return ModelOverloaded(words=said, model=model, retry_after_s=error.retry_after)
    if isinstance(error, vendor.ModelConnectionError | httpx2.HTTPError) and not began:
        return ModelUnreachable("model_no_answer" if place else "", model=model, place=place, words=said)
    if isinstance(error, vendor.AgentRunError | httpx2.HTTPError):
        return ModelStreamCut(words=said, model=model)
    return ModelRejected(words=f"{type(error).__name__}: {said}", model=model)


def redacted(text: str, secrets: Iterable[str]) -> str:
    """Return `text`, shortened, without `secrets` and without anything that looks like a key."""
    for secret in sorted(secrets, key=len, reverse=True):
        text = text.replace(secret, "***")
    return _SHAPED_LIKE_KEY.sub("***", " ".join(text.split()))[:WORDS_CHARS]


def _ours(error: BaseException) -> ModelError | None:
    """Return the `ModelError` raised by our own code that an SDK's exception wraps, or None."""
    beneath: BaseException | None = error
    while beneath is not None and not isinstance(beneath, ModelError):
        beneath = beneath.__cause__ or beneath.__context__
    return beneath


def _of_status(error: vendor.ModelHTTPError, message: str, model: str) -> ModelError:
    status = error.status_code
    said = f"{status} {message}".strip()
    if isinstance(error, vendor.ModelNotFoundError):
        return ModelUnknown(words=said, model=model, known="builtin")
    if isinstance(error, vendor.ModelQuotaExceededError | vendor.ModelRequestRejectedError):
        return ModelRejected(words=said, model=model, status=status)
    if status == 408:
        return ModelTimeout(words=said, model=model)
    if status == 429 or status >= 500:
        return ModelOverloaded(words=said, model=model, status=status, retry_after_s=error.retry_after)
    return ModelRejected(words=said, model=model, status=status)


def _message(error: Exception) -> str:
    """Return the provider's own error message, else that of the exception."""
    body = getattr(error, "body", None)
    message = _message_in(body)
    return message or str(getattr(error, "message", "") or error) or type(error).__name__


def _message_in(body: Any) -> str:
    if isinstance(body, dict):
        inner = body.get("error", body)
        if isinstance(inner, dict):
            return str(inner.get("message") or "")
        return str(inner if isinstance(inner, str) else body.get("message") or "")
    return body if isinstance(body, str) else ""
