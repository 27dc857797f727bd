"""Statements that are only written, not executed here: the first lock of ours holds for them too."""

from __future__ import annotations

from tablewright.data.sql.base import Dialect
from tablewright.data.sql.guard import checked


def reading_statement(sql: str, dialect: Dialect) -> str:
    """Return a statement as it was understood, without comments.

    Raises `StatementWrong` if it cannot be parsed, and `StatementRefused` if it is not known to read only.
    """
    return checked(sql, dialect, {}).sql
