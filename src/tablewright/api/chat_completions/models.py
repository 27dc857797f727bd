"""What this wire calls models: the modes of Tablewright, alone or with the language model that they should use."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import cast, get_args

from tablewright.api.schemas.chat_completions import OpenAiModel
from tablewright.domain.language import Language
from tablewright.domain.run import Mode
from tablewright.errors import NotFound
from tablewright.models.catalogue import ANY_MODEL, is_among, unknown
from tablewright.routing.policy import choose
from tablewright.texts.catalogue import text

NAME = "tablewright"
"""The model that is mode `auto`; `tablewright-report` is mode `report`."""
USING = "@"
"""Stands before the language model: `tablewright-analyze@openai:gpt-5`."""
CREATED = 1_767_225_600
"""Modes have no date: the first of January 2026."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChosenModel:
    """What the name of a model means; `model` is None for the one that is configured."""

    mode: Mode
    model: str | None = None


def modes() -> tuple[Mode, ...]:
    """Return the modes that there are: those whose questions an agent takes, and that of workflows."""
    known = cast(tuple[Mode, ...], get_args(Mode))
    return tuple(mode for mode in known if mode == "workflow" or choose("?", mode).agent != "unavailable")


def chosen_model(name: str, models: Sequence[str]) -> ChosenModel:
    """Return what `name` means; `models` are the language models by name. Raises `NotFound`, or `ModelUnknown`."""
    plain, at, language_model = name.partition(USING)
    by_name = {_name(mode): mode for mode in modes()}
    mode = by_name.get(plain)
    if mode is None:
        raise NotFound(kind="model", id=name[:100], field="model")
    if at and not is_among(language_model, models):
        raise unknown(language_model[:100], models)
    return ChosenModel(mode=mode, model=language_model or None)


def listed_models(models: Sequence[str], default: str, language: Language) -> Iterator[OpenAiModel]:
    """Yield the modes, and mode `auto` with every language model that is known by name."""
    for mode in modes():
        yield _model(_name(mode), text(f"chat_mode_{mode}", language))
    for model in models:
        if model != default and not model.endswith(ANY_MODEL):
            yield _model(f"{NAME}{USING}{model}", f"{text('chat_mode_auto', language)} ({model})")


def shown_model(name: str, models: Sequence[str], language: Language) -> OpenAiModel:
    """Return one model. Raises `NotFound`, or `ModelUnknown`."""
    chosen = chosen_model(name, models)
    words = text(f"chat_mode_{chosen.mode}", language)
    return _model(name, words if chosen.model is None else f"{words} ({chosen.model})")


def _name(mode: Mode) -> str:
    return NAME if mode == "auto" else f"{NAME}-{mode}"


def _model(name: str, words: str) -> OpenAiModel:
    return OpenAiModel(id=name, created=CREATED, name=words)
