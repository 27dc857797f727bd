"""Turns a logical plan into pandas code as a person would write it, in `# @step:` segments.

The writer is imported when it is first needed: the processes that execute plans use only what it knows of columns.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tablewright.analyst.writing.writer import write_code, write_steps

__all__ = ["write_code", "write_steps"]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(name)
    return getattr(import_module("tablewright.analyst.writing.writer"), name)
