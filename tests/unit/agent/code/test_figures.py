from __future__ import annotations

import pytest

from tablewright.agent.code.figures import figures


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("销售额为1,234,567.89元", [1234567.89]),
        ("占比45.2%，同比下降-3.5％", [45.2, -3.5]),
        ("约1.2亿，即12,000万", [120_000_000, 120_000_000]),
        ("3.5万亿、2百万、7千", [3_500_000_000_000, 2_000_000, 7000]),
        ("$1.5 million, 2.4bn, 10k, 3M, 5 thousand", [1_500_000, 2_400_000_000, 10_000, 3_000_000, 5000]),
        ("12 percent of 40 per cent", [12, 40]),
        ("@mean[29.70] @n[891]", [29.7, 891]),
        ("-5, (−6) and +7", [-5, -6, 7]),
        ("from 3-5 to 10–20", [3, 5, 10, 20]),
        ("10,20,30", [10, 20, 30]),
        ("1e-5 and 7.5E3", [1e-5, 7500]),
        ("5kg of 3mm", [5, 3]),
        ("12月均5", [12, 5]),
        ("72027.08\n", [72027.08]),
        ("1234.56 to 2024.5", [1234.56, 2024.5]),
        ("10000-12", [10000, 12]),
    ],
)
def test_numbers_are_read_in_both_languages(text: str, values: list[float]) -> None:
    assert [figure.value for figure in figures(text)] == values


@pytest.mark.parametrize(
    "text",
    [
        "2024-01-15 10:30",
        "2024年1月15日",
        "3月5日",
        "01/02/2024",
        "from 2024-01-01 to 2024-12-31.",
        "2024.10.15",
        "第3名",
        "the 3rd, the 21st",
        "1. first\n2) second\n3、第三",
        "column_2, A1, Q4, v3.1.4",
        "",
    ],
)
def test_dates_ordinals_names_and_list_markers_are_no_numbers(text: str) -> None:
    assert list(figures(text)) == []


def test_a_figure_knows_its_place() -> None:
    text = "共1,200元（12.5%）"
    assert [text[figure.start : figure.end] for figure in figures(text)] == ["1,200", "12.5%"]


@pytest.mark.parametrize(
    ("text", "may_be"), [("2024", True), ("2024.10", True), ("2024.13", False), ("1234.56", False)]
)
def test_a_figure_that_may_be_a_year_or_a_month_says_so(text: str, may_be: bool) -> None:
    (figure,) = figures(text)
    assert figure.bare_year is may_be
