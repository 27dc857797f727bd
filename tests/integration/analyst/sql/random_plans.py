"""Random plans over two small tables, as hypothesis draws them: every plan is one that the tables' columns allow."""

from __future__ import annotations

from hypothesis import strategies as st
from tests.integration.analyst.sql.random_conditions import conditions
from tests.integration.analyst.sql.random_tables import ANY, NUMERIC, SALES, STAFF, UNITS, Draw, Drawn, Kind, maybe

from tablewright.analyst.plan import (
    Aggregate,
    AggregateName,
    Bucket,
    Case,
    Col,
    Combine,
    Concat,
    Derive,
    Expr,
    Fill,
    Filter,
    Func,
    Join,
    Lit,
    Math,
    Measure,
    Named,
    Position,
    Project,
    Relation,
    Share,
    Shift,
    Sort,
    Source,
    Top,
)


def column(name: str) -> Named:
    return Named(name=name, of=Col(name=name))


@st.composite
def expressions(draw: Draw, drawn: Drawn) -> tuple[Expr, Kind]:
    """Draw a value of a row, and its kind."""
    numbers = drawn.of("integer", "number")
    dates = drawn.of("date", "datetime")
    choice = draw(st.integers(0, 3))
    if choice == 0 and dates:
        unit = draw(st.sampled_from(UNITS))
        whole = unit in {"year", "hour", "month_of_year", "day_of_month"}
        return Bucket(of=Col(name=draw(st.sampled_from(dates))), unit=unit), "integer" if whole else "text"
    if choice == 1 or not numbers:
        made = Case(branches=((draw(conditions(drawn, 0)), Lit(value="yes")),), otherwise=Lit(value="no"))
        return made, "text"
    kinds = dict(drawn.columns)
    name = draw(st.sampled_from(numbers))
    if choice == 2:
        function = draw(st.sampled_from(("abs", "square", "floor", "ceil", "sqrt", "center", "minmax", "rank")))
        kept = kinds[name] if function in {"abs", "square"} else "number"
        return Func(name=function, of=Col(name=name)), kept
    op = draw(st.sampled_from(("+", "-", "*", "/")))
    right: Expr = draw(st.sampled_from((Col(name=draw(st.sampled_from(numbers))), Lit(value=2), Lit(value=0.5))))
    whole = kinds[name] == "integer" and op != "/"
    whole = whole and (right == Lit(value=2) or (isinstance(right, Col) and kinds[right.name] == "integer"))
    return Math(op=op, left=Col(name=name), right=right), "integer" if whole else "number"


@st.composite
def measures(draw: Draw, drawn: Drawn, number: int) -> tuple[Measure, Kind]:
    """Draw an aggregate and the kind of its results."""
    name, kind = draw(st.sampled_from((*drawn.columns, ("", ""))))
    where = draw(maybe(conditions(drawn, 0))) if draw(st.integers(0, 3)) == 0 else None
    if not name:
        return Measure(name=f"m{number}", function="count", where=where), "integer"
    function: AggregateName = "count"
    if kind in {"integer", "number"}:
        function = draw(st.sampled_from((*NUMERIC, *ANY)))
    elif kind in {"text", "date", "datetime"}:
        function = draw(st.sampled_from((*ANY, "min", "max")))
    elif kind == "boolean":
        function = draw(st.sampled_from((*ANY, "sum", "mean")))
    argument = draw(st.sampled_from((None, 0, 0.25))) if function == "quantile" else None
    if function in {"std", "var"}:
        argument = draw(st.sampled_from((None, 0)))
    if function in {"missing", "missing_percent"}:
        where = None
    made = Measure(name=f"m{number}", function=function, of=Col(name=name), where=where, argument=argument)
    if function in {"min", "max"}:
        return made, kind
    whole = function in {"count", "count_distinct", "missing"} or (function in {"sum", "range"} and kind == "integer")
    return made, "integer" if whole else "number"


@st.composite
def aggregates(draw: Draw, drawn: Drawn, place: int) -> Drawn:
    """Draw an aggregation."""
    groups: list[tuple[Named, Kind]] = []
    for name, kind in draw(st.lists(st.sampled_from(drawn.columns), max_size=2, unique=True)):
        if kind in {"date", "datetime"} and draw(st.booleans()):
            unit = draw(st.sampled_from(UNITS))
            whole = unit in {"year", "hour", "month_of_year", "day_of_month"}
            groups.append(
                (Named(name=f"{name} {unit}", of=Bucket(of=Col(name=name), unit=unit)), "integer" if whole else "text")
            )
        else:
            groups.append((column(name), kind))
    made = [draw(measures(drawn, 10 * place + number)) for number in range(draw(st.integers(0 if groups else 1, 3)))]
    relation = Aggregate(
        source=drawn.relation,
        groups=tuple(group for group, _ in groups),
        measures=tuple(measure for measure, _ in made),
        keep_missing=draw(st.booleans()),
    )
    names = ((group.name, kind) for group, kind in groups)
    return Drawn(relation, (*names, *((measure.name, kind) for measure, kind in made)))


@st.composite
def steps(draw: Draw, drawn: Drawn, place: int) -> Drawn:
    """Draw one more relation over another."""
    source, columns = drawn.relation, drawn.columns
    numbers = drawn.of("integer", "number")
    choice = draw(st.integers(0, 11))
    new = f"new {place}"
    if choice in {0, 1}:
        return Drawn(Filter(source=source, where=draw(conditions(drawn, 2))), columns)
    if choice in {2, 3}:
        grouped: Drawn = draw(aggregates(drawn, place))
        return grouped
    if choice == 4:
        expression, kind = draw(expressions(drawn))
        return Drawn(Derive(source=source, columns=(Named(name=new, of=expression),)), (*columns, (new, kind)))
    if choice == 5:
        keys = draw(st.lists(st.sampled_from([name for name, _ in columns]), min_size=1, max_size=2, unique=True))
        return Drawn(Sort(source=source, keys=tuple((name, draw(st.booleans())) for name in keys)), columns)
    if choice == 6:
        return Drawn(_top(draw, drawn), columns)
    if choice == 7:
        chosen = draw(st.lists(st.sampled_from(columns), min_size=1, max_size=3, unique=True))
        picked = tuple(column(name) for name, _ in chosen)
        return Drawn(Project(source=source, columns=picked, distinct=draw(st.booleans())), tuple(chosen))
    if choice == 8:
        return Drawn(Position(source=source, count=draw(st.sampled_from((1, 2, 5, -1, -3))), offset=0), columns)
    made: Drawn = draw(computed(drawn, choice, new)) if numbers else drawn
    return made


@st.composite
def computed(draw: Draw, drawn: Drawn, choice: int, new: str) -> Drawn:
    """Draw a column that is computed from those of other rows."""
    source, columns = drawn.relation, drawn.columns
    numbers = drawn.of("integer", "number")
    name = draw(st.sampled_from(numbers))
    if choice == 9:
        grouping = drawn.of("text", "integer")
        within = draw(st.lists(st.sampled_from(grouping), max_size=1)) if grouping else []
        return Drawn(Share(source=source, column=name, name=new, within=tuple(within)), (*columns, (new, "number")))
    if choice == 10:
        how = draw(st.sampled_from(("difference", "growth", "cumulative")))
        return Drawn(Shift(source=source, column=name, name=new, how=how), (*columns, (new, "number")))
    filled_by = draw(st.sampled_from(("mean", "constant", "drop")))
    filled = Fill(source=source, column=name, how=filled_by, value=1.5 if filled_by == "constant" else None)
    kind = dict(columns)[name] if filled_by == "drop" else "number"
    return Drawn(filled, tuple((one, kind if one == name else known) for one, known in columns))


def _top(draw: Draw, drawn: Drawn) -> Top:
    kinds = ("integer", "number", "text", "date", "datetime")
    names = drawn.of(*kinds) or [drawn.columns[0][0]]
    within = draw(st.lists(st.sampled_from([name for name, _ in drawn.columns]), max_size=1))
    return Top(
        source=drawn.relation,
        by=draw(st.sampled_from(names)),
        count=draw(st.sampled_from((1, 2, 3))),
        descending=draw(st.booleans()),
        ties=draw(st.booleans()),
        offset=draw(st.sampled_from((0, 0, 1))),
        within=tuple(within),
    )


@st.composite
def joined(draw: Draw, drawn: Drawn) -> Drawn:
    """Draw a join with the second table."""
    other = STAFF
    pairs = [(one, two) for one, kind in drawn.columns for two, like in other if kind == like]
    if not pairs:
        return drawn
    one, two = draw(st.sampled_from(pairs))
    names = {name for name, _ in drawn.columns}
    added = tuple(
        (f"{name}_2" if name in names else name, kind) for name, kind in other if not (one == two and name == one)
    )
    if {name for name, _ in added} & names or len(dict(added)) < len(added):
        return drawn
    relation = Join(
        left=drawn.relation,
        right=Source(dataset_id="staff"),
        on=((one, two),),
        how=draw(st.sampled_from(("inner", "left"))),
    )
    return Drawn(relation, (*drawn.columns, *added))


@st.composite
def chained(draw: Draw) -> Relation:
    """Draw a total of rows that are joined to those of a second table, by one key or two, and these to the first again
    under names of their own."""
    on = draw(st.sampled_from(((("id", "id"),), (("id", "id"), ("region", "region")), (("units", "bonus"),))))
    how = draw(st.sampled_from(("inner", "left")))
    first = Join(left=Source(dataset_id="sales"), right=Source(dataset_id="staff"), on=on, how=how)
    far = Project(
        source=Source(dataset_id="sales"),
        columns=tuple(Named(name=f"far {name}", of=Col(name=name)) for name in ("id", "label", "day", "units")),
    )
    keys = draw(
        st.sampled_from(((("bonus", "far id"),), (("since", "far day"),), (("bonus", "far id"), ("since", "far day"))))
    )
    names = draw(st.lists(st.sampled_from(("far label", "region", "far day")), min_size=1, max_size=2, unique=True))
    return Aggregate(
        source=Join(left=first, right=far, on=keys),
        groups=tuple(column(name) for name in names),
        measures=(
            Measure(name="total", function="sum", of=Col(name="units")),
            Measure(name="rows", function="count", of=None),
        ),
    )


@st.composite
def plans(draw: Draw) -> Relation:
    """Draw a relation over the tables `sales` and `staff`."""
    drawn = Drawn(Source(dataset_id="sales"), SALES)
    for place in range(draw(st.integers(1, 4))):
        drawn = draw(joined(drawn)) if draw(st.integers(0, 7)) == 0 else draw(steps(drawn, place))
    last = draw(st.integers(0, 9))
    if last == 0:
        return Concat(sources=(drawn.relation, drawn.relation))
    if last == 1 and drawn.of("integer", "number"):
        name = draw(st.sampled_from(drawn.of("integer", "number")))
        sums = [
            Aggregate(
                source=drawn.relation, groups=(), measures=(Measure(name="x", function=function, of=Col(name=name)),)
            )
            for function in draw(st.sampled_from((("sum", "max"), ("min", "count"), ("mean", "sum"))))
        ]
        op = draw(st.sampled_from(("difference", "absolute_difference", "sum", "ratio", "percent", "percent_change")))
        return Combine(op=op, left=sums[0], right=sums[1], name="c")
    return drawn.relation
