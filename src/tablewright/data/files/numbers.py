"""Parse numbers in texts: plain, with thousands separators, with a currency or percent sign, with a unit."""

from __future__ import annotations

from dataclasses import dataclass

import polars as pl

from tablewright.data.files.powers import begins_with_power
from tablewright.data.files.units import are_multiples, is_known, is_one_unit
from tablewright.domain.dataset import Notation

_DIGITS = r"\d+\.?\d*|\.\d+"
_GROUPED = r"\d{1,3}(?:,\d{3})+(?:\.\d*)?|\d{1,3}(?:[\u{a0}\u{202f}\u{2009} '’]\d{3})+(?:\.\d*)?"
PLAIN = rf"^\s*[+-]?(?:{_DIGITS})(?:[eE][+-]?\d+)?\s*$"
WHOLE = r"^\s*[+-]?\d+\s*$"
_ZERO_LED = r"^\s*0\d{2,}\s*$"
_WRITTEN = (
    r"^(?P<open>[(（])?(?P<minus>[-−–+])?\s*(?P<prefix>[^\d\s.,()（）+−-]{1,4})?\s*(?P<sign>[-−+])?"
    rf"(?P<digits>{_GROUPED}|{_DIGITS})(?P<exponent>[eE][+-]?\d+)?(?P<close>[)）])?"
    r"\s*(?P<suffix>(?:[cdkm]?m|ft|in|yd|mi)[23]|[^\d\s.,][^\d]{0,15})?$"
)
CURRENCY_PREFIX = frozenset({
    "$", "¥", "￥", "€", "£", "₩", "₹", "฿", "₽", "₫", "₱", "₪", "₺", "R$", "US$", "HK$", "NT$", "AU$", "CA$", "C$",
    "A$", "S$", "NZ$", "CN¥", "RMB", "CNY", "USD", "EUR", "GBP", "JPY", "HKD", "CHF", "INR", "Rs", "kr",
})  # fmt: skip
CURRENCY_SUFFIX = frozenset({
    "元", "圆", "块", "美元", "欧元", "英镑", "日元", "港元", "港币", "人民币", "卢比", "€", "$", "£", "¥", "￥", "₽",
    "zł", "kr", "Kč", "RMB", "CNY", "USD", "EUR", "GBP", "JPY", "HKD", "CHF", "INR", "dollars", "euros",
})  # fmt: skip
_FEW = 1000
"""Sample size that suffices to rule out most columns without numbers."""
_SLICE = 250_000
_SURELY_WHOLE = 15
"""Up to so many digits a whole number is the same as a float."""
UNIT_SEEN = 3
"""So many different numbers must have a unit that the others lack."""
PERCENT = frozenset({"%", "％"})
_ORDER, _ALIKE = 30, 3
"""Numbers so many times as large as those before a word for a power of ten are not meant with it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Numbers:
    """A column's texts as numbers. `values` is aligned with the given texts.

    `zero_led` means that one of them is a whole number of three digits or more that starts with a zero. `units` are all
    ways in which the unit is written, if there are several, the longest first.
    """

    values: pl.Series
    whole: bool
    zero_led: bool = False
    notation: Notation = "plain"
    unit: str | None = None
    units: tuple[str, ...] = ()
    decimal: str | None = None


def plain_numbers(texts: pl.Series, *, decimal: str | None = None) -> Numbers | None:
    """Parse texts that are all plain numbers, with `decimal` as the decimal mark; None if any is not."""
    if decimal == ",":
        if texts.str.contains(r"\d\.\d").any() and not texts.str.contains(",", literal=True).any():
            return None
        texts = _pointed(texts)
    return _plain_digits(texts) or _plain_points(texts) or plain_by_pattern(texts)


def every(texts: pl.Series, pattern: str) -> bool:
    """Return whether all texts match `pattern`; the first ones suffice to say no of most columns."""
    if len(texts) > _FEW and not texts.head(_FEW).str.contains(pattern).all():
        return False
    return bool(texts.str.contains(pattern).all())


def _plain_digits(texts: pl.Series) -> Numbers | None:
    """Parse texts that are all digits, of which the engine alone can tell; None where it cannot."""
    if texts.is_empty() or (len(texts) > _FEW and texts.head(_FEW).cast(pl.Int64, strict=False).null_count()):
        return None
    if bool((texts.str.len_bytes() > _SURELY_WHOLE).any()):
        return None
    values = texts.cast(pl.Int64, strict=False)
    if values.null_count():
        return None
    return Numbers(values=values.cast(pl.Float64), whole=True, zero_led=_zero_led(texts))


def _plain_points(texts: pl.Series) -> Numbers | None:
    """Parse texts without blanks that the engine takes for finite numbers, which are all plain; None if any is not."""
    if texts.is_empty() or (len(texts) > _FEW and _finite(texts.head(_FEW)) is None):
        return None
    values = _finite(texts)
    return values if values is None else Numbers(values=values, whole=every(texts, WHOLE), zero_led=_zero_led(texts))


def _finite(texts: pl.Series) -> pl.Series | None:
    values = texts.cast(pl.Float64, strict=False)
    return None if values.null_count() or not bool(values.is_finite().all()) else values


def _zero_led(bare: pl.Series) -> bool:
    """Return what `Numbers.zero_led` means, of texts without blanks around them."""
    return bool(bare.filter(bare.str.starts_with("0")).str.contains(_ZERO_LED).any())


def plain_by_pattern(texts: pl.Series) -> Numbers | None:
    """Parse texts that are all plain numbers with a decimal point; None if any is not."""
    if not every(texts, PLAIN):
        return None
    values = texts.str.strip_chars().str.strip_prefix("+").cast(pl.Float64, strict=False)
    if values.null_count():
        return None
    zero_led = bool(texts.str.contains(_ZERO_LED).any())
    return Numbers(values=values, whole=every(texts, WHOLE), zero_led=zero_led)


def written_numbers(texts: pl.Series, *, decimal: str | None = None) -> Numbers | None:
    """Parse texts that are all numbers in one notation; None if any is not a number, or if units differ."""
    for few in (texts.head(_FEW), texts):
        parts = number_parts(few, decimal=decimal)
        told = None if parts["value"].null_count() or not len(parts) else _notation(parts)
        if told is None:
            return None
        if len(few) == len(texts):
            return Numbers(values=parts["value"], whole=not parts["fraction"].any(), notation=told[0], unit=told[1])
    return None


def number_parts(texts: pl.Series, *, decimal: str | None = None) -> pl.DataFrame:
    """Split texts into the parts of a number.

    The columns are `value` (null if the text is not a number), `prefix`, `suffix`, and whether the digits have a
    `fraction` or are `zero_led`.
    """
    slices = [texts.slice(start, _SLICE) for start in range(0, len(texts), _SLICE)] or [texts]
    return pl.concat([_parts(part, decimal) for part in slices])


def _parts(texts: pl.Series, decimal: str | None) -> pl.DataFrame:
    source = _swapped(texts) if decimal == "," else texts
    parts = source.str.strip_chars().str.extract_groups(_WRITTEN).struct.unnest()
    digits = parts["digits"].str.replace_all(r"[^\d.]", "")
    number = (digits + parts["exponent"].fill_null("")).cast(pl.Float64, strict=False)
    brackets = parts["open"].is_not_null()
    sane = brackets == parts["close"].is_not_null()
    minus = parts["minus"].is_in(["-", "−", "–"]) | parts["sign"].is_in(["-", "−"]) | brackets
    sign = pl.select(pl.when(minus.fill_null(value=False)).then(-1.0).otherwise(1.0)).to_series()
    value = pl.select(pl.when(sane.fill_null(value=False)).then(number * sign)).to_series()
    return pl.DataFrame(
        {
            "value": value,
            "prefix": parts["prefix"].fill_null("").str.replace("￥", "¥", literal=True),
            "suffix": parts["suffix"].fill_null("").str.strip_chars(),
            "fraction": digits.str.contains(r"\.\d"),
            "zero_led": digits.str.contains(r"^0\d"),
        }
    )


def _notation(parts: pl.DataFrame) -> tuple[Notation, str | None] | None:
    prefixes = set(parts["prefix"].unique()) - {""}
    suffixes = set(parts["suffix"].unique()) - {""}
    if len(prefixes) > 1 or len(suffixes) > 1:
        return None
    prefix, suffix = next(iter(prefixes), ""), next(iter(suffixes), "")
    if prefix:
        return ("currency", prefix) if prefix in CURRENCY_PREFIX and not suffix else None
    if not suffix:
        return "thousands", None
    bare = parts.filter((pl.col("suffix") == "") & (pl.col("value") != 0)).height
    if bare:
        return None
    if suffix in PERCENT:
        return "percent", "%"
    if suffix in CURRENCY_SUFFIX:
        return "currency", suffix
    if parts["zero_led"].any():
        return None
    words = len(suffix.split())
    return ("unit", suffix) if words == 1 or (words == 2 and len(parts) > 2) else None


def unit_beside_bare(texts: pl.Series, *, decimal: str | None = None) -> Numbers | None:
    """Parse texts that are all numbers, some with one unit or currency and the others without; None otherwise.

    The unit may be written in several ways. A percent sign is none: 5 and 5% are different numbers. Nor is a word for a
    power of ten, where the numbers without it are of another order: 1.8万 beside 7173 (`scaled_numbers`).
    """
    parts = number_parts(texts, decimal=decimal)
    if parts["value"].null_count() or parts["zero_led"].any():
        return None
    affixed = parts.filter((pl.col("prefix") != "") | (pl.col("suffix") != ""))
    if affixed.is_empty() or affixed.filter((pl.col("prefix") != "") & (pl.col("suffix") != "")).height:
        return None
    counts = affixed.group_by("prefix", "suffix", maintain_order=True).len().sort("len", descending=True)
    ways = [prefix or suffix for prefix, suffix, _ in counts.rows()]
    few = affixed.height < UNIT_SEEN
    if (few and not is_known(ways)) or are_multiples(ways):
        return None
    if not set(affixed["prefix"]) - {""} <= CURRENCY_PREFIX or not PERCENT.isdisjoint(ways) or not is_one_unit(ways):
        return None
    if any(map(begins_with_power, ways)) and not _of_one_order(parts, affixed, _ALIKE if few else _ORDER):
        return None
    return Numbers(
        values=parts["value"],
        whole=not parts["fraction"].any(),
        notation="currency" if set(ways) & (CURRENCY_PREFIX | CURRENCY_SUFFIX) else "unit",
        unit=ways[0],
        units=tuple(sorted(ways, key=len, reverse=True)) if len(ways) > 1 else (),
    )


def _of_one_order(parts: pl.DataFrame, affixed: pl.DataFrame, order: float) -> bool:
    """Return whether the numbers without a unit, if there are any, are about as large as those with it."""
    bare = parts.filter((pl.col("prefix") == "") & (pl.col("suffix") == ""))["value"].abs().median()
    if bare is None:
        return True
    other = affixed["value"].abs().median()
    return isinstance(bare, float) and isinstance(other, float) and bare < order * other


def _pointed(texts: pl.Series) -> pl.Series:
    return texts.str.replace(",", ".", literal=True)


def _swapped(texts: pl.Series) -> pl.Series:
    """Swap the separators: 1.234,5 becomes 1,234.5."""
    return (
        texts.str.replace_all(".", "\u0000", literal=True)
        .str.replace_all(",", ".", literal=True)
        .str.replace_all("\u0000", ",", literal=True)
    )
