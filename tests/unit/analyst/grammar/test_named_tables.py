"""A question that names the rows of one table does not count those of another."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest
from tests.unit.analyst.grammar.clinic import VISITS, Words

from tablewright.analyst.grammar import GrammarReading, readings
from tablewright.analyst.grammar.named_tables import table_names
from tablewright.analyst.plan import Aggregate, Join, Measure, Relation, Source
from tablewright.analyst.plan_walk import nodes
from tablewright.domain.dataset import ColumnFacts, DatasetFacts
from tablewright.domain.language import language_of
from tablewright.domain.table_facts import TableKey

CUSTOMERS = replace(
    VISITS, id="c", name="customers", file_name="customers.csv", profile_ref="c", rows=30,
    columns=(
        ColumnFacts(name="id", kind="integer", minimum=1, maximum=30, distinct=30),
        ColumnFacts(name="tier", kind="text", distinct=3, samples=("gold", "silver", "bronze")),
        ColumnFacts(name="city", kind="text", distinct=3, samples=("Bern", "Oslo", "Rome")),
    ),
)  # fmt: skip
ORDERS = replace(
    VISITS, id="o", name="orders", file_name="orders.csv", profile_ref="o", rows=200,
    columns=(
        ColumnFacts(name="id", kind="integer", minimum=1, maximum=200, distinct=200),
        ColumnFacts(name="customer_id", kind="integer", minimum=1, maximum=30, distinct=30),
        ColumnFacts(name="amount", kind="integer", minimum=10, maximum=500, distinct=150),
    ),
)  # fmt: skip
KEY = TableKey(one="c", key="id", many="o", reference="customer_id", multiplicity="one_to_many", unmatched=0, unused=0)


def _read(question: str) -> tuple[GrammarReading, ...]:
    found = readings(question, language_of(question), [CUSTOMERS, ORDERS], Words(), relations=[KEY])
    return asyncio.run(found)


def _counted(reading: GrammarReading) -> list[str]:
    """The tables whose rows a reading counts."""
    return [
        _rows_of(node.source)
        for node in nodes(reading.plan)
        if isinstance(node, Aggregate) and any(_counts(measure) for measure in node.measures)
        if not any(isinstance(below, Aggregate) for below in nodes(node.source))
    ]


def _groups(reading: GrammarReading) -> bool:
    return any(isinstance(node, Aggregate) and node.groups for node in nodes(reading.plan))


def _counts(measure: Measure) -> bool:
    return measure.function == "count" and measure.of is None


def _rows_of(relation: Relation) -> str:
    while isinstance(relation, Join):
        relation = relation.left
    return next(node.dataset_id for node in nodes(relation) if isinstance(node, Source))


@pytest.mark.parametrize(
    "question",
    ["how many orders per tier", "number of orders per city", "每个城市有多少订单", "number of orders by city"],
)
def test_rows_of_the_table_that_is_named_are_counted_over_the_join(question: str) -> None:
    found = _read(question)
    assert _counted(found[0]) == ["o"]
    assert not any("c" in _counted(reading) for reading in found)


@pytest.mark.parametrize("question", ["how many customers per city", "每个城市有多少客户"])
def test_rows_of_the_other_table_are_counted_where_that_is_named(question: str) -> None:
    assert _counted(_read(question)[0]) == ["c"]


def test_a_table_named_beside_what_is_counted_is_not_counted() -> None:
    plain = [one for one in _read("how many customers have orders") if not _groups(one)]
    assert ["c"] in [_counted(one) for one in plain]
    assert ["o"] not in [_counted(one) for one in plain]


@pytest.mark.parametrize("question", ["how many times were customers given an order", "how many customers over 400"])
def test_rows_that_refer_to_what_is_named_may_be_counted_for_it(question: str) -> None:
    assert any("o" in _counted(reading) for reading in _read(question))


def test_a_word_for_an_order_names_no_table() -> None:
    assert any("c" in _counted(reading) for reading in _read("how many per tier, order by count"))


def test_what_another_table_is_called_is_no_word_for_the_rows_it_is_grouped_by() -> None:
    lines = replace(
        ORDERS, id="l", name="order_lines",
        columns=(
            ColumnFacts(name="line", kind="integer", minimum=1, maximum=200, distinct=200),
            ColumnFacts(name="order_id", kind="integer", minimum=1, maximum=90, distinct=90),
            ColumnFacts(name="amount", kind="integer", minimum=10, maximum=500, distinct=150),
        ),
    )  # fmt: skip
    orders = replace(ORDERS, columns=ORDERS.columns[:2])
    key = TableKey(one="o", key="id", many="l", reference="order_id", multiplicity="one_to_many", unmatched=0, unused=0)
    question = "average amount per order"
    found = asyncio.run(readings(question, "en", [lines, orders], Words(), relations=[key]))
    plain = next(one for one in found if one.said == "average amount")
    assert "order" in plain.unread
    alone = asyncio.run(readings(question, "en", [lines], Words()))
    assert "order" not in next(one for one in alone if one.said == "average amount").unread


@pytest.mark.parametrize("question", ["how many customers have no orders", "which tier has the most orders"])
def test_a_table_that_is_named_is_read(question: str) -> None:
    found = _read(question)
    assert {"c", "o"} <= _tables(found[0])
    alone = [one for one in found if _tables(one) == {"c"} and one.said == "count"]
    assert all(one.features["left:table"] for one in alone)


def _tables(reading: GrammarReading) -> set[str]:
    return {node.dataset_id for node in nodes(reading.plan) if isinstance(node, Source)}


def test_what_tables_are_called_is_known_in_both_languages_and_by_its_longest_words() -> None:
    items = replace(ORDERS, id="i", name="order_items")
    names = table_names([CUSTOMERS, ORDERS, items])
    assert names["order",] == {"o"}
    assert names["order", "item"] == {"i"}
    assert names["客", "户"] == {"c"}
    later: DatasetFacts = replace(ORDERS, id="p", name="orders 2024")
    assert ("order",) not in table_names([ORDERS, later])


@pytest.mark.parametrize("question", ["What is the average number of orders per customer?", "平均每个客户有多少订单"])
def test_a_mean_for_each_thing_is_one_of_what_each_has(question: str) -> None:
    found = _read(question)
    counts, mean = (node for node in nodes(found[0].plan) if isinstance(node, Aggregate))
    if not counts.groups:
        counts, mean = mean, counts
    assert _counted(found[0]) == ["o"]
    assert [measure.function for measure in mean.measures] == ["mean"]
    assert not mean.groups


LINES = replace(
    VISITS, id="l", name="order_lines", file_name="order_lines.csv", profile_ref="l", rows=600,
    columns=(
        ColumnFacts(name="id", kind="integer", minimum=1, maximum=600, distinct=600),
        ColumnFacts(name="order_id", kind="integer", minimum=1, maximum=200, distinct=200),
        ColumnFacts(name="qty", kind="integer", minimum=1, maximum=9, distinct=9),
        ColumnFacts(name="unit_price", kind="number", minimum=1, maximum=80, distinct=40),
    ),
)  # fmt: skip
OF_ORDERS = TableKey(
    one="o", key="id", many="l", reference="order_id", multiplicity="one_to_many", unmatched=0, unused=0
)


@pytest.mark.parametrize("question", ["What is the average order value?", "平均每个订单金额是多少"])
def test_the_mean_of_an_order_comes_before_that_of_its_lines(question: str) -> None:
    tables = [CUSTOMERS, replace(ORDERS, columns=ORDERS.columns[:2]), LINES]
    found = asyncio.run(readings(question, language_of(question), tables, Words(), relations=[KEY, OF_ORDERS]))
    steps = [[node for node in nodes(one.plan) if isinstance(node, Aggregate)] for one in found]
    functions = [
        sorted(measure.function for node in one for measure in node.measures)
        for one in steps
        if one and (len(one) > 1 or not one[0].groups)
    ]
    assert ["mean", "sum"] in functions
    assert ["mean"] not in functions[: functions.index(["mean", "sum"])]


@pytest.mark.parametrize("question", ["average customer", "average order", "平均客户"])
def test_a_part_of_an_identifiers_name_is_no_number(question: str) -> None:
    found = _read(question)
    means = [
        measure
        for one in found
        for node in nodes(one.plan)
        if isinstance(node, Aggregate)
        for measure in node.measures
        if measure.function == "mean" and measure.of is not None and "_id" in str(measure.of)
    ]
    assert not means


@pytest.mark.parametrize("question", ["total amount by customer", "average amount of each customer"])
def test_a_column_called_like_another_table_is_that_column(question: str) -> None:
    customer = ColumnFacts(name="customer", kind="text", distinct=3, samples=("Ann", "Ben", "Cy"))
    orders = replace(ORDERS, columns=(ORDERS.columns[0], customer, ORDERS.columns[2]))
    found = asyncio.run(readings(question, language_of(question), [CUSTOMERS, orders], Words()))
    assert _groups(found[0])
