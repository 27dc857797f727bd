"""Conditional formats as a viewer tells them: which cells they change, and how."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import xlsxwriter
from tests.support.workbooks import InlineWorker

from tablewright.workbook.package.viewer import PackageViewer
from tablewright.workbook.views import RuleLook, SheetWindow

NUMBERS = [10, 20, 30, 40, 50]
TEXTS = ["late", "Paid", "", "paid twice", "late"]
RED = {"bg_color": "#FFC7CE", "font_color": "#9C0006"}


@pytest.fixture
def viewer() -> PackageViewer:
    return PackageViewer(InlineWorker())


def book(folder: Path, *rules: tuple[str, Mapping[str, Any]]) -> Path:
    """Write numbers in the first column, texts in the second, with rules in the order of their ranks."""
    path = folder / "ruled.xlsx"
    with xlsxwriter.Workbook(str(path)) as made:
        sheet, red, bold = made.add_worksheet("Data"), made.add_format(RED), made.add_format({"bold": True})
        sheet.write_column("A1", NUMBERS)
        sheet.write_column("B1", TEXTS)
        for area, rule in rules:
            named = {"red": red, "bold": bold}.get(rule.get("format", ""))
            sheet.conditional_format(area, dict(rule) | ({"format": named} if named else {}))
    return path


def looks(window: SheetWindow) -> dict[tuple[int, int], RuleLook]:
    return {(row, column): window.rule_looks[number] for row, column, number in window.ruled}


NUMBER_RULES: list[tuple[dict[str, Any], list[int]]] = [
    ({"type": "cell", "criteria": ">=", "value": 40}, [4, 5]),
    ({"type": "cell", "criteria": "between", "minimum": 20, "maximum": 30}, [2, 3]),
    ({"type": "cell", "criteria": "not between", "minimum": 20, "maximum": 30}, [1, 4, 5]),
    ({"type": "cell", "criteria": "<", "value": "=$A$3"}, [1, 2]),
    ({"type": "top", "value": 2}, [4, 5]),
    ({"type": "bottom", "value": 40, "criteria": "%"}, [1, 2]),
    ({"type": "average", "criteria": "above"}, [4, 5]),
    ({"type": "average", "criteria": "equal or below"}, [1, 2, 3]),
    ({"type": "unique"}, [1, 2, 3, 4, 5]),
    ({"type": "formula", "criteria": "=MOD(ROW(),2)=0"}, [2, 4]),
    ({"type": "formula", "criteria": '=AND($A1>10,$B1="late")'}, [5]),
]


@pytest.mark.parametrize(("rule", "rows"), NUMBER_RULES, ids=[str(rule) for rule, _ in NUMBER_RULES])
async def test_a_rule_colours_the_numbers_that_meet_it(
    viewer: PackageViewer, tmp_path: Path, rule: dict[str, Any], rows: list[int]
) -> None:
    path = book(tmp_path, ("A1:A5", rule | {"format": "red"}))
    window = await viewer.window(path, None, "A1:B5")
    found = looks(window)
    assert sorted(found) == [(row, 1) for row in rows]
    assert set(found.values()) == {RuleLook(fill="FFC7CE", color="9C0006")}
    assert window.rules_left_out == 0


TEXT_RULES: list[tuple[dict[str, Any], list[int]]] = [
    ({"type": "cell", "criteria": "==", "value": '"LATE"'}, [1, 5]),
    ({"type": "text", "criteria": "containing", "value": "paid"}, [2, 4]),
    ({"type": "text", "criteria": "not containing", "value": "paid"}, [1, 3, 5]),
    ({"type": "text", "criteria": "begins with", "value": "paid"}, [2, 4]),
    ({"type": "text", "criteria": "ends with", "value": "TE"}, [1, 5]),
    ({"type": "blanks"}, [3]),
    ({"type": "no_blanks"}, [1, 2, 4, 5]),
    ({"type": "duplicate"}, [1, 5]),
]


@pytest.mark.parametrize(("rule", "rows"), TEXT_RULES, ids=[str(rule) for rule, _ in TEXT_RULES])
async def test_a_rule_colours_the_texts_that_meet_it_whatever_their_case(
    viewer: PackageViewer, tmp_path: Path, rule: dict[str, Any], rows: list[int]
) -> None:
    path = book(tmp_path, ("B1:B5", rule | {"format": "red"}))
    assert sorted(looks(await viewer.window(path, None, "A1:B5"))) == [(row, 2) for row in rows]


async def test_scales_bars_and_icons_are_told_by_where_a_number_stands_among_all(
    viewer: PackageViewer, tmp_path: Path
) -> None:
    path = book(
        tmp_path,
        ("A1:A5", {"type": "2_color_scale", "min_color": "#FF0000", "max_color": "#0000FF"}),
        ("A1:A5", {"type": "data_bar", "bar_color": "#63C384"}),
        ("A1:A5", {"type": "icon_set", "icon_style": "3_arrows"}),
    )
    found = looks(await viewer.window(path, None, "A3:A5"))  # the ends of the scale are outside of the window
    assert [found[row, 1].fill for row in (3, 5)] == ["800080", "0000FF"]
    assert [found[row, 1].bar for row in (3, 4, 5)] == [0.6, 0.8, 1.0]
    assert [found[row, 1].icon for row in (3, 4, 5)] == ["3Arrows:1", "3Arrows:2", "3Arrows:2"]


async def test_the_rule_of_the_higher_rank_wins_others_add_to_it_and_one_stops_those_below(
    viewer: PackageViewer, tmp_path: Path
) -> None:
    path = book(
        tmp_path,
        ("A1:A5", {"type": "cell", "criteria": ">", "value": 40, "format": "red", "stop_if_true": True}),
        ("A1:A5", {"type": "cell", "criteria": ">", "value": 30, "format": "red"}),
        ("A1:A5", {"type": "cell", "criteria": ">", "value": 20, "format": "bold"}),
    )
    found = looks(await viewer.window(path, None, "A1:A5"))
    assert found == {
        (5, 1): RuleLook(fill="FFC7CE", color="9C0006"), (4, 1): RuleLook(fill="FFC7CE", color="9C0006", bold=True),
        (3, 1): RuleLook(bold=True),
    }  # fmt: skip


async def test_rules_hold_for_rows_in_another_order_and_what_cannot_be_told_is_counted(
    viewer: PackageViewer, tmp_path: Path
) -> None:
    path = book(
        tmp_path,
        ("A1:A5", {"type": "cell", "criteria": ">", "value": 40, "format": "red"}),
        ("A1:A5", {"type": "time_period", "criteria": "yesterday", "format": "red"}),
        ("A1:A5", {"type": "formula", "criteria": "=COLUMN()=1", "format": "red"}),
    )
    window = await viewer.window(path, None, "A1:B1", rows=(5, 1))
    assert sorted(looks(window)) == [(5, 1)]
    assert window.rules_left_out == 2


async def test_a_window_that_goes_on_below_the_last_row_tells_the_same_rules(
    viewer: PackageViewer, tmp_path: Path
) -> None:
    path = book(tmp_path, ("A1:B9000", {"type": "formula", "criteria": "=MOD(ROW(),2)=0", "format": "red"}))
    within, beyond = [await viewer.window(path, "Data", wanted) for wanted in ("A1:B5", "A1:B9000")]
    assert looks(within) == looks(beyond)
    assert (len(looks(within)), beyond.rules_left_out) == (4, 0)
