"""How the built-in analyst takes part in structured rounds: it looks at the tables by itself and reports."""

from tablewright.analyst.reporting.answer import structured_round

__all__ = ["structured_round"]
