from __future__ import annotations

import pytest

from tablewright.agent.code.provenance import provenance
from tablewright.domain.chart import Chart
from tablewright.domain.table import Cell, Table
from tablewright.domain.task import StepFacts


def facts(
    text: str = "", *, result: Cell = None, shown: tuple[Cell, ...] = (), charts: tuple[Chart, ...] = ()
) -> StepFacts:
    def table(values: tuple[Cell, ...]) -> Table:
        return Table(columns=("v",), rows=tuple((value,) for value in values), total_rows=len(values))

    return StepFacts(
        name="step",
        code="",
        text=text,
        result=None if result is None else table((result,)),
        tables=(table(shown),) if shown else (),
        charts=charts,
    )


def origins(text: str, question: str = "", **steps: StepFacts) -> list[str | None]:
    return [source.step_id for source in provenance(text, steps, question)]


@pytest.mark.parametrize(
    ("said", "put_out"),
    [
        ("1,234.5", 1234.5),
        ("1,235", 1234.56),
        ("1234.6", 1234.56),
        ("45.2%", 0.45213),
        ("45.2%", 45.21),
        ("1.2亿", 123_456_789),
        ("3.5万", 3.5),
        ("12.35 million", 12_345_678),
        ("0.000012", 0.0000123),
        ("下降了5.2%", -5.2),
        ("下降了5.2%", -0.052),
        ("1,000", "1,000 km"),
        ("7", 7),
    ],
)
def test_a_number_is_found_as_written_rounded_scaled_or_as_a_share(said: str, put_out: Cell) -> None:
    assert origins(f"It is {said}.", a=facts(result=put_out)) == ["a"]


@pytest.mark.requirement("analyst-unverified-numbers-told")
@pytest.mark.parametrize(
    ("said", "put_out"),
    [("1,235", 1236.0), ("3", 2.7), ("45.3%", 0.4521), ("1.3亿", 123_456_789), ("8", True), ("5", "abc")],
)
def test_a_number_that_was_not_put_out_is_unverified(said: str, put_out: Cell) -> None:
    assert origins(f"It is {said}.", a=facts(result=put_out)) == [None]


def test_every_kind_of_output_counts() -> None:
    chart = Chart(kind="bar", x=("x",), y=(33.0,))
    found = origins(
        "11, 22, 33 and 44", a=facts("printed 11"), b=facts(shown=(22,)), c=facts(charts=(chart,)), d=facts(result=44)
    )
    assert found == ["a", "b", "c", "d"]


def test_a_number_of_rows_counts() -> None:
    assert origins("4 regions", a=facts(shown=("n", "s", "e", "w"))) == ["a"]


def test_the_exact_match_wins_over_the_rounded_one() -> None:
    assert origins("12.3", a=facts(result=12.31), b=facts("12.3")) == ["b"]


def test_of_equal_matches_the_more_direct_and_then_the_later_wins() -> None:
    assert origins("50", a=facts("50"), b=facts(result=50), c=facts("50")) == ["b"]
    assert origins("50", a=facts("50"), b=facts("50")) == ["b"]


def test_years_and_numbers_of_the_question_that_were_not_put_out_are_left_out() -> None:
    assert origins("In 2024 the top 5 made 70", "the top 5?", a=facts(result=70)) == ["a"]
    assert origins("In 2024", a=facts(shown=(2024,))) == ["a"]


def test_a_source_says_where_the_number_stands() -> None:
    text = "华东最高，占45.2%。"
    (source,) = provenance(text, {"a": facts(result=45.2)})
    assert (source.value, text[source.start : source.end]) == (45.2, "45.2%")


def test_without_steps_every_number_is_unverified() -> None:
    assert origins("It is 12.") == [None]


@pytest.mark.parametrize(
    "said", ["30 of 120 are red (25%)", "from 120 to 30 (-75%)", "30, then 120: +300.0%", "30/120: 75% less"]
)
def test_a_percentage_of_two_numbers_of_the_line_belongs_to_their_step(said: str) -> None:
    assert set(origins(said, a=facts(shown=(30, 120)))) == {"a"}


@pytest.mark.parametrize("said", ["30 of 120 are red (26%)", "30 of 7000 are red (0.4%)", "30 of 120\n25%"])
def test_a_percentage_of_other_numbers_is_unverified(said: str) -> None:
    assert origins(said, a=facts(shown=(30, 120)))[-1] is None
