"""Whether what a plan's execution gave can be the answer: a misread question shows in a result that is empty or too long."""

from __future__ import annotations

import re
from typing import Any, Literal

from tablewright.analyst.plan import Aggregate, Matches, Plan, Relation
from tablewright.domain.language import Language
from tablewright.domain.table import Table

Flaw = Literal["reading.nothing_found", "reading.too_many"]

_ONE = re.compile(
    r"^(?:[a-z]+ )?(?:which|what|who|when|where)\b.*\b(?:most|least|highest|lowest|first|last|only|[a-z]{3,}est)\b"
)
_THE = re.compile(r"^(?:(?:what|who|which) (?:is|was) the|when (?:is|was|did)|at what|how long)\b")
_SEVERAL = 5
"""More rows than this are no answer to a question for one thing."""


def flaw_of(plan: Plan, question: str, language: Language, result: Table | None) -> Flaw | None:
    """Return why `result` is no answer to the question, as a code of the catalogue; None where it may be one.

    An empty result is an answer where every word of the question was understood and each value is in the table; it is
    not where something was passed over or only matched in part.
    """
    if plan.tags or len(plan.parts) != 1 or plan.parts[0].drawing is not None or result is None:
        return None
    if _nothing(plan.parts[0].relation, result):
        unsure = plan.confidence < 1.0 or _matches(plan.parts[0].relation)
        return "reading.nothing_found" if language == "en" and unsure else None
    asked = question.lower().strip()
    one = language == "en" and (_ONE.match(asked) or _THE.match(asked))
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


def _matches(node: Relation | Any) -> bool:
    """Tell whether a condition on a part of a text stands anywhere in the plan."""
    if isinstance(node, Matches):
        return True
    if isinstance(node, tuple | list):
        return any(map(_matches, node))
    names = getattr(type(node), "__dataclass_fields__", {})
    return any(_matches(getattr(node, name)) for name in names)
