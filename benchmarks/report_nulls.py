"""Makes tables without any effect, of the forms in which chance looks most like one."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator
from datetime import date, timedelta

from benchmarks.report_parts import (
    SIZES,
    MadeTable,
    Maker,
    Planted,
    amounts,
    autoregressive,
    counts,
    drawn,
    ledger,
    levels,
    poisson,
    series,
)


def heavy_tails(maker: Maker) -> MadeTable:
    """Return records whose measures are Pareto, Student with 2 to 4 degrees, and lognormal of spread 1 to 2."""
    rng = maker.rng
    table = ledger(maker, rng.choice(SIZES), dated=rng.random() < 0.5)
    *_, one, two, three = table.columns
    shape, degrees, spread = rng.uniform(1.2, 3), rng.choice((2, 3, 4)), rng.uniform(1, 2)
    table.columns[one] = [round(100 * rng.paretovariate(shape), 2) for _ in range(table.rows)]
    table.columns[two] = [round(50 + 5 * _student(rng, degrees), 2) for _ in range(table.rows)]
    table.columns[three] = [round(rng.lognormvariate(4, spread), 2) for _ in range(table.rows)]
    return table


def _student(rng: random.Random, degrees: int) -> float:
    return rng.gauss(0, 1) / math.sqrt(rng.gammavariate(degrees / 2, 2 / degrees))


def autocorrelated(maker: Maker) -> MadeTable:
    """Return a stationary series with a memory of 0.3 to 0.8 beside another of its own."""
    rng = maker.rng
    points, step = rng.choice(((40, "month"), (60, "month"), (96, "month"), (104, "week"), (180, "day"), (365, "day")))
    memory, size = rng.uniform(0.3, 0.8), 10 ** rng.uniform(2, 4)
    values = [size * (1 + 0.1 * value) for value in autoregressive(rng, points, memory)]
    table, _ = series(maker, points, step, values, "amount")
    other = autoregressive(rng, points, rng.uniform(0.3, 0.8))
    table.columns[maker.name("level")] = [round(50 + 6 * value, 2) for value in other]
    return table


def many_columns(maker: Maker) -> MadeTable:
    """Return 12 to 25 independent measures of records."""
    rng = maker.rng
    table = ledger(maker, rng.choice(SIZES[:5]), dated=rng.random() < 0.5, measures=2)
    for number in range(rng.randint(10, 23)):
        draw = rng.choice((amounts, levels, counts))(rng)
        table.columns[f"{'指标' if maker.language == 'zh' else 'measure'} {number + 1}"] = list(
            drawn(rng, draw, table.rows)
        )
    return table


def skewed_groups(maker: Maker) -> MadeTable:
    """Return groups of very different sizes, whose values do not differ. That the largest is large is true."""
    rng = maker.rng
    table = ledger(maker, rng.choice(SIZES[1:]), dated=rng.random() < 0.5)
    *_, group, amount, _, count = table.columns
    cells = maker.cells(rng.randint(5, 8))
    weights = [1 / (place + 1) ** rng.uniform(1, 2) for place in range(len(cells))]
    table.columns[group] = list(rng.choices(cells, weights, k=table.rows))
    table.planted += [Planted(kind="dominant", columns=(group, name), counted=False) for name in (amount, count)]
    table.planted.append(Planted(kind="dominant", columns=(group,), counted=False))
    return table


def few_rows(maker: Maker) -> MadeTable:
    """Return 8 to 40 records."""
    return ledger(maker, maker.rng.randint(8, 40), dated=maker.rng.random() < 0.5)


def integers(maker: Maker) -> MadeTable:
    """Return measures of small whole numbers: counts, scores from 1 to 5, answers 0 or 1. Rows may repeat by chance."""
    rng = maker.rng
    table = ledger(maker, rng.choice(SIZES[:6]), dated=rng.random() < 0.3, measures=2)
    *_, one, two = table.columns
    mean = rng.uniform(0.5, 6)
    table.columns[one] = [poisson(rng, mean) for _ in range(table.rows)]
    table.columns[two] = [rng.randint(1, 5) for _ in range(table.rows)]
    table.columns[maker.name("count")] = [int(rng.random() < 0.2) for _ in range(table.rows)]
    return table


def constants(maker: Maker) -> MadeTable:
    """Return records with a constant number, a constant text, and a column that is nearly constant."""
    rng = maker.rng
    table = ledger(maker, rng.choice(SIZES), dated=rng.random() < 0.5)
    table.columns[maker.name("level")] = [12 for _ in range(table.rows)]
    table.columns[maker.name("group")] = [maker.cells(1)[0]] * table.rows
    table.columns[maker.name("count")] = [7 if rng.random() < 0.97 else 8 for _ in range(table.rows)]
    return table


def irregular_dates(maker: Maker) -> MadeTable:
    """Return records on dates with gaps and bursts. The values do not change over time; their sums truly do."""
    rng = maker.rng
    table = ledger(maker, rng.choice(SIZES), dated=False)
    begin, days = date(2020, 1, 1) + timedelta(days=rng.randrange(500)), rng.randrange(100, 1500)
    bursts = [rng.randrange(days) for _ in range(6)]
    stamps = [
        min(days, max(0, int(rng.gauss(rng.choice(bursts), days / 25)))) if rng.random() < 0.4 else rng.randrange(days)
        for _ in range(table.rows)
    ]
    cells = [(begin + timedelta(days=stamp)).isoformat() for stamp in stamps]
    *_, amount, _, count = table.columns
    table.columns = {maker.name("date"): list(cells), **table.columns}
    table.planted += [
        Planted(kind=kind, columns=columns, counted=False)
        for kind in ("break", "trend", "season")
        for columns in ((amount,), (count,), ())
    ]
    return table


def plain(maker: Maker) -> MadeTable:
    """Return records of independent measures."""
    return ledger(maker, maker.rng.choice(SIZES), dated=True)


NULLS: tuple[Callable[[Maker], MadeTable], ...] = (
    heavy_tails,
    autocorrelated,
    many_columns,
    skewed_groups,
    few_rows,
    integers,
    constants,
    irregular_dates,
    plain,
)


def null_tables(seed: int, count: int) -> Iterator[tuple[str, MadeTable]]:
    """Yield `count` tables without an effect, all forms in turn, each with the name of its form."""
    for number in range(count):
        rng = random.Random(f"null-{seed}-{number}")
        make = NULLS[number % len(NULLS)]
        yield make.__name__, make(Maker(rng=rng, language=("zh", "en")[number // len(NULLS) % 2]))
