"""Instructions of two tables, what they are read as, and how far that is trusted."""

from __future__ import annotations

from typing import Any

import pytest
from tests.unit.analyst.operating.instructing.shop import reading

from tablewright.analyst.operating.instructing import trust_of
from tablewright.analyst.operating.instructing.segments import segments_of
from tablewright.analyst.operating.planning import doubted

_OPEN = {"tests": [{"column": "State", "op": "=", "value": "open"}], "match": "all"}


@pytest.mark.parametrize(
    ("text", "function", "given"),
    [
        ("split Bike at the space into brand and model, two columns", "split_column", {"headers": ["brand", "model"]}),
        ("加一列名次，按罚款从高到低排", "add_column", {"header": "名次", "formula": "=RANK([罚款],[[罚款]])"}),
        ("rank the repairs by Price, cheapest is 1", "add_column",
         {"header": "rank", "formula": "=RANK([Price],[[Price]],1)"}),
        ("the headings should stay in view", "freeze_panes", {"cell": "A2"}),
        ("表头要一直看得见", "freeze_panes", {"cell": "A2"}),
        ("把备注里的横杠去掉", "find_replace", {"find": "-", "replace": "", "column": "备注"}),
        ("罚款大于20的自动变红", "conditional_format", {"range": "D2:D31", "op": ">", "value": 20}),
        ("sort by Price, biggest first", "sort_rows", {"by": [{"column": "Price", "descending": True}]}),
        ("sort by State: open, waiting, closed", "sort_rows",
         {"by": [{"column": "State", "descending": False, "order": ["open", "waiting", "closed"]}]}),
        ("按类别排序：诗歌、小说", "sort_rows",
         {"by": [{"column": "类别", "descending": False, "order": ["诗歌", "小说"]}]}),
        ("move Price to right after Bike", "move_columns", {"columns": ["Price"], "after": "Bike"}),
        ("move State to the front", "move_columns", {"columns": ["State"], "before": "Mechanic"}),
        ("把备注移到最前面", "move_columns", {"columns": ["备注"], "before": "读者"}),
        ("make the Repairs tab blue", "set_tab_color", {"sheet": "Repairs", "color": "5B9BD5"}),
        ("print it landscape, one page wide, with the header row on every page", "set_page_setup",
         {"orientation": "landscape", "pages_wide": 1, "repeat_rows": "1:1"}),
        ("lock the Repairs sheet, only Cost should stay editable", "protect_sheet", {"unlocked": ["Cost"]}),
        ("取消保护借阅", "protect_sheet", {"protected": False}),
        ("delete the open repairs", "delete_rows", {"where": _OPEN}),
        ("get rid of the Cost column", "delete_columns", {"columns": ["Cost"]}),
        ("hide Cost and Bike", "hide", {"columns": ["Cost", "Bike"], "hidden": True}),
        ("freeze the header row", "freeze_panes", {"cell": "A2"}),
        ("add a column Profit = Price minus Cost", "add_column", {"header": "Profit", "formula": "=[Price]-[Cost]"}),
        ("rename Bike to Machine", "set_values", {"range": "B1", "values": [["Machine"]]}),
        ("colour the open repairs yellow", "highlight_cells", {"where": _OPEN, "color": "FFFF00"}),
        ("new sheet: total Price per Mechanic", "summarize", {"groups": ["Mechanic"]}),
        ("remove duplicates", "remove_duplicates", {"columns": []}),
        ("keep only 2024 rows", "delete_rows",
         {"where": {"tests": [{"column": "Arrived", "op": "<", "value": "2024-01-01"},
                              {"column": "Arrived", "op": ">=", "value": "2025-01-01"},
                              {"column": "Arrived", "op": "missing"}], "match": "any"}}),
        ("删掉2023年借出的", "delete_rows",
         {"where": {"tests": [{"column": "借出日期", "op": ">=", "value": "2023-01-01"},
                              {"column": "借出日期", "op": "<", "value": "2024-01-01"}], "match": "all"}}),
        ("delete rows where Price >= 50", "delete_rows",
         {"where": {"tests": [{"column": "Price", "op": ">=", "value": 50}], "match": "all"}}),
        ("show only rows where State != open", "filter_rows",
         {"where": {"tests": [{"column": "State", "op": "!=", "value": "open"}], "match": "all"}}),
        ("把罚款<5的行删掉", "delete_rows",
         {"where": {"tests": [{"column": "罚款", "op": "<", "value": 5}], "match": "all"}}),
        ("按罚款从大到小排序", "sort_rows", {"by": [{"column": "罚款", "descending": True}]}),
        ("删掉备注这列", "delete_columns", {"columns": ["备注"]}),
        ("备注没写的都填上“无”", "fill_missing", {"column": "备注", "how": "constant", "value": "无"}),
        ("加一列“应退”=押金-罚款", "add_column", {"header": "应退", "formula": "=[押金]-[罚款]"}),
        ("押金那列加上数据条", "conditional_format", {"range": "C2:C31", "kind": "data_bar"}),
        ("把类别是诗歌的整行标黄", "highlight_cells", {"color": "FFFF00", "whole_row": True}),
        ("按类别新建一张表统计押金合计", "summarize", {"groups": ["类别"]}),
        ("hide the sheet Repairs", "hide", {"sheet": "Repairs"}),
        ("copy the sheet Repairs, called Repairs 2024", "copy_sheet", {"name": "Repairs 2024"}),
        ("rename Bike to Machine", "set_values", {"values": [["Machine"]]}),
        ("replace racer with sprinter in Bike", "find_replace", {"replace": "sprinter", "column": "Bike"}),
        ("show Arrived as dd/mm/yyyy", "set_number_format", {"format": "dd/mm/yyyy"}),
        ("restrict Price to whole numbers between 5 and 900", "set_data_validation", {"kind": "whole", "minimum": 5}),
        ("total Price by Mechanic?", "aggregate", {"column": "Price", "aggregation": "sum", "groups": ["Mechanic"]}),
        ("Which mechanic has the highest total price?", "aggregate", {"aggregation": "sum", "groups": ["Mechanic"]}),
        ("add a running total of Price", "add_column", {"formula": "=SUM($D$2:[Price])"}),
        ("capitalize Bike in a new column", "add_column", {"formula": "=PROPER([Bike])"}),
        ("罚款第二高的标黄", "highlight_cells", {"top_column": "罚款", "top_count": 2, "top_from": 2}),
        ("put 5 in B3", "set_values", {"range": "B3", "values": [[5]]}),
        ("bold A1:C1", "set_font", {"range": "A1:C1", "bold": True}),
        ("transpose A1:C3 to K1", "transpose", {"range": "A1:C3", "target": "K1"}),
        ("押金大于50的用红色字体显示", "set_font", {"range": "C2:C31", "color": "FF0000"}),
        ("bin the open repairs", "delete_rows", {"where": _OPEN}),
        ("Turn the Bike column into plain numbers", "run_python", {"target": "B1:B31"}),
        ("备注转成真正的日期", "run_python", {"target": "F1:F31"}),
        ("罚款要看到小数点后两位", "set_number_format", {"range": "D2:D31", "format": "0.00"}),
        ("按类别拆成几张表，一个类别一张", "copy_sheet", {"name": "小说"}),
        ("delete the rows where column D is under 10", "delete_rows",
         {"where": {"tests": [{"column": "Price", "op": "<", "value": 10}], "match": "all"}}),
        ("sort by column E, biggest first", "sort_rows", {"by": [{"column": "Cost", "descending": True}]}),
        ("把D列大于5的行删掉", "delete_rows",
         {"where": {"tests": [{"column": "罚款", "op": ">", "value": 5}], "match": "all"}}),
        ("hide the open repairs", "filter_rows",
         {"where": {"tests": [{"column": "State", "op": "!=", "value": "open"}], "match": "all"}}),
        ("show Price to 3 decimals and Cost in euros", "set_number_format", {"range": "D2:D31", "format": "0.000"}),
        ("sort by Arrived from early to late", "sort_rows", {"by": [{"column": "Arrived", "descending": False}]}),
    ],
)  # fmt: skip
def test_an_instruction_is_read_into_an_operation(text: str, function: str, given: dict[str, Any]) -> None:
    found = reading(text)
    assert found is not None
    assert trust_of(found) != "declined", (found.steps, found.unread)
    assert [op.function for op in found.ops][:1] == [function]
    assert {name: found.ops[0].parameters.get(name) for name in given} == given


def test_what_something_is_for_is_left_aside_though_it_speaks_of_operations() -> None:
    for said in ("make Price real numbers, so that we can sort by it", "罚款改成纯数字，好求和"):
        found = reading(said)
        assert found is not None
        assert [op.function for op in found.ops] == ["run_python"]
        assert trust_of(found) == "sure"


def test_the_text_for_all_other_rows_is_no_text_of_a_test() -> None:
    found = reading("Add a column Late: yes if Price is over 50 and Cost is gone, otherwise no")
    assert found is None or trust_of(found) == "declined" or '"no",""' not in str(found.ops)


@pytest.mark.parametrize("said", ["填上", "补上"])
def test_the_end_of_a_verb_is_no_text_to_write(said: str) -> None:
    found = reading(f"押金大于50的备注也{said}")
    assert found is None or all(op.parameters.get("values") != [["上"]] for op in found.ops)


@pytest.mark.parametrize(
    "text",
    [
        "email every customer a reminder", "sort by Price except for the 7 oldest repairs",
        "给每位读者发条短信", "add each mechanic's home address", "delete the purple unicorns",
        "sort by Price and email the result", "colour the top 10% of Price red",
    ],
)  # fmt: skip
def test_what_is_not_understood_is_not_done(text: str) -> None:
    assert trust_of(reading(text)) == "declined"


def test_a_later_clause_sees_what_an_earlier_one_made() -> None:
    found = reading("add a column Profit = Price minus Cost, then sort by Profit")
    assert found is not None
    assert [op.function for op in found.ops] == ["add_column", "sort_rows"]
    assert found.ops[1].parameters["by"][0]["column"] == "Profit"


def test_a_guard_does_nothing() -> None:
    found = reading("colour the open repairs red, don't delete anything")
    assert found is not None
    assert [op.function for op in found.ops] == ["highlight_cells"]


def test_a_reason_is_left_aside_and_told() -> None:
    found = reading("delete the open repairs, they've all gone to the scrapyard")
    assert found is not None
    assert [op.function for op in found.ops] == ["delete_rows"]
    assert trust_of(found) != "declined"
    assert "gone to the scrapyard" in doubted(found, "en")[0]["description"]


@pytest.mark.parametrize(
    "text",
    [
        "delete the repairs, but not the weird ones", "sort by Price, skip anything odd before 2023",
        "按罚款排序，除了那些特殊的", "delete the open repairs, email the owners about it",
    ],
)  # fmt: skip
def test_what_excepts_bounds_or_asks_for_more_is_no_reason(text: str) -> None:
    assert trust_of(reading(text)) == "declined"


def test_letters_name_columns_one_by_one_and_not_beside_cells() -> None:
    found = reading("hide columns D, E and F")
    assert found is not None
    assert found.ops[0].parameters["columns"] == ["Price", "Cost", "Arrived"]
    cell = reading("put 5 in cell D3")
    assert cell is not None
    assert cell.ops[0].parameters["range"] == "D3"


def test_a_joined_and_a_looked_up_column_stand_where_they_are_wanted() -> None:
    joined = reading("join Mechanic and State with a hyphen in a new column called Who right after Bike")
    assert joined is not None
    assert (joined.ops[0].function, joined.ops[0].parameters.get("after")) == ("join_columns", "Bike")
    looked = reading("look up Phone by Mechanic from the sheet Phones, right after Mechanic", two_sheets=True)
    assert looked is not None
    assert (looked.ops[0].function, looked.ops[0].parameters.get("after")) == ("lookup_join", "Mechanic")


def test_what_is_said_before_every_verb_is_not_written() -> None:
    found = reading("in State, open should read done")
    values = [op.parameters.get("values") for op in found.ops] if found else []
    assert [["open"]] not in values


def test_marks_and_joining_words_part_segments() -> None:
    text = "sort by a, then hide b and c. freeze (x, y)"
    assert [text[start:end].strip() for start, end in segments_of(text)] == [
        "sort by a", "then hide b", "and c", "freeze (x, y)",
    ]  # fmt: skip


def test_or_between_tests_means_any_of_them() -> None:
    found = reading("删除押金低于20或者备注为空的行")
    assert found is not None
    assert found.ops[0].parameters["where"]["match"] == "any"
    assert trust_of(found) == "sure"


def test_a_divisor_alone_guards_a_formula() -> None:
    found = reading("add a column Share = (Price - Cost) / Price")
    assert found is not None
    assert found.ops[0].parameters["formula"] == "=([Price]-[Cost])/[Price]"


def test_a_summary_of_some_rows_leaves_the_others_out() -> None:
    found = reading("new sheet: total Price per Mechanic, open repairs only")
    assert found is not None
    assert "df = df[(df['State'] == 'open')]" in found.ops[0].parameters["code"]


def test_tests_that_no_row_can_pass_are_not_planned() -> None:
    found = reading("colour the repairs red where State is empty and State is open")
    wheres = [op.parameters.get("where") for op in found.ops] if found else []
    assert not any(where and {"missing", "="} <= {test["op"] for test in where["tests"]} for where in wheres)


@pytest.mark.parametrize(
    ("text", "function", "given"),
    [
        ("sort by Mechanic A to Z, and within each mechanic latest Arrived first", "sort_rows",
         {"by": [{"column": "Mechanic", "descending": False}, {"column": "Arrived", "descending": True}]}),
        ("统计下每个类别多少人、平均押金多少，放到新工作表", "summarize",
         {"measures": [{"aggregation": "count"}, {"aggregation": "mean", "column": "押金"}]}),
        ("split Bike into Kind and Size columns at the space, keep the original", "split_column",
         {"headers": ["Kind", "Size"]}),
        ("罚款改成千分位带两位小数", "set_number_format", {"format": "#,##0.00"}),
        ("罚款用百分比显示，不要小数", "set_number_format", {"format": "0%"}),
        ("把这张表复制一份，新表叫“备份”", "copy_sheet", {"name": "备份"}),
        ("备注列先藏起来", "hide", {"columns": ["备注"]}),
        ("freeze the header row and the first column", "freeze_panes", {"cell": "B2"}),
        ("借出日期在2024年底之前的整行标红", "highlight_cells",
         {"where": {"tests": [{"column": "借出日期", "op": "<", "value": "2024-12-31"}], "match": "all"}}),
        ("colour the repairs that arrived on or after 1 May 2024 red", "highlight_cells",
         {"where": {"tests": [{"column": "Arrived", "op": ">=", "value": "2024-05-01"}], "match": "all"}}),
        ("put a green to red colour scale on Price", "conditional_format", {"colors": ["92D050", "FF0000"]}),
    ],
)  # fmt: skip
def test_every_part_of_a_clause_counts(text: str, function: str, given: dict[str, Any]) -> None:
    found = reading(text)
    assert found is not None
    assert trust_of(found) != "declined", (found.steps, found.unread)
    assert [op.function for op in found.ops] == [function]
    assert {name: found.ops[0].parameters.get(name) for name in given} == given


def test_a_ground_is_not_the_colour_of_letters() -> None:
    found = reading("表头加粗、居中，底色用浅蓝")
    assert found is not None
    assert {op.function: op.parameters.get("color") for op in found.ops if "color" in op.parameters} == {
        "set_fill": "DDEBF7"
    }


def test_several_columns_come_from_another_sheet_at_once() -> None:
    found = reading("pull Phone in from the Phones sheet by Mechanic", two_sheets=True)
    assert found is not None
    assert found.ops[0].parameters["columns"] == ["Phone"]


def test_a_plan_of_which_nothing_is_unread_may_still_ask_to_be_checked() -> None:
    found = reading("sort by Price, biggest first")
    assert found is not None
    assert "please check" not in doubted(found, "en")[0]["description"]
    assert "please check" in doubted(found, "en", sure=False)[0]["description"]


@pytest.mark.parametrize(
    "text", ["move Price to the front, then make the Mechanic column bold", "把备注移到最前面，然后把读者列加粗"]
)
def test_what_follows_a_move_of_columns_finds_them_at_their_new_places(text: str) -> None:
    found = reading(text)
    assert found is not None
    assert [op.parameters.get("range") for op in found.ops] == [None, "B2:B31"]
