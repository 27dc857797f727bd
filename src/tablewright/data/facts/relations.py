"""Keys between tables, and tables that are parts of one, from their columns and distinct values."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations

from tablewright.domain.cleaning import clean_value
from tablewright.domain.database import ForeignKey
from tablewright.domain.dataset import ColumnFacts, DatasetFacts
from tablewright.domain.table_facts import TableForm, TableKey, TableRelation

MATCHED = 0.9
"""The share of the values of a reference that must occur in the key."""
ALIKE = 5
"""So many values must agree where the columns have different names."""
ALIKE_ALL = 3
"""So many are enough where every value of the reference occurs in the key."""
MOST_TABLES = 24
"""Of more tables than these, only the first are compared."""

Values = Mapping[tuple[str, str], Collection[str]]
"""All distinct texts of columns, by the id of the table and the name of the column."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Column:
    """A column of texts or of whole numbers, all of whose values are known, as they are once cleaned; `unique` if none
    occurs twice, `numbers_rows` if they are one after the other. `owner` is the name of its table."""

    table: str
    owner: str
    name: str
    values: frozenset[str]
    unique: bool
    whole: bool = False
    numbers_rows: bool = False


def relations(tables: Sequence[DatasetFacts], values: Values) -> tuple[TableRelation, ...]:
    """Return what connects `tables`: parts of one form, then keys between tables that are not such parts: those that
    their database declares, and those that the values show."""
    compared = tables[:MOST_TABLES]
    forms = tuple(_forms(compared))
    parts = {table: form for form in forms for table in form.tables}
    columns = [_columns(table, values) for table in compared]
    keys = [
        key
        for ones, others in permutations(columns, 2)
        if ones and others and not _same_part(parts, ones[0].table, others[0].table)
        for key in _keys(ones, others)
    ]
    return (*forms, *_each_once([*_declared(compared), *keys]))


def _declared(tables: Sequence[DatasetFacts]) -> Iterator[TableKey]:
    """Yield the keys that a database declares between its tables."""
    for many in tables:
        for foreign in () if many.table is None else many.table.foreign_keys:
            one = next((table for table in tables if _is_referred(table, many, foreign)), None)
            if one is None or one.table is None or many.table is None:
                continue
            keys = foreign.references if all(foreign.references) else one.table.primary_key
            told = [(_told(many, own), _told(one, key)) for own, key in zip(foreign.columns, keys, strict=False)]
            pairs = tuple((own, key) for own, key in told if own is not None and key is not None)
            if pairs and len(pairs) == len(foreign.columns) == len(keys):
                (reference, key), *further = pairs
                unique = set(many.table.primary_key) == set(foreign.columns)
                yield TableKey(
                    one=one.id,
                    key=key,
                    many=many.id,
                    reference=reference,
                    further=tuple(further),
                    multiplicity="one_to_one" if unique else "one_to_many",
                    unmatched=0,
                    unused=None,
                )


def _is_referred(table: DatasetFacts, many: DatasetFacts, key: ForeignKey) -> bool:
    """Return whether `key` of the table `many` refers to `table`, another one of its database."""
    one, own = table.table, many.table
    if one is None or own is None or table.id == many.id or one.connection != own.connection:
        return False
    return key.table in {one.label, one.name} and (one.schema == own.schema or key.table == one.label)


def _told(table: DatasetFacts, declared: str) -> str | None:
    """Return the name that the facts have for a column of the database."""
    origin = table.table
    columns = zip(() if origin is None else origin.columns, table.columns, strict=False)
    return next((column.name for own, column in columns if own.name == declared), None)


def compared_columns(table: DatasetFacts) -> Iterator[ColumnFacts]:
    """Yield the columns of a table whose values are compared with those of others."""
    return (
        column
        for column in table.columns
        if (column.kind == "text" or (column.kind == "integer" and column.notation == "plain"))
        and (column.distinct or 0) > 1
    )


def _columns(table: DatasetFacts, values: Values) -> list[_Column]:
    return [
        _column(table, column, values[table.id, column.name])
        for column in compared_columns(table)
        if (table.id, column.name) in values
    ]


def _column(table: DatasetFacts, column: ColumnFacts, written: Collection[str]) -> _Column:
    """Return a column as it is joined: stray blanks and other spellings of a value are that value."""
    meant = frozenset(clean_value(text, column) for text in written)
    once = column.distinct == table.rows - column.missing and len(meant) == len(written)
    return _Column(
        table=table.id, owner=table.name, name=column.name, values=meant, unique=once, whole=column.kind == "integer",
        numbers_rows=once and _counts_up(column, len(meant)),
    )  # fmt: skip


def _counts_up(column: ColumnFacts, count: int) -> bool:
    low, high = column.minimum, column.maximum
    return isinstance(low, int | float) and isinstance(high, int | float) and high - low + 1 == count


def _forms(tables: Sequence[DatasetFacts]) -> Iterator[TableForm]:
    alike: dict[tuple[str, ...], list[DatasetFacts]] = {}
    for table in tables:
        if len(table.columns) > 1:
            alike.setdefault(tuple(column.name for column in table.columns), []).append(table)
    for group in alike.values():
        if len(group) > 1 and all(_compatible(group[0], other) for other in group[1:]):
            yield TableForm(tables=tuple(one.id for one in group), parts=tuple(_part(one, group) for one in group))


def _compatible(one: DatasetFacts, other: DatasetFacts) -> bool:
    """Return whether columns of the same names hold the same kinds of values once they are cleaned, as far as they hold
    any."""
    pairs = [(_family(first), _family(second)) for first, second in zip(one.columns, other.columns, strict=True)]
    return all(first == second or "empty" in {first, second} for first, second in pairs)


def _family(column: ColumnFacts) -> str:
    kind = column.kind if column.clean is None else column.clean.kind
    return {"integer": "number", "datetime": "date"}.get(kind, kind)


def _part(table: DatasetFacts, group: Sequence[DatasetFacts]) -> str:
    names = [one.name for one in group]
    return table.name if len(set(names)) == len(names) else f"{table.file_name} {table.name}"


def _same_part(parts: Mapping[str, TableForm], one: str, other: str) -> bool:
    return one in parts and parts[one] is parts.get(other)


def _keys(ones: Sequence[_Column], others: Sequence[_Column]) -> Iterator[TableKey]:
    for key in ones:
        for reference in others:
            if key.unique and _refers_to(reference, key):
                yield TableKey(
                    one=key.table,
                    key=key.name,
                    many=reference.table,
                    reference=reference.name,
                    multiplicity="one_to_one" if reference.unique else "one_to_many",
                    unmatched=len(reference.values - key.values),
                    unused=len(key.values - reference.values),
                )


def _refers_to(reference: _Column, key: _Column) -> bool:
    """Return whether a column refers to another.

    Numbers are alike by chance: those of one name do only, or of the name that says whose key it is (`customer_id` of
    the `id` of customers) and, where none occurs twice in either column, those that are the same in both and do not
    merely number the rows. An `id` in each of two tables is that of its own rows.
    """
    if reference.whole or key.whole:
        if not (reference.whole and key.whole):
            return False
        if _names_owner(reference.name, key):
            return bool(reference.values) and reference.values <= key.values
        if reference.name.strip().casefold() != key.name.strip().casefold():
            return False
        if reference.unique and (reference.values != key.values or reference.numbers_rows):
            return False
    return refers(reference.name, reference.values, key.name, key.values)


def _names_owner(name: str, key: _Column) -> bool:
    """Return whether the name of a column is that of the key behind the name of its table, which may be the plural."""
    said, own = name.strip().casefold(), key.name.strip().casefold()
    owner = said.removesuffix(own).strip("_- .")
    if owner in {"", said}:
        return False
    table = key.owner.strip().casefold()
    return table.startswith(owner) or (owner.endswith("y") and table == f"{owner[:-1]}ies")


def refers(name: str, values: frozenset[str], key: str, keys: frozenset[str]) -> bool:
    """Return whether the values of a column are those of a column without repeats of another table, by their names and
    how many of them it has."""
    common = len(values & keys)
    named = name.strip().casefold() == key.strip().casefold()
    enough = 1 if named else ALIKE_ALL if common == len(values) else ALIKE
    return common >= enough and common >= MATCHED * len(values)


def _each_once(keys: Sequence[TableKey]) -> Iterator[TableKey]:
    """Yield each connection once: of two that are one to one, that which leaves less unmatched, then the first."""
    best: dict[frozenset[tuple[str, ...]], TableKey] = {}
    for key in keys:
        references, own = zip(*key.on, strict=True)
        pair = frozenset({(key.one, *own), (key.many, *references)})
        if pair not in best or key.unmatched < best[pair].unmatched:
            best[pair] = key
    yield from best.values()
