"""What the columns that a plan makes are called."""

from __future__ import annotations

import pytest
from tests.unit.analyst.known_tables import column, table

from tablewright.analyst.plan import Aggregate, Col, Measure, Named, Part, Plan, Sort, Source
from tablewright.analyst.renaming import readable
from tablewright.domain.language import Language


@pytest.mark.parametrize(
    ("language", "columns", "name"),
    [
        ("zh", ("仓库", "金额"), "数量"),
        ("zh", ("仓库", "数量"), "记录数"),
        ("en", ("Depot", "Income"), "count"),
    ],
)
def test_a_count_is_called_so_in_the_language_unless_a_column_has_that_name(
    language: Language, columns: tuple[str, str], name: str
) -> None:
    group, other = columns
    facts = table("t", "t", 9, column(group, "text", 3), column(other, "number", 9, 1, 9))
    counted = Aggregate(
        source=Source(dataset_id="t"),
        groups=(Named(name=group, of=Col(name=group)),),
        measures=(Measure(name="count", function="count"),),
    )
    plan = Plan(parts=(Part(relation=Sort(source=counted, keys=(("count", True),))),))
    relation = readable(plan, (facts,), language).parts[0].relation
    assert isinstance(relation, Sort)
    assert isinstance(relation.source, Aggregate)
    assert relation.keys == ((name, True),)
    assert relation.source.measures[0].name == name
