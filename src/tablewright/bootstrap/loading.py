"""Concrete adapters, named as text and imported when they are needed."""

from __future__ import annotations

import importlib
from typing import Any

STORE_MEMORY = "tablewright.store.memory:MemoryStore"
"""Every name below is resolved by a test."""


def load(name: str) -> Any:
    """Return what `package.module:name` names."""
    module, _, attribute = name.partition(":")
    return getattr(importlib.import_module(module), attribute)
