"""The service of compose.yaml: what it is given, with the variables of compose filled in."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).resolve().parents[2]
_VARIABLE = re.compile(r"\$\{(\w+):-([^}]*)\}")


def service(given: Mapping[str, str]) -> dict[str, Any]:
    """Return the service `tablewright` as compose reads it where the environment is `given`."""
    text = (ROOT / "compose.yaml").read_text(encoding="utf-8")
    filled = _VARIABLE.sub(lambda found: given.get(found[1]) or found[2], text)
    found: dict[str, Any] = yaml.safe_load(filled)["services"]["tablewright"]
    return found


def mounts(found: Mapping[str, Any]) -> dict[str, str]:
    """Return the service's volumes: place in the container → place on the host, or a volume's name."""
    pairs = (volume.split(":") for volume in found["volumes"])
    return {target: source for source, target in pairs}
