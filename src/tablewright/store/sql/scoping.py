"""The only way to build a statement: with the scope whose rows it applies to.

`scoped(table, scope)` builds statements that see only the rows of one tenant, and of one owner if the table has owners.
With a `SystemScope` they see all rows and are marked accordingly, so that `reject_unscoped` accepts them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Delete,
    Engine,
    Insert,
    Select,
    Table,
    Update,
    delete,
    event,
    insert,
    select,
    true,
    update,
)
from sqlalchemy.sql import visitors
from sqlalchemy.sql.elements import BinaryExpression, ClauseElement
from sqlalchemy.sql.operators import eq

from tablewright.domain.scope import Scope, SystemScope

ACROSS_TENANTS = "across_tenants"


class UnscopedStatement(Exception):
    """A statement on a tenant's table that is not restricted to a tenant."""


class Scoped:
    """Statements on one table for one scope."""

    def __init__(self, table: Table, scope: Scope | SystemScope, *, owners: bool = True) -> None:
        self._table = table
        self._scope = scope
        self._owners = owners and "owner" in table.c

    @property
    def mine(self) -> ColumnElement[bool]:
        """The condition that a row belongs to the scope; for joins and subqueries."""
        columns, scope = self._table.c, self._scope
        if isinstance(scope, SystemScope):
            return true()
        mine = columns.tenant == scope.tenant
        return mine & (columns.owner == scope.owner) if self._owners else mine

    def select(self, *columns: ColumnElement[Any]) -> Select[Any]:
        """Select rows, with all columns unless `columns` are given."""
        statement: Select[Any] = select(*columns) if columns else select(self._table)
        return statement.where(self.mine).execution_options(**self._options)

    def update(self) -> Update:
        """Update rows."""
        return update(self._table).where(self.mine).execution_options(**self._options)

    def delete(self) -> Delete:
        """Delete rows."""
        return delete(self._table).where(self.mine).execution_options(**self._options)

    def insert(self) -> Insert:
        """Insert rows whose values come from `row`."""
        return insert(self._table)

    def row(self, **values: Any) -> dict[str, Any]:
        """Return the values of a new row, including its tenant and owner."""
        if isinstance(self._scope, SystemScope):
            return values
        whose = {"tenant": self._scope.tenant, "owner": self._scope.owner}
        return {**values, **{name: value for name, value in whose.items() if name in self._table.c}}

    @property
    def _options(self) -> dict[str, Any]:
        return {ACROSS_TENANTS: True} if isinstance(self._scope, SystemScope) else {}


def scoped(table: Table, scope: Scope | SystemScope) -> Scoped:
    """Return the statements on `table` available to `scope`."""
    return Scoped(table, scope)


def of_all_owners(table: Table, scope: Scope) -> Scoped:
    """Return the statements on what all owners of the tenant have in `table`, which say themselves what is seen."""
    return Scoped(table, scope, owners=False)


def reject_unscoped(engine: Engine) -> None:
    """Make `engine` raise `UnscopedStatement` before it executes such a statement; for tests."""

    @event.listens_for(engine, "before_execute")
    def check(_connection: Any, statement: Any, many: Any, params: Any, _options: Any) -> None:
        if isinstance(statement, Insert):
            _check_insert(statement, [*(many or ()), *([params] if params else ())])
        elif isinstance(statement, Select | Update | Delete) and not _is_across_tenants(statement):
            _check_condition(statement)


def _is_across_tenants(statement: Select[Any] | Update | Delete) -> bool:
    return bool(statement.get_execution_options().get(ACROSS_TENANTS))


def _check_insert(statement: Insert, rows: list[dict[str, Any]]) -> None:
    given = rows or [dict(statement.compile().params)]
    if "tenant" in statement.table.c and not all(row.get("tenant") for row in given):
        raise UnscopedStatement(f"insert into {statement.table.name} without a tenant")


def _check_condition(statement: ClauseElement) -> None:
    said = {id(column.table) for column in _compared(statement) if column.name == "tenant"}
    for part in visitors.iterate(statement):
        if isinstance(part, Table) and "tenant" in part.c and id(part) not in said:
            raise UnscopedStatement(f"a statement on {part.name} does not say which tenant: {statement}")


def _compared(statement: ClauseElement) -> Iterator[Any]:
    """Yield the columns compared for equality with a value."""
    for part in visitors.iterate(statement):
        if isinstance(part, BinaryExpression) and part.operator is eq:
            left: Any = part.left
            if getattr(left, "table", None) is not None and part.right.__visit_name__ == "bindparam":
                yield left
