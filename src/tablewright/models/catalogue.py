"""The models that may be named: those that are given, and any `provider:model` that a factory can make."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from difflib import get_close_matches

from tablewright.errors import ModelUnknown
from tablewright.models.base import Model
from tablewright.models.streams import close

ModelFactory = Callable[[str, str], Model]
"""Makes a model from its provider's name and its own, `("openai", "gpt-5")`; called once per name, at first use."""
ANY_MODEL = ":…"
"""Follows a provider's name and stands for any model of that provider."""


class Models:
    """A `ModelCatalogue`. `models` are given by name; for `provider:model`, `factories` make them by provider."""

    def __init__(self, models: Mapping[str, Model], *, factories: Mapping[str, ModelFactory] | None = None) -> None:
        self._models = dict(models)
        self._factories = dict(factories or {})
        self._made: dict[str, Model] = {}

    @property
    def names(self) -> tuple[str, ...]:
        """What can be named: models by name, and each provider as `provider:…`."""
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

    async def aclose(self) -> None:
        """Close the connections of every model that has some."""
        for model in (*self._models.values(), *self._made.values()):
            await close(model)


def is_among(name: str, names: Sequence[str]) -> bool:
    """Whether `name` is one of `names` as `Models.names` gives them: itself, or of a provider that is there."""
    provider, colon, model = name.partition(":")
    return name in names or bool(colon and model.strip() and f"{provider}{ANY_MODEL}" in names)


def unknown(name: str, names: Sequence[str]) -> ModelUnknown:
    """Return the error that says which of `names` are near to `name`, or else all of them."""
    provider = name.partition(":")[0]
    spelled = {candidate.removesuffix(ANY_MODEL): candidate for candidate in names}
    near = get_close_matches(name, spelled, n=3) or get_close_matches(provider, spelled, n=3)
    known = [spelled[candidate] for candidate in near] or names
    return ModelUnknown(f"no model is called {name}", field="model", model=name, known=", ".join(known))
