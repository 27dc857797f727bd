"""The report in markdown: what the tables are, what was found in them, and what was not looked at."""

from __future__ import annotations

from collections.abc import Sequence

from tablewright.analyst.reporting import charts, tables
from tablewright.analyst.reporting.figures import number
from tablewright.analyst.reporting.finding import Finding
from tablewright.analyst.reporting.notes import notes
from tablewright.analyst.reporting.outcomes import Report
from tablewright.analyst.reporting.subject import Subject
from tablewright.analyst.reporting.themes.base import Measured
from tablewright.analyst.reporting.wording import Markdown, enumerated, said
from tablewright.domain.language import Language


def written(report: Report, language: Language, answer: Sequence[str] = ()) -> str:
    """Return the report as markdown, with a block of HTML per chart; `answer` is what was asked, with its answer."""
    looked = [(subject, report.look(subject)) for subject in report.agenda.subjects]
    seen = [(subject, look) for subject, look in looked if look is not None]
    if not seen:
        empty = "report.nothing" if report.agenda.subjects or report.agenda.left_out else "report.no_tables"
        return "\n\n".join([said(empty, language), *notes(report, language)])
    parts: list[str] = [f"# {said('report.title', language, tables=_tables(report, language))}"]
    parts += answer
    for subject, look in seen:
        source = said("report.source", language, step=Markdown(f"`{report.look_id(subject)}`"))
        parts.append(f"{_overview(subject, look, language)} {source}")
    parts.append(f"## {said('report.findings', language)}")
    if not report.findings:
        parts.append(said("report.no_findings", language))
    for place, finding in enumerate(report.findings, 1):
        parts += _finding(place, finding, report.table_of(finding), language)
    if told := notes(report, language):
        parts += [f"## {said('report.notes', language)}", "\n".join(f"- {note}" for note in told)]
    return "\n\n".join(parts)


def _tables(report: Report, language: Language) -> Markdown:
    return enumerated((subject.facts.name for subject in report.agenda.subjects), language)


def _finding(place: int, finding: Finding, table: str | None, language: Language) -> list[str]:
    kind = said(f"report.kind_{finding.kind}", language)
    about = enumerated(finding.columns[:4], language)
    head = said("report.head", language, kind=kind, columns=about) if finding.columns else kind
    head = said("report.of_table", language, what=head, table=table) if table is not None else head
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
