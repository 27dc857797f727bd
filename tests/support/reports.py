"""A report with everything that a view knows, as a model would write it."""

from __future__ import annotations

from tablewright.report.blocks import ReportMeta, ReportView
from tablewright.report.view import view_of

CODE_ID = "code_20260101_0a1b2c3d"
CODE = "import pandas as pd\nprint('```')"


def chart(option: str) -> str:
    return f"<script>chart.setOption({option})</script>\n\n"


BARS = (
    "{title:{text:'季度销售'},xAxis:{type:'category',name:'季度',data:['Q1','Q2']},yAxis:{name:'万元'},"
    "series:[{name:'甲',type:'bar',data:[500,-20]},{name:'乙',type:'line',data:[100,null]}]}"
)
POINTS = "{xAxis:{},yAxis:{},series:[{type:'scatter',data:[[1,2],[3.5,4.2]]}]}"
SLICES = "{series:[{type:'pie',data:[{name:'=a',value:1},{name:'b',value:3}]}]}"
RADAR = "{title:{text:'雷达'},series:[{type:'radar',data:[{name:'z',value:[1,2,3]}]}]}"
REPORT = (
    "# 销售报告\n\n第一行 **粗体** 与 *斜体*\n第二行 `x` [链接](https://e.example)\n\n"
    "- 一\n  1. 一之一\n- 二\n\n> 引用\n\n"
    "| 区 | 额 |\n|---|---|\n| =1+1 | 1,234.5 |\n| @华北 | -5 |\n\n"
    f"{chart(BARS)}{chart(POINTS)}{chart(SLICES)}{chart(RADAR)}"
    f"<!-- CODE_SAVED: {CODE_ID} | import -->\n\n---\n\n<script>alert(1)</script>\n\n"
    "```sql\nselect 1\n```\n\n![图](figure.png)\n"
)
META = ReportMeta(title="销售", language="zh", codes={CODE_ID: CODE})


def whole_view() -> ReportView:
    return view_of(REPORT, codes=frozenset({CODE_ID}), images={"figure.png": "art1"})
