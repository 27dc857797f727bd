"""Wishes in Chinese and English, planned and applied to real workbooks."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.integration.analyst.operating.books import book
from tests.integration.analyst.operating.checking import done, faults

NOT_YET: list[dict[str, Any]] = json.loads((Path(__file__).parent / "not_yet.json").read_text(encoding="utf-8"))
CASES: list[dict[str, Any]] = json.loads((Path(__file__).parent / "sentences.json").read_text(encoding="utf-8"))


@pytest.mark.long
@pytest.mark.requirement("analyst-plans-changes")
@pytest.mark.parametrize("case", CASES, ids=[str(case["say"]) for case in CASES])
async def test_a_wish_becomes_the_workbook_it_asks_for(case: dict[str, Any], tmp_path: Path) -> None:
    result = await done(book(tmp_path, case["book"]), case["say"])
    assert faults(result, case["then"]) == [], result.plan["execution_plan"]


@pytest.mark.long
@pytest.mark.requirement("analyst-plans-changes")
@pytest.mark.parametrize("case", NOT_YET, ids=[str(case["say"]) for case in NOT_YET])
async def test_a_wish_that_is_not_understood_is_never_planned_wrongly_without_a_word(
    case: dict[str, Any], tmp_path: Path
) -> None:
    result = await done(book(tmp_path, case["book"]), case["say"])
    steps = result.plan["execution_plan"]
    doubted = any("please check" in step["description"] or "请核对" in step["description"] for step in steps)
    assert not steps or doubted or faults(result, case["then"]) == [], steps
