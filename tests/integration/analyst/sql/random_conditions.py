"""Random conditions that the columns of a relation allow."""

from __future__ import annotations

from hypothesis import strategies as st
from tests.integration.analyst.sql.random_tables import TEXTS, WORDS, Draw, Drawn, days

from tablewright.analyst.plan import (
    AllOf,
    AnyOf,
    Between,
    Bucket,
    Col,
    Compare,
    Condition,
    Lit,
    Matches,
    Missing,
    Not,
    OneOf,
    Statistic,
)


def conditions(drawn: Drawn, depth: int = 1) -> st.SearchStrategy[Condition]:
    """Return conditions on the columns."""

    @st.composite
    def atom(draw: Draw) -> Condition:
        name, kind = draw(st.sampled_from(drawn.columns))
        of = Col(name=name)
        made: Condition
        if draw(st.integers(0, 9)) == 0:
            return Missing(of=of)
        match kind:
            case "text":
                made = draw(_of_text(of))
                return made
            case "integer" | "number":
                made = draw(_of_number(of, drawn))
                return made
            case "boolean":
                return Compare(op="=", left=of, right=Lit(value=draw(st.booleans())))
            case _:
                made = draw(_of_date(of))
                return made

    if not depth:
        return atom()
    inner = conditions(drawn, depth - 1)
    several = st.lists(inner, min_size=2, max_size=3).map(tuple)
    return st.one_of(
        atom(),
        atom(),
        inner.map(lambda one: Not(of=one)),
        several.map(lambda parts: AllOf(parts=parts)),
        several.map(lambda parts: AnyOf(parts=parts)),
    )


@st.composite
def _of_text(draw: Draw, of: Col) -> Condition:
    match draw(st.integers(0, 2)):
        case 0:
            op = draw(st.sampled_from(("=", "!=")))
            return Compare(op=op, left=of, right=Lit(value=draw(st.sampled_from(TEXTS))))
        case 1:
            values = draw(st.lists(st.one_of(st.sampled_from(TEXTS), st.none()), min_size=1, max_size=3))
            return OneOf(of=of, values=tuple(values))
        case _:
            how = draw(st.sampled_from(("contains", "starts", "ends")))
            return Matches(of=of, how=how, text=draw(st.sampled_from(WORDS)))


@st.composite
def _of_number(draw: Draw, of: Col, drawn: Drawn) -> Condition:
    op = draw(st.sampled_from(("=", "!=", "<", "<=", ">", ">=")))
    value = draw(st.sampled_from((-2, 0, 0.1, 1, 3, 3.1)))
    match draw(st.integers(0, 4)):
        case 0:
            return Between(of=of, low=-1, high=value, high_open=draw(st.booleans()))
        case 1:
            return OneOf(of=of, values=(value, 0, None) if draw(st.booleans()) else (value, 1))
        case 2:
            other = draw(st.sampled_from(drawn.of("integer", "number")))
            return Compare(op=op, left=of, right=Col(name=other))
        case 3:
            statistic = Statistic(name=draw(st.sampled_from(("mean", "max", "sum", "median"))), of=of)
            return Compare(op=op, left=of, right=statistic)
        case _:
            return Compare(op=op, left=of, right=Lit(value=value))


@st.composite
def _of_date(draw: Draw, of: Col) -> Condition:
    op = draw(st.sampled_from(("=", "!=", "<", "<=", ">", ">=")))
    match draw(st.integers(0, 3)):
        case 0:
            return Compare(op=op, left=of, right=Lit(value=2024))
        case 1:
            unit, value = draw(st.sampled_from((("weekday", "Monday"), ("month_of_year", 1), ("quarter", "Q1"))))
            return Compare(op="=", left=Bucket(of=of, unit=unit), right=Lit(value=value))
        case 2:
            return Between(of=of, low="2024-01-01", high="2024-06-30", high_open=draw(st.booleans()))
        case _:
            return Compare(op=op, left=of, right=Lit(value=draw(days()).isoformat()))
