"""First looks at tables, several questions at once, and arithmetic that a question spells out."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest
from tests.unit.analyst.grammar.clinic import VISITS, Words, best, read

from tablewright.analyst.grammar import readings
from tablewright.analyst.plan import Concat, Lit, Named, Position, Procedure, Project, Relation
from tablewright.domain.language import language_of


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("summarise this data", "statistics of the numbers"),
        ("show the first 5 rows", "first 5 rows"),
        ("last 3 rows", "last 3 rows"),
        ("what columns are there", "the columns"),
        ("how many rows and columns", "number of rows, and the columns"),
        ("What is in this table?", "first 5 rows"),
        ("first 5 rows with cats", "first 5 rows, where animal = cat"),
        ("总结一下这份数据", "数值列的统计"),
        ("前10行", "前 10 行"),
        ("有哪些列", "各列"),
        ("这张表有多大", "行数和各列"),
        ("看看这份数据", "前 5 行"),
        ("how many rows are there", "count"),
    ],
)
def test_a_first_look_is_understood(question: str, said: str) -> None:
    assert best(question) == said


def test_a_look_names_how_many_rows_it_shows() -> None:
    assert read("last 3 rows", 1)[0].plan.parts[0].relation == Position(source=_source(), count=-3)


def _source() -> Relation:
    relation = read("last 3 rows", 1)[0].plan.parts[0].relation
    assert isinstance(relation, Position)
    return relation.source


def test_all_tables_are_looked_at_where_none_is_named() -> None:
    other = replace(VISITS, id="w", name="treatments", file_name="treatments.csv")
    found = asyncio.run(readings("what columns are there", "en", [VISITS, other], Words(), most=1))[0]
    assert [part.caption for part in found.plan.parts] == ["visits", "treatments"]
    assert all(isinstance(part.relation, Procedure) for part in found.plan.parts)


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Which vet had the highest fee and which the lowest?", "vet with the highest and with the lowest total fee"),
        ("哪个医生的金额最高，哪个最低", "金额合计最高和最低的医生"),
    ],
)
def test_two_questions_at_once_have_two_answers(question: str, said: str) -> None:
    found = [one for one in read(question, 3) if one.said == said]
    assert len(found[0].plan.parts) == 2


def test_two_numbers_asked_for_at_once_are_named_by_what_they_are() -> None:
    said = ["count, where animal = cat", "average fee, where animal = cat"]
    found = read("How many cats were there? And what is the average fee?", 3)
    relation = next(one.plan.parts[0].relation for one in found if one.said == "; ".join(said))
    assert isinstance(relation, Project)
    assert [column.name for column in relation.columns] == said


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("average fee of the first 5 rows", "average fee of the first 5 rows"),
        ("did Dr Silva see more cats than Dr Novak?", "whether count is more or less"),
    ],
)
def test_less_common_operators_are_among_the_readings(question: str, said: str) -> None:
    assert any(said in one.said for one in read(question))


def test_the_words_that_have_no_part_in_a_reading_are_told() -> None:
    found = read("how many glimmering zorbles did cats have", 1)[0]
    assert found.unread == ("glimmering", "zorbles")
    assert found.named == ("animal",)


@pytest.mark.parametrize(
    ("question", "name"),
    [("list the tables", "table"), ("which tables are there?", "table"), ("有哪些表", "表"), ("有几张工作表", "表")],
)
def test_the_tables_are_listed_with_their_rows_and_columns(question: str, name: str) -> None:
    other = replace(VISITS, id="w", name="treatments", columns=VISITS.columns[:2])
    found = asyncio.run(readings(question, language_of(question), [VISITS, other], Words(), most=1))[0]
    (part,) = found.plan.parts
    assert isinstance(part.relation, Concat)
    rows = [one.columns for one in part.relation.sources if isinstance(one, Project)]
    assert [row[0] for row in rows] == [Named(name=name, of=Lit(value=table)) for table in ("visits", "treatments")]
    assert rows[1][2].of in {Lit(value="vet, animal"), Lit(value="vet、animal")}
