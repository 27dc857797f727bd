"""A report as markdown: as it was written, with the code that was saved from it back in its places."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from tablewright.domain.table import Table
from tablewright.domain.table_markdown import markdown
from tablewright.report.blocks import ReportMeta
from tablewright.report.chart_data import cell_text, chart_table, title_of
from tablewright.report.marks import SAVED
from tablewright.report.origins import OriginLink, anchor, linked_markdown, step_title
from tablewright.report.scripts import script_content
from tablewright.texts.catalogue import text

MOST_ROWS = 100
"""The most rows of a chart's table."""
_CHART = re.compile(
    r"""
    ^[ \t>]{0,20}(?P<sign>`{3,20}|~{3,20})[^\n]*\n.*?(?:^[ \t>]{0,20}(?P=sign)[`~]{0,20}[ \t]*$|\Z)
    | \n{0,9}(?P<places>(?:<div\b[^<>]{0,300}>\s{0,20}){1,5}(?:</div>\s{0,20}){1,5})?
      <script\b[^<>]{0,300}>(?P<script>.*?)(?:</script>|\Z)\n{0,9}
    """,
    re.VERBOSE | re.MULTILINE | re.DOTALL | re.IGNORECASE,
)
"""A script with the empty places before it on which it draws; or code, in which there are none."""


def write_markdown(report: str, meta: ReportMeta, path: Path, links: Sequence[OriginLink] = ()) -> None:
    """Write the text `report` with the saved code of `meta`; the numbers of `links` lead to the steps below the report.

    A chart is the table of what it shows. Other raw HTML stays in it as it was written.
    """
    told = _CHART.sub(_tabled, linked_markdown(report, links))
    parts = [markdown_of(told, meta.codes).rstrip(), *_origins(meta)]
    path.write_text("\n\n".join(parts) + "\n", encoding="utf-8")


def _tabled(found: re.Match[str]) -> str:
    """Return the tables of the charts that a script sets up; code, and a script that does more, as it was written."""
    content = script_content(found["script"] or "")
    if content.isolated is not None or not content.charts:
        return found[0]
    places = found["places"] or ""
    kept = "" if places.count("<div") == places.count("</div") else places
    tables = (_table(each.chart.option) for each in content.charts)
    apart = "\n\n" if found.start() else ""  # beside a tag, markdown is read after an empty line alone
    return apart + "\n\n".join((*filter(None, (kept,)), *tables)) + "\n\n"


def _table(option: dict[str, Any]) -> str:
    told, title = chart_table(option), title_of(option)
    rows = tuple(tuple(map(cell_text, row)) for row in told.rows)
    table = markdown(Table(columns=told.header, rows=rows, total_rows=len(rows)), rows=MOST_ROWS)
    return f"**{title}**\n\n{table}" if title else table


def _origins(meta: ReportMeta) -> Iterator[str]:
    if meta.origins:
        yield f"## {text('document.origins', meta.language)}"
    for origin in meta.origins:
        title = " ".join(step_title(origin, meta.language).split())
        yield f'<a id="{anchor(origin.number)}"></a>\n\n### {title}'
        yield _fenced(origin.code, origin.language)


def markdown_of(report: str, codes: Mapping[str, str]) -> str:
    """Return `report` with the places of known `codes` replaced by fenced code."""
    return SAVED.sub(lambda found: _fenced(codes[found[1]]) if found[1] in codes else found[0], report)


def _fenced(code: str, language: str = "python") -> str:
    longest = max(map(len, re.findall(r"`{3,}", code)), default=2)
    fence = "`" * (longest + 1)
    return f"{fence}{language}\n{code.rstrip()}\n{fence}"
