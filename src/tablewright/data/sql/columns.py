"""The columns of `primary`: the cells of a file in the types that the profile found, and a note on what became NULL."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time
from typing import Any

import polars as pl

from tablewright.data.column_naming import cell_text
from tablewright.data.files.cleaned import values_of
from tablewright.data.missing_values import PANDAS_MISSING
from tablewright.domain.dataset import ColumnFacts

MARKS = 5
"""How many different texts a note tells."""
MARK_CHARS = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class TypedColumn:
    """The values of a column; `note` says what they are and which texts of the file are NULL, where that is of use."""

    values: pl.Series
    note: str = ""


def typed(cells: pl.Series | Sequence[Any], facts: ColumnFacts, *, decimal: str | None) -> TypedColumn:
    """Return a column as numbers or dates, if its facts say that it is one of them and no value is lost by that."""
    if isinstance(cells, pl.Series):
        return _of_texts(cells, facts, decimal)
    kinds = {type(cell) for cell in cells if cell is not None}
    if kinds and kinds <= {int, float}:
        whole = facts.kind == "integer"
        return TypedColumn(values=pl.Series(cells, dtype=pl.Int64 if whole else pl.Float64, strict=False))
    if kinds == {bool}:
        return TypedColumn(values=pl.Series(cells, strict=False))
    if kinds & {date, datetime} and kinds <= {date, datetime, str}:
        return _of_moments(cells, facts)
    texts = pl.Series([None if cell is None else cell_text(cell) for cell in cells], dtype=pl.String)
    return _of_texts(texts, facts, decimal) if kinds <= {int, float, str} else TypedColumn(values=texts)


def _of_texts(texts: pl.Series, facts: ColumnFacts, decimal: str | None) -> TypedColumn:
    marked, there = _parts(texts, facts)
    read = values_of(texts.gather(there), facts, decimal=decimal)
    if read is None:
        return TypedColumn(values=texts)
    values = pl.Series([None] * len(texts), dtype=read.dtype).scatter(there, read)
    return TypedColumn(values=values, note=_note(facts, texts.filter(marked)))


def _of_moments(cells: Sequence[Any], facts: ColumnFacts) -> TypedColumn:
    """Return the dates of a workbook, beside texts that are dates or marks."""
    words = pl.Series([cell if isinstance(cell, str) else None for cell in cells], dtype=pl.String)
    marked, there = _parts(words, facts)
    read = values_of(words.gather(there), facts, decimal=None)
    if read is None and len(there):
        texts = [None if cell is None else cell_text(cell) for cell in cells]
        return TypedColumn(values=pl.Series(texts, dtype=pl.String))
    found = [_moment(cell) if isinstance(cell, date) else None for cell in cells]
    values = pl.Series(found, dtype=pl.Datetime("us"))
    if read is not None:
        values = values.scatter(there, read.cast(pl.Datetime("us")))
    kind = facts.kind if facts.clean is None else facts.clean.kind
    values = values.cast(pl.Date) if kind == "date" else values
    return TypedColumn(values=values, note=_note(facts, words.filter(marked)))


def _parts(texts: pl.Series, facts: ColumnFacts) -> tuple[pl.Series, pl.Series]:
    """Return which texts count as missing though something is written, and the places of those with a value."""
    marks = {*PANDAS_MISSING, *facts.missing_texts, *(facts.clean.marks if facts.clean is not None else ())}
    blank = texts.is_null() | (texts.str.strip_chars() == "")
    marked = ~blank & texts.is_in(list(marks))
    return marked, (~(blank | marked)).arg_true()


def _moment(value: date) -> datetime:
    return value if isinstance(value, datetime) else datetime.combine(value, time())


def _note(facts: ColumnFacts, marked: pl.Series) -> str:
    return "; ".join(_notes(facts, list(marked)))


def _notes(facts: ColumnFacts, marked: Sequence[str]) -> Iterator[str]:
    clean = facts.clean
    unit = facts.unit if clean is None else clean.unit
    if unit is not None:
        yield f"in {_quoted(unit)}"
    if clean is not None and clean.powers:
        yield f"{', '.join(_quoted(word) for word, _ in clean.powers)} multiplied out"
    if clean is not None and clean.limits:
        yield "numbers of which only a limit is known count as it"
    if marked:
        often = Counter(marked).most_common()
        told = ", ".join(f"{_quoted(mark)} ×{count}" for mark, count in often[:MARKS])
        rest = "" if len(often) <= MARKS else f", … ({len(often)} different)"
        yield f"cells with a text in the file that are NULL: {len(marked)} ({told}{rest})"


def _quoted(text: str) -> str:
    return json.dumps(" ".join(text.split())[:MARK_CHARS], ensure_ascii=False)
