"""What the figures of a report rest on, what was not looked at, and why."""

from __future__ import annotations

from collections.abc import Iterator

from tablewright.analyst.answering.notes import cleaned, rows_left_out
from tablewright.analyst.linking.additivity import held_in
from tablewright.analyst.reporting.figures import number
from tablewright.analyst.reporting.finding import LEVEL
from tablewright.analyst.reporting.outcomes import Report
from tablewright.analyst.reporting.subject import LEAST_ROWS, NUMBERS, Subject
from tablewright.analyst.reporting.themes.base import Measured
from tablewright.analyst.reporting.themes.look import LEAST_SHIFTED, formula
from tablewright.analyst.reporting.themes.time import LEAST_PERIODS
from tablewright.analyst.reporting.wording import Markdown, enumerated, escaped, said, unmarked
from tablewright.analyst.words import Words
from tablewright.analyst.writing.cleaning import Use, manners
from tablewright.domain.language import Language

SHOWN = 12
"""So many tables that were put together are named."""


def notes(report: Report, language: Language) -> list[str]:
    """Return what the figures rest on, what was not looked at, and why."""
    told: list[str] = []
    for subject in report.agenda.subjects:
        look = report.look(subject)
        about = _about_table(subject, look, language) if look is not None else iter(())
        told += [_of_table(note, subject, report, language) for note in about]
        told += [*_cleaned(subject, language), *_absent(subject, language)] if look is not None else []
        told += [note for note in _untested(subject, language) if look is not None or not subject.loaded]
    told += _few_periods(report, language)
    for one in report.outcomes:
        if one.item.theme.name == "relations" and one.measured is not None:
            told += [
                _of_table(said("report.alike", language, a=a, b=b, r=number(r)), one.item.subject, report, language)
                for a, b, r in one.measured["computed"]
            ]
    failed = [one.item.id for one in report.outcomes if one.measured is None]
    if failed:
        steps = enumerated((Markdown(f"`{name}`") for name in failed), language)
        told.append(said("report.failed", language, steps=steps))
    if report.agenda.left_out:
        tables = enumerated((facts.name for facts in report.agenda.left_out), language)
        told.append(said("report.left_out", language, tables=tables))
    if report.agenda.unnamed:
        told.append(said("report.unnamed", language))
    if report.tests and any(subject.tested for subject in report.agenda.subjects):
        told.append(said("report.tests", language, tests=report.tests, level=LEVEL))
    return told


def _few_periods(report: Report, language: Language) -> Iterator[str]:
    """Yield of which tables change over time was not tested since there are too few periods, or gaps between them."""
    for one in report.outcomes:
        if one.item.theme.name == "time" and one.measured is not None and not one.measured["tests"]:
            table, (count, step) = one.item.subject.facts.name, one.measured["longest"]
            if not count:
                yield said("report.gaps", language, table=table)
            elif count < LEAST_PERIODS:
                periods = said(f"report.periods_{step}", language, count=count)
                yield said("report.few_periods", language, table=table, periods=periods, least=LEAST_PERIODS)


def _of_table(note: Markdown, subject: Subject, report: Report, language: Language) -> str:
    """Return a note with the name of its table, if there are several."""
    return said("report.note_of", language, table=subject.facts.name, note=note) if report.several else note


def _about_table(subject: Subject, look: Measured, language: Language) -> Iterator[Markdown]:
    for identity in look["identities"]:
        yield said("report.identity", language, formula=formula(identity))
    for copy, of in look["copies"].items():
        yield said("report.computed", language, a=copy, b=of)
    for kind in ("running", "rising", "constant"):
        if look[kind]:
            yield said(f"report.{kind}", language, columns=enumerated(look[kind], language))
    masked = [unit["column"] for unit in look["units"] if unit["p"] < 0.0005]
    masked += [one["whole"] for one in look["identities"] if one.get("shifted", 0) >= LEAST_SHIFTED]
    listed = {
        "totals_rows": look["totals_rows"],
        "held": held_in(subject.facts),
        "left_columns": subject.left,
        "crowded": subject.crowded[:20],
        "masked": tuple(dict.fromkeys(masked)),
        "mixed": [column.name for column in subject.facts.columns if column.kind == "mixed"][:8],
    }
    for code, names in listed.items():
        if names:
            part = "rows" if code == "totals_rows" else "columns"
            yield said(f"report.{code}", language, **{part: enumerated(names, language)})


def _cleaned(subject: Subject, language: Language) -> Iterator[str]:
    """Yield what was left out of the table or changed in it when it was loaded."""
    words, material = Words(language), subject.material
    if material.part is not None:
        parts = enumerated([*material.parts[:SHOWN], *(["…"] if len(material.parts) > SHOWN else [])], language)
        params = {"table": subject.facts.name, "count": len(material.parts), "parts": parts, "column": material.part}
        yield said("report.put_together", language, **params)
    done = [*rows_left_out(subject.material.tables, subject.facts.name, words), *_of_columns(subject, words)]
    if done:
        what = Markdown(said("report.semicolon", language).join(map(unmarked, done)))
        yield said("report.cleaned", language, table=subject.facts.name, what=what)


def _of_columns(subject: Subject, words: Words) -> Iterator[str]:
    for column in subject.facts.columns:
        name = frozenset({column.name})
        converted = column.kind in NUMBERS or column.name == subject.date
        ways = [*manners(column, Use(named=name, computed=name))]
        # Other spellings of a value are a finding.
        yield from (cleaned(column, way, words) for way in ways if converted or way == "merged")


def _absent(subject: Subject, language: Language) -> Iterator[str]:
    """Yield how many cells of each column say that there is no value, and how: they count as missing."""
    for column in subject.facts.columns:
        for one in column.irregular:
            if one.kind == "absent":
                ways = enumerated((said("report.quoted", language, text=text) for text in one.examples), language)
                params = {"table": subject.facts.name, "column": column.name, "cells": one.cells, "ways": ways}
                yield said("report.absent", language, **params)


def _untested(subject: Subject, language: Language) -> Iterator[str]:
    table = escaped(subject.facts.name)
    if not subject.loaded:
        code = "report.empty" if not subject.facts.rows else "report.too_large"
        yield said(code, language, table=table, rows=number(subject.facts.rows))
    elif not subject.tested:
        yield said("report.few_rows", language, table=table, rows=subject.facts.rows, least=LEAST_ROWS)
    elif not subject.measures:
        yield said("report.no_measures", language, table=table)
    elif not (subject.date or subject.year):
        yield said("report.no_dates", language, table=table)
