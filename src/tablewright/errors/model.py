"""Errors of language models and their endpoints."""

from __future__ import annotations

from typing import ClassVar

from tablewright.errors.base import ModelError


class ModelUnknown(ModelError):
    """There is no such provider or model. Params: `model`, `known`."""

    code: ClassVar[str] = "model_unknown"


class ModelNotSetUp(ModelError):
    """The model's provider lacks a key or a library. Params: `setting`, or `extra` and `module`."""

    code: ClassVar[str] = "model_not_set_up"


class ModelUnreachable(ModelError):
    """Nothing answers at the endpoint."""

    code: ClassVar[str] = "model_unreachable"
    retryable: ClassVar[bool] = True


class ModelRejected(ModelError):
    """The endpoint refused the request (key, quota, malformed); retrying will not help."""

    code: ClassVar[str] = "model_rejected"


class ModelSchemaRefused(ModelRejected):
    """The endpoint cannot hold the model to the JSON schema of the answer; without the schema it may answer."""


class ModelCannotWrite(ModelError):
    """The model is no language model, and free text was asked of it."""

    code: ClassVar[str] = "model_cannot_write"


class ModelSilent(ModelError):
    """The model ended its turn without text and without code."""

    code: ClassVar[str] = "model_silent"


class ModelOverloaded(ModelError):
    """The endpoint is overloaded (429, 5xx). Params: `retry_after_s`."""

    code: ClassVar[str] = "model_overloaded"
    retryable: ClassVar[bool] = True


class ModelTimeout(ModelError):
    """The endpoint did not answer in time."""

    code: ClassVar[str] = "model_timeout"
    retryable: ClassVar[bool] = True


class ModelStreamCut(ModelError):
    """The stream ended before the model had finished."""

    code: ClassVar[str] = "model_stream_cut"
    retryable: ClassVar[bool] = True


class PlanUnreadable(ModelError):
    """The model's reply could not be read as a plan, twice. Params: `problem`."""

    code: ClassVar[str] = "plan_unreadable"


class AnswerUnreadable(ModelError):
    """The model's reply in a structured round could not be used, twice. Params: `problem`."""

    code: ClassVar[str] = "answer_unreadable"


class TokenLimitExceeded(ModelError):
    """Not even the newest of a conversation fits into the model's window.

    Params: `current_tokens`, `max_tokens`, `exceeded_tokens`, `message_type` of the longest message that must be kept.
    """

    code: ClassVar[str] = "token_limit_exceeded"
