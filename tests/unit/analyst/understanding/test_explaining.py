"""What is shown beside a result: the figures that its rows were chosen by."""

from __future__ import annotations

from dataclasses import replace

from tests.unit.analyst.grammar.clinic import VISITS

from tablewright.analyst.plan import (
    Aggregate,
    Col,
    Compare,
    Drawing,
    Filter,
    Lit,
    Measure,
    Named,
    Part,
    Plan,
    Project,
    Source,
    Top,
)
from tablewright.analyst.understanding.explaining import MOST_SHOWN, explained

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


def test_where_rows_are_asked_for_their_other_columns_are_shown_those_of_the_conditions_first() -> None:
    over = Compare(op=">", left=Col(name="fee"), right=Lit(value=200))
    rows = Filter(source=Source(dataset_id=VISITS.id), where=over)
    vets = Project(source=rows, columns=(Named(name="vet", of=Col(name="vet")),))
    (part,) = explained(of(Part(relation=vets)), [VISITS], rows=True).parts
    assert part.relation == vets
    assert isinstance(part.shown, Project)
    assert [column.name for column in part.shown.columns] == ["vet", "fee", "animal", "visited", "outcome", "insured"]
    assert explained(of(Part(relation=vets)), [VISITS]) == of(Part(relation=vets))
    grouped = of(Part(relation=Project(source=TOTALS, columns=(CITY,))))
    assert explained(grouped, [VISITS], rows=True) == grouped


def test_of_a_wide_table_not_every_column_is_shown() -> None:
    columns = tuple(replace(VISITS.columns[0], name=f"c{place}") for place in range(40))
    wide = replace(VISITS, columns=columns)
    first = Top(source=Source(dataset_id=wide.id), by="c30", count=3)
    named = Project(source=first, columns=(Named(name="c1", of=Col(name="c1")),))
    (part,) = explained(of(Part(relation=named)), [wide], rows=True).parts
    assert isinstance(part.shown, Project)
    assert [column.name for column in part.shown.columns][:3] == ["c1", "c30", "c0"]
    assert len(part.shown.columns) <= MOST_SHOWN + 1
