"""Parts of which tables are made: names, cells, distributions, and records and series without any effect."""

from __future__ import annotations

import csv
import io
import math
import random
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Literal

SIZES = (40, 80, 150, 300, 600, 1200, 2500, 5000)
Language = Literal["zh", "en"]
Cell = str | int | float
Draw = Callable[[random.Random], float]

WORDS: dict[Language, dict[str, tuple[str, ...]]] = {
    "en": {
        "key": ("order_id", "Ticket", "record no"),
        "date": ("date", "Order Date", "day"),
        "month": ("month", "period"),
        "amount": ("revenue", "Amount", "cost", "sales", "expenses"),
        "level": ("temperature", "score", "rating", "unit price", "age", "duration"),
        "count": ("quantity", "visits", "units", "calls"),
        "group": ("region", "Category", "channel", "department", "branch"),
    },
    "zh": {
        "key": ("订单编号", "单号", "流水号"),
        "date": ("日期", "下单日期", "登记日期"),
        "month": ("月份", "统计月份"),
        "amount": ("销售额", "金额", "成本", "费用", "营业收入"),
        "level": ("温度", "得分", "评分", "单价", "年龄", "时长"),
        "count": ("数量", "访问量", "件数", "来电数"),
        "group": ("地区", "品类", "渠道", "部门", "门店"),
    },
}
CELLS: dict[Language, tuple[tuple[str, ...], ...]] = {
    "en": (
        ("North", "South", "East", "West", "Centre", "Coast", "Hills", "Lakes", "Plains", "Islands"),
        ("Books", "Toys", "Food", "Garden", "Music", "Sports", "Office", "Health", "Travel", "Pets"),
        ("online", "store", "phone", "partner", "fair", "post", "kiosk", "app"),
    ),
    "zh": (
        ("华北", "华南", "华东", "西南", "西北", "东北", "华中", "港澳", "海外", "直营"),
        ("图书", "玩具", "食品", "家居", "音乐", "运动", "办公", "健康", "旅行", "宠物"),
        ("线上", "门店", "电话", "伙伴", "展会", "邮购", "自助", "应用"),
    ),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Planted:
    """An effect that a table has: its kind, the columns it is in, and its strength in words.

    `counted` is false for what follows from another effect or from how the table was made; it is true of the table all
    the same.
    """

    kind: str
    columns: tuple[str, ...]
    strength: str = ""
    counted: bool = True


@dataclass(slots=True, kw_only=True)
class MadeTable:
    """A table, as columns of cells, with all that is true of it."""

    name: str
    language: Language
    columns: dict[str, list[Cell]] = field(default_factory=dict[str, list[Cell]])
    planted: list[Planted] = field(default_factory=list[Planted])

    @property
    def rows(self) -> int:
        return len(next(iter(self.columns.values())))

    def csv(self) -> str:
        """Return the table as text, with a header."""
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(self.columns)
        writer.writerows(zip(*self.columns.values(), strict=True))
        return out.getvalue()


@dataclass(slots=True, kw_only=True)
class Maker:
    """Hands out names and values of one table."""

    rng: random.Random
    language: Language
    names: set[str] = field(default_factory=set[str])

    def name(self, role: str) -> str:
        free = [word for word in WORDS[self.language][role] if word not in self.names]
        chosen = self.rng.choice(free) if free else f"{WORDS[self.language][role][0]} {len(self.names)}"
        self.names.add(chosen)
        return chosen

    def cells(self, count: int) -> list[str]:
        pool = self.rng.choice([cells for cells in CELLS[self.language] if len(cells) >= count])
        return self.rng.sample(pool, count)


def amounts(rng: random.Random) -> Draw:
    """Return a distribution of positive amounts: normal, lognormal or gamma."""
    size = 10 ** rng.uniform(1, 4)
    kind = rng.choice(("normal", "lognormal", "gamma"))
    if kind == "normal":
        spread = rng.uniform(0.08, 0.2)
        return lambda r: size * r.gauss(1, spread)
    if kind == "lognormal":
        spread = rng.uniform(0.2, 0.7)
        return lambda r: size * r.lognormvariate(0, spread)
    shape = rng.uniform(2, 8)
    return lambda r: size * r.gammavariate(shape, 1 / shape)


def levels(rng: random.Random) -> Draw:
    """Return a distribution of levels: normal or uniform."""
    middle = rng.uniform(20, 80)
    spread = rng.uniform(2, 8)
    if rng.random() < 0.5:
        return lambda r: r.gauss(middle, spread)
    return lambda r: r.uniform(middle - 2 * spread, middle + 2 * spread)


def poisson(rng: random.Random, mean: float) -> int:
    """Return a Poisson number."""
    if mean > 50:
        return max(0, round(rng.gauss(mean, math.sqrt(mean))))
    limit, product, count = math.exp(-mean), rng.random(), 0
    while product > limit:
        product *= rng.random()
        count += 1
    return count


def counts(rng: random.Random) -> Draw:
    """Return a distribution of counts."""
    mean = rng.uniform(3, 60)
    return lambda r: poisson(r, mean)


def drawn(rng: random.Random, draw: Draw, rows: int, digits: int = 2) -> list[float]:
    """Return `rows` values of a distribution."""
    return [round(draw(rng), digits) for _ in range(rows)]


def spread_of(values: list[float]) -> float:
    """Return the standard deviation."""
    mean = sum(values) / len(values)
    return math.sqrt(sum((value - mean) ** 2 for value in values) / len(values))


def ledger(maker: Maker, rows: int, *, dated: bool = True, measures: int = 3, groups: int = 2) -> MadeTable:
    """Return records without any effect: a key, a date, groups, and independent measures."""
    rng, language = maker.rng, maker.language
    table = MadeTable(name=f"table_{rng.randrange(10**6)}", language=language)
    if rng.random() < 0.6:
        first = rng.randrange(1000, 90000)
        table.columns[maker.name("key")] = [first + row for row in range(rows)]
    if dated:
        begin = date(2021, 1, 1) + timedelta(days=rng.randrange(700))
        days = rng.choice((200, 365, 730, 1095))
        stamps = sorted(begin + timedelta(days=rng.randrange(days)) for _ in range(rows))
        table.columns[maker.name("date")] = [stamp.isoformat() for stamp in stamps]
    for _ in range(groups):
        cells = maker.cells(rng.randint(3, 6))
        table.columns[maker.name("group")] = [rng.choice(cells) for _ in range(rows)]
    for number in range(measures):
        role = ("amount", "level", "count")[number % 3]
        draw = {"amount": amounts, "level": levels, "count": counts}[role](rng)
        values = drawn(rng, draw, rows)
        table.columns[maker.name(role)] = [int(value) if role == "count" else value for value in values]
    return table


def series(maker: Maker, points: int, step: str, values: list[float], role: str) -> tuple[MadeTable, str]:
    """Return a table of one row per day, week or month with one measure of `values`, and the measure's name."""
    rng = maker.rng
    table = MadeTable(name=f"series_{rng.randrange(10**6)}", language=maker.language)
    begin = date(2012 + rng.randrange(6), rng.randint(1, 12), 1)
    if step == "month":
        months = [(begin.month - 1 + point) for point in range(points)]
        stamps = [date(begin.year + month // 12, month % 12 + 1, 1) for month in months]
        table.columns[maker.name("month")] = [f"{stamp:%Y-%m}" for stamp in stamps]
    else:
        days = 7 if step == "week" else 1
        table.columns[maker.name("date")] = [
            (begin + timedelta(days=days * point)).isoformat() for point in range(points)
        ]
    name = maker.name(role)
    table.columns[name] = [round(value, 2) for value in values]
    return table, name


def autoregressive(rng: random.Random, points: int, memory: float) -> list[float]:
    """Return a stationary series of variance 1 whose neighbours correlate by `memory`."""
    value, values = rng.gauss(0, 1), []
    for _ in range(points):
        values.append(value)
        value = memory * value + math.sqrt(1 - memory * memory) * rng.gauss(0, 1)
    return values
