"""The report in markdown: what the tables are, what was found in them, and what was not looked at."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tablewright.analyst.reporting import charts, tables
from tablewright.analyst.reporting.agenda import Agenda
from tablewright.analyst.reporting.figures import number
from tablewright.analyst.reporting.finding import LEVEL, Finding
from tablewright.analyst.reporting.outcomes import Measurement
from tablewright.analyst.reporting.subject import LEAST_ROWS, Subject
from tablewright.analyst.reporting.themes.base import Measured
from tablewright.analyst.reporting.themes.look import formula
from tablewright.analyst.reporting.wording import Markdown, enumerated, escaped, said
from tablewright.domain.language import Language


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What a report is written from: the measurements, and the findings that hold after `tests` tests."""

    agenda: Agenda
    outcomes: tuple[Measurement, ...]
    findings: tuple[Finding, ...]
    tests: int

    def look(self, subject: Subject) -> Measured | None:
        """Return the first look at a table."""
        return next(
            (one.measured for one in self.outcomes if one.item.theme.name == "look" and one.item.subject == subject),
            None,
        )


def written(report: Report, language: Language, answer: Sequence[str] = ()) -> str:
    """Return the report as markdown, with a block of HTML per chart; `answer` is what was asked, with its answer."""
    looked = [(subject, report.look(subject)) for subject in report.agenda.subjects]
    seen = [(subject, look) for subject, look in looked if look is not None]
    if not seen:
        empty = "report.nothing" if report.agenda.subjects or report.agenda.left_out else "report.no_tables"
        return "\n\n".join([said(empty, language), *_notes(report, language)])
    parts: list[str] = [f"# {said('report.title', language, tables=_tables(report, language))}"]
    parts += answer
    parts += [_overview(subject, look, language) for subject, look in seen]
    parts.append(f"## {said('report.findings', language)}")
    if not report.findings:
        parts.append(said("report.no_findings", language))
    for place, finding in enumerate(report.findings, 1):
        parts += _finding(place, finding, language)
    notes = _notes(report, language)
    if notes:
        parts += [f"## {said('report.notes', language)}", "\n".join(f"- {note}" for note in notes)]
    return "\n\n".join(parts)


def _tables(report: Report, language: Language) -> Markdown:
    return enumerated((subject.facts.name for subject in report.agenda.subjects), language)


def _finding(place: int, finding: Finding, language: Language) -> list[str]:
    kind = said(f"report.kind_{finding.kind}", language)
    about = enumerated(finding.columns[:4], language)
    head = said("report.head", language, kind=kind, columns=about) if finding.columns else kind
    source = said("report.source", language, step=Markdown(f"`{finding.step}`"))
    parts = [f"### {place}. {head}", f"{finding.text} {source}"]
    if finding.chart is not None:
        parts.append(charts.block(finding.chart, place))
    if finding.table is not None:
        parts.append(tables.markdown(finding.table))
    return parts


def _overview(subject: Subject, look: Measured, language: Language) -> str:
    sentences = [
        said(
            "report.overview",
            language,
            table=subject.facts.name,
            rows=number(look["rows"]),
            columns=number(look["columns"]),
        )
    ]
    if look["period"]:
        first, last = look["period"]
        column = subject.date or subject.year or ""
        sentences.append(said("report.period", language, column=column, first=first, last=last))
    for code, names in (("measures", subject.measures), ("groups", subject.groups)):
        if names:
            sentences.append(said(f"report.{code}", language, columns=enumerated(names, language)))
    return said("report.space", language).join(sentences)


def _notes(report: Report, language: Language) -> list[str]:
    """Return what the figures rest on, what was not looked at, and why."""
    notes: list[str] = []
    for subject in report.agenda.subjects:
        look = report.look(subject)
        notes += _about_table(subject, look, language) if look is not None else []
        notes += [note for note in _untested(subject, language) if look is not None or not subject.loaded]
    notes += [
        said("report.few_periods", language, table=one.item.subject.facts.name)
        for one in report.outcomes
        if one.item.theme.name == "time" and one.measured is not None and not one.measured["tests"]
    ]
    for one in report.outcomes:
        if one.item.theme.name == "relations" and one.measured is not None:
            notes += [said("report.alike", language, a=a, b=b, r=number(r)) for a, b, r in one.measured["computed"]]
    failed = [one.item.id for one in report.outcomes if one.measured is None]
    if failed:
        steps = enumerated((Markdown(f"`{name}`") for name in failed), language)
        notes.append(said("report.failed", language, steps=steps))
    if report.agenda.left_out:
        tables = enumerated((facts.name for facts in report.agenda.left_out), language)
        notes.append(said("report.left_out", language, tables=tables))
    if report.agenda.unnamed:
        notes.append(said("report.unnamed", language))
    if report.tests:
        notes.append(said("report.tests", language, tests=report.tests, level=LEVEL))
    return notes


def _about_table(subject: Subject, look: Measured, language: Language) -> Iterator[str]:
    for identity in look["identities"]:
        yield said("report.identity", language, formula=formula(identity))
    for copy, of in look["copies"].items():
        yield said("report.computed", language, a=copy, b=of)
    if look["running"]:
        yield said("report.running", language, columns=enumerated(look["running"], language))
    if look["totals_rows"]:
        yield said("report.totals_rows", language, rows=enumerated(look["totals_rows"], language))
    if look["constant"]:
        yield said("report.constant", language, columns=enumerated(look["constant"], language))
    if subject.left:
        yield said("report.left_columns", language, columns=enumerated(subject.left, language))
    if subject.crowded:
        yield said("report.crowded", language, columns=enumerated(subject.crowded[:20], language))
    masked = [unit["column"] for unit in look["units"] if unit["p"] < 0.0005]
    if masked:
        yield said("report.masked", language, columns=enumerated(masked, language))
    mixed = [column.name for column in subject.facts.columns if column.kind == "mixed"]
    if mixed:
        yield said("report.mixed", language, columns=enumerated(mixed[:8], language))


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
