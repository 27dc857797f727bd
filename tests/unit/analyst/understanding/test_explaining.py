"""What is shown beside a result: the figures that its rows were chosen by."""

from __future__ import annotations

from dataclasses import replace

from tablewright.analyst.plan import Aggregate, Col, Drawing, Measure, Named, Part, Plan, Project, Source, Top
from tablewright.analyst.understanding.explaining import explained

TOTALS = Aggregate(
    source=Source(dataset_id="t"),
    groups=(Named(name="City", of=Col(name="City")),),
    measures=(Measure(name="total", function="sum", of=Col(name="Amount")),),
)
CITY, TOTAL = Named(name="City", of=Col(name="City")), Named(name="total", of=Col(name="total"))
FIRST = Top(source=TOTALS, by="total", count=3)
BEST = Project(source=FIRST, columns=(CITY,))


def of(part: Part) -> Plan:
    return Plan(parts=(part,), confidence=1.0)


def test_the_figures_that_rows_are_ranked_by_are_shown_and_the_result_stays() -> None:
    (part,) = explained(of(Part(relation=BEST))).parts
    assert part.relation == BEST
    assert part.shown == replace(BEST, columns=(CITY, TOTAL))


def test_what_shows_enough_already_stays_as_it_is() -> None:
    parts = (
        Part(relation=replace(BEST, columns=(CITY, TOTAL))),
        Part(relation=replace(BEST, columns=(CITY, replace(TOTAL, name="Amount in all")))),
        Part(relation=replace(BEST, distinct=True)),
        Part(relation=BEST, shown=TOTALS),
        Part(relation=BEST, drawing=Drawing(kind="bar", x="City", y="total")),
        Part(relation=Project(source=TOTALS, columns=(CITY,))),
        Part(relation=Project(source=replace(FIRST, within=("City",)), columns=(CITY,))),
    )
    for part in parts:
        assert explained(of(part)) == of(part)
