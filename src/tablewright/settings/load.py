"""Puts the places together: flag > environment > ./tablewright.yaml > the user's configuration > default."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from tablewright.errors import SettingsInvalid
from tablewright.settings.covering import without_password
from tablewright.settings.folders import FILE_NAME, user_configuration
from tablewright.settings.sources import SettingValue, from_environment, from_file, from_flags, from_vendors
from tablewright.settings.tree import Settings
from tablewright.texts.validation import problem


@dataclass(frozen=True, slots=True, kw_only=True)
class Loaded:
    """The tree, and for each name that some place gave, that place."""

    settings: Settings
    origins: Mapping[str, str]


def load_settings(
    *,
    environ: Mapping[str, str],
    flags: Mapping[str, Any] | None = None,
    folder: Path | None = None,
    user_file: Path | None = None,
) -> Loaded:
    """Read every place; the first that gives a name wins. Raises `SettingsInvalid` naming the place and the setting."""
    places = (
        from_flags(flags or {}),
        from_environment(environ),
        from_file((folder or Path.cwd()) / FILE_NAME),
        from_file(user_file or user_configuration()),
        from_vendors(environ),
    )
    chosen: dict[str, SettingValue] = {}
    for given in chain.from_iterable(places):
        chosen.setdefault(given.name, given)
    try:
        settings = Settings.model_validate(_nested(chosen))
    except ValidationError as error:
        raise _invalid(error, chosen) from error
    return Loaded(settings=settings, origins={name: given.source for name, given in chosen.items()})


def _nested(chosen: Mapping[str, SettingValue]) -> dict[str, Any]:
    tree: dict[str, Any] = {}
    for name, given in chosen.items():
        *sections, leaf = name.split(".")
        place = tree
        for section in sections:
            place = place.setdefault(section, {})
        place[leaf] = given.value
    return tree


def _invalid(error: ValidationError, chosen: Mapping[str, SettingValue]) -> SettingsInvalid:
    """Find the place that gave the first bad value, and what would fit."""
    first = error.errors(include_url=False)[0]
    path = [str(part) for part in first["loc"]]
    given = next((chosen[name] for n in range(len(path), 0, -1) if (name := ".".join(path[:n])) in chosen), None)
    params: dict[str, str | float] = {
        "value": without_password(str(first["input"])),
        **problem(first["type"], first.get("ctx", {})),
    }
    source, setting = (given.source, given.label) if given else ("", ".".join(path))
    return SettingsInvalid("setting_wrong_value", field=None, source=source, setting=setting, **params)
