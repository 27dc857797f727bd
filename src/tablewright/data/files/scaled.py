"""Numbers some of which are written with a word for a power of ten, and others in full: 1.8万 beside 22000."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

import polars as pl

from tablewright.data.files.numbers import CURRENCY_PREFIX, CURRENCY_SUFFIX, PERCENT, UNIT_SEEN, number_parts
from tablewright.data.files.powers import affix
from tablewright.data.files.units import are_multiples, is_known, is_one_unit
from tablewright.domain.dataset import Notation

_ORDER = 30
"""Numbers are of one order if their medians differ at most by this factor."""

_LETTERED = r"\d\s*\pL"


@dataclass(frozen=True, slots=True, kw_only=True)
class ScaledNumbers:
    """A column's texts as numbers in full, aligned with the given texts. `powers` are the words for powers of ten with
    their exponents, the longest first; `unit` and `units` are as in the facts about a column."""

    values: pl.Series
    powers: tuple[tuple[str, int], ...]
    notation: Notation = "thousands"
    unit: str | None = None
    units: tuple[str, ...] = ()


def scaled_numbers(texts: pl.Series, *, decimal: str | None = None) -> ScaledNumbers | None:
    """Parse texts that are all numbers, some with a word for a power of ten; None if it is doubtful what these mean.

    Numbers without any unit must be about as large as the others are in full. The unit before or behind the words is
    that of all.
    """
    frame = split_numbers(texts, decimal=decimal)
    if frame is None or not (frame["word"] != "").any() or texts.str.contains(r"[)）]").any():
        return None
    bare = frame.filter((pl.col("word") == "") & (pl.col("unit") == ""))["value"]
    if bare.len() and not _of_one_order(bare, frame.filter(pl.col("word") != "")["value"]):
        return None
    powers = {str(word): int(exponent) for word, exponent in frame.select("word", "exponent").rows() if word}
    found = ScaledNumbers(values=frame["value"], powers=tuple(sorted(powers.items(), key=lambda entry: -len(entry[0]))))
    affixed = frame.filter(pl.col("unit") != "")
    return found if affixed.is_empty() else _with_unit(found, affixed)


def full_numbers(texts: pl.Series) -> pl.Series:
    """Return the number of each text, null if it is none: in full, where it is plain what words for powers mean."""
    values = number_parts(texts)["value"]
    if not texts.str.contains(_LETTERED).any():
        return values
    known = values.is_not_null()
    scaled = scaled_numbers(texts.filter(known))
    return values if scaled is None else values.scatter(known.arg_true(), scaled.values)


def split_numbers(texts: pl.Series, *, decimal: str | None = None) -> pl.DataFrame | None:
    """Return the full `value` of each text, and its `word`, `exponent` and `unit`; None if one is no number."""
    parts = number_parts(texts, decimal=decimal)
    if parts["value"].null_count() or parts["zero_led"].any():
        return None
    ways = {pair: affix(*pair) for pair in parts.select("prefix", "suffix").unique().rows()}
    found = [ways[pair] for pair in parts.select("prefix", "suffix").rows()]
    known = [one for one in found if one is not None]
    if len(known) < len(found):
        return None
    full = [float(Decimal(str(value)).scaleb(one.exponent)) for value, one in zip(parts["value"], known, strict=True)]
    return pl.DataFrame(
        {
            "value": pl.Series(full, dtype=pl.Float64),
            "word": pl.Series([one.word for one in known], dtype=pl.String),
            "exponent": pl.Series([one.exponent for one in known], dtype=pl.Int64),
            "unit": pl.Series([one.unit for one in known], dtype=pl.String),
            "before": parts["prefix"] != "",
        }
    )


def _with_unit(found: ScaledNumbers, affixed: pl.DataFrame) -> ScaledNumbers | None:
    counts = affixed.group_by("unit", maintain_order=True).len().sort("len", descending=True, maintain_order=True)
    ways = [str(unit) for unit in counts["unit"]]
    before = set(affixed.filter(pl.col("before"))["unit"])
    if (
        (affixed.height < UNIT_SEEN and not is_known(ways))
        or are_multiples(ways)
        or not before <= CURRENCY_PREFIX
        or not PERCENT.isdisjoint(ways)
    ):
        return None
    if not is_one_unit(ways) or any(way in word for way in ways for word, _ in found.powers):
        return None
    return ScaledNumbers(
        values=found.values,
        powers=found.powers,
        notation="currency" if set(ways) & (CURRENCY_PREFIX | CURRENCY_SUFFIX) else "unit",
        unit=ways[0],
        units=tuple(sorted(ways, key=len, reverse=True)) if len(ways) > 1 else (),
    )


def _of_one_order(some: pl.Series, others: pl.Series) -> bool:
    one, other = some.abs().median(), others.abs().median()
    return isinstance(one, float) and isinstance(other, float) and one < _ORDER * other and other < _ORDER * one
