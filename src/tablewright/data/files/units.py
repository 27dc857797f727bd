"""Ways to write one unit: `km`, `KM` and `公里` count the same, `¥` before a number and `元` behind it too."""

from __future__ import annotations

from collections.abc import Iterable

_SAME = tuple(
    frozenset(line.split())
    for line in (
        "¥ cn¥ rmb cny 元 圆 块 块钱 人民币 元人民币 yuan",
        "$ us$ usd dollar dollars 美元",
        "€ eur euro euros 欧元",
        "£ gbp pound pounds 英镑",
        "km kms kilometre kilometres kilometer kilometers 公里 千米",
        "m metre metres meter meters 米",
        "kg kgs kilo kilos kilogram kilograms 公斤 千克",
        "g gram grams 克",
        "t tonne tonnes 吨",
        "l litre litres liter liters 升",
        "ml 毫升",
        "h hr hrs hour hours 小时 钟头",
        "min mins minute minutes 分钟 分",
        "s sec secs second seconds 秒",
        "d day days 天 日",
        "sqm m2 m² ㎡ 平米 平方米 平方",
        "sqft sqfeet squarefeet ft2 ft²",
        "人 位 名",
        "pc pcs piece pieces 件",
        "万 万元",
        "° 度 degree degrees",
    )
)


def is_one_unit(ways: Iterable[str]) -> bool:
    """Return whether all these are ways to write one unit; one per another may lack the other: `¥` beside `元/斤`."""
    names, others = set(), set()
    for way in ways:
        name, other = _split(way)
        names.add(name)
        others |= {other} if other else set()
    return len(others) <= 1 and (len(names) == 1 or any(names <= same for same in _SAME))


def is_known(ways: Iterable[str]) -> bool:
    """Return whether all these are units that are known to be ones."""
    return all(any(_split(way)[0] in same for same in _SAME) for way in ways)


def _split(way: str) -> tuple[str, str]:
    """Return a unit, and what it is one per; empty if it is none."""
    name, _, other = way.casefold().replace(" ", "").partition("/")
    return name.rstrip("."), other
