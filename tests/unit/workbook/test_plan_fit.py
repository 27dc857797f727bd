"""A saved plan on another workbook: the shape it needs, and where its ranges are there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablewright.domain.language import Language
from tablewright.domain.outline import ColumnOutline, RegionOutline, SheetOutline, WorkbookOutline
from tablewright.domain.rounds.plan import PlanStep
from tablewright.texts.errors import error_text
from tablewright.workbook.plan_fit import fitted
from tablewright.workbook.shapes import differences, homed, plan_file, shape_of

COLUMNS = (("A", "City", "text"), ("B", "Amount", "number"), ("C", "Cost", "number"))


def region(
    rows: int, *, top: int = 1, columns: Sequence[tuple[str, str, Any]] = COLUMNS, totals: bool = False
) -> RegionOutline:
    last = top + rows
    return RegionOutline(
        range=f"{columns[0][0]}{top}:{columns[-1][0]}{last + totals}",
        header_rows=(top, top),
        data_rows=(top + 1, last),
        columns=tuple(ColumnOutline(letters=at, header=name, kind=kind, filled=rows) for at, name, kind in columns),
        totals_row=last + 1 if totals else None,
    )


def book(*regions: RegionOutline, name: str = "Data", others: Sequence[SheetOutline] = ()) -> WorkbookOutline:
    sheet = SheetOutline(name=name, state="visible", kind="worksheet", used=None, regions=regions)
    return WorkbookOutline(sheets=(*others, sheet))


def step(function: str, **parameters: Any) -> PlanStep:
    return PlanStep(step=1, function=function, parameters=parameters)


def moved(steps: Sequence[PlanStep], was: WorkbookOutline, now: WorkbookOutline) -> list[dict[str, Any]]:
    plan = plan_file(steps, was)
    assert not differences(plan.sheets, now)
    found, _ = fitted(plan, [shape_of(sheet) for sheet in now.sheets])
    return [{name: value for name, value in one.parameters.items() if name != "sheet"} for one in found]


@pytest.mark.requirement("plan-file-covers-the-whole-table")
@pytest.mark.parametrize(
    ("was", "longer", "shorter"),
    [
        ("B2:B11", "B2:B41", "B2:B6"),
        ("A1:C11", "A1:C41", "A1:C6"),
        ("$B$2:$B$11", "$B$2:$B$41", "$B$2:$B$6"),
        ("B3:B11", "B3:B41", "B3:B6"),
        ("B2:B5", "B2:B5", "B2:B5"),
        ("B12", "B42", "B7"),
        ("A13:C14", "A43:C44", "A8:C9"),
        ("B2:B12", "B2:B42", "B2:B7"),
        ("B:B", "B:B", "B:B"),
        ("1:1", "1:1", "1:1"),
        ("E2", "E2", "E2"),
        ("=SUM(B2:B11)-C2", "=SUM(B2:B41)-C2", "=SUM(B2:B6)-C2"),
        ('=IF(B2>1,"B2:B11",Data!B12)', '=IF(B2>1,"B2:B11",Data!B42)', '=IF(B2>1,"B2:B11",Data!B7)'),
    ],
)
def test_ranges_follow_the_table_whether_it_is_longer_or_shorter(was: str, longer: str, shorter: str) -> None:
    for rows, expected in ((40, longer), (5, shorter), (10, was)):
        assert moved([step("set_fill", range=was)], book(region(10)), book(region(rows))) == [{"range": expected}]


def test_rows_that_earlier_steps_insert_are_counted() -> None:
    steps = [
        step("insert_rows", row=1, count=2),
        step("set_fill", range="B4:B13"),
        step("delete_rows", row=1, count=1),
        step("set_formula", range="B13", formula="=SUM(B3:B12)"),
    ]
    assert moved(steps, book(region(10)), book(region(20))) == [
        {"row": 1, "count": 2},
        {"range": "B4:B23"},
        {"row": 1, "count": 1},
        {"range": "B23", "formula": "=SUM(B3:B22)"},
    ]


def test_a_row_that_is_inserted_below_the_table_is_below_it_again() -> None:
    assert moved([step("insert_rows", row=12)], book(region(10)), book(region(3))) == [{"row": 5}]


def test_tables_below_and_beside_each_other_are_told_apart() -> None:
    beside = [("E", "Key", "text"), ("F", "Price", "number")]
    was = book(region(10), region(4, columns=beside), region(5, top=14))
    now = book(region(30), region(4, columns=beside), region(2, top=34))
    steps = [step("set_fill", range=text) for text in ("B2:B11", "F2:F5", "B15:B19", "B20")]
    assert [found["range"] for found in moved(steps, was, now)] == ["B2:B31", "F2:F5", "B35:B36", "B37"]


def test_formulas_reach_tables_of_other_sheets_also_after_a_sheet_is_renamed() -> None:
    other = SheetOutline(name="Prices", state="visible", kind="worksheet", used=None, regions=(region(3),))
    longer = SheetOutline(name="Prices", state="visible", kind="worksheet", used=None, regions=(region(9),))
    steps = [
        step("set_formula", sheet="Data", range="D2:D11", formula="=VLOOKUP(A2,Prices!$A$2:$C$4,2,0)"),
        step("rename_sheet", sheet="Prices", name="P"),
        step("set_fill", sheet="P", range="A2:A4"),
    ]
    found = moved(steps, book(region(10), others=[other]), book(region(20), others=[longer]))
    assert found[0] == {"range": "D2:D21", "formula": "=VLOOKUP(A2,Prices!$A$2:$C$10,2,0)"}
    assert found[2] == {"range": "A2:A10"}


def test_rows_that_a_shorter_table_lacks_are_a_problem_of_their_step() -> None:
    plan = plan_file([step("set_fill", range="B2:B11"), step("set_fill", range="B8:B9")], book(region(10)))
    _, lacking = fitted(plan, [shape_of(book(region(3)).sheets[0])])
    assert [[notice.code for notice in notices] for notices in lacking] == [[], ["plan_rows_missing"]]


def test_a_step_without_a_sheet_gets_the_first_visible_one_and_only_used_sheets_are_kept() -> None:
    hidden = SheetOutline(name="Old", state="hidden", kind="worksheet", used=None, regions=(region(3),))
    plan = plan_file([step("set_fill", range="A1")], book(region(2), others=[hidden]), request="x")
    assert plan.steps[0].parameters == {"sheet": "Data", "range": "A1"}
    assert [sheet.name for sheet in plan.sheets] == ["Data"]
    assert plan.request == "x"


def test_words_that_quote_a_range_or_formula_quote_it_as_it_is_now() -> None:
    parameters = {"range": "B12", "formula": "=SUM(B2:B11)"}
    sums = PlanStep(step=1, function="set_formula", parameters=parameters, description="=SUM(B2:B11) → B12, not AB12")
    (step_, *_), _ = fitted(plan_file([sums], book(region(10))), [shape_of(book(region(20)).sheets[0])])
    assert step_.description == "=SUM(B2:B21) → B22, not AB12"


def test_where_there_is_only_one_sheet_its_name_makes_no_difference() -> None:
    steps = [step("set_formula", range="D2:D11", formula="=B2/SUM(Data!B2:B11)"), step("rename_sheet", name="Data")]
    now = book(region(20), name="Data 2")
    plan = homed(plan_file(steps, book(region(10))), now)
    assert not differences(plan.sheets, now)
    (first, second), _ = fitted(plan, [shape_of(sheet) for sheet in now.sheets])
    assert first.parameters == {"sheet": "Data 2", "range": "D2:D21", "formula": "=B2/SUM('Data 2'!B2:B21)"}
    assert second.parameters == {"sheet": "Data 2", "name": "Data"}


def sheet(name: str, rows: int) -> SheetOutline:
    return SheetOutline(name=name, state="visible", kind="worksheet", used=None, regions=(region(rows),))


def test_a_sheet_named_without_the_space_at_its_end_is_recorded_and_followed() -> None:
    steps = [
        step("set_fill", sheet="Data", range="B2:B11"),
        step("set_formula", range="F1", formula="=SUM(data!B2:B11)"),
    ]
    was, now = book(region(10), name="Data ", others=[sheet("Prices", 3)]), book(region(20), name="Data ")
    plan = plan_file(steps, was)
    assert [shape.name for shape in plan.sheets] == ["Prices", "Data "]
    (first, second), _ = fitted(plan, [shape_of(one) for one in (*now.sheets, sheet("Prices", 3))])
    assert first.parameters["range"] == "B2:B21"
    assert second.parameters["formula"] == "=SUM(data!B2:B21)"


@pytest.mark.parametrize(("was", "now", "prefix"), [("Data", "Data ", "'Data '!"), (" Data", "data", "data!")])
def test_sheets_that_differ_in_spaces_alone_are_the_same_in_another_workbook(was: str, now: str, prefix: str) -> None:
    other = sheet("Prices", 3)
    steps = [
        step("set_formula", sheet=was, range="D2:D11", formula=f"=B2/SUM('{was}'!B2:B11)"),
        step("rename_sheet", sheet="Prices", name="P"),
        step("set_fill", sheet="data", range="A2:A11"),
    ]
    here = book(region(20), name=now, others=[other])
    plan = homed(plan_file(steps, book(region(10), name=was, others=[other])), here)
    assert not differences(plan.sheets, here)
    found, _ = fitted(plan, [shape_of(one) for one in here.sheets])
    assert found[0].parameters == {"sheet": now, "range": "D2:D21", "formula": f"=B2/SUM({prefix}B2:B21)"}
    assert found[1].parameters == {"sheet": "Prices", "name": "P"}
    assert found[2].parameters == {"sheet": now, "range": "A2:A21"}


def test_two_sheets_of_a_plan_are_not_taken_for_one_and_the_same() -> None:
    steps = [step("set_fill", sheet=name, range="B2:B11") for name in ("Data", "Data ")]
    plan = plan_file(steps, book(region(10), others=[sheet("Data ", 10)]))
    here = book(region(20), name="Data ", others=[sheet("Notes", 3)])
    (found,) = differences(homed(plan, here).sheets, here)
    assert (found.code, found.params["sheet"]) == ("plan_sheet_missing", "Data")


def test_a_sheet_that_a_step_adds_is_not_taken_for_one_of_a_similar_name() -> None:
    steps = [
        step("set_fill", sheet="Data ", range="B2:B11"),
        step("add_sheet", sheet="Data ", name="Data"),
        step("set_fill", sheet="Data", range="B2:B11"),
    ]
    here = book(region(20), name="data  ", others=[NOTES])
    plan = homed(plan_file(steps, book(region(10), name="Data ", others=[NOTES])), here)
    found, _ = fitted(plan, [shape_of(one) for one in here.sheets])
    assert [one.parameters["sheet"] for one in found] == ["data  ", "data  ", "Data"]
    assert [one.parameters.get("range") for one in found] == ["B2:B21", None, "B2:B11"]


NOTES = SheetOutline(name="Notes", state="visible", kind="worksheet", used=None, regions=())
WORDS = {
    "plan_sheet_missing": ("Data", "Sheet1"),
    "plan_column_missing": ("Data", "Cost"),
    "plan_column_new": ("Data", "Tax"),
    "plan_column_differs": ("Data", "Revenue", "Amount"),
    "plan_kind_differs": ("Data", "Amount"),
    "plan_table_missing": ("Data", "City, Amount, Cost"),
}


@pytest.mark.requirement("plan-file-other-shape-refused")
@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize(
    ("now", "code"),
    [
        (book(region(10), name="Sheet1", others=[NOTES]), "plan_sheet_missing"),
        (book(region(10, columns=COLUMNS[:2])), "plan_column_missing"),
        (book(region(10, columns=(*COLUMNS, ("D", "Tax", "number")))), "plan_column_new"),
        (book(region(10, columns=(COLUMNS[0], ("B", "Revenue", "number"), COLUMNS[2]))), "plan_column_differs"),
        (book(region(10, columns=(COLUMNS[0], ("B", "Amount", "text"), COLUMNS[2]))), "plan_kind_differs"),
        (book(), "plan_table_missing"),
    ],
)
def test_another_shape_is_told_by_what_differs(now: WorkbookOutline, code: str, language: Language) -> None:
    plan = plan_file([step("set_fill", range="A1")], book(region(10)))
    (found,) = differences(plan.sheets, now)
    assert found.code == code
    said = error_text(found.code, language, found.params)
    for word in WORDS[code]:
        assert word in said
    assert "kind_" not in said


def test_sheets_and_tables_more_make_no_difference_nor_do_unsure_kinds() -> None:
    more = SheetOutline(name="Notes", state="visible", kind="worksheet", used=None, regions=())
    mixed = (COLUMNS[0], ("B", "Amount", "mixed"), ("C", "Cost", "empty"))
    now = book(region(10, columns=mixed), region(3, top=20), others=[more])
    assert not differences(plan_file([step("set_fill", range="A1")], book(region(10))).sheets, now)


@given(
    rows=st.integers(2, 60),
    refs=st.lists(st.tuples(st.integers(1, 90), st.integers(0, 90), st.sampled_from("ABCDE")), min_size=1, max_size=6),
    other=st.integers(2, 60),
)
def test_a_plan_fits_its_own_workbook_as_it_is_and_comes_back_from_a_longer_one(
    rows: int, refs: list[tuple[int, int, str]], other: int
) -> None:
    ranges = [f"{column}{first}" + (f":{column}{first + more}" if more else "") for first, more, column in refs]
    steps = [step("set_fill", range=text) for text in ranges]
    own = book(region(rows))
    assert [found["range"] for found in moved(steps, own, own)] == ranges
    longer = book(region(rows + other))
    there = [step("set_fill", range=found["range"]) for found in moved(steps, own, longer)]
    assert [found["range"] for found in moved(there, longer, own)] == ranges
