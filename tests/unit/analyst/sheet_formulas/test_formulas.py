"""The text of formulas: what a person would write, safe whatever the data says, or a reason why there is none."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tablewright.analyst.plan import (
    AllOf,
    AnyOf,
    Bucket,
    Case,
    Col,
    Compare,
    Condition,
    Expr,
    Func,
    Lit,
    Matches,
    Math,
    Measure,
    Not,
    OneOf,
    Share,
    Shift,
    Source,
    Statistic,
)
from tablewright.analyst.sheet_formulas import (
    Group,
    Lookup,
    NoFormula,
    SheetColumn,
    SheetTable,
    aggregate,
    column,
    condition,
    formula,
    kind_of,
    place,
)

PRICES = SheetTable(
    columns={
        "name": SheetColumn(letters="A", kind="text", missing=False),
        "price": SheetColumn(letters="B", kind="number", missing=False),
    },
    first_row=2,
    last_row=9,
    sheet="It's new",
)
TABLE = SheetTable(
    columns={
        "name": SheetColumn(letters="B", kind="text", missing=False),
        "n": SheetColumn(letters="C", kind="number", missing=False),
        "m": SheetColumn(letters="D", kind="number"),
        "day": SheetColumn(letters="E", kind="date", missing=False),
        "note": SheetColumn(letters="F", kind="text", blanks=True),
        "odd": SheetColumn(letters="G", kind="mixed"),
        "price": Lookup(there=PRICES, column="price", keys=(("name", "name"),)),
    },
    first_row=2,
    last_row=50,
)
N, M, NAME, DAY = Col(name="n"), Col(name="m"), Col(name="name"), Col(name="day")
SALES = Source(dataset_id="s")
ONE_X = Compare(op="=", left=NAME, right=Lit(value="x"))


@pytest.mark.parametrize(
    ("expr", "written"),
    [
        (Math(op="*", left=N, right=N), "=C2*C2"),
        (Math(op="*", left=N, right=M), '=IF(D2="","",C2*D2)'),
        (Math(op="/", left=N, right=M), '=IF(OR(D2="",D2=0),"",C2/D2)'),
        (Math(op="-", left=N, right=Math(op="-", left=N, right=Lit(value=-2))), "=C2-(C2-(-2))"),
        (Math(op="/", left=N, right=Statistic(name="sum", of=N)), "=C2/SUM(C$2:C$50)"),
        (Math(op="-", left=DAY, right=Lit(value="2024-01-31")), "=E2-DATE(2024,1,31)"),
        (Bucket(of=DAY, unit="quarter"), '=YEAR(E2)&"Q"&ROUNDUP(MONTH(E2)/3,0)'),
        (Func(name="rank", of=N), "=RANK(C2,C$2:C$50)"),
        (
            Math(op="*", left=N, right=Col(name="price")),
            "=IFERROR(C2*INDEX('It''s new'!$B$2:$B$9,MATCH(B2,'It''s new'!$A$2:$A$9,0)),\"\")",
        ),
        (
            Case(
                branches=((AllOf(parts=(Compare(op=">", left=N, right=Lit(value=10)), ONE_X)), Lit(value="big")),),
                otherwise=Lit(value=None),
            ),
            '=IF(AND(C2>10,B2="x"),"big","")',
        ),
    ],
)
def test_a_value_of_a_row(expr: Expr, written: str) -> None:
    assert formula(expr, TABLE, 2) == written


@pytest.mark.parametrize(
    ("where", "written"),
    [
        (Compare(op=">", left=M, right=Lit(value=1)), '=AND(D2<>"",D2>1)'),
        (Compare(op="=", left=DAY, right=Lit(value="2024-03")), "=AND(E2>=DATE(2024,3,1),E2<DATE(2024,4,1))"),
        (Compare(op="=", left=Bucket(of=DAY, unit="weekday"), right=Lit(value="周一")), "=WEEKDAY(E2,2)=1"),
        (Matches(of=NAME, how="contains", text="5*"), '=ISNUMBER(SEARCH("5~*",B2))'),
        (Compare(op="=", left=Col(name="note"), right=Lit(value="x")), '=TRIM(F2)="x"'),
        (Not(of=OneOf(of=NAME, values=("a", "b"))), '=NOT(OR(B2="a",B2="b"))'),
    ],
)
def test_a_condition_on_a_row(where: Condition, written: str) -> None:
    assert condition(where, TABLE, 2) == written


@pytest.mark.parametrize(
    ("measure", "written"),
    [
        (Measure(name="a", function="sum", of=N), "=SUM(Data!$C$2:$C$50)"),
        (Measure(name="a", function="sum", of=N, where=ONE_X), '=SUMIFS(Data!$C$2:$C$50,Data!$B$2:$B$50,"x")'),
        (
            Measure(name="a", function="count", where=Compare(op=">=", left=DAY, right=Lit(value="2024-03"))),
            '=COUNTIFS(Data!$E$2:$E$50,">="&DATE(2024,3,1))',
        ),
        (
            Measure(name="a", function="mean", of=N, where=ONE_X),
            '=IFERROR(AVERAGEIFS(Data!$C$2:$C$50,Data!$B$2:$B$50,"x"),"")',
        ),
        (
            Measure(name="a", function="sum", of=N, where=AnyOf(parts=(ONE_X, Compare(op=">", left=N, right=M)))),
            (
                '=SUMPRODUCT((((Data!$B$2:$B$50="x")+(Data!$D$2:$D$50<>"")*(Data!$C$2:$C$50>Data!$D$2:$D$50))>0)'
                "*Data!$C$2:$C$50)"
            ),
        ),
    ],
)
def test_an_aggregate_of_another_sheet(measure: Measure, written: str) -> None:
    assert aggregate(measure, replace(TABLE, sheet="Data")) == written


def test_a_row_of_a_summary_names_its_group_by_a_cell() -> None:
    found = aggregate(Measure(name="a", function="sum", of=N), TABLE, (Group(column="name", cell="$A2"),))
    assert found == "=SUMIFS(C$2:C$50,B$2:B$50,$A2)"


def test_columns_that_look_at_other_rows() -> None:
    assert column(Share(source=SALES, column="n", name="s", percent=False), TABLE, 3) == "=C3/SUM(C$2:C$50)"
    within = Share(source=SALES, column="n", name="s", within=("name",), percent=False)
    assert column(within, TABLE, 3) == "=C3/SUMIFS(C$2:C$50,B$2:B$50,B3)"
    assert column(Shift(source=SALES, column="n", name="s", how="cumulative"), TABLE, 3) == "=SUM(C$2:C3)"
    assert column(Shift(source=SALES, column="n", name="s", how="difference"), TABLE, 3) == "=C3-C2"
    assert place("n", TABLE, 3, within=("name",)) == '=COUNTIFS(B$2:B$50,B3,C$2:C$50,">"&C3)+1'


@pytest.mark.parametrize("hostile", ['=cmd|"/c calc"!A1', '"&HYPERLINK("x")&"', "@SUM(A1)", "-1+1"])
def test_a_text_stays_a_text(hostile: str) -> None:
    quoted = '"' + hostile.replace('"', '""') + '"'
    assert formula(Lit(value=hostile), TABLE, 2) == f"={quoted}"
    wanted = Compare(op="=", left=NAME, right=Lit(value=hostile))
    assert condition(wanted, TABLE, 2) == f"=B2={quoted}"


def test_a_criterion_that_begins_as_an_operator_is_still_a_text() -> None:
    where = Compare(op="=", left=NAME, right=Lit(value=">5?"))
    assert aggregate(Measure(name="a", function="count", where=where), TABLE) == '=COUNTIFS(B$2:B$50,"=>5~?")'


@pytest.mark.parametrize(
    ("expr", "reason"),
    [
        (Col(name="nowhere"), "column nowhere"),
        (Col(name="odd"), "cells of kind mixed"),
        (Math(op="+", left=NAME, right=N), "arithmetic on texts"),
        (Func(name="extract", of=N, argument="x"), "extract"),
        (Math(op="/", left=N, right=Lit(value=0)), "division by zero"),
        (Lit(value="a\x00b"), "control characters"),
        (Math(op="-", left=DAY, right=Lit(value="1850-01-01")), "the year 1850"),
    ],
)
def test_what_no_formula_says_has_a_reason(expr: Expr, reason: str) -> None:
    with pytest.raises(NoFormula) as refused:
        formula(expr, TABLE, 2)
    assert refused.value.reason == reason


def test_a_formula_has_an_end() -> None:
    long: Expr = N
    for _ in range(5000):
        long = Math(op="+", left=long, right=N)
    with pytest.raises(NoFormula):
        formula(long, TABLE, 2)


def test_the_kind_of_a_value_tells_how_its_cell_is_shown() -> None:
    assert kind_of(Math(op="+", left=DAY, right=Lit(value=1)), TABLE) == "date"
    assert kind_of(Bucket(of=DAY, unit="year"), TABLE) == "number"
