"""Tables as they are once their irregular cells are cleaned, from the facts about them."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from dataclasses import replace

from tablewright.domain.dataset import ColumnFacts, DatasetFacts, DistinctValues
from tablewright.domain.table_facts import Irregularity, IrregularityKind


def folded(text: str) -> str:
    """Return a text as it is compared: without outer and double blanks, in one width and one case."""
    return " ".join(unicodedata.normalize("NFKC", text).split()).lower()


def spellings(column: ColumnFacts) -> dict[str, str]:
    """Return how the values of a column that are written in several ways are meant, by their folded texts."""
    found = {folded(one.meant): one.meant for one in column.irregular if one.kind == "spelling" and one.meant}
    short = {folded(one.examples[0]): one.meant for one in column.irregular if one.kind == "abbreviation" and one.meant}
    return found | short


def has(column: ColumnFacts, kind: IrregularityKind) -> bool:
    """Return whether cells of a column are irregular in this way."""
    return any(one.kind == kind for one in column.irregular)


def irregular_together(columns: Iterable[ColumnFacts]) -> tuple[Irregularity, ...]:
    """Return in which ways cells of a column of several tables are irregular, each way once, for the same meaning."""
    found: dict[tuple[str, str | None], Irregularity] = {}
    for one in (one for column in columns for one in column.irregular):
        same = found.get((one.kind, one.meant))
        examples = tuple(dict.fromkeys((*(same.examples if same else ()), *one.examples)))
        cells = one.cells + (same.cells if same else 0)
        found[one.kind, one.meant] = replace(one, examples=examples, cells=cells)
    return tuple(found.values())


def lacks_year(form: str) -> bool:
    """Return whether dates in a format, as `strptime` takes it, have no year."""
    return "%y" not in form.lower()


def dated_form(form: str) -> str:
    """Return the format of dates that lacked their year, once they begin with it and a blank."""
    return f"%Y {form}"


def totals_left_out(dataset: DatasetFacts) -> int:
    """Return how many rows of a table add up others and are no part of its data."""
    return len(dataset.read.inner_totals) + (dataset.read.totals_row is not None)


def clean_value(text: str, column: ColumnFacts) -> str:
    """Return a cell of a column of words as it is once the column is cleaned."""
    meant = spellings(column).get(folded(text))
    return meant if meant is not None else text.strip() if has(column, "spaces") else text


def clean_values(known: DistinctValues, column: ColumnFacts) -> DistinctValues:
    """Return the distinct values of a column once it is cleaned; of one with marks among its values, the marks."""
    if column.clean is not None:
        marks = column.clean.marks
        found = dict(zip(known.values, known.counts, strict=True))
        return DistinctValues(values=marks, counts=tuple(found.get(mark, 0) for mark in marks), complete=True)
    meant, spaced = spellings(column), has(column, "spaces")
    if not meant and not spaced:
        return known
    counts: dict[str, int] = {}
    for text, count in zip(known.values, known.counts, strict=True):
        value = meant.get(folded(text)) or (text.strip() if spaced else text)
        counts[value] = counts.get(value, 0) + count
    often = sorted(counts.items(), key=lambda entry: -entry[1])
    return DistinctValues(
        values=tuple(value for value, _ in often), counts=tuple(count for _, count in often), complete=known.complete
    )


def clean_facts(dataset: DatasetFacts) -> DatasetFacts:
    """Return the facts about a table once its columns are cleaned; those of a clean table are the same."""
    columns = tuple(map(_clean, dataset.columns))
    return dataset if columns == dataset.columns else replace(dataset, columns=columns)


def _clean(column: ColumnFacts) -> ColumnFacts:
    clean = column.clean
    if clean is None:
        return _respelled(column) if column.irregular and column.kind == "text" else column
    return replace(
        column,
        kind=clean.kind,
        notation=clean.notation,
        unit=clean.unit,
        units=clean.units,
        date_format=clean.date_formats[0] if len(clean.date_formats) == 1 else None,
        missing=column.missing + clean.marked,
        distinct=clean.distinct,
        minimum=clean.minimum,
        maximum=clean.maximum,
        mean=clean.mean,
        samples=tuple(cell for cell in column.samples if cell not in clean.marks),
        clean=replace(clean, marked=0),
    )


def _respelled(column: ColumnFacts) -> ColumnFacts:
    samples = tuple(
        dict.fromkeys(clean_value(cell, column) if isinstance(cell, str) else cell for cell in column.samples)
    )
    merged = sum(one.merged for one in column.irregular)
    distinct = None if column.distinct is None else column.distinct - merged
    irregular = tuple(replace(one, merged=0) for one in column.irregular)
    return replace(column, samples=samples, distinct=distinct, irregular=irregular)
