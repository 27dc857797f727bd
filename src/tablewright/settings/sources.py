"""Reads each place that a setting may come from into dotted names and raw values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from tablewright.errors import SettingsInvalid
from tablewright.settings.folders import FILE_NAME
from tablewright.settings.names import ANY, fields, nearest, pattern_of

PREFIX = "TABLEWRIGHT_"
NOT_SETTINGS = frozenset({"TABLEWRIGHT_NO_APT", "TABLEWRIGHT_KEY"})
"""Variables with our prefix that are read elsewhere: by the build, by commands that use `--server`."""
VENDORS = {
    "OPENAI_API_KEY": "providers.openai.api_key",
    "OPENAI_BASE_URL": "providers.openai.base_url",
    "ANTHROPIC_API_KEY": "providers.anthropic.api_key",
    "ANTHROPIC_BASE_URL": "providers.anthropic.base_url",
    "GOOGLE_API_KEY": "providers.google.api_key",
    "GEMINI_API_KEY": "providers.google.api_key",
    "AWS_ACCESS_KEY_ID": "providers.bedrock.access_key",
    "AWS_SECRET_ACCESS_KEY": "providers.bedrock.secret_key",
    "AWS_SESSION_TOKEN": "providers.bedrock.session_token",
    "AWS_REGION": "providers.bedrock.region",
}
"""Variables that other programs use too. They are read last, and nothing is sent by them: a model is always named."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingValue:
    """A value as one place gives it; `source` is how a person finds that place, `label` how it names the setting."""

    name: str
    value: Any
    source: str
    label: str


def from_flags(flags: Mapping[str, Any]) -> Iterator[SettingValue]:
    """Read what the command line gives; None means that the flag was not used."""
    for name, value in flags.items():
        if value is not None:
            yield _known(SettingValue(name=name, value=value, source="command line", label=name))


def from_environment(environ: Mapping[str, str]) -> Iterator[SettingValue]:
    """Read `TABLEWRIGHT_*`; two underscores stand for a dot. An empty value means not set."""
    for variable, value in sorted(environ.items()):
        if not variable.startswith(PREFIX) or variable in NOT_SETTINGS or value == "":
            continue
        name = variable.removeprefix(PREFIX).lower().replace("__", ".")
        yield _known(SettingValue(name=name, value=value, source="environment", label=variable))


def from_vendors(environ: Mapping[str, str]) -> Iterator[SettingValue]:
    """Read the usual variables of model providers."""
    for variable, name in VENDORS.items():
        if value := environ.get(variable):
            yield SettingValue(name=name, value=value, source=f"environment ({variable})", label=variable)


def from_file(path: Path) -> Iterator[SettingValue]:
    """Read a configuration file; one that does not exist gives nothing."""
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsInvalid("setting_unreadable", source=str(path), setting=FILE_NAME) from error
    try:
        tree = yaml.safe_load(text)
    except yaml.YAMLError as error:
        place = getattr(error, "problem_mark", None)
        line = place.line + 1 if place else 1
        raise SettingsInvalid("setting_not_yaml", source=str(path), setting=FILE_NAME, line=line) from error
    if tree is None:
        return
    if not isinstance(tree, dict):
        raise SettingsInvalid("setting_not_mapping", source=str(path), setting=FILE_NAME)
    yield from _flatten(tree, "", str(path))


def _flatten(tree: Mapping[Any, Any], prefix: str, source: str) -> Iterator[SettingValue]:
    for key, value in tree.items():
        name = f"{prefix}{key}"
        if isinstance(value, dict) and pattern_of(name) is None:
            yield from _flatten(value, f"{name}.", source)
        elif value is not None or not _is_section(name):
            yield _known(SettingValue(name=name, value=value, source=source, label=name))


def _is_section(name: str) -> bool:
    parts = name.split(".")
    for known, _ in fields():
        wanted = known.split(".")
        if len(wanted) > len(parts) and all(w in {ANY, part} for w, part in zip(wanted, parts, strict=False)):
            return True
    return False


def _known(given: SettingValue) -> SettingValue:
    if pattern_of(given.name) is None:
        near = nearest(given.name)
        problem = "setting_unknown_near" if near else "setting_unknown"
        raise SettingsInvalid(problem, source=given.source, setting=given.label, near=near)
    return given
