"""A report as markdown: what readers of markdown would see as tags is told otherwise."""

from __future__ import annotations

from pathlib import Path

import pytest

from tablewright.analyst.reporting.charts import block
from tablewright.report.blocks import ReportMeta
from tablewright.report.markdown_file import write_markdown

OPTION = {
    "title": {"text": "Sales"},
    "xAxis": {"type": "category", "name": "quarter", "data": ["Q1", "Q2"]},
    "yAxis": {"type": "value"},
    "series": [{"type": "bar", "name": "total", "data": [1, 2.5]}],
}
CHART = block(OPTION, 1)
TABLE = "**Sales**\n\n| quarter | total |\n| --- | --- |\n| Q1 | 1 |\n| Q2 | 2.5 |"


def written(report: str, folder: Path) -> str:
    write_markdown(report, ReportMeta(title="Sales"), folder / "r.md")
    return (folder / "r.md").read_text("utf-8")


@pytest.mark.parametrize(
    ("report", "told"),
    [
        (f"Before.\n\n{CHART}\n\nAfter.\n", f"Before.\n\n{TABLE}\n\nAfter.\n"),
        (f"<div class='card'>{CHART.replace('<script>', '</div><script>')}\n\nAfter.\n", f"{TABLE}\n\nAfter.\n"),
        (f"<div><h2>Two</h2>{CHART}</div>\n", f"<div><h2>Two</h2>\n\n{TABLE}\n\n</div>\n"),
    ],
)
def test_a_chart_is_the_table_of_what_it_shows(report: str, told: str, tmp_path: Path) -> None:
    assert written(report, tmp_path) == told


@pytest.mark.parametrize("report", [f"```html\n{CHART}\n```\n", "<script>alert(1)</script>\n", "<p>As it was.</p>\n"])
def test_code_and_what_is_no_chart_stay_as_they_were(report: str, tmp_path: Path) -> None:
    assert written(report, tmp_path) == report
