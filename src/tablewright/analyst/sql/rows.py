"""A relation as it is being written: where its rows come from, its columns, and their order."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from sqlglot import exp

from tablewright.domain.dataset import ColumnFacts, ColumnKind

PLAIN_CHARS = 30
"""Longer names may be cut by a server, which then takes two of them for one."""


class Unwritable(Exception):
    """A part of a plan that has no statement with exactly its meaning."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SqlColumn:
    """A column: its name in the plan, its kind, and the expression that gives it.

    `clean` text was made by the statement itself, so that it needs no trimming.
    """

    name: str
    kind: ColumnKind
    of: exp.Expr
    missing: bool = True
    clean: bool = False
    facts: ColumnFacts | None = None
    """What is known of a column that is only passed on, because it is of a kind that nothing is computed with."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Key:
    """What rows are sorted by. Missing values come last."""

    of: exp.Expr
    descending: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Rows:
    """A statement without its columns: `base` has the tables and the conditions, in which the columns are expressions.

    Rows are sorted by `order`, then by `tie`, which leaves no two different rows tied. `sure`: the order by `tie` is
    that of the table itself, its key; else a table has no order, and `tie` only makes the result the same each time.
    """

    base: exp.Select
    columns: tuple[SqlColumn, ...]
    order: tuple[Key, ...] = ()
    tie: tuple[Key, ...] = ()
    sure: bool = True
    single: bool = False

    def column(self, name: str) -> SqlColumn:
        """Return the column called `name`. Raises `Unwritable` if there is none."""
        found = next((column for column in self.columns if column.name == name), None)
        if found is None:
            raise Unwritable(f"column {name}")
        return found

    @property
    def keyed(self) -> bool:
        """Whether keys tell the complete order of the rows; what is merely sorted may have ties."""
        return self.single or bool(self.tie)

    @property
    def keys(self) -> tuple[Key, ...]:
        """The complete order of the rows. Raises `Unwritable` where there is none."""
        if not self.keyed:
            raise Unwritable("order")
        return (*self.order, *self.tie) or (Key(of=self.columns[0].of),)

    def where(self, condition: exp.Expr) -> Rows:
        """Return the rows that meet a condition. Raises `Unwritable` for a single row."""
        return replace(several(self), base=self.base.where(condition))


def several(rows: Rows) -> Rows:
    """Return rows that are to be chosen from, or grouped. Raises `Unwritable` for a single one: MariaDB takes a
    deviation in it for missing where a condition is put on it, and code does this as well."""
    if rows.single:
        raise Unwritable("one row")
    return rows


def ordered(rows: Rows) -> bool:
    """Return whether rows have an order of their own: that of their table, or one that no keys tell."""
    return rows.sure or not rows.tie


class Scribe:
    """What the writers of one statement share: the dialect, and names not used yet."""

    def __init__(self, dialect: str) -> None:
        self.dialect = dialect
        self._made = 0

    def fresh(self) -> str:
        """Return a new name for a subquery."""
        self._made += 1
        return f"t{self._made}"

    def closed(self, rows: Rows) -> Rows:
        """Return the same rows read from a subquery, so that each column is a plain name."""
        own_names = aliases([column.name for column in rows.columns])
        if _is_closed(rows, own_names):
            return rows
        own = self.fresh()
        selected = [_named(column.of, alias) for column, alias in zip(rows.columns, own_names, strict=True)]
        hidden: list[exp.Expr] = []
        known = {column.of: alias for column, alias in zip(rows.columns, own_names, strict=True)}

        def kept(keys: Iterable[Key]) -> tuple[Key, ...]:
            found: list[Key] = []
            for key in keys:
                if key.of not in known:
                    known[key.of] = f"_k{len(hidden)}"
                    hidden.append(_named(key.of, known[key.of]))
                found.append(replace(key, of=_name(known[key.of], own)))
            return tuple(found)

        order, tie = kept(rows.order), kept(rows.tie)
        # Each builder copies what it is given unless told otherwise, and deep statements are mostly copied then.
        inner = rows.base.copy().select(*selected, *hidden, copy=False)
        columns = tuple(
            replace(column, of=_name(alias, own)) for column, alias in zip(rows.columns, own_names, strict=True)
        )
        base = exp.Select().from_(inner.subquery(exp.to_identifier(own), copy=False), copy=False)
        return replace(rows, base=base, columns=columns, order=order, tie=tie)

    def renamed(self, rows: Rows, table: str) -> tuple[SqlColumn, ...]:
        """Return the columns of finished rows as those of a subquery."""
        own_names = aliases([column.name for column in rows.columns])
        return tuple(replace(one, of=_name(alias, table)) for one, alias in zip(rows.columns, own_names, strict=True))

    def cut(self, rows: Rows, count: int, offset: int = 0, *, backward: bool = False) -> Rows:
        """Return the rows at some places of their order, counted from its end if `backward`."""
        keys = rows.keys
        inner = replace(rows, base=rows.base.order_by(*self.sorting(keys, backward=backward)).limit(count))
        if offset:
            inner = replace(inner, base=inner.base.offset(offset))
        return self.closed(inner)

    def finished(self, rows: Rows) -> exp.Select:
        """Return the complete statement."""
        own_names = aliases([column.name for column in rows.columns])
        selected = [_named(column.of, alias) for column, alias in zip(rows.columns, own_names, strict=True)]
        query = rows.base.copy().select(*selected, copy=False)
        keys = (*rows.order, *(rows.tie if rows.sure or rows.order else ()))
        return query if rows.single or not keys else query.order_by(*self.sorting(keys), copy=False)

    def sorting(self, keys: Iterable[Key], *, backward: bool = False) -> list[exp.Expr]:
        """Return keys as they stand in ORDER BY, with missing values last (first if `backward`)."""
        made: list[exp.Expr] = []
        for key in keys:
            down = key.descending != backward
            if self.dialect == "mysql" and down == backward:  # it has no NULLS LAST, and puts them first going up
                empty = exp.Is(this=key.of.copy(), expression=exp.Null())
                made.append(exp.Ordered(this=empty, desc=down, nulls_first=not down))
            nulls = not down if self.dialect == "mysql" else backward
            made.append(exp.Ordered(this=key.of.copy(), desc=down, nulls_first=nulls))
        return made

    def window(self, of: exp.Expr, keys: Sequence[Key] = (), within: Sequence[exp.Expr] = ()) -> exp.Window:
        """Return a window function over the rows, or over those with equal values of `within`."""
        order = exp.Order(expressions=self.sorting(keys)) if keys else None
        return exp.Window(this=of, partition_by=[one.copy() for one in within], order=order)


def scalar(query: exp.Select) -> exp.Expr:
    """Return a statement with one cell as a value."""
    return exp.Subquery(this=query)


def number(value: float) -> exp.Expr:
    """Return a number as a literal. Raises `Unwritable` for what is not finite."""
    if not math.isfinite(value):
        raise Unwritable("number")
    return exp.Literal.number(repr(value)) if value >= 0 else exp.Neg(this=exp.Literal.number(repr(-value)))


def aliases(names: Sequence[str]) -> list[str]:
    """Return a name for each column: its own one, or a short one where servers might change or confuse it."""
    taken: set[str] = set()
    made: list[str] = []
    for place, name in enumerate(names):
        plain = len(name.encode()) <= PLAIN_CHARS * 2 and name.replace(" ", "_").isidentifier()
        alias = name if plain and name.strip() == name and not name.startswith("_") else f"c{place + 1}"
        while alias.lower() in taken:
            alias = f"{alias}_{place + 1}"
        taken.add(alias.lower())
        made.append(alias)
    return made


def _name(alias: str, table: str) -> exp.Column:
    return exp.column(exp.to_identifier(alias, quoted=True), table=exp.to_identifier(table), copy=False)


def _is_closed(rows: Rows, names: Sequence[str]) -> bool:
    """Return whether the columns are already plain names of a subquery."""
    if any(part for name, part in rows.base.args.items() if name != "from_"):
        return False
    return bool(rows.base.args) and all(
        isinstance(column.of, exp.Column) and column.of.table and column.of.name == alias
        for column, alias in zip(rows.columns, names, strict=True)
    )


def _named(of: exp.Expr, alias: str) -> exp.Expr:
    if isinstance(of, exp.Column) and of.name == alias:
        return of.copy()
    return exp.alias_(of.copy(), alias, quoted=True, copy=False)
