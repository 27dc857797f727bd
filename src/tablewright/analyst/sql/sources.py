"""A data set as rows: the table of the database, each column in the type in which pandas would hold it."""

from __future__ import annotations

from sqlglot import exp

from tablewright.analyst.plan import Source
from tablewright.analyst.sql.rows import Key, Rows, SqlColumn, Unwritable
from tablewright.data.sql.base import Dialect
from tablewright.data.sql.kinds import kind_of
from tablewright.domain.dataset import ColumnFacts, ColumnKind, DatabaseColumn, DatasetFacts

_DOUBLES = frozenset({"double", "double precision", "float8"})
_TEXTS = frozenset({"text", "varchar", "character varying"})
_COLLATION = {"postgres": "C", "sqlite": "BINARY", "mysql": "utf8mb4_nopad_bin"}
"""How texts are compared by their characters alone, as Python does, whatever the column says."""
_ISO: dict[str | None, ColumnKind] = {
    "%Y-%m-%d": "date", "%Y-%m-%d %H:%M:%S": "datetime", "%Y-%m-%dT%H:%M:%S": "datetime",
}  # fmt: skip
"""How dates have to be written in SQLite, which has no dates."""
SORTABLE: frozenset[ColumnKind] = frozenset({"integer", "number", "text", "date", "datetime", "boolean"})


def source(relation: Source, datasets: dict[str, DatasetFacts]) -> Rows:
    """Return the rows of a data set. Raises `Unwritable` if it is no table of a database."""
    facts = datasets.get(relation.dataset_id)
    if facts is None or facts.table is None or len(facts.table.columns) != len(facts.columns):
        raise Unwritable("source")
    table = facts.table
    place = exp.table_(table.name, db=table.schema, quoted=True)
    base = exp.Select().from_(place)
    pairs = list(zip(facts.columns, table.columns, strict=True))
    columns = tuple(_column(column, declared, table.dialect) for column, declared in pairs)
    named = {declared.name: column for declared, column in zip(table.columns, columns, strict=True)}
    sure = bool(table.primary_key) and all(name in named for name in table.primary_key)
    tied = [named[name] for name in table.primary_key] if sure else list(columns)
    tie = tuple(Key(of=column.of) for column in tied if column.kind in SORTABLE)
    return Rows(base=base, columns=columns, tie=tie, sure=sure and len(tie) == len(tied))


def _column(facts: ColumnFacts, declared: DatabaseColumn, dialect: Dialect) -> SqlColumn:
    of: exp.Expr = exp.column(exp.to_identifier(declared.name, quoted=True))
    kind = kind_of(declared.type, dialect)
    bare = declared.type.lower().partition("(")[0].strip()
    if kind == "number" and bare not in _DOUBLES:
        of = exp.cast(of, exp.DataType.Type.DOUBLE)
    if kind == "text":
        of = _by_characters(of, bare, dialect)
    if dialect == "sqlite" and facts.date_format in _ISO and facts.kind == _ISO[facts.date_format]:
        return SqlColumn(name=facts.name, kind=facts.kind, of=_date_of_text(of, facts.kind), missing=facts.missing > 0)
    # What code cleans before it computes with it has another meaning there: such columns are only passed on.
    usable = kind == facts.kind and kind in SORTABLE and facts.clean is None
    if not usable:
        return SqlColumn(name=facts.name, kind="mixed", of=of, facts=facts)
    return SqlColumn(name=facts.name, kind=kind, of=of, missing=facts.missing > 0)


def _date_of_text(of: exp.Expr, kind: ColumnKind) -> exp.Expr:
    """Return the texts that are dates, in the one form that sorts; others are missing, as they are to pandas."""
    text = exp.cast(of, exp.DataType.Type.TEXT)
    spaced = (
        text
        if kind == "date"
        else exp.Replace(this=text, expression=exp.Literal.string("T"), replacement=exp.Literal.string(" "))
    )
    read = exp.Anonymous(this="DATE" if kind == "date" else "DATETIME", expressions=[text.copy()])
    return exp.Case(ifs=[exp.If(this=exp.EQ(this=read, expression=spaced), true=spaced.copy())])


def _by_characters(of: exp.Expr, bare: str, dialect: str) -> exp.Expr:
    if dialect == "postgres" and bare not in _TEXTS:
        of = exp.cast(of, exp.DataType.Type.TEXT)
    if dialect == "mysql":
        of = exp.Cast(this=of, to=exp.DataType(this=exp.DType.CHARACTER_SET, kind=exp.var("utf8mb4")))
    collation = _COLLATION.get(dialect)
    if collation is None:
        return of
    named = exp.to_identifier(collation, quoted=dialect == "postgres")
    return exp.Collate(this=of, expression=named)
