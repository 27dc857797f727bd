"""Makes tables with effects of stated strength, and tables without any, for measuring what a report finds.

Nothing here knows how effects are looked for. A table is determined by its seed. Strengths are in the units that each
maker states; `scale` is the standard deviation of a measure, or its median where it has none.
"""

from __future__ import annotations

import csv
import io
import math
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Literal

EFFECTS = (
    "season",
    "trend",
    "break",
    "outlier",
    "dominant",
    "correlation",
    "group",
    "duplicates",
    "unit",
)
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


def _points(rng: random.Random) -> tuple[int, str]:
    return rng.choice(((40, "month"), (60, "month"), (96, "month"), (104, "week"), (180, "day"), (365, "day")))


def _with_noise_column(maker: Maker, table: MadeTable) -> MadeTable:
    """Add a measure that has nothing to do with the rest."""
    table.columns[maker.name("level")] = list(drawn(maker.rng, levels(maker.rng), table.rows))
    return table


def season(maker: Maker) -> MadeTable:
    """Plant a season: per month of the year or per weekday, of an amplitude of 1 to 2.5 of the noise."""
    rng = maker.rng
    points, step = rng.choice(((48, "month"), (60, "month"), (96, "month"), (120, "day"), (365, "day")))
    strength, length = rng.uniform(1, 2.5), 12 if step == "month" else 7
    shape = [math.sin(2 * math.pi * (place + rng.random()) / length) for place in range(length)]
    if rng.random() < 0.5:
        shape = [2.0 if place in {length - 1, length - 2} else -0.4 for place in range(length)]
    size, noise = 10 ** rng.uniform(2, 4), autoregressive(rng, points, rng.choice((0.0, 0.3)))
    values = [size * (1 + 0.1 * (noise[i] + strength * shape[i % length])) for i in range(points)]
    table, name = series(maker, points, step, values, "amount")
    table.planted.append(Planted(kind="season", columns=(name,), strength=f"{strength:.1f} noise, {step}, n={points}"))
    return _with_noise_column(maker, table)


def trend(maker: Maker) -> MadeTable:
    """Plant a linear rise or fall of 2 to 6 of the noise from the first point to the last."""
    rng = maker.rng
    points, step = _points(rng)
    strength = rng.uniform(2, 6) * rng.choice((-1, 1))
    size, noise = 10 ** rng.uniform(2, 4), autoregressive(rng, points, rng.choice((0.0, 0.3)))
    values = [size * (1 + 0.1 * (noise[i] + strength * i / points)) for i in range(points)]
    table, name = series(maker, points, step, values, "amount")
    table.planted.append(Planted(kind="trend", columns=(name,), strength=f"{strength:.1f} noise, {step}, n={points}"))
    return _with_noise_column(maker, table)


def level_break(maker: Maker) -> MadeTable:
    """Plant a jump of 1.5 to 4 of the noise at a point between 25 % and 75 %."""
    rng = maker.rng
    points, step = _points(rng)
    strength, place = rng.uniform(1.5, 4) * rng.choice((-1, 1)), int(points * rng.uniform(0.25, 0.75))
    size, noise = 10 ** rng.uniform(2, 4), autoregressive(rng, points, rng.choice((0.0, 0.3)))
    values = [size * (1 + 0.1 * (noise[i] + (strength if i >= place else 0))) for i in range(points)]
    table, name = series(maker, points, step, values, "amount")
    table.planted.append(Planted(kind="break", columns=(name,), strength=f"{strength:.1f} noise, {step}, n={points}"))
    return _with_noise_column(maker, table)


def outlier(maker: Maker) -> MadeTable:
    """Plant 1 to 3 values of 6 to 40 times the median, not by a round factor, or 8 to 20 deviations away."""
    rng = maker.rng
    table = ledger(maker, rng.choice(SIZES), dated=rng.random() < 0.6)
    name = list(table.columns)[-3] if rng.random() < 0.6 else list(table.columns)[-2]
    values = [float(value) for value in table.columns[name]]
    middle, scale, count = sorted(values)[len(values) // 2], spread_of(values), rng.randint(1, 3)
    strength = rng.uniform(8, 20) * scale
    if rng.random() < 0.5:
        strength = max(strength, rng.uniform(6, 40) * middle)
    for row in rng.sample(range(table.rows), count):
        table.columns[name][row] = round(middle + strength * rng.uniform(0.9, 1.4), 2)
    said = f"{count} at {strength / scale:.0f} sd, n={table.rows}"
    table.planted.append(Planted(kind="outlier", columns=(name,), strength=said))
    return table


def dominant(maker: Maker) -> MadeTable:
    """Plant a group with 45 to 75 % of the total of an amount, by more rows or by larger values."""
    rng = maker.rng
    table = ledger(maker, rng.choice(SIZES), dated=rng.random() < 0.6, measures=2)
    *_, group, name, _ = table.columns
    cells = maker.cells(rng.randint(4, 8))
    share, leader = rng.uniform(0.45, 0.75), cells[0]
    by_rows = rng.random() < 0.5
    if by_rows:
        table.columns[group] = [leader if rng.random() < share else rng.choice(cells[1:]) for _ in range(table.rows)]
    else:
        table.columns[group] = [rng.choice(cells) for _ in range(table.rows)]
        factor = share / (1 - share) * (len(cells) - 1)
        pairs = zip(table.columns[group], table.columns[name], strict=True)
        table.columns[name] = [round(float(value) * (factor if cell == leader else 1), 2) for cell, value in pairs]
        table.planted.append(Planted(kind="group", columns=(group, name), counted=False))
        table.planted.append(Planted(kind="outlier", columns=(name,), counted=False))
    said = f"{share:.0%} of {len(cells)} by {'rows' if by_rows else 'values'}, n={table.rows}"
    table.planted.append(Planted(kind="dominant", columns=(group, name), strength=said))
    return table


def correlation(maker: Maker) -> MadeTable:
    """Plant a correlation of 0.4 to 0.85 (of normal scores) between two measures."""
    rng = maker.rng
    table = ledger(maker, rng.choice(SIZES), dated=rng.random() < 0.6)
    one, other = rng.sample(list(table.columns)[-3:], 2)
    strength = rng.uniform(0.4, 0.85) * rng.choice((-1, 1))
    base = [rng.gauss(0, 1) for _ in range(table.rows)]
    near = [strength * value + math.sqrt(1 - strength**2) * rng.gauss(0, 1) for value in base]
    for name, scores in ((one, base), (other, near)):
        ordered = sorted(table.columns[name], key=float)
        ranks = sorted(range(table.rows), key=scores.__getitem__)
        for place, row in enumerate(ranks):
            table.columns[name][row] = ordered[place]
    said = f"{strength:.2f}, n={table.rows}"
    table.planted.append(Planted(kind="correlation", columns=(one, other), strength=said))
    return table


def group(maker: Maker) -> MadeTable:
    """Plant a group whose values of a measure lie 0.8 to 2 standard deviations off those of the others."""
    rng = maker.rng
    table = ledger(maker, rng.choice(SIZES), dated=rng.random() < 0.6)
    *_, column, _, name, _ = table.columns
    values = [float(value) for value in table.columns[name]]
    scale, strength = spread_of(values), rng.uniform(0.8, 2) * rng.choice((-1, 1))
    chosen = rng.choice(sorted({str(cell) for cell in table.columns[column]}))
    pairs = zip(table.columns[column], values, strict=True)
    table.columns[name] = [round(value + (strength * scale if cell == chosen else 0), 2) for cell, value in pairs]
    said = f"{strength:.1f} sd, {len(set(table.columns[column]))} groups, n={table.rows}"
    table.planted.append(Planted(kind="group", columns=(column, name), strength=said))
    return table


def duplicates(maker: Maker) -> MadeTable:
    """Plant rows that stand there twice, cell by cell: 2 to 8 % of all, two at least."""
    rng = maker.rng
    table = ledger(maker, rng.choice(SIZES), dated=rng.random() < 0.6)
    share = rng.uniform(0.02, 0.08)
    again = rng.sample(range(table.rows), max(2, round(share * table.rows)))
    for values in table.columns.values():
        values.extend([values[row] for row in again])
    table.planted.append(Planted(kind="duplicates", columns=(), strength=f"{len(again)} of {table.rows}"))
    return table


def unit(maker: Maker) -> MadeTable:
    """Plant values in another unit: 3 to 15 % of a column (three at least) times or by 10, 100 or 1000."""
    rng = maker.rng
    table = ledger(maker, rng.choice(SIZES), dated=rng.random() < 0.6)
    name = list(table.columns)[-3]
    factor = rng.choice((10, 100, 1000))
    up, share = rng.random() < 0.5, rng.uniform(0.03, 0.15)
    values = table.columns[name]
    for row in rng.sample(range(table.rows), max(3, round(share * table.rows))):
        values[row] = round(float(values[row]) * factor if up else float(values[row]) / factor, 4)
    said = f"{'x' if up else '/'}{factor}, {share:.0%}, n={table.rows}"
    table.planted.append(Planted(kind="unit", columns=(name,), strength=said))
    table.planted.append(Planted(kind="outlier", columns=(name,), counted=False))
    return table


MAKERS: dict[str, Callable[[Maker], MadeTable]] = {
    "season": season,
    "trend": trend,
    "break": level_break,
    "outlier": outlier,
    "dominant": dominant,
    "correlation": correlation,
    "group": group,
    "duplicates": duplicates,
    "unit": unit,
}


def effect_tables(seed: int, count: int) -> Iterator[MadeTable]:
    """Yield `count` tables with one effect each, all effects in turn, headers in zh and en in turn."""
    for number in range(count):
        rng = random.Random(f"effect-{seed}-{number}")
        yield MAKERS[EFFECTS[number % len(EFFECTS)]](Maker(rng=rng, language=("zh", "en")[number // len(EFFECTS) % 2]))
