"""Random values, conditions and aggregates of a table, for which there may be formulas."""

from __future__ import annotations

from hypothesis import strategies as st
from tests.integration.analyst.sql.random_conditions import conditions
from tests.integration.analyst.sql.random_plans import expressions, measures
from tests.integration.analyst.sql.random_tables import SALES, Draw, Drawn

from tablewright.analyst.plan import (
    Case,
    Col,
    Cut,
    Expr,
    Func,
    Lit,
    Math,
    Measure,
    Named,
    Project,
    Relation,
    Share,
    Shift,
    Source,
    Statistic,
)

SOURCE = Source(dataset_id="sales")
DRAWN = Drawn(SOURCE, SALES)
_NUMBERS = ("units", "price", "cost")
_FUNCTIONS = (
    "abs", "square", "sign", "floor", "ceil", "log", "log2", "sqrt", "cbrt", "zscore", "minmax", "center", "rank",
    "rank_ascending", "percentile", "fill", "length", "lower", "upper", "strip", "words", "letters", "initial",
    "first_word", "last_word", "rolling_mean",
)  # fmt: skip
_OF_TEXT = frozenset(_FUNCTIONS[-10:-1])


@st.composite
def numbers(draw: Draw, depth: int = 2) -> Expr:
    """Draw a number of a row."""
    found: Expr
    if not depth:
        found = draw(st.sampled_from((*(Col(name=name) for name in _NUMBERS), Lit(value=-2), Lit(value=0.5))))
        return found
    match draw(st.integers(0, 5)):
        case 0:
            where = draw(st.one_of(st.none(), conditions(DRAWN, 1)))
            name = draw(st.sampled_from(("sum", "mean", "count", "min", "max", "median", "std")))
            return Statistic(name=name, of=Col(name=draw(st.sampled_from(_NUMBERS))), where=where)
        case 1:
            branches = ((draw(conditions(DRAWN, 1)), draw(numbers(0))), (draw(conditions(DRAWN, 0)), draw(numbers(0))))
            return Case(branches=branches, otherwise=draw(numbers(0)))
        case _:
            op = draw(st.sampled_from(("+", "-", "*", "/", "%")))
            return Math(op=op, left=draw(numbers(depth - 1)), right=draw(numbers(depth - 1)))


@st.composite
def values(draw: Draw) -> Expr:
    """Draw a value of a row."""
    found: Expr
    match draw(st.integers(0, 5)):
        case 0:
            found, _ = draw(expressions(DRAWN))
        case 1:
            name = draw(st.sampled_from(_FUNCTIONS))
            of = "region" if name in _OF_TEXT else draw(st.sampled_from(_NUMBERS))
            return Func(name=name, of=Col(name=of), argument=3 if name == "rolling_mean" else None)
        case 2:
            ends = draw(st.sampled_from(((-1.0, 0.0, 3.0), (float("-inf"), 1.0, float("inf")))))
            return Cut(of=draw(numbers(1)), edges=ends, labels=("few", "=many"))
        case 3:
            days = draw(st.sampled_from((Lit(value="2024-01-01"), Lit(value=3), Col(name="day"))))
            return Math(op="-", left=Col(name=draw(st.sampled_from(("day", "moment")))), right=days)
        case 4:
            return Case(branches=((draw(conditions(DRAWN, 2)), Lit(value='=1+"1"')),), otherwise=Lit(value=None))
        case _:
            found = draw(numbers())
    return found


@st.composite
def columns(draw: Draw) -> Share | Shift:
    """Draw a column whose cells depend on other rows."""
    name = draw(st.sampled_from(_NUMBERS))
    if draw(st.booleans()):
        within = draw(st.sampled_from(((), ("id",))))
        return Share(source=SOURCE, column=name, name="new", within=within, percent=draw(st.booleans()))
    how = draw(st.sampled_from(("difference", "growth", "cumulative")))
    return Shift(source=SOURCE, column=name, name="new", how=how)


def aggregates() -> st.SearchStrategy[Measure]:
    """Return aggregates of all rows, or of some."""
    return st.one_of(
        measures(DRAWN, 0).map(lambda one: one[0]),
        st.builds(
            lambda name, of, where: Measure(name="m0", function=name, of=of, where=where),
            st.sampled_from(("sum", "mean", "min", "max", "count")), st.one_of(st.none(), numbers(1)),
            conditions(DRAWN, 1),
        ),
    )  # fmt: skip


def projected(expr: Expr) -> Relation:
    """Return the relation of one value of each row."""
    return Project(source=SOURCE, columns=(Named(name="v", of=expr),))
