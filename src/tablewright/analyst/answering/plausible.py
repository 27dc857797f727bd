"""Checks whether the result of a plan can be the answer: a misread question often gives an empty or overlong result."""

from __future__ import annotations

import re
from typing import Any, Literal

from tablewright.analyst.plan import Aggregate, Compare, Lit, Matches, Plan, Relation, Top
from tablewright.analyst.plan_walk import nodes
from tablewright.domain.language import Language
from tablewright.domain.table import Table

Flaw = Literal["reading.nothing_found", "reading.too_many"]

_ONE = re.compile(
    r"^(?:[a-z]+ )?(?:which|what|who|when|where)\b.*\b(?:most|least|highest|lowest|first|last|only|[a-z]{3,}est)\b"
)
_THE = re.compile(r"^(?:(?:what|who|which) (?:is|was) the|when (?:is|was|did)|at what|how long)\b")
_AMOUNT = re.compile(
    r"^(?:how many|(?:what|tell me) (?:is |was )?the (?:total |average |highest |lowest |least |most )?(?:number"
    r"|amount)) "
)
_NUMBER = re.compile(r"\D{0,3}-?\d[\d,.]*\D*")
_TOTALS = frozenset({"total", "totals", "grand total", "sum", "overall", "合计", "总计", "小计", "总和"})
_SEVERAL = 5
"""A result with more rows than this cannot answer a question for one thing."""


def flaw_of(plan: Plan, question: str, language: Language, result: Table | None) -> Flaw | None:
    """Return a catalogue code for why `result` cannot be the answer; None if it may be one.

    An empty result is an answer only if every word of the question was understood and each value is in the table,
    not if something was skipped or only partly matched. The same holds for many rows that tie for first place.
    """
    if plan.tags or len(plan.parts) != 1 or plan.parts[0].drawing is not None or result is None:
        return None
    if _nothing(plan.parts[0].relation, result):
        unsure = plan.confidence < 1.0 or _holds(plan.parts[0].relation, Matches)
        unsure = unsure or _holds(plan.parts[0].relation, Top) or _cells_named(plan.parts[0].relation) > 1
        return "reading.nothing_found" if language == "en" and unsure else None
    asked = question.lower().strip()
    if _is_total(result, question) or (_AMOUNT.match(asked) and _worded(result)):
        return "reading.nothing_found"
    level = plan.confidence == 1.0 and _holds(plan.parts[0].relation, Top)
    one = language == "en" and not level and (_ONE.match(asked) or _THE.match(asked))
    return "reading.too_many" if one and result.total_rows > _SEVERAL else None


def _nothing(relation: Relation, result: Table) -> bool:
    if not result.rows:
        return True
    if len(result.rows) > 1:
        return False
    counts = isinstance(relation, Aggregate) and all(
        measure.function.startswith("count") for measure in relation.measures
    )
    return all(cell is None or (counts and cell == 0) for cell in result.rows[0])


def _is_total(result: Table, question: str) -> bool:
    """Return whether the result is a total row of the table, which is not a single thing."""
    if len(result.rows) != 1 or not isinstance(result.rows[0][0], str):
        return False
    said = result.rows[0][0].strip().lower()
    return said in _TOTALS and said not in question.lower()


def _cells_named(relation: Relation) -> int:
    """Return how many columns are compared with a text; that several such cells belong to one row is only an
    assumption."""
    equal = [node for node in nodes(relation) if isinstance(node, Compare) and node.op == "="]
    return len({str(node.left) for node in equal if isinstance(node.right, Lit) and isinstance(node.right.value, str)})


def _worded(result: Table) -> bool:
    """Return whether all cells are names, or scores of two numbers, although a number was asked for."""
    cells = [cell for row in result.rows for cell in row]
    return bool(cells) and all(isinstance(cell, str) and not _NUMBER.fullmatch(cell.strip()) for cell in cells)


def _holds(node: Relation | Any, kind: type[object]) -> bool:
    """Return whether the plan contains a node of the given kind."""
    if isinstance(node, kind):
        return True
    if isinstance(node, tuple | list):
        return any(_holds(item, kind) for item in node)
    names = getattr(type(node), "__dataclass_fields__", {})
    return any(_holds(getattr(node, name), kind) for name in names)
