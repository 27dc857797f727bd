"""The grammar: one mechanism that reads a question in Chinese or English into candidate plans.

It accounts for every word, and its preferences are weights of general features, learned from answers. What reads is
imported when it is first needed: what teaches words uses only what it knows of them.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tablewright.analyst.grammar.base import GrammarReading
    from tablewright.analyst.grammar.execution import executed_features, rescored
    from tablewright.analyst.grammar.forms.reader import prescribed
    from tablewright.analyst.grammar.reader import readings

__all__ = ["GrammarReading", "executed_features", "prescribed", "readings", "rescored"]

_PLACES = {
    "GrammarReading": "base",
    "executed_features": "execution",
    "prescribed": "forms.reader",
    "readings": "reader",
    "rescored": "execution",
}


def __getattr__(name: str) -> Any:
    if name not in _PLACES:
        raise AttributeError(name)
    return getattr(import_module(f"{__name__}.{_PLACES[name]}"), name)
