"""What a formula computes in a workbook is what the plan gives: random ones, in the engine and in an office program."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from tests.integration.analyst.sheet_formulas.random_formulas import SOURCE, aggregates, columns, projected, values
from tests.integration.analyst.sheet_formulas.sheets import FIRST_ROW, Case, plan_gives, same, table, write
from tests.integration.analyst.sheet_formulas.sheets import values as stored_values
from tests.integration.analyst.sql.random_conditions import conditions
from tests.integration.analyst.sql.random_tables import SALES, Drawn, Row, tables
from tests.support.office import MISSING, SOFFICE, converted

from tablewright.analyst import plan
from tablewright.analyst.sheet_formulas import NoFormula, aggregate, column, condition, formula
from tablewright.workbook.package.creation import compute

Make = Callable[[object, Sequence[Row], Path], Case | None]


def of_value(expr: plan.Expr, rows: Sequence[Row], folder: Path) -> Case | None:
    place = table(rows)
    found = tuple(formula(expr, place, FIRST_ROW + at) for at in range(len(rows)))
    return _case(found, projected(expr), expr, rows, folder)


def of_condition(where: plan.Condition, rows: Sequence[Row], folder: Path) -> Case | None:
    place = table(rows)
    found = tuple(condition(where, place, FIRST_ROW + at) for at in range(len(rows)))
    truth = plan.Case(branches=((where, plan.Lit(value=1)),), otherwise=plan.Lit(value=0))
    return _case(found, projected(truth), where, rows, folder)


def of_column(relation: plan.Share | plan.Shift, rows: Sequence[Row], folder: Path) -> Case | None:
    place = table(rows)
    found = tuple(column(relation, place, FIRST_ROW + at) for at in range(len(rows)))
    return _case(found, relation, relation, rows, folder)


def of_all(measure: plan.Measure, rows: Sequence[Row], folder: Path) -> Case | None:
    rows = [tuple(cell.strip() if isinstance(cell, str) else cell for cell in row) for row in rows]
    relation = plan.Aggregate(source=SOURCE, groups=(), measures=(measure,))
    return _case((aggregate(measure, table(rows)),), relation, measure, rows, folder)


def _case(
    found: tuple[str, ...], relation: plan.Relation, of: object, rows: Sequence[Row], folder: Path
) -> Case | None:
    wanted = plan_gives(relation, rows, folder)
    return None if wanted is None else Case(rows=rows, formulas=found, wanted=wanted, of=of)


QUIET = list(HealthCheck)
KINDS = {
    "value": (values(), of_value),
    "condition": (conditions(Drawn(SOURCE, SALES), 2), of_condition),
    "column": (columns(), of_column),
    "aggregate": (aggregates(), of_all),
}


def drawn(kind: str, count: int, folder: Path) -> tuple[list[Case], int]:
    """Return the random cases that have formulas, and how many have none."""
    strategy, make = KINDS[kind]
    cases, without = list[Case](), 0

    @settings(
        max_examples=count, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True, database=None
    )
    @given(of=strategy, rows=tables(SALES, most=6))
    def collect(of: object, rows: Sequence[Row]) -> None:
        nonlocal without
        rows = [tuple(None if cell == "" else cell for cell in row) for row in rows]
        try:
            found = make(of, rows, folder)  # type: ignore[operator]
        except NoFormula:
            without += 1
        else:
            cases.extend([] if found is None else [found])

    collect()
    return cases, without


def check(path: Path, cases: Sequence[Case]) -> None:
    for case, found in zip(cases, stored_values(path, cases), strict=True):
        told = f"{case.of}\n{case.rows}\n" + "\n".join(map(str, zip(case.formulas, case.wanted, found, strict=True)))
        assert all(map(same, case.wanted, found)), told


def computed(cases: Sequence[Case], folder: Path) -> Path:
    """Write the cases as `made.xlsx`, and return the file in which the engine has computed them."""
    write(folder / "made.xlsx", cases)
    compute(folder / "made.xlsx", name="made.xlsx", target=str(folder / "computed.xlsx"))
    return folder / "computed.xlsx"


@pytest.mark.parametrize("kind", KINDS)
def test_a_formula_gives_what_the_plan_gives(kind: str, tmp_path: Path) -> None:
    cases, without = drawn(kind, 20, tmp_path)
    assert len(cases) > without
    check(computed(cases, tmp_path), cases)


@pytest.mark.long
@pytest.mark.skipif(SOFFICE is None, reason=MISSING)
@pytest.mark.parametrize("kind", KINDS)
def test_many_formulas_give_it_in_an_office_program_too(kind: str, tmp_path: Path) -> None:
    cases, without = drawn(kind, 400, tmp_path)
    assert len(cases) > without
    check(computed(cases, tmp_path), cases)
    (tmp_path / "office").mkdir()
    check(converted(tmp_path / "made.xlsx", "xlsx", tmp_path / "office"), cases)
