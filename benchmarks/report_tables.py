"""Makes tables with effects of stated strength, and tables without any, for measuring what a report finds.

Nothing here knows how effects are looked for. A table is determined by its seed. Strengths are in the units that each
maker states; `scale` is the standard deviation of a measure, or its median where it has none.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator

from benchmarks.report_parts import (
    SIZES,
    MadeTable,
    Maker,
    Planted,
    autoregressive,
    drawn,
    ledger,
    levels,
    series,
    spread_of,
)

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
