"""Irregular cells of a column, from its distinct texts and their counts."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

import polars as pl

from tablewright.data.files.dates import notation_counts
from tablewright.data.files.limits import bare, limited
from tablewright.data.files.numbers import number_parts
from tablewright.data.files.scaled import split_numbers
from tablewright.data.files.spellings import EXAMPLES, examples, spellings
from tablewright.data.files.tallies import DISTINCT_LIMIT, Tally, tally
from tablewright.data.files.yearless import yearless
from tablewright.domain.dataset import CleanFacts, ColumnKind
from tablewright.domain.loading import WEEKDAYS
from tablewright.domain.spans import Spans, span_parts
from tablewright.domain.table_facts import Irregularity, IrregularityKind


def irregularities(
    counted: Tally, kind: ColumnKind, clean: CleanFacts | None = None, *, decimal: str | None = None
) -> tuple[Irregularity, ...]:
    """Return what is irregular in a column of `kind`, which once it is cleaned has the facts `clean`.

    Nothing is told of a column with too many distinct texts to compare.
    """
    if counted.repeated or counted.texts.is_empty() or len(counted.texts) > DISTINCT_LIMIT:
        return ()
    if clean is not None:
        marks = counted.texts.is_in(list(clean.marks))
        return (*_marked(counted.where(marks)), *_notations(counted.where(~marks), clean, decimal))
    match kind:
        case "text":
            return (*_date_notations(counted), *spellings(counted))
        case "mixed":
            return _marks(counted, decimal)
        case "number" | "integer":
            return _number_notations(counted, decimal)
        case _:
            return ()


def irregular_moments(words: Sequence[str], clean: CleanFacts | None = None) -> tuple[Irregularity, ...]:
    """Return what is irregular in a column of dates of a workbook, some of which are texts, `words`; once it is cleaned
    it has the facts `clean`."""
    counted = tally(pl.Series(words, dtype=pl.String))
    if counted.repeated:
        return ()
    if clean is not None and clean.year is not None:
        marks = counted.texts.is_in(list(clean.marks))
        return (*_marked(counted.where(marks)), *_notations(counted.where(~marks), clean, None))
    formats = notation_counts(counted.texts, counted.counts)
    kind: IrregularityKind = "date_notations" if formats else "marks"
    shown = tuple(formats) if formats else examples(counted.first(EXAMPLES))
    return (Irregularity(kind=kind, cells=len(words), examples=shown),)


def absences(written: pl.Series, missing: Collection[str]) -> tuple[Irregularity, ...]:
    """Return how many of the texts of a column say that there is no value: those in `missing` that are not blank."""
    words = written.filter(written.is_in([text for text in missing if text.strip()]))
    if words.is_empty():
        return ()
    often = words.value_counts(sort=True)
    return (Irregularity(kind="absent", cells=len(words), examples=examples(list(often[often.columns[0]]))),)


def _notations(rest: Tally, clean: CleanFacts, decimal: str | None) -> tuple[Irregularity, ...]:
    if clean.limits:
        known = Tally(texts=bare(rest.texts), counts=rest.counts)
        return (*_limits(rest.where(limited(rest.texts))), *_notations(known, replace(clean, limits=False), decimal))
    if clean.powers:
        return _scaled(rest, decimal)
    if clean.spans is not None:
        return _spans(rest, clean.spans)
    if clean.kind in {"number", "integer"}:
        return _number_notations(rest, decimal)
    if clean.weekdays:
        rest = Tally(texts=rest.texts.str.replace_all(WEEKDAYS, ""), counts=rest.counts)
    if clean.year is not None:
        short = yearless(rest.texts)
        return (*_date_notations(rest.where(~short)), *_yearless(rest.where(short), clean.year))
    return _date_notations(rest) if len(clean.date_formats) > 1 else ()


def _yearless(bare: Tally, year: int) -> tuple[Irregularity, ...]:
    shown = examples(bare.first(EXAMPLES))
    return (Irregularity(kind="yearless", cells=bare.total, examples=shown, meant=str(year)),)


def _limits(limits: Tally) -> tuple[Irregularity, ...]:
    often = limits.texts.gather(limits.counts.arg_sort(descending=True))
    return (Irregularity(kind="limits", cells=limits.total, examples=examples(list(often))),)


def _marks(counted: Tally, decimal: str | None) -> tuple[Irregularity, ...]:
    return _marked(counted.where(number_parts(counted.texts, decimal=decimal)["value"].is_null()))


def _marked(words: Tally) -> tuple[Irregularity, ...]:
    if words.texts.is_empty():
        return ()
    often = words.texts.gather(words.counts.arg_sort(descending=True))
    return (Irregularity(kind="marks", cells=words.total, examples=examples(list(often))),)


def _number_notations(counted: Tally, decimal: str | None) -> tuple[Irregularity, ...]:
    return _affixes(counted, number_parts(counted.texts, decimal=decimal).select("prefix", "suffix"))


def _scaled(counted: Tally, decimal: str | None) -> tuple[Irregularity, ...]:
    frame = split_numbers(counted.texts, decimal=decimal)
    if frame is None:
        return ()
    short = counted.where(frame["word"] != "")
    shown = examples(short.first(EXAMPLES))
    return (Irregularity(kind="powers", cells=short.total, examples=shown), *_affixes(counted, frame.select("unit")))


def _spans(counted: Tally, spans: Spans) -> tuple[Irregularity, ...]:
    converted = [any(size != spans.each for _, size in span_parts(text, spans)) for text in counted.texts]
    others = counted.where(pl.Series(converted, dtype=pl.Boolean))
    if not others.total:
        return ()
    return (Irregularity(kind="spans", cells=others.total, examples=examples(others.first(EXAMPLES))),)


def _affixes(counted: Tally, affixes: pl.DataFrame) -> tuple[Irregularity, ...]:
    """Return in how many cells the affixes of numbers are not the most frequent ones."""
    frame = affixes.with_columns(text=counted.texts, count=counted.counts)
    ways = frame.group_by(affixes.columns, maintain_order=True).agg(pl.col("count").sum(), pl.col("text"))
    ways = ways.sort("count", descending=True, maintain_order=True)
    if ways.height < 2:
        return ()
    rare = ways.slice(1)
    texts = [text for way in rare["text"] for text in way]
    return (Irregularity(kind="number_notations", cells=int(rare["count"].sum()), examples=examples(texts)),)


def _date_notations(counted: Tally) -> tuple[Irregularity, ...]:
    counts = notation_counts(counted.texts, counted.counts)
    if len(counts) < 2:
        return ()
    rest = sum(counts.values()) - max(counts.values())
    return (Irregularity(kind="date_notations", cells=rest, examples=tuple(counts)),)
