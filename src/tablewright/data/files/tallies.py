"""The distinct texts of a column and their frequencies."""

from __future__ import annotations

from dataclasses import dataclass

import polars as pl

from tablewright.domain.dataset import ColumnFacts, DistinctValues

DISTINCT_LIMIT = 10_000
LONGEST_VALUE = 256
COUNTED_BY_TEXT = 200_000
"""Above this many rows, texts are first counted by 64-bit hash: a table of millions of strings would be too large."""
_OFTEN = 8
"""Texts that recur so often on average are counted part by part."""


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
    distinct = _distinct(present)
    if distinct > COUNTED_BY_TEXT:
        return Tally(texts=present, counts=pl.repeat(1, len(present), dtype=pl.Int64, eager=True), repeated=True)
    return _counted(present, streaming=distinct * _OFTEN <= len(present))


def _distinct(present: pl.Series) -> int:
    """Count the distinct texts, or at least more than are counted as texts; often the first rows tell."""
    if len(present) <= COUNTED_BY_TEXT:
        return len(present)
    first = present.head(2 * COUNTED_BY_TEXT).hash().n_unique()
    return first if first > COUNTED_BY_TEXT else present.hash().n_unique()


def distinct_values(tally: Tally, limit: int = DISTINCT_LIMIT, *, distinct: int | None = None) -> DistinctValues:
    """Return the distinct texts, most frequent first, and of equally frequent ones the first.

    Texts of more than 256 characters are left out. `distinct` is their number, if it is known.
    """
    distinct = tally.distinct if distinct is None else distinct
    counted = _most_frequent(tally.texts, limit) if tally.repeated else tally
    frame = pl.DataFrame({"text": counted.texts, "count": counted.counts})
    short = frame.filter(pl.col("text").str.len_chars() <= LONGEST_VALUE)
    kept = short.sort("count", descending=True, maintain_order=True).head(limit)
    return DistinctValues(values=tuple(kept["text"]), counts=tuple(kept["count"]), complete=kept.height == distinct)


def distinct_numbers(values: pl.Series, facts: ColumnFacts, counts: pl.Series | None = None) -> DistinctValues | None:
    """Return the distinct numbers of a column of whole ones as texts, most frequent first: they may be the key of
    another table. None for others, and where there are too many. Each of `values` counts as often as `counts` says."""
    if facts.kind != "integer" or facts.notation != "plain" or not 1 < (facts.distinct or 0) <= DISTINCT_LIMIT:
        return None
    numbers = values.cast(pl.Int64, strict=False)
    each = pl.repeat(1, len(numbers), dtype=pl.Int64, eager=True) if counts is None else counts
    frame = pl.DataFrame({"number": numbers, "count": each}).drop_nulls()
    kept = frame.group_by("number", maintain_order=True).sum().sort("count", descending=True, maintain_order=True)
    return DistinctValues(values=tuple(map(str, kept["number"])), counts=tuple(kept["count"]), complete=True)


def _counted(present: pl.Series, *, streaming: bool = False) -> Tally:
    """Count texts; the `streaming` engine is several times faster where they recur, and slower where most differ."""
    texts = present.alias("text").to_frame().lazy()
    counts = texts.group_by("text", maintain_order=True).len("count")
    grouped = counts.collect(engine="streaming" if streaming else "in-memory").rechunk()
    return Tally(texts=grouped["text"], counts=grouped["count"].cast(pl.Int64))


def _most_frequent(texts: pl.Series, limit: int) -> Tally:
    """Count the most frequent of texts that nearly all differ; of those that are as frequent as the last, the first."""
    hashes = texts.hash().alias("hash")
    counts = hashes.to_frame().group_by("hash").len("count")
    least = counts.top_k(limit, by="count")["count"].min()
    more = counts.filter(pl.col("count") > least)["hash"]
    tied = counts.filter(pl.col("count") == least)["hash"]
    chosen = pl.concat([more, _first_among(hashes, tied, limit - len(more))])
    return _counted(texts.filter(hashes.is_in(chosen)))


def _first_among(hashes: pl.Series, wanted: pl.Series, count: int) -> pl.Series:
    """Return the first `count` distinct hashes that are among `wanted`; most often they stand in the first rows."""
    rows = count
    while True:
        first = hashes.head(rows).unique(maintain_order=True)
        found = wanted.filter(wanted.is_in(first))
        if len(found) >= count or rows >= len(hashes):
            return first.filter(first.is_in(found)).head(count)
        rows *= 4
