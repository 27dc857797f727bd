"""Groups of a table are looked up in the tables to whose rows it refers, and nothing is multiplied by that."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from tests.unit.analyst.reporting.rounds import ORDERS

from tablewright.analyst.reporting.lookups import Lookup, lookups
from tablewright.analyst.reporting.material import Material
from tablewright.domain.dataset import ColumnFacts
from tablewright.domain.table_facts import TableKey

SHOPS = replace(
    ORDERS, id="t2", name="shops", path="/data/shops.csv", rows=90,
    columns=(
        ColumnFacts(name="shop", kind="text", distinct=90),
        ColumnFacts(name="owner", kind="text", distinct=80),
        ColumnFacts(name="region", kind="text", distinct=4),
        ColumnFacts(name="size", kind="text", distinct=3),
    ),
)  # fmt: skip
KEY = TableKey(one="t2", key="shop", many="t1", reference="at", multiplicity="one_to_many", unmatched=0, unused=0)


def found(key: TableKey) -> tuple[Lookup, ...]:
    return lookups(Material(facts=ORDERS, tables=(ORDERS,)), (ORDERS, SHOPS), (key,))


def test_columns_that_group_the_rows_of_the_other_table_are_looked_up_but_not_those_it_has_itself() -> None:
    (one,) = found(KEY)
    assert (one.key, one.reference, one.groups) == ("shop", "at", ("size",))


@pytest.mark.parametrize("changed", [{"many": "t2", "one": "t1"}, {"further": (("a", "b"),)}, {"one": "t9"}])
def test_nothing_is_looked_up_the_other_way_round_or_by_half_a_key(changed: dict[str, Any]) -> None:
    assert found(replace(KEY, **changed)) == ()


def test_a_value_of_the_key_that_several_rows_have_is_looked_up_in_none() -> None:
    (one,) = found(KEY)
    assert one.load("known")[-1] == (
        'known = known.dropna(subset="shop").drop_duplicates("shop", keep=False).set_index("shop")'
    )
