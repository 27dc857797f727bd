"""Values of a column of words that are written in several ways, in short, or several in one cell."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import polars as pl

from tablewright.data.files.tallies import Tally
from tablewright.domain.table_facts import Irregularity

LISTED = 100
"""The most groups of spellings that are listed for a column, those with the most cells first."""
EXAMPLES = 5
_LONGEST = 200
_CATEGORIES = 12
"""A column with more different values is not looked at for abbreviations."""
_SEPARATORS = (";", "；", "|", "、", ",", "，", "/")
_LISTS_SHARE = 0.2
_LIST_VALUES = 50
_LIST_TEXTS = 5
"""A column holds lists if a fifth of its cells have a separator, and few values stand between these in many texts."""


def spellings(counted: Tally) -> tuple[Irregularity, ...]:
    """Return how the values of a column of words are written unlike the most frequent way."""
    frame = pl.DataFrame({"text": counted.texts, "count": counted.counts, "same": folded(counted.texts)})
    frame = frame.filter(pl.col("same") != "").sort("count", descending=True, maintain_order=True)
    groups = (
        frame.group_by("same", maintain_order=True)
        .agg(pl.col("text"), pl.col("count"))
        .with_columns(
            meant=pl.col("text").list.first().str.strip_chars(), merged=pl.col("text").list.len().cast(pl.Int64) - 1
        )
    )
    return (*_several(groups), *_abbreviations(groups), *_spaces(groups), *_lists(counted))


def folded(texts: pl.Series) -> pl.Series:
    """Return texts as they are compared: without outer and double blanks, in one width and one case."""
    return texts.str.normalize("NFKC").str.replace_all(r"\s+", " ").str.strip_chars().str.to_lowercase()


def examples(texts: Sequence[str]) -> tuple[str, ...]:
    """Return the first of `texts`, cut if they are long."""
    return tuple(text[:_LONGEST] for text in texts[:EXAMPLES])


def _several(groups: pl.DataFrame) -> Iterator[Irregularity]:
    unlike = groups.filter(pl.col("merged") > 0).explode("text", "count").filter(pl.col("text") != pl.col("meant"))
    others = unlike.group_by("same", maintain_order=True).agg(
        pl.col("text"), pl.col("count").sum(), pl.first("meant"), pl.first("merged")
    )
    for row in others.sort("count", descending=True, maintain_order=True).head(LISTED).iter_rows(named=True):
        ways = examples(row["text"])
        yield Irregularity(kind="spelling", cells=row["count"], examples=ways, meant=row["meant"], merged=row["merged"])


def _abbreviations(groups: pl.DataFrame) -> Iterator[Irregularity]:
    """Yield single letters that stand for the one value that begins with them, if there are at least two of them and
    each has its value."""
    if not 4 <= groups.height <= _CATEGORIES:
        return
    rows = {row["same"]: row for row in groups.iter_rows(named=True)}
    letters = [same for same in rows if len(same) == 1 and same.isascii() and same.isalpha()]
    words = [same for same in rows if len(same) > 1]
    initials = [word[0] for word in words]
    if len(letters) < 2 or len(set(initials)) < len(initials) or not set(letters) <= set(initials):
        return
    for word in words:
        if word[0] in letters:
            short = rows[word[0]]
            yield Irregularity(
                kind="abbreviation",
                cells=sum(short["count"]),
                examples=examples(short["text"]),
                meant=rows[word]["meant"],
                merged=1,
            )


def _spaces(groups: pl.DataFrame) -> Iterator[Irregularity]:
    alone = groups.filter(pl.col("merged") == 0).select(
        text=pl.col("text").list.first(), count=pl.col("count").list.first()
    )
    spaced = alone.filter(pl.col("text") != pl.col("text").str.strip_chars())
    if spaced.height:
        cells = int(spaced["count"].sum())
        yield Irregularity(kind="spaces", cells=cells, examples=examples(list(spaced["text"])))


def _lists(counted: Tally) -> Iterator[Irregularity]:
    for separator in _SEPARATORS:
        joined = counted.where(counted.texts.str.contains(separator, literal=True))
        if len(joined.texts) < _LIST_TEXTS or joined.total < _LISTS_SHARE * counted.total:
            continue
        values = counted.texts.str.split(separator).list.explode().str.strip_chars().unique()
        if len(values) <= _LIST_VALUES and len(values) * 2 <= len(counted.texts):
            often = joined.texts.gather(joined.counts.arg_sort(descending=True))
            yield Irregularity(kind="lists", cells=joined.total, examples=examples(list(often)), meant=separator)
            return
