"""What a statement computes, as a formula over the columns of its tables: its last column, all subqueries put in."""

from __future__ import annotations

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from tablewright.data.sql.base import Dialect
from tablewright.data.sql.reading import reading_statement
from tablewright.errors import StatementRefused, StatementWrong


def formula_of(sql: str, dialect: Dialect) -> str:
    """Return the formula of the last column of a query. Conditions stand with what they hold for.

    Raises `StatementWrong` or `StatementRefused` if there is no such formula.
    """
    try:
        tree = sqlglot.parse_one(reading_statement(sql, dialect), read=dialect)
        found = _column(tree, None)
        return _simple(found).sql(dialect=dialect, comments=False)
    except SqlglotError as error:
        raise StatementWrong(words=str(error).splitlines()[0][:300]) from error


def _column(query: exp.Expr | None, name: str | None) -> exp.Expr:
    """Return what a column of a query is, or its last one, in terms of tables."""
    if not isinstance(query, exp.Select) or not query.selects:
        raise StatementRefused("statement_no_query", part="formula")
    chosen = next((one for one in query.selects if name is not None and one.alias_or_name == name), None)
    of = (chosen or query.selects[-1]).unalias().copy()
    within = _subqueries(query)

    def resolved(node: exp.Expr) -> exp.Expr:
        if not isinstance(node, exp.Column):
            return node
        inner = within.get(node.table) if node.table else next(iter(within.values()), None)
        return node if inner is None else exp.paren(_column(inner, node.name))

    where = query.args.get("where")
    made = of.transform(lambda node: _limited(node, where))
    return made.transform(resolved) if within else made


def _subqueries(query: exp.Select) -> dict[str, exp.Expr]:
    """Return the queries that a query reads from, by their names."""
    own = {cte.alias: cte.this for cte in query.ctes}
    found: dict[str, exp.Expr] = {}
    joined = [join.this for join in query.args.get("joins") or ()]
    source = query.args.get("from_")
    for one in ([source.this] if source is not None else []) + joined:
        if isinstance(one, exp.Subquery):
            found[one.alias] = one.this
        elif isinstance(one, exp.Table) and one.name in own:
            found[one.alias_or_name] = own[one.name]
    return found


def _limited(node: exp.Expr, where: exp.Expr | None) -> exp.Expr:
    """Return an aggregate with the condition of its rows."""
    if where is None or not isinstance(node, exp.AggFunc) or isinstance(node.parent, exp.Filter):
        return node
    return exp.Filter(this=node.copy(), expression=where.copy())


def _simple(tree: exp.Expr) -> exp.Expr:
    """Return a tree without what changes only the type or the collation of a column, and without needless brackets."""
    root = exp.paren(tree)
    for node in reversed(list(root.walk())):
        if node is not root and (plain := _plain(node)) is not node:
            node.replace(plain)
    found: exp.Expr = root.this
    return found


def _plain(node: exp.Expr) -> exp.Expr:
    if isinstance(node, exp.Paren) and isinstance(node.this, exp.Column | exp.Literal | exp.Func | exp.Paren):
        return node.this
    if isinstance(node, exp.Cast | exp.Collate) and isinstance(node.this, exp.Column):
        return node.this
    return exp.column(node.this.copy()) if isinstance(node, exp.Column) and node.table else node
