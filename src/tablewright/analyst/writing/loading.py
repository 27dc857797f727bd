"""The first step: reads each data set once and converts the columns that the plan computes with to numbers and
dates; cells that are written unlike the rest are cleaned and counted."""

from __future__ import annotations

from tablewright.analyst.words import Words
from tablewright.analyst.writing.cleaning import Use, converted, manners
from tablewright.analyst.writing.columns import Column, Frame
from tablewright.analyst.writing.literals import assign, fitted_line, listed, quoted
from tablewright.analyst.writing.loaded import loaded
from tablewright.analyst.writing.naming import Names, slug
from tablewright.domain.cleaning import spellings
from tablewright.domain.dataset import ColumnFacts, DatasetFacts
from tablewright.domain.loading import date_expression, load_lines, number_expression


def load(dataset: DatasetFacts, names: Names, use: Use, words: Words, *, alone: bool) -> tuple[list[str], Frame]:
    """Return the lines that load `dataset` (clean facts), and the resulting variable."""
    name = names.fresh(slug(dataset.name), otherwise="df" if alone else "table")
    lines = [line.replace("<|", "\\x3c|") for line in load_lines(dataset, name)]
    columns: list[Column] = []
    for facts in dataset.columns:
        series = f"{name}[{quoted(facts.name)}]"
        lines += [*_merged(facts, use, words), *_counted_marks(series, facts, use, words)]
        code, column = _column(series, facts, dataset.read.decimal, use)
        if code:
            lines += fitted_line(series, code)
        lines += _spelled(series, facts, names, use, words)
        columns.append(column)
    return lines, Frame(name=name, columns=tuple(columns))


def _column(series: str, facts: ColumnFacts, decimal: str | None, use: Use) -> tuple[str, Column]:
    """Return the code that converts a column as its facts require (empty: it stays as written), and the resulting
    column."""
    form, column = loaded(facts, use)
    if form == "numbers":
        return number_expression(series, facts, decimal=decimal), column
    return date_expression(series, facts) if form == "dates" else "", column


def _merged(facts: ColumnFacts, use: Use, words: Words) -> list[str]:
    """Return the line that says how many cells of a column the loading code has filled."""
    if "merged" not in manners(facts, use):
        return []
    cells = sum(one.cells for one in facts.irregular if one.kind == "merged")
    return [f"print({cells}, {quoted(words.say('step.cleaned_merged', column=facts.name))})"]


def _counted_marks(series: str, facts: ColumnFacts, use: Use, words: Words) -> list[str]:
    """Return the line that counts the cells that are left out of a column."""
    marks = facts.clean.marks if facts.clean is not None and converted(facts, use) else ()
    if not marks:
        return []
    label = words.say("step.cleaned_marks", column=facts.name)
    return f"print({series}.isin({listed(marks)}).sum(), {quoted(label)})".splitlines()


def _spelled(series: str, facts: ColumnFacts, names: Names, use: Use, words: Words) -> list[str]:
    """Return the lines that write each value of a column in one way, and count the cells that this changes."""
    ways = set(manners(facts, use)) & {"spelling", "spaces"}
    if not ways:
        return []
    meant = names.fresh(slug(facts.name), "meant", otherwise="meant")
    stripped = f".fillna({series}.str.strip())" if "spaces" in ways else ""
    if "spelling" in ways:
        pairs = ", ".join(f"{quoted(key)}: {quoted(value)}" for key, value in spellings(facts).items())
        folded = ('.str.normalize("NFKC")', r'.str.replace(r"\s+", " ", regex=True)', ".str.strip()", ".str.lower()")
        lines = assign(meant, series, *folded, f".map({{{pairs}}})", stripped, f".fillna({series})")
    else:
        lines = assign(meant, series, ".str.strip()", f".fillna({series})")
    label = words.say("step.cleaned_spelling", column=facts.name)
    count = f"({meant}.dropna() != {series}.dropna()).sum()"
    return [*lines, f"print({count}, {quoted(label)})", f"{series} = {meant}"]
