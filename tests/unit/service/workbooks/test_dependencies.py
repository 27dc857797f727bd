"""Which steps stand on what an earlier one would have made."""

from __future__ import annotations

import pytest
from tests.support.workbook_bench import step

from tablewright.domain.rounds.plan import PlanStep
from tablewright.service.workbooks.dependencies import MissingEffects

MARGIN = step(1, "add_column", header="Margin", formula="=[Revenue]-[Cost]")
SUMMARY = step(1, "summarize", groups=["Region"], measures=[{"aggregation": "count"}], target_sheet="By region")
FILLED = step(1, "set_formula", sheet="Sales", range="E2:E9", formula="=A2")
CHART = step(1, "create_chart", type="bar", data_range="A1:B5")
NAMED = step(1, "define_name", name="totals", range="B2:B9")


def stands(on: PlanStep, other: PlanStep) -> bool:
    missing = MissingEffects()
    missing.add(on)
    return missing.needed_by(other) == on.step


@pytest.mark.parametrize(
    ("on", "other"),
    [
        (MARGIN, step(2, "sort_rows", by=[{"column": " margin "}])),
        (MARGIN, step(2, "add_column", header="Share", formula="=[Margin]/[Revenue]")),
        (MARGIN, step(2, "create_chart", category="Region", values=["Margin"])),
        (MARGIN, step(2, "delete_rows", where={"tests": [{"column": "Margin", "op": "<", "value": 0}]})),
        (MARGIN, step(2, "run_python", code="result = df['Margin'].sum()")),
        (SUMMARY, step(2, "set_font", sheet="By Region", range="A1:B1", bold=True)),
        (SUMMARY, step(2, "set_formula", range="A1", formula="=SUM('By region'!B2:B5)")),
        (step(1, "add_sheet", name="Notes"), step(2, "set_values", sheet="Notes", range="A1", values=[["x"]])),
        (step(1, "split_column", column="N", separator=" ", headers=["F", "L"]), step(2, "fill_missing", column="L")),
        (FILLED, step(2, "highlight_cells", sheet="Sales", range="A1:F9")),
        (FILLED, step(2, "fill_down", range="E2:E20", sheet="Sales")),
        (FILLED, step(2, "set_formula", sheet="Sales", range="F2", formula="=$E$2*2")),
        (FILLED, step(2, "set_formula", sheet="Other", range="F2", formula="=Sales!E3*2")),
        (CHART, step(2, "set_chart_title", title="Sales")),
        (NAMED, step(2, "set_number_format", range="totals", format="0")),
        (step(1, "create_bar_chart", data_range="A1:B2"), step(2, "set_chart_axes", x_title="x")),
    ],
    ids=str,
)
def test_a_step_that_uses_what_was_not_made_stands_on_it(on: PlanStep, other: PlanStep) -> None:
    assert stands(on, other)


@pytest.mark.parametrize(
    ("on", "other"),
    [
        (MARGIN, step(2, "sort_rows", by=[{"column": "Revenue"}])),
        (MARGIN, step(2, "add_column", header="Margin", formula="=[Revenue]")),
        (MARGIN, step(2, "set_values", range="A20", values=[["Margin"]])),
        (MARGIN, step(2, "create_chart", values=["Revenue"], title="Margin")),
        (SUMMARY, step(2, "set_font", sheet="Sales", range="A1:B1", bold=True)),
        (SUMMARY, step(2, "add_sheet", name="By region")),
        (FILLED, step(2, "set_values", sheet="Sales", range="E2", values=[[1]])),
        (FILLED, step(2, "highlight_cells", sheet="Other", range="E2:E9")),
        (FILLED, step(2, "highlight_cells", sheet="Sales", range="A1:D9")),
        (FILLED, step(2, "insert_rows", sheet="Sales", row=2)),
        (step(1, "set_chart_title", title="T"), step(2, "set_chart_axes", x_title="x")),
        (step(1, "delete_columns", columns=["Margin"]), step(2, "sort_rows", by=[{"column": "Margin"}])),
        (step(1, "no_such_thing", name="x"), step(2, "sort_rows", by=[{"column": "x"}])),
        (step(1, "add_sheet", name=7), step(2, "set_values", range=["A1"], values=7, sheet=None)),
    ],
    ids=str,
)
def test_a_step_that_does_without_stands_on_nothing(on: PlanStep, other: PlanStep) -> None:
    assert not stands(on, other)


def test_what_another_step_makes_after_all_is_there() -> None:
    missing = MissingEffects()
    for failed in (MARGIN, FILLED, CHART):
        missing.add(failed)
    missing.remove(step(2, "add_column", header="Margin"))
    missing.remove(step(3, "set_values", sheet="Sales", range="E1:E20", values=[[1]]))
    missing.remove(CHART)
    for other in (
        step(4, "sort_rows", by=[{"column": "Margin"}]),
        step(5, "highlight_cells", sheet="Sales", range="E2:E3"),
        step(6, "set_chart_title", title="T"),
    ):
        assert missing.needed_by(other) is None
