"""Every setting stands in docs/reference/settings.md, and nothing else does."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from pydantic import BaseModel
from pydantic.fields import FieldInfo

from tablewright.settings.names import fields
from tablewright.settings.show import visible

DOCUMENT = Path(__file__).resolve().parents[3] / "docs" / "reference" / "settings.md"
ROW = re.compile(r"^\| `(?P<name>[a-z_.*]+)` \| (?P<default>.+?) \| (?P<meaning>.+) \|$", re.MULTILINE)


def documented() -> dict[str, str]:
    return {row["name"]: row["default"] for row in ROW.finditer(DOCUMENT.read_text(encoding="utf-8"))}


def written(field: FieldInfo) -> str:
    default = field.get_default(call_default_factory=True)
    assert not isinstance(default, BaseModel)
    value = visible(default)
    if value in (None, {}, []):
        return "–"
    return f"`{value}`".replace("|", r"\|") if isinstance(value, str) else f"`{json.dumps(value, ensure_ascii=False)}`"


@pytest.mark.requirement("settings-documented")
def test_every_setting_is_documented_and_every_documented_setting_exists() -> None:
    assert documented().keys() == {name for name, _ in fields()}


def test_the_documented_defaults_are_the_real_ones() -> None:
    assert documented() == {name: written(field) for name, field in fields()}
