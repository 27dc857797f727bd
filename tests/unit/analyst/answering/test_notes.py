"""What was cleaned is said with the answer, of the columns that the plan uses."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.unit.analyst.facts import SALES, S, column, ran

from tablewright.analyst.answering import conclude
from tablewright.analyst.plan import (
    Aggregate,
    Bucket,
    Col,
    Concat,
    Filter,
    Lit,
    Measure,
    Named,
    OneOf,
    Part,
    Plan,
    Relation,
    Source,
)
from tablewright.domain.dataset import CleanFacts, ColumnFacts, DatasetFacts
from tablewright.domain.language import Language
from tablewright.domain.spans import Spans
from tablewright.domain.table_facts import Irregularity

SPELLED = ColumnFacts(
    name="region",
    kind="text",
    distinct=3,
    irregular=(
        Irregularity(kind="spelling", cells=3, examples=("east ", "EAST"), meant="East", merged=2),
        Irregularity(kind="spaces", cells=1, examples=(" North",)),
    ),
)
MARKED = ColumnFacts(
    name="units",
    kind="mixed",
    irregular=(Irregularity(kind="marks", cells=2, examples=("缺考",)),),
    clean=CleanFacts(kind="integer", notation="thousands", marks=("缺考",), marked=2, distinct=9),
)
DATED = ColumnFacts(
    name="date",
    kind="text",
    irregular=(Irregularity(kind="date_notations", cells=2, examples=("%Y-%m-%d", "%d/%m/%Y")),),
    clean=CleanFacts(kind="date", notation="date_text", date_formats=("%Y-%m-%d", "%d/%m/%Y")),
)
AMOUNT = replace(SALES.columns[2], irregular=(Irregularity(kind="number_notations", cells=2, examples=("850",)),))
MESSY: DatasetFacts = replace(SALES, columns=(SPELLED, MARKED, DATED, AMOUNT, SALES.columns[1]))


def total(of: str, *groups: Named) -> Relation:
    measures = (Measure(name=f"sum_{of}", function="sum", of=Col(name=of)),)
    return Aggregate(source=S, groups=groups, measures=measures)


def note(relation: Relation, language: Language = "en") -> str:
    words = conclude(Plan(parts=(Part(relation=relation),)), ran(("x",), (1,)), language, [MESSY])
    _, mark, rest = words.partition("Note: " if language == "en" else "说明：")
    return mark + rest


def test_spellings_and_blanks_are_counted_together_as_the_code_does_and_named_as_meant() -> None:
    said = note(total("amount", column("region")))
    assert (
        "4 cells of region are written differently (“east ”, “EAST” and “ North”) and count as East and North" in said
    )
    assert "blanks" not in said


def test_of_sheets_of_one_form_it_is_said_once_for_all() -> None:
    sheets = [
        replace(MESSY, id=name, name=name, read=replace(MESSY.read, totals_row=9), columns=(MARKED,))
        for name in ("Jan", "Feb")
    ]
    together = Concat(sources=(Source(dataset_id="Jan"), Source(dataset_id="Feb")))
    measure = Measure(name="sum_units", function="sum", of=Col(name="units"))
    plan = Plan(parts=(Part(relation=Aggregate(source=together, groups=(), measures=(measure,))),))
    said = conclude(plan, ran(("x",), (1,)), "en", sheets)
    assert "2 rows of Jan and Feb sum others and are left out" in said
    assert said.count("units (“缺考”)") == 1
    assert "4 cells of units (“缺考”) are no values and are left out" in said


def test_blanks_alone_are_counted_and_quoted() -> None:
    spaced = replace(MESSY, columns=(replace(SPELLED, irregular=SPELLED.irregular[1:]), *MESSY.columns[1:]))
    plan = Plan(parts=(Part(relation=total("amount", column("region"))),))
    said = conclude(plan, ran(("x",), (1,)), "en", [spaced])
    assert "the blanks around one cell of region (“ North”) are left out" in said


def test_marks_that_are_left_out_are_counted() -> None:
    assert note(total("units")) == "Note: 2 cells of units (“缺考”) are no values and are left out."
    assert note(total("units"), "zh") == "说明：units有2个单元格（“缺考”）不是数值，未计入。"


def test_notations_of_dates_and_currencies_are_named() -> None:
    by_month = Named(name="month", of=Bucket(of=Col(name="date"), unit="month"))
    assert note(total("amount", by_month)) == (
        "Note: the dates of date are written in several ways (YYYY-MM-DD and DD/MM/YYYY); "
        "the numbers of amount are written with and without ¥ and all count as ¥."
    )


def test_spans_in_other_units_are_counted_with_the_unit_in_which_all_count() -> None:
    other = Irregularity(kind="spans", cells=2, examples=("18m", "3w"))
    spans = Spans(ways=(("m", 30.4375), ("w", 7), ("y", 365.25)), each=365.25, average=True)
    clean = CleanFacts(kind="number", notation="unit", unit="years", spans=spans)
    age = ColumnFacts(name="age", kind="text", irregular=(other,), clean=clean)
    tables = [replace(MESSY, columns=(age,))]
    plan = Plan(parts=(Part(relation=total("age")),))
    said = conclude(plan, ran(("x",), (1,)), "en", tables)
    assert "Note: 2 cells of age (“18m” and “3w”) are written in other units and count in years, " in said
    assert "a year being 365.25 days." in said
    assert "说明：age有2个单元格（“18m”和“3w”）用的是别的单位，一律折算成years，1年按365.25天计。" in conclude(
        plan, ran(("x",), (1,)), "zh", tables
    )


def test_dates_without_a_year_are_counted_with_the_year_they_are_given() -> None:
    bare = Irregularity(kind="yearless", cells=2, examples=("9月2日", "9/3"), meant="2025")
    formats = ("%Y-%m-%d", "%m月%d日", "%m/%d")
    day = ColumnFacts(
        name="date",
        kind="text",
        irregular=(bare,),
        clean=CleanFacts(kind="date", notation="date_text", date_formats=formats, year=2025),
    )
    tables = [replace(MESSY, columns=(day, SALES.columns[2]))]
    by_month = Named(name="month", of=Bucket(of=Col(name="date"), unit="month"))
    plan = Plan(parts=(Part(relation=total("amount", by_month)),))
    said = conclude(plan, ran(("x",), (1,)), "en", tables)
    assert "Note: 2 dates of date (“9月2日” and “9/3”) have no year and count as 2025." in said
    assert "说明：date有2个日期（“9月2日”和“9/3”）没写年份，按2025年计。" in conclude(
        plan, ran(("x",), (1,)), "zh", tables
    )


def test_numbers_that_are_written_short_are_counted_with_what_their_words_mean() -> None:
    clean = CleanFacts(kind="integer", notation="thousands", powers=(("万", 4), ("k", 3)))
    short = Irregularity(kind="powers", cells=3, examples=("1.8万", "5k"))
    tables = [replace(MESSY, columns=(ColumnFacts(name="units", kind="mixed", irregular=(short,), clean=clean),))]
    plan = Plan(parts=(Part(relation=total("units")),))
    assert "Note: 3 numbers of units are written short and count in full (万 = 10,000 and k = 1,000)." in conclude(
        plan, ran(("x",), (1,)), "en", tables
    )
    assert "说明：units有3个数字是简写，按全数计（万=10,000和k=1,000）。" in conclude(
        plan, ran(("x",), (1,)), "zh", tables
    )


def test_values_below_a_limit_are_counted_and_it_is_said_what_they_count_as() -> None:
    clean = CleanFacts(kind="number", notation="thousands", limits=True)
    below = Irregularity(kind="limits", cells=17, examples=("<0.5",))
    tables = [replace(MESSY, columns=(ColumnFacts(name="lead", kind="mixed", irregular=(below,), clean=clean),))]
    plan = Plan(parts=(Part(relation=total("lead")),))
    assert (
        "Note: 17 values of lead are only known to lie below or above a limit (“<0.5”); each counts as its limit."
        in conclude(plan, ran(("x",), (1,)), "en", tables)
    )
    assert "说明：lead有17个值只知低于或高于某个限值（如检出限，“<0.5”），各按限值计。" in conclude(
        plan, ran(("x",), (1,)), "zh", tables
    )


@pytest.mark.parametrize(
    "relation",
    [
        Aggregate(source=S, groups=(column("city"),), measures=(Measure(name="count", function="count"),)),
        Filter(source=S, where=OneOf(of=Col(name="units"), values=("缺考",))),
        Filter(source=S, where=OneOf(of=Lit(value="x"), values=("y",))),
    ],
)
def test_nothing_is_said_of_columns_that_are_not_used_or_kept_as_they_are(relation: Relation) -> None:
    assert note(relation) == ""


def test_cells_of_merged_ones_are_counted() -> None:
    merged = Irregularity(kind="merged", cells=4, examples=())
    tables = [replace(SALES, columns=(replace(SALES.columns[1], irregular=(merged,)),))]
    plan = Plan(parts=(Part(relation=total("amount", column("city"))),))
    assert "4 cells of city take their value from above" in conclude(plan, ran(("x",), (1,)), "en", tables)
