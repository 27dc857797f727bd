"""Candidate measures, keys, orders, projections and operators."""

from __future__ import annotations

from tests.unit.analyst.grammar.clinic import seen

from tablewright.analyst.grammar.conditions import conditions
from tablewright.analyst.grammar.keys import keys
from tablewright.analyst.grammar.measures import measures
from tablewright.analyst.grammar.orders import extremes, operators, projections, sortings
from tablewright.analyst.grammar.semantics import MeasurePart


def _measures(question: str) -> list[MeasurePart]:
    scene = seen(question)
    return measures(scene, conditions(scene))


def test_counts_aggregates_and_rates_are_measures() -> None:
    assert any(part.kind == "rows" and part.mask for part in _measures("how many visits"))
    assert any(part.function == "mean" and part.column == "fee" for part in _measures("average fee"))
    assert any(part.kind == "distinct" and part.column == "vet" for part in _measures("how many different vets"))
    assert any(part.kind == "rate" and part.column == "outcome" for part in _measures("share of referred"))


def test_a_share_of_an_amount_names_the_amount() -> None:
    found = [part for part in _measures("share of the fee that is insured") if part.kind == "rate"]
    assert {part.function for part in found} == {"count", "sum"}


def test_rows_are_counted_where_nothing_else_is_said() -> None:
    assert [part for part in _measures("cats") if not part.mask and part.kind == "rows"]


def test_keys_are_columns_and_units_of_time() -> None:
    assert ("vet", None) in {(key.column, key.unit) for key in keys(seen("fee per vet"))}
    assert ("visited", "month") in {(key.column, key.unit) for key in keys(seen("visits per month"))}
    assert ("日期", "month") in {(key.column, key.unit) for key in keys(seen("每个月的金额"))}


def test_orders_know_how_many_are_wanted() -> None:
    found = {(part.count, part.offset, part.descending, part.by) for part in extremes(seen("top 3 vets by fee"))}
    assert (3, 0, True, "fee") in found
    assert (3, 0, True, None) in found
    second = extremes(seen("vet with the second highest fee"))
    assert any((part.count, part.offset) == (1, 1) for part in second)


def test_sorting_says_which_way() -> None:
    assert any(part.descending for part in sortings(seen("fee per vet in descending order")))


def test_columns_are_shown_as_asked() -> None:
    found = projections(seen("which vet"))
    assert found[0].column == "vet"
    assert any(part.mask.bit_count() == 2 and part.column == "vet" for part in found)


def test_operators_are_named() -> None:
    assert "difference" in {part.name for part in operators(seen("difference between cats and dogs"))}
