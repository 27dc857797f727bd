"""What reading steps found, in words: the answer to a question about the data of a workbook."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tablewright.domain.language import Language
from tablewright.domain.operations.aliases import function_of
from tablewright.domain.rounds.round import StepResult
from tablewright.domain.table import Cell, Table
from tablewright.texts.catalogue import catalogue, text

ROWS_TOLD = 10
DECIMALS = 4
CELL_CHARS = 100
_OURS = frozenset({"describe", "find_missing"})
"""Functions whose findings have columns of ours only."""


def found_by(result: StepResult, language: Language) -> list[str]:
    """Return what a step found, a line per row: one value, a name with its value, or a name with named values.

    Empty for a step that read nothing or wrote what it read.
    """
    table = result.result
    if table is None or result.wrote or result.status == "failed":
        return []
    if not table.rows:
        return [text("rounds.found_nothing", language)]
    names = _names(result.step.function, table, language)
    lines = [_row(names, row, language) for row in table.rows[:ROWS_TOLD]]
    if (more := table.total_rows - len(lines)) > 0:
        lines.append(text("rounds.found_more", language, count=more))
    return lines


def findings(results: Sequence[StepResult], language: Language) -> Iterator[str]:
    """Yield what the steps found, each finding under the step's name."""
    for result in results:
        if lines := found_by(result, language):
            yield found_line(result.step.description or result.step.function, lines, language)


def found_line(name: str, lines: Sequence[str], language: Language) -> str:
    """Return a finding under its step's name."""
    if len(lines) == 1:
        return text("rounds.found", language, name=name, found=lines[0])
    return "\n".join((text("rounds.found_list", language, name=name), *(f"  {line}" for line in lines)))


def _row(names: Sequence[str], row: Sequence[Cell], language: Language) -> str:
    if len(row) == 1:
        return _cell(row[0])
    first, *rest = (_cell(cell) for cell in row)
    if len(rest) == 1:
        return text("rounds.found_of", language, name=first, found=rest[0])
    told = [
        text("rounds.found_of", language, name=name, found=cell) for name, cell in zip(names[1:], rest, strict=True)
    ]
    listed = text("agent.list_comma", language).join(told)
    return text("rounds.found_row", language, column=names[0], name=first, found=listed)


def _names(function: str, table: Table, language: Language) -> list[str]:
    """Return the names of a finding's columns: ours in the language, those of the workbook as they are."""
    ours = len(table.columns) if function_of(function) in _OURS else int(table.columns[:1] == ("row",))
    known = catalogue(language)
    codes = [f"rounds.column_{column}" if place < ours else "" for place, column in enumerate(table.columns)]
    return [text(code, language) if code in known else name for code, name in zip(codes, table.columns, strict=True)]


def _cell(cell: Cell) -> str:
    if cell is None or cell == "":
        return "–"
    if isinstance(cell, float):
        return f"{round(cell, DECIMALS):.{DECIMALS}f}".rstrip("0").rstrip(".")
    told = " ".join(str(cell).split())
    return told if len(told) <= CELL_CHARS else told[:CELL_CHARS] + "…"
