"""Writes whole plans as statements, for those who execute them elsewhere: on servers and versions that are not known,
so that what makes texts compare as Python does, character by character, is left to them."""

from __future__ import annotations

from collections.abc import Sequence

import sqlglot
from sqlglot import exp

from tablewright.analyst.plan import Plan
from tablewright.analyst.renaming import readable
from tablewright.analyst.sql.writer import Statement, write
from tablewright.domain.database import Dialect
from tablewright.domain.dataset import DatasetFacts
from tablewright.domain.language import Language


def statements(plan: Plan, datasets: Sequence[DatasetFacts], language: Language) -> tuple[str, ...]:
    """Return a statement for each part of `plan`; none at all if one of them cannot be written with its meaning."""
    plan = readable(plan, datasets, language)
    written = [write(part.relation, datasets) for part in plan.parts]
    if not all(isinstance(one, Statement) for one in written):
        return ()
    dialects = {facts.table.dialect for facts in datasets if facts.table is not None}
    return tuple(_portable(one.sql, min(dialects)) for one in written if isinstance(one, Statement))


def _portable(sql: str, dialect: Dialect) -> str:
    tree = exp.paren(sqlglot.parse_one(sql, read=dialect))
    for node in reversed(list(tree.walk())):
        if isinstance(node, exp.Collate) or _of_characters(node):
            node.replace(node.this)
    return str(tree.this.sql(dialect=dialect, pretty=True))


def _of_characters(node: exp.Expr) -> bool:
    return isinstance(node, exp.Cast) and node.to.this == exp.DType.CHARACTER_SET
