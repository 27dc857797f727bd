"""Whether a text is a formula: a file that holds one that is none is taken for damaged by the programs that open it."""

from __future__ import annotations

import formualizer

from tablewright.errors import InvalidInput


def is_formula(text: str) -> bool:
    """Whether `text`, which starts with `=`, reads as a formula; what its names mean is not looked at."""
    try:
        formualizer.parse(text)
    except formualizer.ParserError:
        return False
    return True


def check_formula(text: str) -> None:
    """Raise `InvalidInput` where `text` is no formula."""
    if not is_formula(text):
        raise InvalidInput("formula_unreadable", field="formula", formula=text[:200])
