"""Numbers sorted into named categories: `'Child' (0-12 years), 'Adult' (13 and above)`, `'High' if it is above the
75th percentile`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from tablewright.analyst.plan import AllOf, Case, Col, Compare, Condition, Cut, Expr, Lit, Statistic
from tablewright.analyst.reading.tagged.columns_said import likeliest_numeric, numeric_said, quoted_columns
from tablewright.domain.dataset import DatasetFacts

_QUOTED = re.compile(r"[\"“‘']([A-Za-z][^\"”’'\n]{0,30})[\"”’']")
_AGAINST = re.compile(
    r"[\"“'‘](?P<label>[^\"”’'\n]{1,30})[\"”’']\s+(?:if|when|where)\s+(?P<left>[^.,\d]{2,50}?)\s+(?:is"
    r"|was)?\s*(?P<op>greater|higher|larger|more|above|less|lower|smaller|below|>"
    r"|<)\s*(?:than\s+)?(?P<right>[^.,\d\n]{2,50}?)(?:,|\.|;|\n|\band\b|\botherwise|$)",
    re.IGNORECASE,
)
_LIST = re.compile(r"\binto\s+([^.:;\n(]*)", re.IGNORECASE)
_BARE = re.compile(r"\b([A-Z][A-Za-z -]{1,25}?)\s*(?=\()")
_NUMBER = r"\$?(\d[\d,]*(?:\.\d+)?)(st|nd|rd|th)?(?:\s*(?:%|percent|percentile))?"
_RANGE = re.compile(rf"{_NUMBER}\s*(?:-|–|to|and|<=?\s*\w+\s*<)\s*{_NUMBER}", re.IGNORECASE)
_LOW = re.compile(
    rf"(?:(greater than or equal to|at least|no less than|>=|≥|from)|(?:greater than|more than|above|over|after"
    rf"|exceed\w*|>))\s*(?:the\s+)?(?:age\s+(?:of\s+)?)?{_NUMBER}",
    re.IGNORECASE,
)
_HIGH = re.compile(
    rf"(?:(less than or equal to|at most|no more than|up to(?!,? but)|<=|≤)|(?:less than|below|under|lower than"
    rf"|before|up to,? but (?:not including|excluding)|<))\s*(?:the\s+)?(?:age\s+(?:of\s+)?)?{_NUMBER}",
    re.IGNORECASE,
)
_ALONE = re.compile(r"\W*(?:[A-Za-z_]+\s+){0,3}(\d+(?:\.\d+)?)\W*(?:and|or)?\W*")
_OPEN = re.compile(
    rf"{_NUMBER}\s*(?:\w+\s+){{0,2}}(?:and (?:above|older|over|more|up|later|higher)|or (?:above|older|over|more"
    rf"|later|higher|newer|greater)|\+)",
    re.IGNORECASE,
)
_UNDER = re.compile(
    rf"{_NUMBER}\s*(?:\w+\s+){{0,2}}(?:and (?:below|younger|under|less|earlier|lower)|or (?:below|younger|under"
    rf"|less|earlier|lower))",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Band:
    """One category; an open end is None. `spoken` is set if its ends come with words such as `greater than`."""

    label: str
    low: float | None
    high: float | None
    low_closed: bool = True
    high_closed: bool = False
    quantiles: bool = False
    spoken: bool = True


def banded(name: str, text: str, facts: DatasetFacts) -> tuple[Expr, tuple[str, ...]] | None:
    """Return the expression and labels of the categories that `text`, which follows the new column's name, defines;
    None if it defines none."""
    compared = _compared(text, facts)
    if compared is not None:
        return compared
    found = _bands(name, text, facts)
    if len(found) < 2 and not (found and _otherwise(text, [found[0].label])):
        return None
    before = text[: text.find(found[0].label)]
    said = [
        column
        for piece in (before, _plain_name(name), text)
        for column in [*quoted_columns(piece, facts), *likeliest_numeric(piece, facts)]
        if column not in {name, *(band.label for band in found)} and _numeric(column, facts)
    ]
    if not said:
        return None
    rest = _otherwise(text, [band.label for band in found])
    labels = (*(band.label for band in found), *([rest] if rest is not None else []))
    column = Col(name=said[0])
    if not any(band.spoken or band.quantiles for band in found) and all(band.low is not None for band in found):
        ordered = sorted(found, key=lambda band: band.low or 0.0)
        last = ordered[-1].high
        edges = (*(band.low or 0.0 for band in ordered), float("inf") if last is None else last + 1)
        return Cut(of=column, edges=edges, labels=tuple(band.label for band in ordered)), labels
    branches = tuple((_condition(column, band), Lit(value=band.label)) for band in _ends_first(found))
    return Case(branches=branches, otherwise=Lit(value=rest)), labels


def _compared(text: str, facts: DatasetFacts) -> tuple[Expr, tuple[str, ...]] | None:
    """Read a comparison of two columns: `'Up' if Close is greater than Open, otherwise 'Down'`."""
    match = _AGAINST.search(text)
    rest = _otherwise(text, [])
    if match is None or rest is None:
        return None
    sides = [numeric_said(match.group(side), facts, least=0.7) for side in ("left", "right")]
    if not all(len(side) == 1 for side in sides):
        return None
    op: Literal[">", "<"] = "<" if re.match(r"less|lower|below|smaller|<", match.group("op"), re.IGNORECASE) else ">"
    label = match.group("label")
    condition = Compare(op=op, left=Col(name=sides[0][0]), right=Col(name=sides[1][0]))
    return Case(branches=((condition, Lit(value=label)),), otherwise=Lit(value=rest)), (label, rest)


def _plain_name(name: str) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])|_", " ", name)


def _otherwise(text: str, labels: list[str]) -> str | None:
    """Return the category of everything else, unless it is one of `labels`."""
    match = re.search(
        r"[\"“'‘]([A-Za-z][^\"”’'\n]{0,30})[\"”’']\s+(?:otherwise|else|for all other|for the rest)|\b(?:otherwise"
        r"|else)\b[^.\n]{0,25}?[\"“'‘]([A-Za-z][^\"”’'\n]{0,30})[\"”’']",
        text,
        re.IGNORECASE,
    )
    label = (match.group(1) or match.group(2)) if match else None
    return None if label in labels else label


def _ends_first(bands: list[Band]) -> list[Band]:
    """Sort open-ended categories first, so that they keep the values at which neighbours touch."""
    return sorted(bands, key=lambda band: band.low is not None and band.high is not None)


def _numeric(name: str, facts: DatasetFacts) -> bool:
    return any(column.name == name and column.kind in {"number", "integer"} for column in facts.columns)


def _bands(name: str, text: str, facts: DatasetFacts) -> list[Band]:
    names = {column.name.lower() for column in facts.columns} | {name.lower()}
    listed = _LIST.search(text)
    labels = {label.lower() for label in _QUOTED.findall(listed.group(1))} if listed else set[str]()
    found: dict[str, Band] = {}
    for pattern in (_QUOTED, _BARE):
        matches = [match for match in pattern.finditer(text) if _is_label(match, labels, names)]
        for place, match in enumerate(matches):
            end = matches[place + 1].start() if place + 1 < len(matches) else len(text)
            band = _band(_label(match.group(1)), re.split(r"[;\n]|\.\s", text[match.end() : end])[0])
            if band is not None:
                found.setdefault(band.label, band)
        if found:
            return list(found.values())
    return []


def _is_label(match: re.Match[str], labels: set[str], names: set[str]) -> bool:
    """Return whether quoted words name a category: one of the listed labels if there are several, else anything that
    is not a column or is followed by a rule."""
    said = match.group(1).strip().lower()
    if len(labels) >= 2:
        return said in labels
    ruled = re.match(r"[\s\"”’']*(?:if|when|where|for|\(|:|otherwise|else)", match.string[match.end() :], re.IGNORECASE)
    return said not in names or ruled is not None


def _label(text: str) -> str:
    return re.sub(r"^(?:and|or)\s+", "", text.strip())


def _band(label: str, text: str) -> Band | None:
    ranged = _RANGE.search(text)
    opened, under = _OPEN.search(text), _UNDER.search(text)
    low, high = _LOW.search(text), _HIGH.search(text)
    quantiles = "percentile" in text.lower()
    if low is not None and high is not None:
        return Band(
            label=label,
            low=_value(low.group(2), quantiles=quantiles),
            high=_value(high.group(2), quantiles=quantiles),
            low_closed=low.group(1) is not None,
            high_closed=high.group(1) is not None,
            quantiles=quantiles,
        )
    if ranged is not None:
        ends = (_value(ranged.group(1), quantiles=quantiles), _value(ranged.group(3), quantiles=quantiles))
        return Band(label=label, low=ends[0], high=ends[1], high_closed=True, quantiles=quantiles, spoken=False)
    if opened is not None:
        return Band(
            label=label, low=_value(opened.group(1), quantiles=quantiles), high=None, quantiles=quantiles, spoken=False
        )
    if under is not None:
        return Band(
            label=label,
            low=None,
            high=_value(under.group(1), quantiles=quantiles),
            high_closed=True,
            quantiles=quantiles,
        )
    if low is None and high is None:
        return _single(label, text)
    end = low or high
    value = _value(end.group(2), quantiles=quantiles) if end is not None else None
    closed = end is not None and end.group(1) is not None
    if low is not None:
        return Band(label=label, low=value, high=None, low_closed=closed, quantiles=quantiles)
    return Band(label=label, low=None, high=value, high_closed=closed, quantiles=quantiles)


def _single(label: str, text: str) -> Band | None:
    """Read a category of a single number: `"medium" (quality 6)`."""
    alone = _ALONE.fullmatch(text)
    if alone is None:
        return None
    value = _value(alone.group(1), quantiles=False)
    return Band(label=label, low=value, high=value, high_closed=True)


def _value(text: str, *, quantiles: bool) -> float:
    value = float(text.replace(",", ""))
    return value / 100 if quantiles else value


def _condition(column: Col, band: Band) -> Condition:
    parts: list[Condition] = []
    if band.low is not None:
        parts.append(Compare(op=">=" if band.low_closed else ">", left=column, right=_end(column, band, band.low)))
    if band.high is not None:
        parts.append(Compare(op="<=" if band.high_closed else "<", left=column, right=_end(column, band, band.high)))
    return parts[0] if len(parts) == 1 else AllOf(parts=tuple(parts))


def _end(column: Col, band: Band, value: float) -> Expr:
    return Statistic(name="quantile", of=column, argument=value) if band.quantiles else Lit(value=value)
