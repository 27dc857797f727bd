"""What a type of a database is to us: a kind of column."""

from __future__ import annotations

import re

from tablewright.data.sql.base import Dialect
from tablewright.domain.dataset import ColumnKind

_ARGUMENTS = re.compile(r"\(\s*(\d+)?\s*(?:,\s*(-?\d+))?\s*\)")
_INTEGERS = frozenset(
    {"smallint", "integer", "bigint", "int", "int2", "int4", "int8", "tinyint", "mediumint", "year", "hugeint",
     "utinyint", "usmallint", "uinteger", "ubigint"}
)  # fmt: skip
_NUMBERS = frozenset({"real", "double", "double precision", "float", "float4", "float8"})
_DECIMALS = frozenset({"numeric", "decimal"})
_TEXTS = frozenset(
    {"text", "character varying", "varchar", "character", "char", "bpchar", "tinytext", "mediumtext", "longtext",
     "nvarchar", "nchar", "clob", "uuid", "citext", "string"}
)  # fmt: skip


def kind_of(declared: str, dialect: Dialect) -> ColumnKind:
    """Return the kind of a column by its declared type; `mixed` for what is none of ours (times with zones, arrays)."""
    written = " ".join(declared.lower().split())
    arguments = _ARGUMENTS.search(written)
    bare = _ARGUMENTS.sub("", written).removesuffix(" unsigned").removesuffix(" signed").strip()
    if bare in _INTEGERS:
        return "integer"
    if bare in _DECIMALS:
        whole = arguments is not None and arguments[1] is not None and int(arguments[2] or 0) <= 0
        return "integer" if whole and dialect != "sqlite" else "number"
    if bare in _NUMBERS:
        return "number"
    if bare in _TEXTS or bare.startswith("enum("):
        return "text"
    if dialect == "sqlite":
        return "mixed"  # dates and truth values are texts and numbers there
    return _other(bare)


def _other(bare: str) -> ColumnKind:
    if bare == "boolean":
        return "boolean"
    if bare == "date":
        return "date"
    return "datetime" if bare in {"timestamp", "timestamp without time zone", "datetime"} else "mixed"
