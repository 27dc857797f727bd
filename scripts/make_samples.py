"""Makes the sample files: a CSV with English headers and a workbook with Chinese ones, the same at every run.

Both are shaped like what people bring: dates, missing values, ties, a percent column written as text, several sheets, a
title above a header.
"""

from __future__ import annotations

import csv
import random
from datetime import date, datetime, timedelta
from pathlib import Path

import xlsxwriter

FOLDER = Path(__file__).resolve().parent.parent / "src" / "tablewright" / "samples"
ORDERS = 6_000
SALES = 5_400

CITIES = {
    "North": ["Leeds", "York", "Hull"],
    "South": ["Brighton", "Dover"],
    "East": ["Norwich", "Ipswich"],
    "West": ["Bristol", "Bath", "Exeter"],
}
PRODUCTS = [
    ("Desk lamp", "Lighting", 39.9),
    ("Floor lamp", "Lighting", 89.0),
    ("Oak desk", "Furniture", 420.0),
    ("Office chair", "Furniture", 189.5),
    ("Bookshelf", "Furniture", 149.0),
    ("Notebook", "Stationery", 4.5),
    ("Fountain pen", "Stationery", 28.0),
    ("Headphones", "Electronics", 129.0),
    ("Keyboard", "Electronics", 74.9),
    ("Monitor", "Electronics", 249.0),
]
CHANNELS = ["Online", "Store", "Partner"]

STORES = [
    ("S01", "南京东路店", "上海", "华东", "2016-05-01", 320, 18),
    ("S02", "徐家汇店", "上海", "华东", "2017-09-12", 280, 15),
    ("S03", "西湖店", "杭州", "华东", "2018-03-20", 210, 11),
    ("S04", "新街口店", "南京", "华东", "2019-11-08", 260, 14),
    ("S05", "三里屯店", "北京", "华北", "2015-07-18", 350, 20),
    ("S06", "中关村店", "北京", "华北", "2018-12-01", 240, 13),
    ("S07", "滨江道店", "天津", "华北", "2020-06-15", 200, 11),
    ("S08", "天河城店", "广州", "华南", "2016-10-01", 300, 17),
    ("S09", "北京路店", "广州", "华南", "2019-04-27", 220, 12),
    ("S10", "万象城店", "深圳", "华南", "2017-01-16", 310, 18),
    ("S11", "春熙路店", "成都", "西南", "2018-08-08", 250, 14),
    ("S12", "解放碑店", "重庆", "西南", "2021-05-20", 230, 12),
]
GOODS = [
    ("龙井茶礼盒", "茶叶", 268.0),
    ("茉莉花茶", "茶叶", 58.0),
    ("手冲咖啡壶", "器具", 199.0),
    ("陶瓷茶杯", "器具", 45.0),
    ("坚果大礼包", "零食", 128.0),
    ("凤梨酥", "零食", 36.0),
    ("挂耳咖啡", "咖啡", 79.0),
    ("冷萃咖啡液", "咖啡", 99.0),
]
PAYMENTS = ["微信", "支付宝", "银行卡", "现金"]


def orders() -> list[list[object]]:
    """Rows of the orders CSV."""
    rng = random.Random(20240131)
    rows: list[list[object]] = []
    day = date(2023, 1, 1)
    for number in range(1, ORDERS + 1):
        placed = day + timedelta(days=int((number - 1) * 730 / ORDERS) + rng.randint(0, 2))
        region = rng.choices(list(CITIES), weights=[30, 25, 20, 25])[0]
        product, category, price = rng.choice(PRODUCTS)
        quantity = rng.choices([1, 2, 3, 4, 5, 10], weights=[40, 25, 12, 8, 5, 10])[0]
        discount = rng.choices([0, 5, 10, 20], weights=[60, 20, 15, 5])[0]
        revenue = round(quantity * price * (100 - discount) / 100, 2)
        rating = rng.choice(["", "", 3, 4, 4, 5, 5]) if placed.year == 2023 else rng.choice(["", 2, 3, 4, 5, 5])
        status = rng.choices(["Delivered", "Returned", "Cancelled"], weights=[90, 6, 4])[0]
        rows.append(
            [
                f"A{number:05d}",
                placed.isoformat(),
                region,
                rng.choice(CITIES[region]),
                product,
                category,
                rng.choices(CHANNELS, weights=[55, 35, 10])[0],
                quantity,
                f"{price:.2f}",
                f"{discount}%",
                f"{revenue:.2f}",
                f"{revenue * rng.uniform(0.52, 0.78):.2f}" if rng.random() > 0.02 else "",
                status,
                rating,
            ]
        )
    return rows


def write_orders(path: Path) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(
            [
                "Order ID",
                "Order Date",
                "Region",
                "City",
                "Product",
                "Category",
                "Channel",
                "Quantity",
                "Unit Price",
                "Discount",
                "Revenue",
                "Cost",
                "Status",
                "Rating",
            ]
        )
        writer.writerows(orders())


def sales() -> list[list[object]]:
    """Rows of the sales sheet; None is an empty cell."""
    rng = random.Random(20240601)
    rows: list[list[object]] = []
    for number in range(SALES):
        # A workbook's dates have no zone.
        day = datetime(2024, 1, 1) + timedelta(days=number * 366 // SALES)  # noqa: DTZ001
        store = rng.choices(STORES, weights=[8, 7, 5, 6, 9, 6, 4, 7, 5, 8, 6, 5])[0]
        name, kind, price = rng.choice(GOODS)
        count = rng.choices([1, 2, 3, 5, 8], weights=[45, 28, 15, 8, 4])[0]
        amount = round(count * price, 2)
        profit = round(amount * rng.uniform(0.25, 0.55), 2)
        rows.append(
            [
                day,
                store[1],
                store[2],
                store[3],
                name,
                kind,
                count,
                price,
                amount,
                profit if rng.random() > 0.015 else None,
                rng.choices(PAYMENTS, weights=[45, 35, 15, 5])[0],
                rng.choice(["是", "否", "是", None]),
            ]
        )
    return rows


def write_workbook(path: Path) -> None:
    book = xlsxwriter.Workbook(str(path))
    book.set_properties({"created": datetime(2025, 1, 6)})  # noqa: DTZ001 - the file must be the same at every run
    bold = book.add_format({"bold": True})
    as_date = book.add_format({"num_format": "yyyy-mm-dd"})
    detail = book.add_worksheet("销售明细")
    detail.write_row(
        0,
        0,
        ["日期", "门店", "城市", "大区", "商品", "品类", "数量", "单价", "销售额", "毛利", "支付方式", "会员"],
        bold,
    )
    for index, row in enumerate(sales(), 1):
        for column, value in enumerate(row):
            if isinstance(value, datetime):
                detail.write_datetime(index, column, value, as_date)
            elif value is not None:
                detail.write(index, column, value)
    stores = book.add_worksheet("门店信息")
    stores.write_row(0, 0, ["门店编号", "门店", "城市", "大区", "开业日期", "面积(㎡)", "员工数"], bold)
    for index, (code, name, city, region, opened, area, staff) in enumerate(STORES, 1):
        stores.write_row(index, 0, [code, name, city, region])
        stores.write_datetime(index, 4, datetime.fromisoformat(opened), as_date)
        stores.write_row(index, 5, [area, staff])
    targets = book.add_worksheet("月度目标")
    targets.write(0, 0, "2024年各大区月度销售目标（元）", bold)
    targets.write_row(2, 0, ["月份", "华东", "华北", "华南", "西南"], bold)
    rng = random.Random(7)
    for month in range(1, 13):
        targets.write_row(month + 2, 0, [f"2024-{month:02d}", *[rng.randrange(20, 46) * 1000 for _ in range(4)]])
    book.close()


def main() -> None:
    write_orders(FOLDER / "orders.csv")
    write_workbook(FOLDER / "门店销售.xlsx")


if __name__ == "__main__":
    main()
