"""Errors of users' databases and of the statements that are asked of them."""

from __future__ import annotations

from typing import ClassVar

from tablewright.errors.base import CallerError
from tablewright.errors.caller import InvalidInput


class DatabaseFailed(CallerError):
    """A database of the caller did not give an answer. Params: `words` (what it said, without secrets)."""

    code: ClassVar[str] = "database_failed"


class DatabaseAway(DatabaseFailed):
    """Nothing answers at the address, or it does not let this user in. Params: `address`, `words`."""

    code: ClassVar[str] = "database_away"


class DatabaseSlow(DatabaseFailed):
    """A statement took longer than is allowed and was cancelled. Params: `limit_s`."""

    code: ClassVar[str] = "database_slow"


class DatabaseDenied(DatabaseFailed):
    """The user of the connection may not read this. Params: `words`."""

    code: ClassVar[str] = "database_denied"


class StatementRefused(DatabaseFailed):
    """A statement is not known to read only; `detail` says why. Params: `part`, the part that was refused."""

    code: ClassVar[str] = "statement_refused"


class StatementWrong(DatabaseFailed):
    """A statement cannot be parsed or executed as written. Params: `words`."""

    code: ClassVar[str] = "statement_wrong"


class TableUnknown(DatabaseFailed):
    """There is no such table in the database. Params: `name`, `near` (names that are similar, or all)."""

    code: ClassVar[str] = "database_table_unknown"


class ColumnUnknown(DatabaseFailed):
    """There is no such column in the tables of a statement. Params: `name`, `near`."""

    code: ClassVar[str] = "database_column_unknown"


class DatabaseUnknown(DatabaseFailed):
    """There is no connection of that name. Params: `name`, `known`."""

    code: ClassVar[str] = "database_unknown"


class ConnectionInvalid(InvalidInput):
    """A connection cannot be made like this; `detail` says why. Params: those of the reason."""

    code: ClassVar[str] = "connection_invalid"
