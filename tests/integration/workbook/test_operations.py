"""What each family of operations writes, read back from the file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import openpyxl
import pytest
from tests.support.workbooks import InlineWorker, read_parts, write_xlsx

from tablewright.domain.codec import from_python
from tablewright.domain.operations import AnyOperation, operations
from tablewright.domain.table import Cell
from tablewright.workbook.base import Applied, ApplyPolicy
from tablewright.workbook.operations import HANDLERS
from tablewright.workbook.package.editor import PackageEditor

ORDERS: list[list[Cell]] = [
    ["地区", "Product", "Day", "Amount", "Cost"],
    ["East", "pen", "2024-01-05", 30, 10],
    ["West", "ink", "2024-02-01", 50, 20],
    ["East", "ink", "2024-02-09", 20, 5],
    ["North", "pad", None, 80, 60],
    ["West", "pen", "2024-03-01", 50, 20],
]
PRICES: list[list[Cell]] = [["Product", "Price"], ["pen", 3], ["ink", 9]]


@pytest.fixture
def source(tmp_path: Path) -> Path:
    return write_xlsx(tmp_path / "source.xlsx", {"Orders": ORDERS, "Prices": PRICES})


async def run(source: Path, *steps: dict[str, Any], policy: ApplyPolicy | None = None) -> tuple[Applied, Any]:
    """Apply steps given as a model writes them, and open the result with openpyxl, values as computed."""
    target = source.with_name("target.xlsx")
    plan = from_python(tuple[AnyOperation, ...], list(steps))
    applied = await PackageEditor(InlineWorker()).apply(source, target, plan, policy=policy)
    return applied, openpyxl.load_workbook(target, data_only=True) if applied.written else None


def column(book: Any, sheet: str, letter: str, rows: int = 6) -> list[Any]:
    return [book[sheet][f"{letter}{row}"].value for row in range(1, rows + 1)]


def test_every_function_has_its_handler() -> None:
    assert HANDLERS.keys() == operations().keys()


async def test_a_summary_is_formulas_over_the_table(source: Path) -> None:
    measures = [
        {"aggregation": kind, "column": "Amount"} for kind in ("sum", "mean", "max", "median", "count_distinct")
    ]
    step: dict[str, Any] = {
        "function": "summarize",
        "groups": ["地区"],
        "measures": [*measures, {"aggregation": "count"}],
    }
    applied, book = await run(source, step)
    assert applied.steps[0].error is None
    assert [cell.value for cell in book["汇总"][1]] == [
        "地区", "Amount合计", "Amount平均值", "Amount最大值", "Amount中位数", "Amount去重计数", "行数",
    ]  # fmt: skip
    assert [[cell.value for cell in row] for row in book["汇总"].iter_rows(min_row=2)] == [
        ["East", 50, 25, 30, 25, 2, 2], ["North", 80, 80, 80, 80, 1, 1], ["West", 100, 50, 50, 50, 1, 2],
    ]  # fmt: skip
    formulas = openpyxl.load_workbook(source.with_name("target.xlsx"))["汇总"]
    assert formulas["B2"].value == "=SUMIFS(Orders!$D$2:$D$6,Orders!$A$2:$A$6,$A2)"


async def test_a_summary_spreads_a_column_across(source: Path) -> None:
    step: dict[str, Any] = {
        "function": "summarize", "groups": ["地区"], "across": "Product", "target_sheet": "Pivot",
        "measures": [{"aggregation": "sum", "column": "Amount"}],
    }  # fmt: skip
    _, book = await run(source, step)
    assert [[cell.value for cell in row] for row in book["Pivot"].iter_rows()] == [
        ["地区", "ink", "pad", "pen"], ["East", 20, 0, 30], ["North", 0, 80, 0], ["West", 50, 0, 50],
    ]  # fmt: skip


async def test_columns_are_looked_up_by_formula(source: Path) -> None:
    step: dict[str, Any] = {
        "function": "lookup_join",
        "key": "product",
        "from_sheet": "prices",
        "from_key": "Product",
        "columns": ["price"],
    }
    _, book = await run(source, step)
    assert column(book, "Orders", "F") == ["Price", 3, 9, 9, None, 3]


async def test_columns_are_looked_up_under_a_name_and_beside_another(source: Path) -> None:
    step: dict[str, Any] = {
        "function": "lookup_join",
        "key": "product",
        "from_sheet": "prices",
        "from_key": "Product",
        "columns": ["price"],
        "headers": ["List price"],
        "after": "Product",
    }
    _, book = await run(source, step)
    assert column(book, "Orders", "B") == ["Product", "pen", "ink", "ink", "pad", "pen"]
    assert column(book, "Orders", "C") == ["List price", 3, 9, 9, None, 3]
    assert column(book, "Orders", "D")[0] == "Day"


async def test_texts_are_joined_beside_another_column(source: Path) -> None:
    step: dict[str, Any] = {
        "function": "join_columns", "columns": ["Product", "Product"], "separator": "-", "header": "Twice",
        "after": "Product",
    }  # fmt: skip
    _, book = await run(source, step)
    heads = [cell.value for cell in book["Orders"][1]]
    assert heads.index("Twice") == heads.index("Product") + 1


async def test_a_new_column_can_be_ranked_in_the_same_batch(source: Path) -> None:
    steps: list[dict[str, Any]] = [
        {"function": "add_column", "header": "Margin", "formula": "=[Amount]-[Cost]"},
        {"function": "sort_rows", "by": [{"column": "Margin", "descending": True}]},
        {"function": "highlight_cells", "top_column": "Margin", "top_count": 1, "color": "黄色"},
    ]
    _, book = await run(source, *steps)
    assert column(book, "Orders", "F") == ["Margin", 30, 30, 20, 20, 15]
    fills = [book["Orders"][f"A{row}"].fill.fgColor.rgb for row in range(2, 5)]
    assert fills == ["FFFFFF00", "FFFFFF00", "00000000"]


async def test_formats_are_continued_and_dates_become_dates(source: Path) -> None:
    steps: list[dict[str, Any]] = [
        {"function": "set_number_format", "range": "D2:D6", "format": "#,##0.00"},
        {"function": "set_values", "range": "C5", "values": [["2024-05-06"]]},
        {"function": "set_values", "range": "G5", "values": [["2024-05-06"]]},
        {"function": "set_values", "range": "D7", "values": [[7]]},
    ]
    _, book = await run(source, *steps)
    assert book["Orders"]["D7"].number_format == "#,##0.00"
    assert book["Orders"]["G5"].is_date
    assert book["Orders"]["C5"].value == "2024-05-06", "below dates that are texts"


async def test_texts_are_split_joined_and_filled(source: Path) -> None:
    steps: list[dict[str, Any]] = [
        {"function": "set_values", "range": "B2:B3", "values": [["a-b"], ["c-d"]]},
        {"function": "split_column", "column": "Product", "separator": "-", "headers": ["P1", "P2"]},
        {"function": "join_columns", "columns": ["P2", "P1"], "separator": "/", "header": "Back"},
        {"function": "fill_missing", "column": "Day", "how": "previous"},
    ]
    applied, book = await run(source, *steps)
    assert [step.error for step in applied.steps] == [None] * 4
    assert column(book, "Orders", "C", 3) == ["P1", "a", "c"]
    assert column(book, "Orders", "H", 3) == ["Back", "b/a", "d/c"]
    assert book["Orders"]["E5"].value == book["Orders"]["E4"].value


async def test_duplicates_go_and_a_filter_hides(source: Path) -> None:
    steps: list[dict[str, Any]] = [
        {"function": "remove_duplicates", "columns": ["地区"]},
        {"function": "filter_rows", "where": {"tests": [{"column": "Amount", "op": ">", "value": 40}]}},
    ]
    applied, book = await run(source, *steps)
    assert column(book, "Orders", "A", 4) == ["地区", "East", "West", "North"]
    assert [book["Orders"].row_dimensions[row].hidden for row in (2, 3, 4)] == [True, False, False]
    assert applied.steps[0].notes[0].params == {"count": 2}


async def test_a_note_finds_its_row_by_what_it_holds(source: Path) -> None:
    where = {"tests": [{"column": "地区", "op": "=", "value": "East"}]}
    applied, book = await run(source, {"function": "add_comment", "cell": "B2", "text": "held", "where": where})
    assert [step.error for step in applied.steps] == [None]
    rows = [row for row in range(2, 7) if book["Orders"][f"B{row}"].comment is not None]
    assert rows
    assert all(book["Orders"][f"A{row}"].value == "East" for row in rows)


async def test_rules_and_notes_are_written(source: Path) -> None:
    steps: list[dict[str, Any]] = [
        {"function": "conditional_format", "range": "D2:D6", "kind": "rule", "op": ">", "value": 40, "colors": ["red"]},
        {"function": "conditional_format", "range": "D2:D6", "kind": "color_scale"},
        {"function": "set_data_validation", "range": "A2:A6", "kind": "list", "options": ["East", "West"]},
        {"function": "add_comment", "cell": "A1", "text": "where"},
        {"function": "freeze_panes", "cell": "B2"},
    ]
    applied, book = await run(source, *steps)
    assert [step.error for step in applied.steps] == [None] * 5
    sheet = book["Orders"]
    assert sorted(rule.type for rules in sheet.conditional_formatting for rule in rules.rules) == [
        "cellIs",
        "colorScale",
    ]
    assert sheet.data_validations.dataValidation[0].formula1 == '"East,West"'
    assert (sheet["A1"].comment.text, sheet.freeze_panes) == ("where", "B2")


@pytest.mark.parametrize("kind", ["bar", "column", "line", "area", "pie", "doughnut", "scatter", "combo", "histogram"])
async def test_charts_of_every_kind_stand_beside_the_data(source: Path, kind: str) -> None:
    step: dict[str, Any] = {
        "function": "create_chart",
        "type": kind,
        "category": "Cost" if kind == "scatter" else "Product",
        "values": ["Amount"],
        "title": "T",
    }
    if kind == "combo":
        step["line_values"] = ["Cost"]
    _, book = await run(source, step)
    [chart] = book["Orders"]._charts
    assert chart.anchor._from.col >= 6
    parts = read_parts(source.with_name("target.xlsx"))
    assert b"$D$2:$D$6" in parts["xl/charts/chart1.xml"] + parts["xl/worksheets/sheet1.xml"]


async def test_a_chart_is_never_put_over_data_and_can_be_changed(source: Path) -> None:
    steps: list[dict[str, Any]] = [
        {"function": "create_chart", "type": "bar", "values": ["Amount"], "anchor": "A1"},
        {"function": "set_chart_title", "title": "销售额"},
        {"function": "set_chart_axes", "y_minimum": 0, "y_title": "元"},
        {"function": "set_chart_style", "legend": "top", "data_labels": True, "width_cm": 20},
    ]
    applied, book = await run(source, *steps)
    assert [note.code for note in applied.steps[0].notes] == ["chart_moved", "chart_placed"]
    [chart] = book["Orders"]._charts
    assert chart.title.tx.rich.p[0].r[0].t == "销售额"
    assert (chart.legend.position, chart.y_axis.scaling.min) == ("t", 0)


async def test_questions_are_answered_without_writing(source: Path) -> None:
    steps: list[dict[str, Any]] = [
        {"function": "identify_top", "column": "Amount", "count": 2, "label": "Product"},
        {"function": "aggregate", "column": "Amount", "groups": ["地区"]},
        {"function": "find_missing", "columns": ["Day"]},
    ]
    applied, book = await run(source, *steps)
    assert book is None
    results = [step.result.rows for step in applied.steps if step.result]
    assert results[0] == ((5, "pad", 80), (3, "ink", 50), (6, "pen", 50))
    assert results[1] == (("East", 50), ("West", 100), ("North", 80))
    assert results[2] == (("Day", "C", 1, "C5"),)


@pytest.mark.parametrize(
    ("step", "code"),
    [
        ({"function": "add_column", "header": "X", "formula": "=[Amuont]*2"}, "column_unknown_near"),
        ({"function": "add_column", "header": "amount"}, "header_taken"),
        ({"function": "sort_rows", "by": [{"column": "weather"}]}, "column_unknown"),
        ({"function": "set_values", "range": "B2:C3", "values": [[1, 2, 3]]}, "values_beyond_range"),
        ({"function": "transpose", "range": "A1:B2", "target": "D1"}, "cell_not_empty"),
        ({"function": "delete_sheet", "sheet": "Nowhere"}, "sheet_missing"),
        ({"function": "set_fill", "range": "A1", "color": "octarine"}, "color_unknown"),
        ({"function": "run_python", "code": "result = df"}, "code_needs_sandbox"),
        ({"function": "set_chart_title", "title": "T"}, "chart_missing"),
    ],
)
async def test_what_does_not_fit_is_refused_with_its_reason(source: Path, step: dict[str, Any], code: str) -> None:
    applied, book = await run(source, step)
    assert book is None
    assert applied.steps[0].error is not None
    assert applied.steps[0].error.code == code


async def test_values_and_fonts_go_to_the_rows_of_a_filter_alone(source: Path) -> None:
    where = {"tests": [{"column": "Amount", "op": ">", "value": 40}]}
    applied, book = await run(
        source,
        {"function": "set_values", "range": "E2:E6", "values": [[0]], "where": where},
        {"function": "set_font", "range": "D:D", "bold": True, "where": where},
    )
    assert [step.status for step in applied.steps] == ["completed"] * 2
    assert column(book, "Orders", "E") == ["Cost", 10, 0, 5, 0, 0]
    assert [book["Orders"][f"D{row}"].font.b for row in range(1, 7)] == [False, False, True, False, True, True]


async def test_a_range_is_transposed_onto_a_sheet_that_is_added_for_it(source: Path) -> None:
    step = {"function": "transpose", "range": "A1:B3", "target": "B2", "target_sheet": "Turned"}
    applied, book = await run(source, step)
    assert [outcome.error for outcome in applied.steps] == [None]
    assert book is not None
    turned, first = book["Turned"], book.worksheets[0]
    assert [[cell.value for cell in row] for row in turned["B2:D3"]] == [
        [first.cell(row, column).value for row in (1, 2, 3)] for column in (1, 2)
    ]
    again, _ = await run(source, step, {**step, "target": "B9", "target_sheet": "turned"})
    assert [outcome.error for outcome in again.steps] == [None, None]
