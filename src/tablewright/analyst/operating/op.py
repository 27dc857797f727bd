"""One planned step."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Op:
    """A planned step: its function and parameters, among them `sheet`."""

    function: str
    parameters: dict[str, Any]
