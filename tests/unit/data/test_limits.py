"""Numbers of which only a limit is known count as it, and are counted."""

from __future__ import annotations

import polars as pl
import pytest
from tests.unit.analyst.evaluating.test_memory import TABLE, rows

from tablewright.analyst.plan import Aggregate, Col, Measure
from tablewright.data.files.cleaned import values_of
from tablewright.data.files.columns import profile_texts
from tablewright.domain.dataset import ColumnFacts
from tablewright.domain.loading import number_expression
from tablewright.domain.table_facts import Irregularity


def column(*texts: str | None) -> ColumnFacts:
    return profile_texts("lead", pl.Series(texts, dtype=pl.String)).facts


LEAD = ("1.20", "<0.5", "3.75", "< 0.5", "2.10", ">1,000", "ND", "0.8", "7.1")


def test_values_below_or_above_a_limit_leave_a_column_one_of_numbers() -> None:
    facts = column(*LEAD)
    clean = facts.clean
    assert clean is not None
    assert (clean.kind, clean.limits, clean.minimum, clean.maximum, clean.marks) == ("number", True, 0.5, 1000, ("ND",))
    assert Irregularity(kind="limits", cells=3, examples=("<0.5", "< 0.5", ">1,000")) in facts.irregular


def test_each_counts_as_its_limit_wherever_it_is_computed() -> None:
    facts = column(*LEAD)
    assert facts.clean is not None
    total = Measure(name="total", function="sum", of=Col(name="lead"))
    assert rows(Aggregate(source=TABLE, groups=(), measures=(total,)), {"lead": LEAD}, facts) == [[1015.95]]
    read = values_of(pl.Series([text for text in LEAD if text != "ND"]), facts, decimal=None)
    assert read is not None
    assert list(read) == [1.2, 0.5, 3.75, 0.5, 2.1, 1000.0, 0.8, 7.1]
    assert r'.str.replace(r"^\s*[<>≤≥＜＞≦≧]\s*=?\s*", "", regex=True)' in number_expression("s", facts_cleaned(facts))


def facts_cleaned(facts: ColumnFacts) -> ColumnFacts:
    assert facts.clean is not None
    return ColumnFacts(name="lead", kind="number", notation=facts.clean.notation, clean=facts.clean)


@pytest.mark.parametrize(
    "texts",
    [("<1", "1", "2", ">2"), ("<18", "18-64", ">64", "18"), ("<5", ">5", "<5", "6"), ("a<b", "1", "2", "3", "c<d")],
)
def test_classes_are_no_numbers_with_limits(texts: tuple[str, ...]) -> None:
    clean = column(*texts).clean
    assert clean is None or not clean.limits
