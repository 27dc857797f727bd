"""The tables of a report's findings: in its text, and together in a workbook that a call writes."""

from __future__ import annotations

from collections.abc import Sequence
from string import Template

from tablewright.analyst.reporting.figures import percent
from tablewright.analyst.reporting.finding import Finding, FindingTable
from tablewright.analyst.reporting.wording import Markdown, escaped
from tablewright.analyst.writing.literals import listed, quoted
from tablewright.domain.language import Language
from tablewright.texts.catalogue import text

CALL = "tables-1"
"""The id of the call that writes the workbook."""
SHEET_CHARS = 31
_UNNAMED = str.maketrans(dict.fromkeys("[]:*?/\\'", " "))
"""What no name of a sheet may have."""

_CODE = Template(
    """
import json

import pandas as pd

# $say_tables
tables = {
$tables
}
plain = {"options": {"strings_to_formulas": False, "strings_to_urls": False}}
with pd.ExcelWriter($file, engine="xlsxwriter", engine_kwargs=plain) as book:
    for name, (columns, rows) in tables.items():
        pd.DataFrame(rows, columns=columns).to_excel(book, sheet_name=name, index=False)
print(json.dumps({"tests": 0, "file": $file}, ensure_ascii=False))
""".strip("\n")
)


def markdown(table: FindingTable) -> Markdown:
    """Return a table as the report shows it."""
    lines = [_line([escaped(name) for name in table.columns]), _line(["---"] * len(table.columns))]
    lines += map(_line, zip(*(_shown(table, place) for place in range(len(table.columns))), strict=True))
    return Markdown("\n".join(lines))


def file_name(language: Language) -> str:
    """Return the name of the workbook."""
    return f"{text('report.tables_file', language)}.xlsx"


def workbook_code(findings: Sequence[Finding], language: Language) -> str:
    """Return the code that writes each table to a sheet of its own."""
    entries = [
        _entry(_sheet(place, finding, language), finding.table)
        for place, finding in enumerate(findings, 1)
        if finding.table is not None
    ]
    return _CODE.substitute(
        say_tables=text("report.code.tables", language), tables="\n".join(entries), file=quoted(file_name(language))
    )


def _entry(sheet: str, table: FindingTable) -> str:
    rows = "\n".join(f"        {listed(row)}," for row in table.rows)
    return f"    {quoted(sheet)}: ({listed(table.columns)}, [\n{rows}\n    ]),"


def _sheet(place: int, finding: Finding, language: Language) -> str:
    kind = text(f"report.kind_{finding.kind}", language)
    named = " ".join(f"{place} {kind} {' '.join(finding.columns)}".translate(_UNNAMED).split())
    return named[:SHEET_CHARS].strip()


def _shown(table: FindingTable, place: int) -> list[str]:
    """Return the cells of a column: numbers of a measure with its sign, and all with the same number of digits."""
    cells = [row[place] for row in table.rows]
    known = [cell for cell in cells if isinstance(cell, int | float) and not isinstance(cell, bool)]
    if place in table.shares:
        written = list(map(percent, known))
    else:
        written = table.figures.alike(dict(table.measures).get(place, ""), known)
    figures = iter(written)
    return [
        next(figures)
        if isinstance(cell, int | float) and not isinstance(cell, bool)
        else escaped("" if cell is None else cell)
        for cell in cells
    ]


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"
