"""Computes what the questions of this suite must be answered with, by pandas expressions written by hand.

Run with the interpreter of the sandbox's environment: `python tests/suites/samples/expected.py >
tests/suites/samples/suite.jsonl`.
"""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd

SAMPLES = Path(__file__).resolve().parents[3] / "src" / "tablewright" / "samples"
ORDERS = "orders.csv"
SALES = "门店销售.xlsx"

o = pd.read_csv(SAMPLES / ORDERS, parse_dates=["Order Date"])
o["Discount"] = o["Discount"].str.rstrip("%").astype(float)
s = pd.read_excel(SAMPLES / SALES, sheet_name="销售明细")
m = pd.read_excel(SAMPLES / SALES, sheet_name="门店信息")
t = pd.read_excel(SAMPLES / SALES, sheet_name="月度目标", header=2)
y24 = o[o["Order Date"].dt.year == 2024]
h2 = s[s["日期"].dt.month >= 7]


def by(frame: pd.DataFrame, key: str, value: str, how: str) -> list[list[object]]:
    return [[k, v] for k, v in frame.groupby(key)[value].agg(how).items()]


def top(frame: pd.DataFrame, key: str, value: str, how: str, n: int) -> list[list[object]]:
    return [[k] for k in frame.groupby(key)[value].agg(how).nlargest(n).index]


def bars(frame: pd.DataFrame, key: str, value: str, how: str, kind: str = "bar") -> dict[str, object]:
    grouped = frame.groupby(key)[value].agg(how)
    return {"kind": "chart", "type": kind, "x": list(grouped.index), "y": list(grouped), "series": None}


EN = [
    ("How many orders are there?", [[len(o)]]),
    ("How many orders were cancelled?", [[int((o.Status == "Cancelled").sum())]]),
    ("What is the total revenue?", [[o.Revenue.sum()]]),
    ("What is the total revenue in 2024?", [[y24.Revenue.sum()]]),
    ("What is the average unit price of electronics?", [[o[o.Category == "Electronics"]["Unit Price"].mean()]]),
    ("What is the total revenue by category?", by(o, "Category", "Revenue", "sum")),
    ("average rating per product", by(o, "Product", "Rating", "mean")),
    ("Which 3 cities have the highest average revenue in 2024?", top(y24, "City", "Revenue", "mean", 3)),
    ("Which product sold the most units?", top(o, "Product", "Quantity", "sum", 1)),
    ("Which region has the lowest total cost?", [[o.groupby("Region").Cost.sum().idxmin()]]),
    ("How many orders from Leeds have a revenue above 500?", [[int(((o.City == "Leeds") & (o.Revenue > 500)).sum())]]),
    ("How many distinct cities are there?", [[o.City.nunique()]]),
    ("How many orders have no rating?", [[int(o.Rating.isna().sum())]]),
    (
        "What share of the revenue comes from the Online channel?",
        [[o[o.Channel == "Online"].Revenue.sum() / o.Revenue.sum() * 100]],
    ),
    ("What is the median revenue of returned orders?", [[o[o.Status == "Returned"].Revenue.median()]]),
    (
        "total revenue between 2023-04-01 and 2023-06-30",
        [[o[o["Order Date"].between("2023-04-01", "2023-06-30")].Revenue.sum()]],
    ),
    ("How many orders contain more than 5 units?", [[int((o.Quantity > 5).sum())]]),
    ("What is the correlation between quantity and revenue?", [[o.Quantity.corr(o.Revenue)]]),
    ("What is the standard deviation of the cost?", [[o.Cost.std()]]),
    (
        "Is the average revenue higher in the North or in the South?",
        [[o[o.Region.isin(["North", "South"])].groupby("Region").Revenue.mean().idxmax()]],
    ),
    (
        "What is the difference between the total revenue of 2024 and 2023?",
        [[y24.Revenue.sum() - o[o["Order Date"].dt.year == 2023].Revenue.sum()]],
    ),
    (
        "Number of orders by status and channel",
        [[a, b, n] for (a, b), n in o.groupby(["Status", "Channel"]).size().items()],
    ),
    ("What is the highest revenue of a single order?", [[o.Revenue.max()]]),
    ("Which order has the highest revenue?", [[i] for i in o[o.Revenue == o.Revenue.max()]["Order ID"]]),
    (
        "total quantity of Notebook and Keyboard in the West",
        [[int(o[o.Product.isin(["Notebook", "Keyboard"]) & (o.Region == "West")].Quantity.sum())]],
    ),
    ("How many orders were not delivered?", [[int((o.Status != "Delivered").sum())]]),
    ("What is the total revenue minus the total cost?", [[o.Revenue.sum() - o.Cost.sum()]]),
    (
        "total revenue by quarter in 2023",
        [
            [p, v]
            for p, v in zip(
                ["2023Q1", "2023Q2", "2023Q3", "2023Q4"],
                o[o["Order Date"].dt.year == 2023].groupby(o["Order Date"].dt.quarter).Revenue.sum(),
                strict=True,
            )
        ],
    ),
    ("What is the average discount for each region?", by(o, "Region", "Discount", "mean")),
]
ZH = [
    ("一共有多少条销售记录？", [[len(s)]]),
    ("总销售额是多少？", [[s["销售额"].sum()]]),
    ("各大区的销售额分别是多少？", by(s, "大区", "销售额", "sum")),
    ("2024年下半年销售额最高的3家门店是哪些？", top(h2, "门店", "销售额", "sum", 3)),
    ("三里屯店的总毛利是多少？", [[s[s["门店"] == "三里屯店"]["毛利"].sum()]]),
    ("上海的门店一共卖出了多少件茶叶？", [[int(s[(s["城市"] == "上海") & (s["品类"] == "茶叶")]["数量"].sum())]]),
    ("哪个商品的销量最高？", top(s, "商品", "数量", "sum", 1)),
    ("每种支付方式的订单数是多少？", [[k, v] for k, v in s.groupby("支付方式").size().items()]),
    ("微信支付的销售额占比是多少？", [[s[s["支付方式"] == "微信"]["销售额"].sum() / s["销售额"].sum() * 100]]),
    ("单价超过100元的商品有哪些？", [[v] for v in s[s["单价"] > 100]["商品"].unique()]),
    ("平均每笔销售额是多少？", [[s["销售额"].mean()]]),
    ("3月份华南大区的销售额是多少？", [[s[(s["日期"].dt.month == 3) & (s["大区"] == "华南")]["销售额"].sum()]]),
    ("毛利缺失的记录有多少条？", [[int(s["毛利"].isna().sum())]]),
    ("哪家门店的面积最大？", [[v] for v in m[m["面积(㎡)"] == m["面积(㎡)"].max()]["门店"]]),
    ("西湖店有多少员工？", [[int(m[m["门店"] == "西湖店"]["员工数"].iloc[0])]]),
    ("员工数不少于15人的门店有几家？", [[int((m["员工数"] >= 15).sum())]]),
    ("2018年开业的门店有哪些？", [[v] for v in m[m["开业日期"].dt.year == 2018]["门店"]]),
    ("2024年5月华东的目标是多少？", [[int(t[t["月份"] == "2024-05"]["华东"].iloc[0])]]),
    (
        "华东和华北的销售额相差多少？",
        [[abs(s[s["大区"] == "华东"]["销售额"].sum() - s[s["大区"] == "华北"]["销售额"].sum())]],
    ),
    ("各品类的平均单价", by(s, "品类", "单价", "mean")),
    ("数量和毛利的相关系数是多少？", [[s["数量"].corr(s["毛利"])]]),
    ("销售额的中位数和标准差是多少？", [[s["销售额"].median(), s["销售额"].std()]]),
    ("北京有几家门店？", [[int((m["城市"] == "北京").sum())]]),
    ("除了现金以外的销售额合计", [[s[s["支付方式"] != "现金"]["销售额"].sum()]]),
]
CHARTS = [
    ("en", ORDERS, "Draw a bar chart of total revenue by region", bars(o, "Region", "Revenue", "sum")),
    ("en", ORDERS, "pie chart of the number of orders per channel", bars(o, "Channel", "Revenue", "size", "pie")),
    ("zh", SALES, "用柱状图展示各品类的销售额", bars(s, "品类", "销售额", "sum")),
    ("zh", SALES, "画饼图：各城市的订单数", bars(s, "城市", "销售额", "size", "pie")),
]
DECLINED = [
    ("en", ORDERS, "What is the weather in Leeds tomorrow?"),
    ("en", ORDERS, "What is the total shipping weight?"),
    ("zh", SALES, "哪位店长的工资最高？"),
]


def plain(value: object) -> object:
    return value.item() if hasattr(value, "item") else value


def main() -> None:
    number = 0
    for lang, name, cases in (("en", ORDERS, EN), ("zh", SALES, ZH)):
        for prompt, rows in cases:
            number += 1
            check = {"kind": "rows", "rows": [[plain(v) for v in row] for row in rows], "decimals": 2}
            print(
                json.dumps(
                    {"id": f"sample-{number:02d}", "lang": lang, "files": [name], "prompt": prompt, "check": check},
                    ensure_ascii=False,
                )
            )
    for lang, name, prompt, chart in CHARTS:
        number += 1
        chart = {key: [plain(v) for v in value] if isinstance(value, list) else value for key, value in chart.items()}
        print(
            json.dumps(
                {"id": f"sample-{number:02d}", "lang": lang, "files": [name], "prompt": prompt, "check": chart},
                ensure_ascii=False,
            )
        )
    for lang, name, prompt in DECLINED:
        number += 1
        print(
            json.dumps(
                {
                    "id": f"sample-{number:02d}",
                    "lang": lang,
                    "files": [name],
                    "prompt": prompt,
                    "check": {"kind": "declined"},
                },
                ensure_ascii=False,
            )
        )


if __name__ == "__main__":
    main()
