"""Executing a plan with pandas and with databases, and comparing their rows."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.integration.analyst.conftest import Interpreter
from tests.integration.analyst.sql.engines import TABLES, Engine, facts_of, write_file
from tests.integration.analyst.sql.random_tables import Row

from tablewright.analyst.plan import Part, Plan, Relation
from tablewright.analyst.sql.split import MOST_CHARS
from tablewright.analyst.sql.writer import Statement, write
from tablewright.analyst.writing import write_code

MOMENT = re.compile(r"^(\d{4}-\d\d-\d\d) (\d\d:)")
TIME = re.compile(r"T00:00:00$")


def agree(
    relation: Relation,
    rows: dict[str, Sequence[Row]],
    engines: Sequence[Engine],
    folder: Path,
    interpreter: Interpreter,
) -> None:
    """Execute a plan with pandas and with every engine that has a statement for it; their rows must be equal."""
    written: list[tuple[Engine, Statement]] = []
    for engine in engines:
        facts = [facts_of(name, rows[name], engine.dialect, folder) for name, _, _ in TABLES]
        statement = write(relation, facts)
        if isinstance(statement, Statement) and len(statement.sql) <= MOST_CHARS:
            written.append((engine, statement))
    if not written:
        return
    for name, columns, _ in TABLES:
        write_file(folder, name, columns, rows[name])
    facts = [facts_of(name, rows[name], "duckdb", folder) for name, _, _ in TABLES]
    ran = interpreter.run(write_code(Plan(parts=(Part(relation=relation),)), facts, "en"))
    wanted = [list(map(plain, row)) for row in ran.rows]
    for engine, statement in written:
        engine.fill(rows)
        found = [list(map(plain, row)) for row in engine.rows(statement.sql)]
        told = f"{engine.dialect}\n{statement.sql}\n{ran.code}\n{wanted}\n{found}"
        if statement.ordered:
            assert same(wanted, found), told
        else:
            assert same(sorted(wanted, key=repr), sorted(found, key=repr)), told


def same(wanted: list[list[Any]], found: list[list[Any]]) -> bool:
    return len(wanted) == len(found) and all(
        len(one) == len(other) and all(map(equal, one, other)) for one, other in zip(wanted, found, strict=True)
    )


def equal(one: Any, other: Any) -> bool:
    if isinstance(one, int | float) and isinstance(other, int | float):
        return math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-7)
    return bool(one == other)


def plain(value: Any) -> Any:
    """Return a cell in one form: what is not finite is missing, a moment is a day where it is midnight."""
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, int | float):
        return round(float(value), 9) if math.isfinite(value) else None
    if isinstance(value, str):
        return TIME.sub("", MOMENT.sub(r"\1T\2", value))
    return value
