"""The workbooks that the sentences speak of."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import openpyxl

from tablewright.domain.table import Cell

_SHEETS: dict[str, dict[str, list[list[Cell | date]]]] = {
    "sales": {
        "销售": [
            ["订单号", "日期", "地区", "产品", "数量", "单价", "金额", "状态"],
            ["A001", date(2024, 1, 5), "华东", "苹果", 10, 5, 50, "已完成"],
            ["A002", date(2024, 1, 18), "华北", "香蕉", 20, 3, 60, "取消"],
            ["A003", date(2024, 2, 2), "华东", "橙子", None, 4, 120, "已完成"],
            ["A004", date(2024, 2, 11), "华南", "苹果", 8, 5, 40, "待处理"],
            ["A005", date(2024, 3, 7), "华北", "葡萄", 50, 30, 1500, "已完成"],
            ["A002", date(2024, 1, 18), "华北", "香蕉", 20, 3, 60, "取消"],
            ["A006", date(2024, 3, 20), "华南", "西瓜", 100, 12, 1200, "已完成"],
        ],
        "产品表": [
            ["产品", "类别", "进价"],
            ["苹果", "常温", 2],
            ["香蕉", "常温", 1.5],
            ["橙子", "常温", 2.5],
            ["葡萄", "冷藏", 18],
            ["西瓜", "常温", 7],
        ],
    },
    "orders": {
        "Orders": [
            ["order_id", "date", "region", "product", "revenue", "cost", "status", "city"],
            [1001, date(2024, 1, 3), "East", "Laptop", 1200, 900, "shipped", "New York"],
            [1002, date(2024, 1, 15), "West", "Mouse", 40, 15, "cancelled", "Los Angeles"],
            [1003, date(2024, 2, 9), "East", "Monitor", 300, 210, "shipped", "Boston"],
            [1004, date(2024, 2, 20), "North", "Laptop", 1150, 900, "pending", "Chicago"],
            [1005, date(2024, 3, 1), "West", "Desk", None, 220, "shipped", "Seattle"],
            [1006, date(2024, 3, 14), "North", "Chair", 90, 60, "cancelled", "Chicago"],
            [1004, date(2024, 2, 20), "North", "Laptop", 1150, 900, "pending", "Chicago"],
        ],
        "Products": [
            ["product", "category", "price"],
            ["Laptop", "Computers", 1100],
            ["Mouse", "Accessories", 25],
            ["Monitor", "Computers", 280],
            ["Desk", "Furniture", 250],
            ["Chair", "Furniture", 85],
        ],
    },
    "people": {
        "Sheet1": [
            ["Name", "Age", "Department", "Salary", "Start Date", "Active"],
            ["Smith, John", 34, "Sales", 52000, date(2019, 4, 1), "yes"],
            ["Lee, Ann", None, "HR", 61000, date(2020, 6, 15), "no"],
            ["Wong, Tim", 45, "IT", 75000, date(2018, 1, 20), "yes"],
            ["Diaz, Eva", 29, "Sales", 48000, date(2021, 9, 1), "yes"],
            ["Khan, Omar", None, "IT", 83000, date(2017, 11, 11), "no"],
        ]
    },
    "staff": {
        "员工": [
            ["姓名", "年龄", "部门", "工资", "入职日期", "手机"],
            ["张三", 30, "销售部", 8000, date(2020, 1, 1), "13800000001"],
            ["李四", None, "财务部", 9500, date(2019, 5, 6), "13800000002"],
            ["王五", 41, "技术部", 15000, date(2015, 3, 9), "13800000003"],
            ["赵六", 28, "技术部", 12000, date(2022, 8, 15), "13800000004"],
            ["钱七", None, "销售部", 7000, date(2023, 2, 20), "13800000005"],
        ]
    },
    "form": {"申请": [["借用单"], [], ["姓名", None], ["物品", None]], "填写说明": [["每项必填"]]},
    "months": {
        "Costs": [
            ["Item", "Kind", "Jan", "Feb", "Mar", "Limit"],
            ["Power", "Fixed", 300, 320, 310, 1000],
            ["Water", "Fixed", 90, 80, 100, 250],
            ["Ads", "Free", 500, 900, 700, 1800],
        ],
        "Kinds": [["Kind", "Total", "Rate"], ["Fixed", None, 0.5], ["Free", None, 2]],
    },
}


def book(folder: Path, name: str) -> Path:
    """Write the workbook called `name` and return where."""
    path = folder / f"{name}.xlsx"
    made = openpyxl.Workbook()
    made.remove(made.active)
    for title, rows in _SHEETS[name].items():
        sheet = made.create_sheet(title)
        for row in rows:
            sheet.append(row)
    made.save(path)
    return path
