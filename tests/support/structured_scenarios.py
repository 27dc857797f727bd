"""The three scenarios of chapter 7 of the page on which the structured rounds stand, as questions and model answers."""

from __future__ import annotations

import json
from dataclasses import dataclass

from tests.support.structured_bench import call

SALES = "sales.csv"
_QUARTERS = {"Q1": (265, 235), "Q2": (270, 250), "Q3": (315, 265), "Q4": (340, 280)}
TABLE = "quarter,month,product,sales\n" + "".join(
    f"{quarter},2024-{month:02},{product},{share}\n"
    for number, (quarter, amounts) in enumerate(_QUARTERS.items())
    for product, amount in zip(("茶", "咖啡"), amounts, strict=True)
    for month, share in zip(
        range(3 * number + 1, 3 * number + 4), (amount // 3, amount // 3, amount - 2 * (amount // 3)), strict=True
    )
)
"""500, 520, 580 and 620 in the four quarters."""
CODE_ID = "code_20250207_00000001"
"""What stands for the id of the first code kept, in the answers of a scripted model."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scenario:
    """Questions of one conversation; `answers` are those of a scripted model to each, round by round."""

    name: str
    questions: tuple[str, ...]
    answers: tuple[tuple[str, ...], ...]


def written(analysis: str, plan: str, number: int, kind: str, content: object, **more: object) -> str:
    """An answer as a model writes it."""
    action = {"type": kind, "content": content, **more}
    whole = {"task_analysis": analysis, "execution_plan": plan, "current_round": number, "action": action}
    return json.dumps(whole, ensure_ascii=False, indent=2)


_SUMS = """\
import pandas as pd
import tw
df = pd.read_csv('sales.csv')
result = df.groupby('quarter')['sales'].sum()
result.to_excel('quarterly_sales.xlsx')
tw.file('quarterly_sales.xlsx')
print(result)"""
_REPORT = """\
## 销售数据分析报告

### 季度销售额
- Q1: 500万元
- Q2: 520万元 (环比增长4%)
- Q3: 580万元 (环比增长11.5%)
- Q4: 620万元 (环比增长6.9%)

### 趋势分析
全年销售额稳定增长，Q3 增长最为显著。"""
_CODE = """\
import pandas as pd
import matplotlib.pyplot as plt

df = pd.read_csv('sales.csv')
quarterly = df.groupby('quarter')['sales'].sum()

plt.figure(figsize=(10, 6))
quarterly.plot(kind='bar')
plt.title('季度销售趋势')
plt.savefig('sales_trend.png')
print(quarterly.sum())"""
_CHART = (
    "<div class='chart-wrapper' style='margin: 20px 0;'><div id='chart-sales-trend' "
    "style='width:100%;height:400px;'></div></div><script>(function(){const chart = "
    "echarts.init(document.getElementById('chart-sales-trend'));chart.setOption({title:{text:'季度销售趋势'},"
    "tooltip:{},xAxis:{type:'category',data:['Q1','Q2','Q3','Q4']},yAxis:{type:'value',name:'销售额(万元)'},"
    "series:[{type:'bar',data:[500,520,580,620],itemStyle:{color:'#2196F3'}}]});})();</script>"
)
ROUNDS = Scenario(
    name="rounds",
    questions=("分析 sales.csv 文件，计算季度销售额",),
    answers=(
        (
            written(
                "用户请求分析 CSV 文件中的销售数据：读取文件，按季度分组，计算总额。",
                "R1: 读取数据并计算; R2: 生成分析报告",
                1,
                "tool_call",
                [call("run_python", "call_q1_read", code=_SUMS, timeout=60, response_format="standard")],
            ),
            written(
                "已获取季度销售数据：Q1 500万，Q2 520万，Q3 580万，Q4 620万。",
                "R1: 读取数据并计算; R2: 生成分析报告(当前)",
                2,
                "complete",
                _REPORT,
                recommended_questions=["各产品线的销售贡献如何？", "可以生成可视化图表吗？"],
                download_links=["quarterly_sales.xlsx"],
            ),
        ),
    ),
)
KEPT_CODE = Scenario(
    name="kept code",
    questions=("生成分析销售数据的 Python 代码", "查看保存的代码"),
    answers=(
        (
            written(
                "用户需要销售数据分析的 Python 代码。",
                "R1: 生成分析代码(当前)",
                1,
                "complete",
                f"以下是销售数据分析代码：\n\n```python\n{_CODE}\n```\n\n代码已保存，可以用文件读取工具查看完整代码。",
            ),
        ),
        (
            written(
                "用户想查看之前保存的代码，需要使用 file_reader 读取。",
                "R1: 读取代码文件(当前); R2: 说明代码",
                1,
                "tool_call",
                [call("file_reader", "call_read_code", path=f"data/{CODE_ID}.py", format="python",
                      response_format="full")],
            ),
            written(
                "代码已读到。",
                "R1: 读取代码文件; R2: 说明代码(当前)",
                2,
                "complete",
                "代码读取 `sales.csv`，按季度求和，画出柱状图并存为 `sales_trend.png`。",
            ),
        ),
    ),
)  # fmt: skip
CHART = Scenario(
    name="chart",
    questions=("生成销售趋势的可视化图表",),
    answers=(
        (
            written(
                "用户需要可视化销售趋势数据，可以生成 ECharts 柱状图。",
                "R1: 生成可视化图表(当前)",
                1,
                "complete",
                _CHART,
            ),
        ),
    ),
)
SCENARIOS = (ROUNDS, KEPT_CODE, CHART)
