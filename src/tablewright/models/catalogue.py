"""The models that a request can name: given ones, and any `provider:model` that a factory can create."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from difflib import get_close_matches

from tablewright.errors import ModelUnknown
from tablewright.models.base import Model
from tablewright.models.streams import close

ModelFactory = Callable[[str, str], Model]
"""Creates a model from the provider's name and the model's own, as in `("openai", "gpt-5")`.

Called once per name, at first use.
"""
ANY_MODEL = ":…"
"""Follows a provider's name to represent any of its models."""


class Models:
    """A `ModelCatalogue`. `models` are given by name; `factories`, by provider, create models for `provider:model`."""

    def __init__(self, models: Mapping[str, Model], *, factories: Mapping[str, ModelFactory] | None = None) -> None:
        self._models = dict(models)
        self._factories = dict(factories or {})
        self._made: dict[str, Model] = {}
        self._left: list[Model] = []

    @property
    def names(self) -> tuple[str, ...]:
        """The names that can be used: models by name, and each provider as `provider:…`."""
        return (*self._models, *(f"{provider}{ANY_MODEL}" for provider in self._factories))

    def get(self, name: str) -> Model:
        if (known := self._models.get(name) or self._made.get(name)) is not None:
            return known
        provider, colon, model = name.partition(":")
        if colon and model.strip() and provider in self._factories:
            made = self._factories[provider](provider, model.strip())
            self._made[name] = made
            return made
        raise unknown(name, self.names)

    @property
    def providers(self) -> tuple[str, ...]:
        """The providers whose models can be named."""
        return tuple(self._factories)

    def provider(self, name: str) -> None:
        """Raise `ModelUnknown` if there is no such provider."""
        if name not in self._factories:
            raise unknown(f"{name}{ANY_MODEL}", self.names)

    def forget(self, provider: str) -> None:
        """Have the models of a provider created anew when they are named next; runs keep those that they have."""
        for name in [name for name in self._made if name.partition(":")[0] == provider]:
            self._left.append(self._made.pop(name))

    async def aclose(self) -> None:
        """Close the connections of every model that holds any."""
        for model in (*self._models.values(), *self._made.values(), *self._left):
            await close(model)


def is_among(name: str, names: Sequence[str]) -> bool:
    """Return whether `name` is covered by `names` from `Models.names`: listed itself, or of a listed provider."""
    provider, colon, model = name.partition(":")
    return name in names or bool(colon and model.strip() and f"{provider}{ANY_MODEL}" in names)


def unknown(name: str, names: Sequence[str]) -> ModelUnknown:
    """Return an error that suggests the names most similar to `name`, or all of `names`."""
    provider = name.partition(":")[0]
    spelled = {candidate.removesuffix(ANY_MODEL): candidate for candidate in names}
    near = get_close_matches(name, spelled, n=3) or get_close_matches(provider, spelled, n=3)
    known = [spelled[candidate] for candidate in near] or names
    return ModelUnknown(field="model", model=name, known=", ".join(known))
