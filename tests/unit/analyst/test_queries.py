"""Plans over tables of a database: the queries come first, code over their results last."""

from __future__ import annotations

from tests.unit.analyst.sql.test_statements import S, column, facts

from tablewright.analyst.plan import Aggregate, Col, Measure, Part, Plan, Procedure, Project, Relation, Source, Top
from tablewright.analyst.queries import SplitPlan, Work, work
from tablewright.analyst.sql.split import split
from tablewright.domain.task import QueryFacts, StepFacts

TABLE = facts()
GROUPS = Aggregate(
    source=S, groups=(column("region"),), measures=(Measure(name="total", function="sum", of=Col(name="amount")),)
)


def parted(*parts: Part) -> SplitPlan:
    return split(Plan(parts=parts), (TABLE,), "en")


def whole(relation: Relation) -> Plan:
    return Plan(parts=(Part(relation=relation),))


def test_what_is_shown_and_asked_for_is_one_query() -> None:
    best = Top(source=GROUPS, by="total", count=1)
    found = parted(Part(relation=Project(source=best, columns=(column("region"),)), shown=best))
    (query,) = found.queries
    assert found.plan.parts[0].shown == Source(dataset_id=query.dataset_id)
    assert found.plan.parts[0].relation == Project(
        source=Source(dataset_id=query.dataset_id), columns=(column("region"),)
    )
    assert [(one.name, one.kind) for one in query.columns] == [("region", "text"), ("total", "number")]


def test_code_goes_on_where_no_statement_can_be_written() -> None:
    found = parted(Part(relation=Procedure(source=GROUPS, name="normality", columns=("total",))))
    assert len(found.queries) == 1
    assert isinstance(found.plan.parts[0].relation, Procedure)
    assert found.plan.parts[0].relation.source == Source(dataset_id="query_1")


def test_rows_as_they_stand_in_a_table_are_not_asked_for() -> None:
    assert parted(Part(relation=Procedure(source=S, name="describe", columns=("amount",)))).queries == ()


def test_queries_are_made_once_then_their_files_are_read() -> None:
    plan = whole(GROUPS)
    found = split(plan, (TABLE,), "en")
    first = work(plan, (TABLE,), (), found)
    assert [query.sql for query in first.queries] == [found.queries[0].sql]
    made = StepFacts(
        name="Query",
        code=found.queries[0].sql,
        query=QueryFacts(connection="c", path="/data/shared/q (2).json", rows=2),
    )
    then = work(plan, (TABLE,), (made,), found)
    assert then.queries == ()
    assert then.plan == found.plan
    assert (then.datasets[-1].path, then.datasets[-1].rows) == ("/data/shared/q (2).json", 2)


def test_where_a_query_failed_or_was_not_kept_all_is_left_to_code_over_the_first_rows() -> None:
    plan = whole(GROUPS)
    found = split(plan, (TABLE,), "en")
    sql = found.queries[0].sql
    alone = Work(plan=plan, datasets=(TABLE,))
    for facts_, error in ((QueryFacts(connection="c", path="/q.json"), "slow"), (QueryFacts(connection="c"), None)):
        assert work(plan, (TABLE,), (StepFacts(name="Q", code=sql, query=facts_, error=error),), found) == alone
    assert work(plan, (TABLE,), (), None) == alone
