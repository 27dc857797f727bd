"""Answers in words: of the executed numbers, in the question's language."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.unit.analyst.facts import SALES, S, column, ran, table

from tablewright.analyst.answering import conclude
from tablewright.analyst.answering.figures import Figures
from tablewright.analyst.plan import (
    Aggregate,
    Col,
    Combine,
    Compare,
    Drawing,
    Filter,
    Join,
    Lit,
    Measure,
    Missing,
    Part,
    Plan,
    Position,
    Procedure,
    Project,
    Relation,
    Tag,
    Top,
)
from tablewright.domain.language import Language
from tablewright.domain.table import Cell
from tablewright.domain.task import StepFacts

EAST = Filter(source=S, where=Compare(op="=", left=Col(name="region"), right=Lit(value="East")))
MEAN = Measure(name="mean_amount", function="mean", of=Col(name="amount"))
SUM = Measure(name="sum_amount", function="sum", of=Col(name="amount"))
COUNT = Measure(name="count", function="count")


def say(relation: Relation, progress: tuple[StepFacts, ...], language: Language = "en", **part: object) -> str:
    """Return the answer to a plan of one part."""
    plan = Plan(parts=(Part(relation=relation, **part),))  # type: ignore[arg-type]
    return conclude(plan, progress, language, [SALES])


def whole(measure: Measure, source: Relation = S) -> Aggregate:
    return Aggregate(source=source, groups=(), measures=(measure,))


def test_one_number_comes_with_its_name_its_unit_and_its_condition() -> None:
    assert say(whole(MEAN), ran(("result",), (1234567.891,))) == "The average amount is ¥1,234,567.89."
    assert say(whole(MEAN, EAST), ran(("result",), (12.5,))) == "Where region is East, the average amount is ¥12.50."
    assert say(whole(MEAN, EAST), ran(("result",), (12.5,)), "zh") == "region为East时，amount的平均值为 ¥12.50。"
    assert say(whole(MEAN), ran(("result",), (3.14159,)), decimals=3) == "The average amount is ¥3.142."


def test_rows_are_counted() -> None:
    assert say(whole(COUNT), ran(("result",), (12345,))) == "There are 12,345 orders."
    assert say(whole(COUNT, EAST), ran(("result",), (1,))) == "One row matches: region is East."
    assert say(whole(COUNT, EAST), ran(("result",), (0,)), "zh") == "region为East的orders记录共有 0 条。"


def test_a_missing_number_is_said_to_be_missing() -> None:
    assert say(whole(MEAN, EAST), ran(("result",), (None,))) == "There is no value for region is East."


def test_no_rows_are_said_with_the_condition_that_none_meets() -> None:
    assert say(EAST, ran(("region", "city"))) == "No row matches: region is East."
    assert say(EAST, ran(("region", "city")), "zh") == "没有找到region为East的记录。"
    assert say(S, ran(("region",))) == "There are no such rows."


TOP = Top(source=Aggregate(source=S, groups=(column("city"),), measures=(SUM,)), by="sum_amount", count=1)
CITY = Project(source=TOP, columns=(column("city"),))


def test_the_highest_is_named_with_its_number() -> None:
    shown = table(("city", "total amount"), ("Chengdu", 1200.5))

    assert (
        say(CITY, ran(("city",), ("Chengdu",), shown=shown), shown=TOP)
        == "Chengdu has the highest total amount (¥1,200.50)."
    )


def test_all_that_tie_are_named() -> None:
    shown = table(("city", "amount合计"), ("成都", 20), ("上海", 20))

    said = say(CITY, ran(("city",), ("成都",), ("上海",), shown=shown), "zh", shown=TOP)

    assert said == "成都和上海并列amount合计最高（¥20）。"


def test_the_first_ones_are_named_in_order() -> None:
    top = replace(TOP, count=3, descending=False)
    shown = table(("city", "total amount"), ("a", 1), ("b", 2), ("c", 30000))
    relation = Project(source=top, columns=(column("city"),))

    said = say(relation, ran(("city",), ("a",), ("b",), ("c",), shown=shown), shown=top)

    assert said == "The lowest by total amount: a (¥1), b (¥2) and c (¥30,000)."


def test_values_are_listed_with_what_tells_them_apart() -> None:
    lookup = Project(source=EAST, columns=(column("amount"),))
    shown = table(("region", "city", "amount"), ("East", "Shanghai", 5), ("East", "Nanjing", 7))

    said = say(lookup, ran(("amount",), (5,), (7,), shown=shown), shown=EAST)

    assert said == "Where region is East: Shanghai: ¥5; Nanjing: ¥7."


def test_long_lists_are_counted() -> None:
    rows = [(f"c{number}",) for number in range(30)]
    relation = Project(source=S, columns=(column("city"),), distinct=True)

    said = say(relation, ran(("city",), *rows))

    assert said == "30 values of city: c0, c1, c2, c3, c4, c5, c6, c7, c8, c9, …"


def test_rows_as_they_stand_are_counted_with_their_columns() -> None:
    rows = [("East", 5), ("West", 7)]

    assert say(Position(source=S, count=2), ran(("region", "amount"), *rows)) == (
        "The result has 2 rows with region and amount."
    )
    named = say(Position(source=S, count=2), ran(("region", "amount"), *rows), caption="May")
    assert named == "May: The result has 2 rows with region and amount."


def test_described_columns_are_told_by_their_range_and_average() -> None:
    relation = Procedure(source=S, name="describe", columns=("amount", "units"))
    head = ("column", "count", "mean", "std", "min", "25%", "50%", "75%", "max")
    rows = [("amount", 4, 2.5, 1.3, 1, 1.75, 2.5, 3.25, 4), ("units", 4, 1 / 3, 0, 0, 0, 0, 0, 12000)]

    said = say(relation, ran(head, *rows))

    assert said == "amount from 1 to 4, 2.5 on average; units from 0 to 12,000, 0.33 on average."


def test_columns_are_listed_in_a_sentence() -> None:
    relation = Procedure(source=S, name="columns", columns=())
    rows = [("region", 5, 2), ("amount", 4, 4)]

    said = say(relation, ran(("column", "filled", "distinct"), *rows))

    assert said == "There are 2 columns: region, amount."


def test_groups_name_their_extremes() -> None:
    relation = Aggregate(source=S, groups=(column("city"),), measures=(SUM,))
    rows = [(f"c{number}", number * 10) for number in range(8)]

    said = say(relation, ran(("city", "total amount"), *rows))

    assert said == (
        "The result has 8 rows with city and total amount. total amount is highest for c7 (¥70) and lowest for c0 (¥0)."
    )


def test_years_are_not_grouped_in_thousands() -> None:
    relation = Project(source=EAST, columns=(column("city"), column("year"), column("units")))

    assert say(relation, ran(("city", "year", "units"), ("x", 2024, 20240))).endswith(
        ": city: x; year: 2024; units: 20,240."
    )


def test_a_difference_is_named() -> None:
    relation = Combine(op="percent_change", left=whole(MEAN), right=whole(MEAN, EAST), name="growth")

    assert say(relation, ran(("result",), (-12.345,))) == "The growth is -12.35%."


def test_a_chart_is_described() -> None:
    relation = Aggregate(source=S, groups=(column("city"),), measures=(COUNT,))
    drawing = Drawing(kind="bar", x="city", y="count")

    said = say(relation, ran(("city", "数量"), ("甲", 3), ("乙", 5)), "zh", drawing=drawing)

    assert said == "柱状图展示了各city的数量，共 2 个数据点。其中数量最高的是乙（5），最低的是甲（3）。"


def test_a_saved_file_is_named() -> None:
    progress = ran(("n",), (1,))
    progress = (*progress[:-1], replace(progress[-1], files=("out/orders.xlsx",)))
    plan = Plan(parts=(Part(relation=whole(COUNT)),), save_as="orders.xlsx")

    assert conclude(plan, progress, "en", [SALES]) == "There is one row. Saved as orders.xlsx."


def test_every_part_is_answered_on_a_line_of_its_own() -> None:
    step = replace(ran(("result",), (3,))[-1], tables=(table(("average amount",), (2.5,)), table(("n",), (3,))))
    plan = Plan(parts=(Part(relation=whole(MEAN)), Part(relation=whole(COUNT, EAST))))

    assert conclude(plan, (step,), "en", [SALES]) == "The average amount is ¥2.50.\n3 orders match: region is East."


@pytest.mark.parametrize(
    ("value", "decimals", "written"),
    [
        (34.6499, 2, "34.65"),
        (12, 2, "12.00"),
        (12, None, "12"),
        (12.0, None, "12"),
        (1234567.5, 1, "1234567.5"),
        (0.00001, 4, "0.0000"),
        (None, 2, "nan"),
        ("yes", 2, "yes"),
        (True, None, "True"),
        (46, 0, "46"),
    ],
)
def test_a_tag_holds_the_value_with_the_decimals_asked_for(value: Cell, decimals: int | None, written: str) -> None:
    plan = Plan(parts=(Part(relation=whole(MEAN)),), tags=(Tag(name="mean", decimals=decimals),))

    assert conclude(plan, ran(("mean",), (value,)), "en", [SALES]) == f"@mean[{written}]"


def test_tags_stand_in_the_order_asked() -> None:
    plan = Plan(parts=(Part(relation=whole(MEAN)),), tags=(Tag(name="b"), Tag(name="a", decimals=1)))

    assert conclude(plan, ran(("a", "b"), (1.25, "x")), "en", [SALES]) == "@b[x], @a[1.2]"


def test_findings_of_procedures_are_put_in_words() -> None:
    correlation = Procedure(source=S, name="correlation", columns=("amount", "units"))
    normality = Procedure(source=S, name="normality", columns=("amount",))
    outliers = Procedure(source=S, name="outliers", columns=("units",))
    missing = Procedure(source=S, name="missing", columns=())

    assert say(correlation, ran(("correlation",), (0.84349,))) == (
        "The correlation of amount and units is 0.8435 (strong)."
    )
    assert say(correlation, ran(("correlation", "p_value", "count"), (-0.81234, 0.00001234, 120))) == (
        "The correlation of amount and units is -0.8123 (strong); p = 1.23e-05, n = 120, significant at the 0.05 level."
    )
    assert say(normality, ran(("statistic", "p_value", "normal"), (0.98, 0.2, True)), "zh") == (
        "amount可能服从正态分布：统计量 0.98，p = 0.2（不低于 0.05）。"
    )
    assert say(outliers, ran(("row", "units"), (3, 99), (7, 120))) == "units has 2 outliers: 99, 120"
    assert say(missing, ran(("column", "missing", "percent"), ("a", 0, 0.0), ("b", 3, 2.5))) == (
        "1 column has empty cells: b 3 (2.5%)."
    )
    assert say(missing, ran(("column", "missing", "percent"), ("a", 0, 0.0)), "zh") == "没有空值。"


def test_numbers_are_those_of_the_output_alone() -> None:
    assert conclude(Plan(parts=(Part(relation=whole(MEAN)),)), (), "en", [SALES]) == "There are no such rows."


def test_the_first_of_each_group_are_told_group_by_group() -> None:
    top = Top(source=S, by="amount", count=2, within=("region",))
    relation = Project(source=top, columns=(column("region"), column("city")))
    rows = [("East", "Wuxi"), ("East", "Suzhou"), ("West", "Xian"), ("West", "Lhasa")]

    assert say(relation, ran(("region", "city"), *rows)) == "East: Wuxi and Suzhou; West: Xian and Lhasa."
    assert say(relation, ran(("region", "city"), *rows), "zh") == "East：Wuxi和Suzhou；West：Xian和Lhasa。"


def test_the_extremes_of_two_keys_name_both() -> None:
    relation = Aggregate(source=S, groups=(column("region"), column("city")), measures=(SUM,))
    rows = [("East", f"c{number}", number * 10) for number in range(8)]

    said = say(relation, ran(("region", "city", "total amount"), *rows))

    assert "highest for East, c7 (¥70) and lowest for East, c0 (¥0)" in said


def test_an_average_of_totals_says_of_which() -> None:
    totals = Aggregate(source=S, groups=(column("city"),), measures=(SUM,))
    relation = whole(Measure(name="mean_sum_amount", function="mean", of=Col(name="sum_amount")), totals)

    assert say(relation, ran(("result",), (12.5,))) == "The average total amount per city is ¥12.50."
    assert say(relation, ran(("result",), (12.5,)), "zh") == "amount合计的平均值（按city）为 ¥12.50。"


def test_rows_without_a_partner_are_called_so() -> None:
    join = Join(left=S, right=S, on=(("city", "city"),), how="left")
    alone = Filter(source=join, where=Missing(of=Col(name="amount")))

    assert say(whole(COUNT, alone), ran(("result",), (3,)), "zh") == "在另一张表中没有对应的行的记录共有 3 条。"
    assert (
        say(whole(COUNT, alone), ran(("result",), (3,))) == "3 rows match: no row of the other table belongs to them."
    )


@pytest.mark.parametrize(
    ("value", "written"), [(4587.4, "$4,587.40"), (9.99, "$9.99"), (4587.0, "$4587"), (-3.5, "-$3.50")]
)
def test_money_has_two_digits_behind_the_point_or_none(value: float, written: str) -> None:
    figures = Figures(units={"paid": "$"}, money=frozenset({"paid"}))
    assert figures.cell(value, "paid") == written
