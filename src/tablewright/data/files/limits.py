"""Numbers of which only a limit is known, among others: <0.5 where less cannot be measured, >1000 beyond the scale."""

from __future__ import annotations

import polars as pl

from tablewright.data.files.tallies import Tally
from tablewright.domain.loading import LIMIT

ENOUGH = 10
"""So many cells with a number of their own suffice, though there are more of which only a limit is known."""
_LIMITED = rf"^(?:{LIMIT})[^<>]*\d"


def limited(texts: pl.Series) -> pl.Series:
    """Return which texts begin with a sign of comparison before a number."""
    return texts.str.contains(_LIMITED)


def bare(texts: pl.Series) -> pl.Series:
    """Return the texts without the sign of comparison before their number."""
    return texts.str.replace(LIMIT, "")


def measured(counted: Tally) -> bool:
    """Return whether most numbers, or enough of them, are known, in more different ones than there are limits: `<1`,
    `1`, `2`, `>2` are classes."""
    within = limited(counted.texts)
    known, limits = counted.where(~within), counted.where(within)
    often = known.total >= limits.total or known.total >= ENOUGH
    return bool(limits.total) and often and len(known.texts) > len(limits.texts)
