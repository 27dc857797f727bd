"""Questions that prescribe the form of their answer, on generated tables: answered exactly, or declined."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.integration.analyst.conftest import Interpreter

from tablewright.analyst.answering.conclusion import tagged
from tablewright.analyst.base import NotUnderstood, Understood
from tablewright.analyst.grammar import prescribed
from tablewright.analyst.writing import write_code
from tablewright.data.files.profiler import profile_file
from tablewright.domain.dataset import DistinctValues
from tablewright.domain.language import language_of
from tablewright.domain.table import Table

SUITE = Path(__file__).parents[2] / "suites" / "forms"
CASES: list[dict[str, Any]] = [json.loads(line) for line in (SUITE / "suite.jsonl").read_text("utf-8").splitlines()]


class Values:
    """The distinct values of one table."""

    def __init__(self, known: dict[str, DistinctValues]) -> None:
        self._known = known

    async def values(self, profile_ref: str, column: str) -> DistinctValues | None:
        return self._known.get(column)


@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case["id"]))
def test_every_tag_of_a_form_is_right_or_the_question_is_declined(
    case: dict[str, Any], interpreter: Interpreter
) -> None:
    file = SUITE / case["files"][0]
    profile = profile_file(file, file.name).datasets[0]
    facts = replace(profile.facts, path=str(file))
    language = language_of(case["prompt"])
    reading = asyncio.run(prescribed(case["prompt"], language, [facts], Values(dict(profile.values))))
    if case["check"]["kind"] == "decline":
        assert isinstance(reading, NotUnderstood)
        return
    assert isinstance(reading, Understood), reading
    ran = interpreter.run(write_code(reading.plan, [facts], language))
    assert ran.result is not None, ran.code
    rows = tuple(tuple(row) for row in ran.rows)
    said = tagged(reading.plan.tags, Table(columns=tuple(ran.result["columns"]), rows=rows, total_rows=len(rows)))
    assert said == ", ".join(f"@{name}[{value}]" for name, value in case["check"]["answers"].items())
