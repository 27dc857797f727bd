"""Rounds of a report without running code: what the analyst asks for gets the outcomes that a test states."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from tests.unit.analyst.facts import Values

from tablewright.analyst.base import Understanding
from tablewright.analyst.reporting import structured_round
from tablewright.domain.dataset import ColumnFacts, DatasetFacts, ReadOptions
from tablewright.domain.structured import StructuredAnswer, StructuredRoundFacts, ToolOutcome, ToolRequest
from tablewright.domain.table import Table
from tablewright.domain.task import StructuredRound, ToolFacts

RUN_PYTHON = ToolFacts(name="run_python", description="", parameters={"type": "object", "properties": {}})
ORDERS = DatasetFacts(
    id="t1",
    name="orders",
    file_name="orders.csv",
    path="/data/shared/orders.csv",
    read=ReadOptions(kind="csv"),
    rows=500,
    columns=(
        ColumnFacts(name="order_id", kind="integer", distinct=500, minimum=1000, maximum=1499),
        ColumnFacts(name="day", kind="date", notation="date_text", date_format="%Y-%m-%d", distinct=300),
        ColumnFacts(name="region", kind="text", distinct=4),
        ColumnFacts(name="amount", kind="number", distinct=400, minimum=1.5, maximum=900.0),
        ColumnFacts(name="price", kind="number", distinct=80, minimum=1.5, maximum=90.0),
    ),
    sample=Table(columns=("region",), rows=(("East",),), total_rows=1),
    profile_ref="f" * 64,
)
LOOK: dict[str, Any] = {
    "rows": 500,
    "columns": 5,
    "totals_rows": [],
    "repeated": 0,
    "expected": 0.0,
    "repeated_p": 1.0,
    "missing": {},
    "constant": [],
    "period": ["2024-01-01", "2024-12-30"],
    "units": [],
    "identities": [],
    "copies": {},
    "running": [],
    "rising": [],
    "spellings": {},
    "tests": 5,
}
NOTHING: dict[str, dict[str, Any]] = {
    "look-1": LOOK,
    "leaders-1": {"tests": 2, "totals": [], "rows": []},
    "time-1": {"tests": 6, "steps": ["M"], "longest": [24, "M"], "series": []},
    "outliers-1": {"tests": 4, "outliers": []},
    "relations-1": {"tests": 1, "relations": [], "computed": []},
    "differences-1": {"tests": 2, "differences": [], "shares": []},
}


def task(**fields: Any) -> StructuredRound:
    """Return the first round of a report on `ORDERS`."""
    given: dict[str, Any] = {"question": "", "language": "en", "datasets": (ORDERS,), "tools": (RUN_PYTHON,)}
    return StructuredRound(**{"round": 1, "max_rounds": 6, **given, **fields})


async def answer(asked: StructuredRound, read: Understanding | None = None) -> dict[str, Any]:
    """Return the analyst's answer, where the question is read as `read`."""
    found: dict[str, Any] = json.loads(await structured_round(asked, Values(), read))
    return found


async def report(
    asked: StructuredRound, printed: dict[str, str | None], read: Understanding | None = None
) -> tuple[dict[str, Any], list[list[str]]]:
    """Return the last answer and the ids of the calls of each round. `printed` is the text of each call's outcome; a
    call without one, or with None, failed."""
    rounds: list[list[str]] = []
    while (said := await answer(asked, read))["action"]["type"] == "tool_call":
        calls = [ToolRequest(**call) for call in said["action"]["content"]]
        rounds.append([call.tool_call_id for call in calls])
        outcomes = [
            ToolOutcome(
                tool_call_id=call.tool_call_id,
                tool_name=call.tool_name,
                text=printed.get(call.tool_call_id) or "NameError",
                failed=printed.get(call.tool_call_id) is None,
            )
            for call in calls
        ]
        told = StructuredAnswer(
            task_analysis=said["task_analysis"],
            execution_plan=said["execution_plan"],
            current_round=asked.round,
            calls=tuple(calls),
        )
        over = StructuredRoundFacts(answer=told, outcomes=tuple(outcomes))
        asked = replace(asked, round=asked.round + 1, rounds=(*asked.rounds, over))
    return said, rounds


def texts(**changed: dict[str, Any]) -> dict[str, str | None]:
    """Return outcomes in which nothing was found but what `changed` says, by the name of the theme."""
    return {name: json.dumps({**found, **changed.get(name.partition("-")[0], {})}) for name, found in NOTHING.items()}
