"""The numbers that a report states are those of its words and of its charts, not of its markup."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablewright.agent.code.figures import figures
from tablewright.agent.structured.statements import statements_of

CHART = """<div id="c" style="width:800px;height:400px"></div>
<script>echarts.init(document.getElementById('c')).setOption({
  grid: {left: 60}, radius: '50%',
  series: [{type: 'bar', barWidth: 20, data: [120.0, 80.5, -3]}, {data: [{value: 41, name: "a 7"}]}]
});</script>"""


@pytest.mark.parametrize(
    ("report", "stated"),
    [
        ("Sales were **1,200** of 3,000.", [1200, 3000]),
        ('<p style="margin:12px" width=40>Sales: <b>55</b></p>', [55]),
        ("<style>td {width: 30px}</style>7 rows", [7]),
        ("<!-- CODE_SAVED: code_20261122_ab12cd34 | x = 5 -->8", [8]),
        (CHART, [120, 80.5, -3, 41]),
        ("a < 5 and b > 6", [5, 6]),
        ("<script>var x = [9, 10]", [9, 10]),
        ("<!-- never closed, 12 <style> 13", [12, 13]),
        ("<STYLE>td {width: 30px}</STYLE> 14", [14]),
        ("<div", []),
    ],
)
def test_only_words_and_data_state_numbers(report: str, stated: list[float]) -> None:
    assert [figure.value for figure in figures(statements_of(report))] == stated


@given(st.text(alphabet="<>/!-sctriple=\"' 12[],:valu", max_size=60))
def test_every_place_stays_where_it_was(report: str) -> None:
    assert len(statements_of(report)) == len(report)


def test_a_report_of_openings_alone_is_read_in_no_time() -> None:
    report = "<!--<style><script" * 20_000
    assert len(statements_of(report)) == len(report)
