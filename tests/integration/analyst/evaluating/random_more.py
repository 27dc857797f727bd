"""Random plans with what the databases' random plans leave out: texts, intervals, modes, pivots, procedures."""

from __future__ import annotations

from hypothesis import strategies as st
from tests.integration.analyst.sql.random_conditions import conditions
from tests.integration.analyst.sql.random_plans import column, joined, steps
from tests.integration.analyst.sql.random_tables import SALES, TEXTS, Draw, Drawn, Kind, maybe

from tablewright.analyst.plan import (
    Aggregate,
    AggregateName,
    AnyOf,
    Bucket,
    Case,
    Col,
    Compare,
    Cut,
    Derive,
    Expr,
    Fill,
    Filter,
    Func,
    Join,
    Lit,
    Matches,
    Math,
    Measure,
    Named,
    OneOf,
    Pivot,
    Position,
    Procedure,
    Relation,
    Source,
    Statistic,
    Top,
)

_OF_NUMBERS = (
    "abs", "exp", "square", "sign", "floor", "ceil", "log", "log1p", "log10", "log2", "sqrt", "cbrt", "round", "zscore",
    "minmax", "center", "rank", "rank_ascending", "percentile", "fill", "rolling_mean", "codes",
)  # fmt: skip
_OF_TEXTS = (
    "length", "letters", "words", "lower", "upper", "strip", "first_word", "last_word", "initial", "first_number",
    "last_number", "number", "codes",
)  # fmt: skip
_WHOLE = frozenset({"length", "letters", "words", "codes"})
_ANY: tuple[AggregateName, ...] = ("mode", "first", "last", "count", "count_distinct", "missing", "missing_percent")
_NUMERIC: tuple[AggregateName, ...] = (*_ANY, "skew", "kurtosis", "quantile", "median", "std", "range")


@st.composite
def _expressions(draw: Draw, drawn: Drawn) -> tuple[Expr, Kind]:
    name, kind = draw(st.sampled_from(drawn.columns))
    numbers = drawn.of("integer", "number")
    choice = draw(st.integers(0, 6))
    if choice == 0 and numbers:
        of = Col(name=draw(st.sampled_from(numbers)))
        return Cut(of=of, edges=(-2.0, 0.0, 2.0, 5.0), labels=("low", "middle", "high")), "text"
    if choice == 1 and numbers:
        cells = [draw(st.sampled_from((Col(name=draw(st.sampled_from(numbers))), Lit(value=1), Lit(value=None))))]
        branch = (draw(conditions(drawn, 1)), cells[0])
        other = (draw(conditions(drawn, 0)), Lit(value=2.5))
        return Case(branches=draw(st.sampled_from(((branch,), (branch, other)))), otherwise=Lit(value=0)), "number"
    if choice == 2 and kind in {"date", "datetime"}:
        days = draw(st.sampled_from((Lit(value=3), Lit(value="2024-02-01"))))
        made = Math(op="-", left=Col(name=name), right=days)
        return made, "datetime" if days == Lit(value=3) else "integer"
    if choice == 6 and kind in {"date", "datetime"}:
        until = Col(name=draw(st.sampled_from(drawn.of("date", "datetime"))))
        apart = Math(op="-", left=Col(name=name), right=until)
        return Func(name=draw(st.sampled_from(("hours", "minutes", "seconds"))), of=apart), "number"
    if choice == 3 and kind in {"date", "datetime"}:
        return Bucket(of=Col(name=name), unit="weekday"), "text"
    if kind in {"integer", "number"} and choice == 4:
        of = Col(name=name)
        right = draw(st.sampled_from((Statistic(name="mean", of=of), Statistic(name="max", of=of), Lit(value=0))))
        return Math(op=draw(st.sampled_from(("-", "/", "%"))), left=of, right=right), "number"
    if kind in {"integer", "number"}:
        function = draw(st.sampled_from(_OF_NUMBERS))
        argument = 2 if function in {"round", "fill", "rolling_mean"} else draw(st.sampled_from((None, None, 0)))
        argument = None if function == "log" else argument
        return Func(name=function, of=Col(name=name), argument=argument), "integer" if function == "codes" else "number"
    function = draw(st.sampled_from(_OF_TEXTS))
    if kind != "text" and function in {"first_number", "last_number", "number"}:
        function = "length"
    whole = function in _WHOLE
    kind = "integer" if whole else "number" if "number" in function else "text"
    return Func(name=function, of=Col(name=name)), kind


@st.composite
def _condition(draw: Draw, drawn: Drawn) -> Relation:
    """Draw a filter that compares cells with constants of another type."""
    name, _ = draw(st.sampled_from(drawn.columns))
    of = Col(name=name)
    value = draw(st.sampled_from((*TEXTS, 3, 0.1, "3", "2024-01", "2024-02-03", "2024", True, None)))
    op = draw(st.sampled_from(("=", "!=")))
    how = draw(st.sampled_from(("contains", "starts", "ends")))
    made = draw(
        st.sampled_from(
            (
                Compare(op=op, left=of, right=Lit(value=value)),
                OneOf(of=of, values=(value, None)),
                Matches(of=of, how=how, text=str(draw(st.sampled_from((3, 0, "1", "20", "a", ".0"))))),
            )
        )
    )
    made = draw(st.sampled_from((made, AnyOf(parts=(made, draw(conditions(drawn, 0)))))))
    return Filter(source=drawn.relation, where=made)


@st.composite
def _aggregates(draw: Draw, drawn: Drawn) -> Relation:
    groups = draw(st.lists(st.sampled_from(drawn.columns), max_size=2, unique=True))
    keys = tuple(column(name) for name, _ in groups)
    measures: list[Measure] = []
    for number in range(draw(st.integers(1, 2))):
        name, kind = draw(st.sampled_from(drawn.columns))
        function = draw(st.sampled_from(_NUMERIC if kind in {"integer", "number"} else _ANY))
        argument = draw(st.sampled_from((None, 0))) if function in {"std", "skew", "kurtosis"} else None
        where = draw(maybe(conditions(drawn, 0))) if draw(st.integers(0, 3)) == 0 else None
        measures.append(
            Measure(name=f"m{number}", function=function, of=Col(name=name), argument=argument, where=where)
        )
    return Aggregate(source=drawn.relation, groups=keys, measures=tuple(measures), keep_missing=draw(st.booleans()))


@st.composite
def _procedures(draw: Draw, drawn: Drawn) -> Relation:
    numbers = drawn.of("integer", "number")
    name = draw(
        st.sampled_from(("describe", "columns", "missing", "duplicates", "outliers", "neighbour", "run", "bounds"))
    )
    own = draw(st.sampled_from(numbers or ["id"]))
    if name == "neighbour":
        options = {"value": draw(st.sampled_from((*TEXTS, 1))), "offset": draw(st.sampled_from((-2, -1, 1, 2)))}
        of = draw(st.sampled_from([name for name, _ in drawn.columns]))
        return Procedure(source=drawn.relation, name=name, columns=(of,), options=options)
    if name in {"run", "bounds", "outliers"}:
        known: dict[str, str] = {"run": "longest_run", "bounds": "outlier_bounds", "outliers": "outliers"}
        name = known[name]
        options = draw(st.sampled_from(({}, {"method": "zscore", "threshold": 1}, {"factor": 0.5, "keep": "inliers"})))
        return Procedure(source=drawn.relation, name=name, columns=(own,), options=options)
    if (
        name == "describe"
    ):  # a case that gives numbers or nothing is a column of objects, which pandas describes as none
        plain = tuple(one for one in numbers if not one.startswith("made"))
        return Procedure(source=drawn.relation, name=name, columns=plain or ("id",))
    columns = draw(st.sampled_from(((), (own,))))
    return Procedure(source=drawn.relation, name=name, columns=columns)


@st.composite
def _others(draw: Draw, drawn: Drawn) -> Relation:
    names = [name for name, _ in drawn.columns]
    numbers = drawn.of("integer", "number")
    choice = draw(st.integers(0, 4))
    if choice == 0 and len(names) > 2:
        index, across, value = draw(st.permutations(names))[:3]
        return Pivot(source=drawn.relation, index=(index,), column=across, value=value)
    if choice == 1 and numbers:
        how = draw(st.sampled_from(("mean", "median", "mode", "forward", "backward", "interpolate", "drop")))
        grouping = drawn.of("text", "integer")
        within = draw(st.lists(st.sampled_from(grouping), max_size=1)) if grouping and how in {"mean", "mode"} else []
        of = draw(st.sampled_from(numbers))
        return Fill(source=drawn.relation, column=of, how=how, within=tuple(one for one in within if one != of))
    if choice == 2:
        keys = [(one, two) for one, kind in drawn.columns for two, like in SALES if kind == like and one == two]
        pair = draw(st.sampled_from(keys or [("id", "id")]))
        how = draw(st.sampled_from(("inner", "left", "outer")))
        return Join(left=drawn.relation, right=Source(dataset_id="sales"), on=(pair,), how=how)
    if choice == 3:
        return Position(source=drawn.relation, count=draw(st.sampled_from((2, -2))), offset=draw(st.integers(0, 2)))
    return Top(
        source=drawn.relation, by=draw(st.sampled_from(names)), count=draw(st.integers(1, 3)),
        descending=draw(st.booleans()), ties=draw(st.booleans()), offset=draw(st.integers(0, 1)),
        within=tuple(draw(st.lists(st.sampled_from(names), max_size=1))),
    )  # fmt: skip


@st.composite
def plans(draw: Draw) -> Relation:
    """Draw a relation over the tables `sales` and `staff`."""
    drawn = Drawn(Source(dataset_id="sales"), SALES)
    for place in range(draw(st.integers(0, 2))):
        drawn = draw(joined(drawn)) if draw(st.integers(0, 7)) == 0 else draw(steps(drawn, place))
    for place in range(draw(st.integers(0, 2))):
        expression, kind = draw(_expressions(drawn))
        name = f"made {place}"
        relation = Derive(source=drawn.relation, columns=(Named(name=name, of=expression),))
        drawn = Drawn(relation, (*drawn.columns, (name, kind)))
    last: Relation = draw(
        st.one_of(_condition(drawn), _aggregates(drawn), _procedures(drawn), _others(drawn), _others(drawn))
    )
    return last
