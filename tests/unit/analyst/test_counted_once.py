"""What a join repeats is added up once, or not at all."""

from __future__ import annotations

import pytest
from tests.unit.analyst.known_tables import column, table

from tablewright.analyst.counted_once import Multiplied, counted_once, once_of
from tablewright.analyst.plan import (
    Aggregate,
    Col,
    Compare,
    Filter,
    Join,
    Lit,
    Math,
    Measure,
    Named,
    Part,
    Plan,
    Project,
    Relation,
    Source,
)

BILLS = table(
    "bills", "bills", 40, column("Bill", "text", 40), column("Client", "text", 9), column("Amount", "number", 40, 1, 99)
)
RECEIPTS = table(
    "receipts",
    "receipts",
    70,
    column("Receipt", "text", 70),
    column("Bill", "text", 35),
    column("Method", "text", 3),
    column("Paid", "number", 60, 1, 99),
    column("Unit Price", "number", 60, 1, 99),
)
CLIENTS = table("clients", "clients", 9, column("Client", "text", 9), column("Budget", "number", 9, 1, 99))
TABLES = (BILLS, RECEIPTS, CLIENTS)
JOINED = Join(left=Source(dataset_id="receipts"), right=Source(dataset_id="bills"), on=(("Bill", "Bill"),))
AMOUNT = Measure(name="sum_Amount", function="sum", of=Col(name="Amount"))
PAID = Measure(name="sum_Paid", function="sum", of=Col(name="Paid"))
METHOD = Named(name="Method", of=Col(name="Method"))


def plan(source: Relation, *measures: Measure) -> Plan:
    return Plan(parts=(Part(relation=Aggregate(source=source, groups=(METHOD,), measures=measures)),))


def test_an_amount_of_the_one_side_is_added_up_once_for_each_of_its_rows() -> None:
    found = counted_once(plan(JOINED, AMOUNT), TABLES)
    assert isinstance(found, Plan)
    columns = (Named(name="Bill", of=Col(name="Bill")), METHOD, Named(name="Amount", of=Col(name="Amount")))
    assert found == plan(Project(source=JOINED, columns=columns, distinct=True), AMOUNT)
    assert list(once_of(found)) == [("Bill", "Amount")]
    assert counted_once(found, TABLES) == found


def test_filters_above_the_join_hold_for_what_is_added_up_once() -> None:
    paid = Filter(source=JOINED, where=Compare(op="=", left=Col(name="Method"), right=Lit(value="card")))
    found = counted_once(plan(paid, AMOUNT), TABLES)
    assert isinstance(found, Plan)
    (part,) = found.parts
    assert isinstance(part.relation, Aggregate)
    assert isinstance(part.relation.source, Project)
    assert part.relation.source.source == paid


def test_amounts_of_both_sides_are_not_added_up_together() -> None:
    assert counted_once(plan(JOINED, AMOUNT, PAID), TABLES) == Multiplied(table="bills", column="Amount")


@pytest.mark.parametrize(
    ("source", "measure"),
    [
        (JOINED, PAID),
        (JOINED, Measure(name="n", function="count")),
        (JOINED, Measure(name="m", function="max", of=Col(name="Amount"))),
        (JOINED, Measure(name="s", function="sum", of=Math(op="*", left=Col(name="Paid"), right=Col(name="Amount")))),
        (Source(dataset_id="bills"), AMOUNT),
        (
            Join(left=Source(dataset_id="bills"), right=Source(dataset_id="clients"), on=(("Client", "Client"),)),
            AMOUNT,
        ),
    ],
)
def test_what_no_join_repeats_stays_as_it_is(source: Relation, measure: Measure) -> None:
    assert counted_once(plan(source, measure), TABLES) == plan(source, measure)


def test_it_is_the_side_whose_partner_has_several_rows_that_is_repeated() -> None:
    join = Join(left=Source(dataset_id="clients"), right=Source(dataset_id="bills"), on=(("Client", "Client"),))
    budget = Measure(name="sum_Budget", function="sum", of=Col(name="Budget"))
    assert counted_once(plan(join, budget), TABLES) != plan(join, budget)
    assert counted_once(plan(join, AMOUNT), TABLES) == plan(join, AMOUNT)
