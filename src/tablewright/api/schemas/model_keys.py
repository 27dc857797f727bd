"""Requests and replies about the keys of models' providers."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, SecretStr


class ModelKeyIn(BaseModel):
    """A key as its provider gave it."""

    model_config = ConfigDict(extra="forbid")
    key: SecretStr


class ModelKeysOut(BaseModel):
    """The providers that can be named, and those of them whose keys are kept here; no key is ever told."""

    providers: list[str]
    kept: list[str]
