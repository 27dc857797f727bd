"""Naming models."""

from __future__ import annotations

import pytest
from tests.support.model_requests import Connected

from tablewright.errors import ModelUnknown
from tablewright.models.catalogue import Models
from tablewright.models.scripted import ScriptedModel
from tablewright.models.wrappers import RetryingModel, TimeLimitedModel

BUILTIN = ScriptedModel([], name="builtin")


def models() -> Models:
    return Models(
        {"builtin": BUILTIN},
        factories={"openai": lambda provider, model: ScriptedModel([], name=f"{provider}:{model}")},
    )


def test_a_given_model_is_found_by_its_name() -> None:
    assert models().get("builtin") is BUILTIN


def test_a_providers_model_is_made_once() -> None:
    catalogue = models()

    made = catalogue.get("openai:gpt-5")

    assert made.name == "openai:gpt-5"
    assert catalogue.get("openai:gpt-5") is made


@pytest.mark.parametrize(
    ("name", "known"),
    [
        ("buildin", "builtin"),
        ("opnai:gpt-5", "openai:…"),
        ("nothing-like-it", "builtin, openai:…"),
        ("openai:", "openai:…"),
        ("", "builtin, openai:…"),
    ],
)
def test_an_unknown_name_names_the_near_ones(name: str, known: str) -> None:
    with pytest.raises(ModelUnknown) as raised:
        models().get(name)

    assert raised.value.params["model"] == name
    assert raised.value.params["known"] == known


def test_what_can_be_named_is_listed() -> None:
    assert models().names == ("builtin", "openai:…")


def test_a_model_that_was_made_is_not_listed_beside_its_provider() -> None:
    catalogue = models()
    catalogue.get("openai:gpt-5")

    assert catalogue.names == ("builtin", "openai:…")


async def test_closing_the_catalogue_closes_what_holds_connections() -> None:
    model = Connected([], name="a:b")
    wrapped = RetryingModel(TimeLimitedModel(model))
    catalogue = Models({"builtin": BUILTIN}, factories={"a": lambda *_: wrapped})
    catalogue.get("a:b")

    await catalogue.aclose()

    assert model.closed
