"""Questions about rows: what each becomes."""

from __future__ import annotations

import pytest
from tests.unit.analyst.reading.tables import NORTH, SOUTH, plan_for, relation_for

from tablewright.analyst.plan import (
    Aggregate,
    AllOf,
    Between,
    Col,
    Combine,
    Compare,
    Concat,
    Filter,
    Lit,
    Math,
    Measure,
    Named,
    Not,
    OneOf,
    Procedure,
    Project,
    Relation,
    Source,
    Top,
)

SHOPS = Source(dataset_id="shops")


def only(name: str) -> tuple[Named, ...]:
    return (Named(name=name, of=Col(name=name)),)


def equal(column: str, value: str) -> Compare:
    return Compare(op="=", left=Col(name=column), right=Lit(value=value))


def count(source: Relation) -> Aggregate:
    return Aggregate(source=source, groups=(), measures=(Measure(name="count", function="count"),))


async def test_a_named_cell_becomes_a_condition_and_the_named_column_the_answer() -> None:
    relation = await relation_for("What is the revenue of Old Mill?")
    assert relation == Project(source=Filter(source=SHOPS, where=equal("Shop", "Old Mill")), columns=only("Revenue"))


async def test_the_highest_of_something_asks_for_the_name_of_the_row() -> None:
    relation = await relation_for("Which shop has the highest revenue?")
    assert relation == Project(source=Top(source=SHOPS, by="Revenue", count=1), columns=only("Shop"))


async def test_the_highest_value_itself_is_an_aggregate() -> None:
    relation = await relation_for("What is the highest revenue?")
    assert relation == Aggregate(
        source=SHOPS, groups=(), measures=(Measure(name="Revenue", function="max", of=Col(name="Revenue")),)
    )


@pytest.mark.parametrize(
    ("question", "where"),
    [
        ("How many shops are in Porto?", equal("City", "Porto")),
        (
            "How many shops have a revenue of at least 50?",
            Compare(op=">=", left=Col(name="Revenue"), right=Lit(value=50)),
        ),
        ("How many shops are not in Lyon?", Not(of=equal("City", "Lyon"))),
        ("How many shops in Gent or Porto?", OneOf(of=Col(name="City"), values=("Gent", "Porto"))),
        (
            "How many shops opened before 2001-05-01?",
            Compare(op="<", left=Col(name="Opened"), right=Lit(value="2001-05-01")),
        ),
        (
            "How many shops opened between 2001 and 2004?",
            Between(of=Col(name="Opened"), low="2001-01-01", high="2004-12-31"),
        ),
        ("How many shops have a revenue between 20 and 40?", Between(of=Col(name="Revenue"), low=20, high=40)),
    ],
)
async def test_conditions_select_the_rows_that_are_counted(question: str, where: object) -> None:
    relation = await relation_for(question)
    assert isinstance(relation, Aggregate)
    assert relation.source == Filter(source=SHOPS, where=where)  # type: ignore[arg-type]
    assert relation.measures == (Measure(name="count", function="count"),)


async def test_conditions_on_several_columns_all_hold() -> None:
    relation = await relation_for("What is the total revenue of food shops in Gent?")
    assert isinstance(relation, Aggregate)
    assert relation.source == Filter(source=SHOPS, where=AllOf(parts=(equal("Kind", "food"), equal("City", "Gent"))))


async def test_each_groups_and_is_drawn_only_where_showing_is_asked_for() -> None:
    part = (await plan_for("What is the average revenue for each city?")).parts[0]
    assert isinstance(part.relation, Aggregate)
    assert part.relation.groups == only("City")
    assert part.drawing is None
    shown = (await plan_for("Show the average revenue for each city.")).parts[0]
    assert shown.drawing is not None
    assert shown.drawing.kind == "bar"


async def test_the_choice_between_two_names_ranks_only_these() -> None:
    relation = await relation_for("Which shop has more staff, Old Mill or Green Leaf?")
    both = Filter(source=SHOPS, where=OneOf(of=Col(name="Shop"), values=("Old Mill", "Green Leaf")))
    assert relation == Project(source=Top(source=both, by="Number_of_Staff", count=1), columns=only("Shop"))


async def test_the_difference_between_two_names_is_one_number() -> None:
    relation = await relation_for("What is the difference in revenue between Old Mill and Green Leaf?")
    assert isinstance(relation, Combine)
    assert relation.op == "absolute_difference"


async def test_a_ranking_among_the_first_of_another_is_nested() -> None:
    relation = await relation_for("Among the top 3 shops by revenue, which has the fewest staff?")
    first = Top(source=SHOPS, by="Revenue", count=3, ties=False)
    assert relation == Project(
        source=Top(source=first, by="Number_of_Staff", count=1, descending=False), columns=only("Shop")
    )


async def test_an_average_over_the_first_rows_is_of_these_rows() -> None:
    relation = await relation_for("What is the average revenue of the top 2 shops by number of staff?")
    assert isinstance(relation, Aggregate)
    assert relation.source == Top(source=SHOPS, by="Number_of_Staff", count=2, ties=False)


async def test_most_without_a_measure_counts_rows() -> None:
    relation = await relation_for("Which city has the most shops?")
    assert isinstance(relation, Project)
    assert isinstance(relation.source, Top)
    assert relation.source.by == "count"


async def test_a_percentage_of_rows_compares_with_all_rows() -> None:
    relation = await relation_for("What percentage of shops are in Porto?")
    assert isinstance(relation, Combine)
    assert (relation.op, relation.right) == ("percent", count(SHOPS))


async def test_the_row_after_a_named_one() -> None:
    relation = await relation_for("Which shop comes right after Old Mill?")
    assert isinstance(relation, Project)
    assert relation.source == Procedure(
        source=SHOPS, name="neighbour", columns=("Shop",), options={"value": "Old Mill", "offset": 1}
    )


async def test_a_measure_defined_in_the_question_is_a_column() -> None:
    relation = await relation_for(
        "Productivity is defined as the revenue divided by the number of staff. Which shop has the highest "
        "Productivity?"
    )
    assert isinstance(relation, Project)
    assert isinstance(relation.source, Top)
    assert relation.source.by == "Productivity"
    assert "Math" in repr(relation.source.source)
    assert Math(op="/", left=Col(name="Revenue"), right=Col(name="Number_of_Staff")) in _made(relation.source.source)


def _made(relation: object) -> list[object]:
    return [column.of for column in getattr(relation, "columns", ())]


async def test_two_names_in_chinese_give_one_value_each() -> None:
    relation = await relation_for("北川县的镜湖和长青湖的面积各是多少？", NORTH)
    where = OneOf(of=Col(name="湖泊名称"), values=("镜湖", "长青湖"))
    assert relation == Project(
        source=Filter(source=Source(dataset_id="lakes-north"), where=where), columns=only("面积(平方公里)")
    )


async def test_words_that_only_name_the_table_are_no_condition() -> None:
    relation = await relation_for("2021年，北川县哪个湖泊的平均水深最大？", NORTH)
    assert relation == Project(
        source=Top(source=Source(dataset_id="lakes-north"), by="平均水深", count=1), columns=only("湖泊名称")
    )


@pytest.mark.parametrize("said", ["面积超过10", "面积大于10", "面积高于10"])
async def test_chinese_comparisons_find_their_column(said: str) -> None:
    relation = await relation_for(f"{said}的湖泊有哪些？", NORTH)
    assert isinstance(relation, Project)
    assert relation.source == Filter(
        source=Source(dataset_id="lakes-north"),
        where=Compare(op=">", left=Col(name="面积(平方公里)"), right=Lit(value=10)),
    )
    assert relation.columns == only("湖泊名称")


async def test_a_question_over_two_tables_answers_for_each() -> None:
    relation = await relation_for("北川县和南岭县面积排名前二的湖泊中，各自平均水深最小的是哪个湖泊？", NORTH, SOUTH)
    assert isinstance(relation, Concat)
    assert len(relation.sources) == 2


async def test_a_name_that_one_table_holds_is_sought_there() -> None:
    relation = await relation_for("北川县镜湖和南岭县白鹭湖的水质等级分别是什么？", NORTH, SOUTH)
    assert isinstance(relation, Concat)
    first, second = relation.sources
    assert isinstance(first, Project)
    assert isinstance(second, Project)
    assert first.source == Filter(source=Source(dataset_id="lakes-north"), where=equal("湖泊名称", "镜湖"))
    assert second.source == Filter(source=Source(dataset_id="lakes-south"), where=equal("湖泊名称", "白鹭湖"))
