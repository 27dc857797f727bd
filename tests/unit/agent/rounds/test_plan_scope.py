"""How much of a workbook a plan changes, as faces are told."""

from __future__ import annotations

from typing import Any

import pytest

from tablewright.agent.rounds.plan_scope import plan_scope
from tablewright.domain.outline import SheetOutline, WorkbookOutline
from tablewright.domain.rounds.plan import PlanStep


def outline(*names: str) -> WorkbookOutline:
    return WorkbookOutline(
        sheets=tuple(
            SheetOutline(name=name, state="visible", kind="worksheet", used=None, regions=()) for name in names
        )
    )


def step(function: str, **parameters: Any) -> PlanStep:
    return PlanStep(step=1, function=function, parameters=parameters)


@pytest.mark.parametrize("name", ["Data ", "Data", "data", " DATA", None])
def test_a_sheet_that_is_spelled_in_several_ways_is_one_sheet(name: str | None) -> None:
    steps = [step("set_fill", sheet="Data ", range="A1"), step("delete_rows", sheet=name, row=2)]
    assert plan_scope(steps, outline("Data ", "Prices")) == "sheet"
    assert plan_scope(steps[:1], outline("Data ", "Prices")) == "range"


def test_a_step_that_cannot_be_decoded_is_of_the_sheet_that_it_names() -> None:
    steps = [step("set_fill", sheet="Data ", range="A1"), step("no_such", sheet="data")]
    assert plan_scope(steps, outline("Data ")) == "sheet"


def test_sheets_that_differ_in_spaces_are_two_where_both_are_there() -> None:
    steps = [step("set_fill", sheet=name, range="A1") for name in ("Data", "Data ")]
    assert plan_scope(steps, outline("Data", "Data ")) == "workbook"
