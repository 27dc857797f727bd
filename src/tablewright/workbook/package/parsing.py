"""Check whether a text is a formula.

Spreadsheet programs treat a file with an invalid formula as damaged.
"""

from __future__ import annotations

import formualizer

from tablewright.errors import InvalidInput


def is_formula(text: str) -> bool:
    """Whether `text`, which starts with `=`, parses as a formula; names in it are not resolved."""
    try:
        formualizer.parse(text)
    except formualizer.ParserError:
        return False
    return True


def check_formula(text: str) -> None:
    """Raise `InvalidInput` unless `text` is a formula."""
    if not is_formula(text):
        raise InvalidInput("formula_unreadable", field="formula", formula=text[:200])
