"""The grammar: one mechanism that reads a question in Chinese or English into candidate plans.

It accounts for every word, and its preferences are weights of general features, learned from answers."""

from tablewright.analyst.grammar.base import GrammarReading
from tablewright.analyst.grammar.execution import executed_features, rescored
from tablewright.analyst.grammar.forms.reader import prescribed
from tablewright.analyst.grammar.reader import readings

__all__ = ["GrammarReading", "executed_features", "prescribed", "readings", "rescored"]
