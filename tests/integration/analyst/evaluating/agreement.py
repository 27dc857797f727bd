"""Executing a plan in the process and as the written code, and comparing their rows."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.integration.analyst.conftest import Interpreter
from tests.integration.analyst.sql.agreement import plain, same
from tests.integration.analyst.sql.engines import TABLES, facts_of, write_file
from tests.integration.analyst.sql.random_tables import Row

from tablewright.analyst.evaluating.memory import StoredTable, evaluate
from tablewright.analyst.plan import Aggregate, Col, Part, Plan, Relation
from tablewright.analyst.plan_walk import nodes
from tablewright.analyst.writing import write_code
from tablewright.data.sql.cells import cell


def agree(relation: Relation, rows: dict[str, Sequence[Row]], folder: Path, interpreter: Interpreter) -> None:
    """Execute a plan both ways: the rows are equal, and it fails in both or in none."""
    facts = [facts_of(name, rows[name], "duckdb", folder) for name, _, _ in TABLES]
    for name, columns, _ in TABLES:
        write_file(folder, name, columns, rows[name])
    plan = Plan(parts=(Part(relation=relation),))
    code = write_code(plan, facts, "en")
    said = interpreter.attempt(code)
    found = evaluate(plan, {name: stored(rows[name], len(columns)) for name, columns, _ in TABLES}, facts)
    told = f"{rows}\n{code}\n{str(said['error'])[-400:]}\n{relation}\n{said['result']}\n{found}"
    if found.failure is not None and found.failure.startswith("unsupported:"):
        return
    assert (said["error"] is None) == (found.failure is None), told
    if found.failure is None:
        wanted: list[list[Any]] = [list(map(plain, row)) for row in said["result"]["rows"]]
        given = [list(map(plain, row)) for row in found.tables[0].rows]
        if _without_order(relation):
            wanted, given = sorted(wanted, key=repr), sorted(given, key=repr)
        assert same(wanted, given), told


def _without_order(relation: Relation) -> bool:
    """Return whether pandas puts groups without a truth value now first and now last."""
    grouped = [node for node in nodes(relation) if isinstance(node, Aggregate) and node.keep_missing]
    return any(isinstance(group.of, Col) and group.of.name == "done" for one in grouped for group in one.groups)


def stored(rows: Sequence[Row], width: int) -> StoredTable:
    """Return a table as it is held."""
    return StoredTable(columns=tuple(tuple(cell(row[place]) for row in rows) for place in range(width)))
