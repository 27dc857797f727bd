"""Numbers of a row that the question speaks of: a column, the days between two dates, a product of two columns."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

from tablewright.analyst.grammar.durations import durations
from tablewright.analyst.grammar.formulas import adds, is_ratio
from tablewright.analyst.grammar.scene import Scene
from tablewright.analyst.grammar.semantics import Features, mask_of
from tablewright.analyst.grammar.units import units_asked
from tablewright.analyst.linking.tokens import lemmas
from tablewright.analyst.plan import Col, Expr, Func, Math

MOST = 8
_SURE = 0.9
_MONEY = frozenset({"money", "revenue", "cost", "amount", "price", "sales", "profit", "budget", "expense", "fee"})


@dataclass(frozen=True, slots=True, kw_only=True)
class SaidExpression:
    """A number of each row; `how` it was found (`named`, `counted` in its unit,
    `hinted`, `implied`, `days`, `product`), `mask` its words,
    and `adds` whether it may be summed."""

    of: Expr
    column: str
    mask: int
    start: int
    end: int
    how: str
    rank: int
    adds: bool | None
    features: Features = ()


def amounts_said(scene: Scene) -> list[SaidExpression]:
    """Return the expressions that words of the question may mean, and those that may be implied, the named first.

    A part of an identifier's name (`customer` of `customer_id`) says the thing that it identifies, which is no number.
    """
    named = [
        SaidExpression(
            of=Col(name=link.column.name), column=link.column.name, mask=link.mask, start=link.start, end=link.end,
            how="named", rank=0, adds=link.column.adds,
            features=(("link:loss", 1 - link.score), ("amount:id", float(link.column.identifies))),
        )
        for link in scene.links
        if link.column.role == "number" and not (link.column.identifies and link.score < 1)
    ]  # fmt: skip
    named += [*_defined(scene), *_counted(scene), *_implied(scene), *_worth(scene)]
    return [*named, *_days(scene), *_products(scene), *_differences(scene)]


def _defined(scene: Scene) -> list[SaidExpression]:
    """Return the formulas that words of the tenant stand for; a quotient is none of a row, but of sums."""
    return [
        SaidExpression(
            of=word.of, column=word.phrase, mask=mask_of(word.start, word.end), start=word.start, end=word.end,
            how="named", rank=0, adds=adds(word.of, scene), features=(("link:loss", 0.0),),
        )
        for word in scene.formulas
        if not is_ratio(word.of)
    ]  # fmt: skip


def _counted(scene: Scene) -> list[SaidExpression]:
    """Return the columns in whose unit it is asked how much there is: `how many kg`, `多少枚`."""
    return [
        SaidExpression(
            of=Col(name=column.name), column=column.name, mask=mask_of(start, end), start=start, end=end, how="counted",
            rank=0, adds=column.adds, features=(("amount:unit", 1.0), ("unit:in_name", float(in_name))),
        )
        for column in scene.columns
        if column.role == "number" and not column.identifies and not column.year
        for start, end, in_name in units_asked(scene, column)
    ]  # fmt: skip


def _implied(scene: Scene) -> list[SaidExpression]:
    numeric = [
        column for column in scene.columns if column.role == "number" and not column.identifies and not column.year
    ]
    hints = {word.about for word in scene.words if word.about}
    units = {scene.tokens[word.start].lemma for word in scene.of("unit_word") if word.end == word.start + 1}
    found = []
    for column in numeric[:MOST]:
        hinted = bool(column.concepts & hints)
        features: Features = (
            ("implied:amount", 1.0),
            ("implied:only", float(len(numeric) == 1)),
            ("implied:hinted", float(hinted)),
            ("implied:adds", float(column.adds is True)),
            ("implied:unit", float(bool(units & {*lemmas(column.name)}))),
        )
        found.append(
            SaidExpression(
                of=Col(name=column.name), column=column.name, mask=0, start=0, end=0,
                how="hinted" if hinted else "implied", rank=1 if hinted else 2, adds=column.adds, features=features,
            )
        )  # fmt: skip
    return found


def _worth(scene: Scene) -> list[SaidExpression]:
    """Return the amounts that words for money or worth may mean (`多少钱`), where they name no column."""
    named = _named_mask(scene)
    amounts = [
        column
        for column in scene.columns
        if column.role == "number" and not column.identifies and not column.year and column.adds is not False
    ][:MOST]
    return [
        SaidExpression(
            of=Col(name=column.name), column=column.name, mask=word.mask, start=word.start, end=word.end, how="hinted",
            rank=1, adds=column.adds,
            features=(
                ("amount:worth", 1.0), ("worth:money", float(bool(column.concepts & _MONEY))),
                ("worth:place", float(place)),
            ),
        )
        for word in scene.of("worth")[:2]
        if not word.mask & named
        for place, column in enumerate(amounts)
    ]  # fmt: skip


def _days(scene: Scene) -> list[SaidExpression]:
    """Return the times between two columns, where a word of duration or a number of units of time is said."""
    return [
        SaidExpression(
            of=one.of, column=one.column, mask=one.mask, start=one.start, end=one.end, how="days", rank=1, adds=None,
            features=one.features,
        )
        for one in durations(scene)
    ]  # fmt: skip


def _products(scene: Scene) -> list[SaidExpression]:
    """Return a quantity times a price, where one of the two is a level and the other an amount. What names a column
    means that column."""
    named = _named_mask(scene)
    numeric = [column for column in scene.columns if column.role == "number" and not column.identifies]
    prices = [column for column in numeric if "price" in column.concepts and column.adds is not True]
    counts = [column for column in numeric if column.concepts & {"quantity", "stock", "sales_volume", "units_sold"}]
    pairs = [(count, price) for count in counts[:2] for price in prices[:1] if count is not price]
    words = [word for word in scene.words if word.about in {"money", "revenue"} or word.type == "worth"]
    words = [word for word in words if not word.mask & named]
    amounts = any(column.adds and column.concepts & {"money", "revenue"} for column in numeric)
    return [
        SaidExpression(
            of=Math(op="*", left=Col(name=count.name), right=Col(name=price.name)), column=count.name,
            mask=word.mask, start=word.start, end=word.end, how="product", rank=1, adds=True,
            features=(
                ("amount:product", 1.0), ("product:place", float(count is not counts[0])),
                ("product:beside", float(amounts)),
            ),
        )
        for word in words[:2]
        for count, price in pairs
    ]  # fmt: skip


def _named_mask(scene: Scene) -> int:
    """Return the words that are the names of columns of numbers."""
    mask = 0
    for link in scene.links:
        if link.score >= _SURE and link.column.role == "number":
            mask |= link.mask
    return mask


def _differences(scene: Scene) -> list[SaidExpression]:
    """Return how far two named numbers of a row are apart, where a word of difference is said."""
    numeric = [link for link in scene.links if link.column.role == "number"][:MOST]
    found = []
    for word in scene.of("difference")[:2]:
        for left, right in combinations(numeric, 2):
            if left.column is right.column or left.mask & right.mask or (left.mask | right.mask) & word.mask:
                continue
            apart = Math(op="-", left=Col(name=left.column.name), right=Col(name=right.column.name))
            found.append(
                SaidExpression(
                    of=Func(name="abs", of=apart), column=left.column.name, mask=word.mask | left.mask | right.mask,
                    start=left.start, end=max(word.end, right.end), how="apart", rank=0, adds=False,
                    features=(("amount:apart", 1.0), ("link:loss", 2 - left.score - right.score)),
                )
            )  # fmt: skip
    return found
