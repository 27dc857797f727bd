"""The models that can be named: the built-in analyst, and models of providers that are configured or well known."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from pydantic import SecretStr

from tablewright.bootstrap.loader import (
    GATEWAY_FACTORY,
    PROVIDER_CONFIG,
    load,
)
from tablewright.domain.ids import Clock
from tablewright.models.base import BUILTIN, Model
from tablewright.models.catalogue import ModelFactory, Models
from tablewright.models.counted import CountedModel
from tablewright.models.wrappers import RetryingModel, TimeLimitedModel
from tablewright.settings.tree import ProviderSettings

if TYPE_CHECKING:
    from tablewright.metrics import Metrics

KINDS = ("openai", "anthropic", "google", "bedrock", "ollama", "vllm")
"""Providers that need no configuration beyond a key, if that, and can be named directly."""


def model_catalogue(
    providers: Mapping[str, ProviderSettings],
    builtin: Model,
    clock: Clock,
    metrics: Metrics | None = None,
    key_of: Callable[[str], str | None] = lambda _: None,
) -> Models:
    """Return the catalogue, the built-in analyst in it. `key_of` knows the keys that settings do not have.

    Nothing of a provider is imported or sent before one of its models is asked.
    """
    known = {**dict.fromkeys(KINDS, ProviderSettings()), **providers}
    factories = {name: _factory(name, provider, clock, metrics, key_of) for name, provider in known.items()}
    return Models({BUILTIN: builtin}, factories=factories)


def provider_config(name: str, provider: ProviderSettings) -> Any:
    """Return the gateway's configuration of a provider.

    Its kind defaults to its name if that is a known kind, otherwise to `openai`.
    """
    given = {field: _plain(value) for field, value in dict(provider).items()}
    kind = given.pop("kind") or (name if name in KINDS else "openai")
    return load(PROVIDER_CONFIG)(
        name=name,
        kind=kind,
        timeout_s=given.pop("timeout"),
        connect_timeout_s=given.pop("connect_timeout"),
        **given,
    )


def _factory(
    name: str,
    provider: ProviderSettings,
    clock: Clock,
    metrics: Metrics | None,
    key_of: Callable[[str], str | None],
) -> ModelFactory:
    def make(asked: str, model: str) -> Model:
        key = None if provider.api_key is not None else key_of(name)
        keyed = provider if key is None else provider.model_copy(update={"api_key": SecretStr(key)})
        made: Model = load(GATEWAY_FACTORY)(provider_config(name, keyed))(asked, model)
        limited: Model = TimeLimitedModel(made)
        return RetryingModel(limited if metrics is None else CountedModel(limited, metrics), clock=clock)

    return make


def _plain(value: object) -> object:
    if isinstance(value, SecretStr):
        return value.get_secret_value()
    if isinstance(value, dict):
        return {name: _plain(entry) for name, entry in value.items()}
    return value
