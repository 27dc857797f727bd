"""What was cleaned for a plan, in words: it is said with the answer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Literal

from tablewright.analyst.counted_once import once_of
from tablewright.analyst.plan import Plan
from tablewright.analyst.plan_walk import sources
from tablewright.analyst.words import Words
from tablewright.analyst.writing.cleaning import Manner, Use, manners, use_of
from tablewright.domain.cleaning import irregular_together, lacks_year, spellings, totals_left_out
from tablewright.domain.dataset import ColumnFacts, DatasetFacts

SHOWN = 3
"""So many ways to write values are quoted at most."""
_FORMATS = {
    "%Y": "YYYY", "%y": "YY", "%m": "MM", "%d": "DD", "%B": "month", "%b": "mon", "%A": "weekday", "%a": "ddd",
    "%H": "hh", "%M": "mm",
}  # fmt: skip


def notes(plan: Plan, datasets: Sequence[DatasetFacts], words: Words) -> list[str]:
    """Return what was cleaned for a plan, a clause per column and manner; empty if nothing was."""
    use, read = use_of(plan, datasets), set(sources(plan))
    once = [words.say("answer.counted_once", key=key, column=column) for key, column in once_of(plan)]
    forms: dict[tuple[str, ...], list[DatasetFacts]] = {}
    for dataset in datasets:
        if dataset.id in read:
            forms.setdefault(tuple(column.name for column in dataset.columns), []).append(dataset)
    return [*(note for same in forms.values() for note in _of_tables(same, use, words)), *once]


def rows_left_out(datasets: Sequence[DatasetFacts], name: str, words: Words) -> Iterator[str]:
    """Yield which rows are no data, of tables that together are called `name`."""
    if count := sum(map(totals_left_out, datasets)):
        code = "answer.left_totals_one" if count == 1 else "answer.left_totals"
        yield words.say(code, count=count, table=name)
    if count := sum(len(dataset.read.headings) for dataset in datasets):
        code = "answer.left_headings_one" if count == 1 else "answer.left_headings"
        yield words.say(code, count=count, table=name)


def _of_tables(tables: Sequence[DatasetFacts], use: Use, words: Words) -> Iterator[str]:
    """Yield what was cleaned in tables with the same columns, such as sheets of one form, for all at once."""
    yield from rows_left_out(tables, words.joined([table.name for table in tables]), words)
    for columns in zip(*(table.columns for table in tables), strict=True):
        irregular = irregular_together(columns)
        # What a manner is told by stands in the facts of a table that has it.
        ways = {way: column for column in reversed(columns) for way in manners(column, use)}
        # The code counts cells in another spelling and those with blanks around them together.
        told = ((way, one) for way, one in ways.items() if way != "spaces" or "spelling" not in ways)
        yield from (cleaned(replace(column, irregular=irregular), way, words) for way, column in told)


def cleaned(column: ColumnFacts, manner: Manner, words: Words) -> str:
    """Return how a column was cleaned in one manner."""
    match manner:
        case "spelling" | "spaces" | "marks" | "merged" | "limits":
            return _of_cells(column, manner, words)
        case "years":
            return _of_years(column, words)
        case "powers":
            return _of_powers(column, words)
        case "spans":
            return _of_spans(column, words)
        case "dates":
            forms = column.clean.date_formats if column.clean is not None else ()
            ways = words.joined(_format(form) for form in forms if not lacks_year(form))
            return words.say("answer.cleaned_dates", column=column.name, ways=ways)
        case "units":
            return words.say("answer.cleaned_units", column=column.name, unit=column.unit or "")


def _of_cells(
    column: ColumnFacts, manner: Literal["spelling", "spaces", "marks", "merged", "limits"], words: Words
) -> str:
    kinds = {"spelling", "abbreviation", "spaces"} if manner == "spelling" else {manner}
    found = [one for one in column.irregular if one.kind in kinds]
    cells = sum(one.cells for one in found)
    code = f"answer.cleaned_{manner}" + ("_one" if cells == 1 else "")
    ways = _some(words, [words.say("answer.quoted", text=text) for one in found for text in one.examples])
    names = [
        *spellings(column).values(),
        *(text.strip() for one in found if one.kind == "spaces" for text in one.examples),
    ]
    meant = _some(words, list(dict.fromkeys(names)))
    return words.say(code, cells=cells, column=column.name, ways=ways, meant=meant)


def _of_years(column: ColumnFacts, words: Words) -> str:
    found = [one for one in column.irregular if one.kind == "yearless"]
    cells = sum(one.cells for one in found)
    ways = _some(words, [words.say("answer.quoted", text=text) for one in found for text in one.examples])
    year = column.clean.year if column.clean is not None else None
    code = "answer.cleaned_years" + ("_one" if cells == 1 else "")
    return words.say(code, cells=cells, column=column.name, ways=ways, year=str(year))


def _of_powers(column: ColumnFacts, words: Words) -> str:
    cells = sum(one.cells for one in column.irregular if one.kind == "powers")
    powers = column.clean.powers if column.clean is not None else ()
    ways = [words.say("answer.power", word=word, number=f"{10**exponent:,}") for word, exponent in powers]
    code = "answer.cleaned_powers" + ("_one" if cells == 1 else "")
    return words.say(code, cells=cells, column=column.name, ways=_some(words, ways))


def _of_spans(column: ColumnFacts, words: Words) -> str:
    found = [one for one in column.irregular if one.kind == "spans"]
    cells = sum(one.cells for one in found)
    ways = _some(words, [words.say("answer.quoted", text=text) for one in found for text in one.examples])
    code = "answer.cleaned_spans" + ("_one" if cells == 1 else "")
    said = words.say(code, cells=cells, column=column.name, ways=ways, unit=column.unit or "")
    average = column.clean is not None and column.clean.spans is not None and column.clean.spans.average
    return said + (words.say("answer.average_year") if average else "")


def _some(words: Words, texts: Sequence[str]) -> str:
    if len(texts) <= SHOWN + 1:
        return words.joined(texts)
    return words.say("words.comma").join([*texts[:SHOWN], "…"])


def _format(form: str) -> str:
    for code, sign in _FORMATS.items():
        form = form.replace(code, sign)
    return form
