"""The distinct texts of a column and their frequencies."""

from __future__ import annotations

from dataclasses import dataclass

import polars as pl

from tablewright.domain.dataset import DistinctValues

DISTINCT_LIMIT = 10_000
LONGEST_VALUE = 256
_COUNTED_BY_TEXT = 200_000
"""Above this many rows, texts are first counted by 64-bit hash: a table of millions of strings would be too large."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """The non-missing texts of a column, in order of appearance.

    Either each distinct text with its count, or (`repeated`, used when nearly all differ) the text of every row with a
    count of 1.
    """

    texts: pl.Series
    counts: pl.Series
    repeated: bool = False

    @property
    def total(self) -> int:
        return int(self.counts.sum())

    @property
    def distinct(self) -> int:
        return self.texts.hash().n_unique() if self.repeated else len(self.texts)

    def where(self, mask: pl.Series) -> Tally:
        """Return the texts for which `mask` is true."""
        return Tally(texts=self.texts.filter(mask), counts=self.counts.filter(mask), repeated=self.repeated)

    def first(self, count: int) -> list[str]:
        """Return the first distinct texts."""
        return list(self.texts.head(1000).unique(maintain_order=True).head(count))

    def head(self, count: int) -> Tally:
        """Return only the first `count` texts."""
        return Tally(texts=self.texts.head(count), counts=self.counts.head(count), repeated=self.repeated)


def tally(present: pl.Series) -> Tally:
    """Count the texts of a column from which missing ones have been removed."""
    if _mostly_different(present):
        return Tally(texts=present, counts=pl.repeat(1, len(present), dtype=pl.Int64, eager=True), repeated=True)
    return _counted(present)


def _mostly_different(present: pl.Series) -> bool:
    """Whether there are more distinct texts than are counted as texts; often the first rows tell."""
    if len(present) <= _COUNTED_BY_TEXT:
        return False
    first = present.head(2 * _COUNTED_BY_TEXT).hash().n_unique()
    return first > _COUNTED_BY_TEXT or present.hash().n_unique() > _COUNTED_BY_TEXT


def distinct_values(tally: Tally, limit: int = DISTINCT_LIMIT) -> DistinctValues:
    """Return the distinct texts, most frequent first. Texts of more than 256 characters are left out."""
    distinct = tally.distinct
    counted = _most_frequent(tally.texts, limit) if tally.repeated else tally
    frame = pl.DataFrame({"text": counted.texts, "count": counted.counts})
    short = frame.filter(pl.col("text").str.len_chars() <= LONGEST_VALUE)
    kept = short.sort("count", descending=True, maintain_order=True).head(limit)
    return DistinctValues(values=tuple(kept["text"]), counts=tuple(kept["count"]), complete=kept.height == distinct)


def _counted(present: pl.Series) -> Tally:
    grouped = present.alias("text").to_frame().group_by("text", maintain_order=True).len("count")
    return Tally(texts=grouped["text"], counts=grouped["count"].cast(pl.Int64))


def _most_frequent(texts: pl.Series, limit: int) -> Tally:
    hashes = texts.hash().alias("hash")
    most = hashes.to_frame().group_by("hash").len("count").top_k(limit, by="count")
    return _counted(texts.filter(hashes.is_in(most["hash"])))
