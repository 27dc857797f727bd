"""The facts about one column, derived from its cells."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta
from typing import Any

import polars as pl

from tablewright.data.column_naming import cell_text
from tablewright.data.files.cleaning import clean_moments, clean_texts
from tablewright.data.files.integers import integer_facts, plain_integers
from tablewright.data.files.irregular import absences, irregular_moments, irregularities
from tablewright.data.files.readings import Reading, iso_text, number_cell, number_facts, read_texts, read_words
from tablewright.data.files.span_words import is_lasting
from tablewright.data.files.tallies import Tally, distinct_numbers, distinct_values, tally
from tablewright.data.missing_values import MORE_MISSING, PANDAS_MISSING
from tablewright.domain.dataset import ColumnFacts, ColumnKind, DistinctValues
from tablewright.domain.table import Cell

SAMPLES = 5
LONGEST_SAMPLE = 200
_BLANK = r"^\s*$"


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnProfile:
    """The facts about a column.

    `values` are the distinct values of a column of texts or whole numbers; `as_text` means that pandas must be told
    not to convert the column to numbers.
    """

    facts: ColumnFacts
    values: DistinctValues | None = None
    as_text: bool = False


def profile_texts(name: str, cells: pl.Series, *, decimal: str | None = None, inferred: bool = True) -> ColumnProfile:
    """Derive the facts about a column of texts (nulls are missing), or of `plain_integers`.

    Statistics are computed on the numbers or dates in the texts. `inferred` corresponds to loading text files and
    workbooks with pandas: plain numbers, booleans and missing values in text are converted. Otherwise (JSON, Parquet)
    text stays text, and numbers need cleaning like any other notation.
    """
    if inferred and (integers := _integers(cells)) is not None:
        whole = integer_facts(name, integers, samples=SAMPLES)
        if whole is not None:
            return ColumnProfile(facts=whole, values=distinct_numbers(integers, whole))
    written = cells.cast(pl.String).drop_nulls()
    present = written.filter(~written.is_in(list(PANDAS_MISSING))) if inferred else written
    if present.is_empty():
        return ColumnProfile(facts=ColumnFacts(name=name, kind="empty", missing=len(cells), distinct=0))
    counted = tally(present)
    reading, missing_texts = _read_leniently(counted, decimal=decimal)
    if reading.kind == "time" and is_lasting(name):
        reading = _lasting(reading, counted.where(~counted.texts.is_in(missing_texts)), name)
    if not inferred:
        _keep_as_text(reading)
        missing_texts = [] if reading.kind in {"text", "mixed"} else missing_texts
    left = counted.where(~counted.texts.is_in(missing_texts)) if missing_texts else counted
    if "distinct" not in reading.facts:
        reading.facts["distinct"] = left.distinct
    clean = clean_texts(left, decimal=decimal, name=name) if reading.kind in {"text", "mixed"} else None
    facts = ColumnFacts(
        name=name,
        kind=reading.kind,
        missing=len(cells) - left.total,
        missing_texts=tuple(missing_texts),
        samples=tuple(text[:LONGEST_SAMPLE] for text in left.first(SAMPLES)),
        irregular=(
            *irregularities(left, reading.kind, clean, decimal=decimal),
            *absences(written, {*missing_texts, *(PANDAS_MISSING if inferred else ())}),
        ),
        clean=clean,
        **reading.facts,
    )
    words = reading.kind in {"text", "mixed"}
    numbers = None if words else distinct_numbers(left.texts.str.strip_chars(), facts, left.counts)
    values = distinct_values(left, distinct=facts.distinct) if words else numbers
    return ColumnProfile(facts=facts, values=values, as_text=reading.as_text)


def profile_cells(name: str, cells: Sequence[Any], *, inferred: bool = True) -> ColumnProfile:
    """Derive the facts about a column of typed cells, as in a workbook or JSON (None is missing)."""
    types = set(map(type, cells)) - {type(None)}
    if types == {str}:
        return profile_texts(name, pl.Series(cells, dtype=pl.String), inferred=inferred)
    if types <= {int, float} and types:
        numbers = pl.Series(cells, dtype=pl.Float64, strict=False)
        facts = profile_numbers(name, numbers)
        return ColumnProfile(facts=facts, values=distinct_numbers(numbers, facts))
    missing = PANDAS_MISSING if inferred else frozenset[str]()
    present = [cell for cell in cells if cell is not None and not (isinstance(cell, str) and cell in missing)]
    kinds = {_cell_kind(cell) for cell in present}
    words = [cell for cell in present if isinstance(cell, str)]
    spare = {word for word in words if word.strip() in MORE_MISSING or not word.strip()}
    if "text" in kinds and kinds & {"moment", "time"} and spare.issuperset(words):
        present = [cell for cell in present if not isinstance(cell, str)]
        kinds -= {"text"}
    else:
        spare = set()
    if not kinds or (kinds <= {"text", "number"} and "text" in kinds):
        texts = pl.Series([_as_text(cell) for cell in cells], dtype=pl.String)
        return profile_texts(name, texts, inferred=inferred)
    facts = replace(
        _typed_facts(name, present, kinds), missing=len(cells) - len(present), missing_texts=tuple(sorted(spare))
    )
    samples = tuple(_sample(cell) for cell in list(dict.fromkeys(present))[:SAMPLES])
    values = distinct_values(tally(pl.Series([_as_text(cell) for cell in present]))) if facts.kind == "mixed" else None
    said = pl.Series([cell for cell in cells if isinstance(cell, str)], dtype=pl.String)
    facts = replace(facts, irregular=absences(said, {*missing, *spare}))
    if kinds == {"moment", "text"}:
        clean = clean_moments(present)
        facts = replace(facts, irregular=(*irregular_moments(words, clean), *facts.irregular), clean=clean)
    return ColumnProfile(facts=replace(facts, samples=samples), values=values)


def profile_numbers(name: str, cells: pl.Series) -> ColumnFacts:
    """Derive the facts about a typed number column (nulls and NaN are missing)."""
    present = cells.drop_nulls()
    if present.dtype.is_float():
        present = present.filter(present.is_finite())
    whole = present.dtype.is_integer() or bool((present.cast(pl.Float64) == present.cast(pl.Float64).floor()).all())
    samples = present.head(1000).unique(maintain_order=True).head(SAMPLES)
    return ColumnFacts(
        name=name,
        kind="integer" if whole else "number",
        missing=len(cells) - len(present),
        distinct=present.n_unique(),
        samples=tuple(number_cell(value) for value in samples),
        **number_facts(present, None, whole=whole),
    )


def _integers(cells: pl.Series) -> pl.Series | None:
    return plain_integers(cells) if cells.dtype == pl.String else cells


def _each(texts: pl.Series) -> list[str]:
    return list(texts.unique(maintain_order=True))


def _keep_as_text(reading: Reading) -> None:
    if reading.kind in {"integer", "number"} and reading.facts.get("notation") == "plain":
        reading.facts["notation"] = "thousands"
    elif reading.kind == "boolean":
        reading.kind = "text"


def _read_leniently(counted: Tally, *, decimal: str | None) -> tuple[Reading, list[str]]:
    """Interpret the texts; if that fails, try again without those that may represent missing values."""
    blank = counted.texts.str.contains(_BLANK)
    filled = counted.where(~blank) if blank.any() else counted
    if (reading := read_texts(filled, decimal=decimal)) is not None:
        return reading, _each(counted.texts.filter(blank))
    spare = counted.texts.str.strip_chars().is_in(list(MORE_MISSING | PANDAS_MISSING))
    rest = counted.where(~spare)
    if spare.any() and rest.total and (reading := read_texts(rest, decimal=decimal)) is not None:
        return reading, _each(counted.texts.filter(spare))
    return read_words(filled, decimal=decimal), _each(counted.texts.filter(blank))


def _lasting(reading: Reading, counted: Tally, name: str) -> Reading:
    """Return the reading of clocks that say how long something lasts: words, which are numbers once cleaned."""
    return reading if clean_texts(counted, decimal=None, name=name) is None else Reading(kind="text")


def _cell_kind(cell: Any) -> str:
    if isinstance(cell, bool):
        return "boolean"
    if isinstance(cell, int | float):
        return "number"
    if isinstance(cell, date):
        return "moment"
    return "time" if isinstance(cell, time | timedelta) else "text"


def _typed_facts(name: str, present: list[Any], kinds: set[str]) -> ColumnFacts:
    distinct = len(set(present))
    if kinds == {"boolean"}:
        return ColumnFacts(name=name, kind="boolean", distinct=distinct)
    if kinds == {"number"}:
        return profile_numbers(name, pl.Series([float(cell) for cell in present]))
    if kinds == {"moment"}:
        moments = [cell if isinstance(cell, datetime) else datetime.combine(cell, time()) for cell in present]
        kind: ColumnKind = "date" if all(moment.time() == time() for moment in moments) else "datetime"
        low, high = iso_text(min(moments), kind), iso_text(max(moments), kind)
        return ColumnFacts(name=name, kind=kind, distinct=distinct, minimum=low, maximum=high)
    if kinds == {"time"}:
        return ColumnFacts(name=name, kind="time", distinct=distinct)
    return ColumnFacts(name=name, kind="mixed", distinct=distinct)


def _as_text(cell: Any) -> str | None:
    return None if cell is None else cell_text(cell)


def _sample(cell: Any) -> Cell:
    if isinstance(cell, bool | int):
        return cell
    if isinstance(cell, float):
        return number_cell(cell)
    return cell_text(cell)[:LONGEST_SAMPLE]
