"""What a model is told of a step's outputs besides the printed text."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from tablewright.domain.chart import Chart
from tablewright.domain.language import Language
from tablewright.domain.table import Cell, Table
from tablewright.texts.catalogue import text

DIGEST_ROWS = 20
CELL_CHARS = 120

Kind = Literal["printed", "value", "table", "result", "note"]


@dataclass(slots=True, kw_only=True)
class StepDigest:
    """Collects outputs in order.

    A table shown alongside the printed form of the same value is reported once, `result` only if nothing else shows it.
    """

    language: Language
    entries: list[tuple[Kind, str]] = field(default_factory=list[tuple[Kind, str]])

    def printed(self, words: str) -> None:
        """Add printed text."""
        self.entries.append(("printed", words))

    def value(self, words: str) -> None:
        """Add the printed form of a last expression's value."""
        self.entries.append(("value", words))

    def table(self, table: Table, *, result: bool) -> None:
        """Add a table that was shown, or the value of `result`."""
        self.entries.append(("result" if result else "table", written(table, self.language)))

    def chart(self, chart: Chart) -> None:
        """Note that a chart was drawn."""
        title = f" “{chart.title}”" if chart.title else ""
        self._note("agent.told_chart", kind=chart.kind, title=title, count=len(chart.x))

    def image(self) -> None:
        """Note that a figure was shown."""
        self._note("agent.told_image")

    def html(self) -> None:
        """Note that an HTML page was shown."""
        self._note("agent.told_html")

    def file(self, name: str) -> None:
        """Note that a file was delivered."""
        self._note("agent.told_file", name=name)

    def _note(self, code: str, **params: object) -> None:
        self.entries.append(("note", text(code, self.language, **params)))

    def words(self) -> str:
        """Return the collected text."""
        kinds = {kind for kind, words in self.entries if words.strip()}
        hidden: set[Kind] = set()
        if "value" in kinds:
            hidden.add("table")
        if kinds & {"printed", "value", "table"}:
            hidden.add("result")
        said = ""
        for kind, words in self.entries:
            if kind in hidden or not words.strip():
                continue
            lead = "result =\n" if kind == "result" else ""
            joint = "" if kind == "printed" or not said or said.endswith("\n") else "\n"
            said = f"{said}{joint}{lead}{words}"
        return said


def written(table: Table, language: Language, rows: int = DIGEST_ROWS) -> str:
    """Return the first rows of a table as Markdown-like rows with columns separated by bars."""
    lines = [_line(table.columns), _line(("---",) * len(table.columns))]
    lines.extend(_line(row) for row in table.rows[:rows])
    if (left := table.total_rows - min(rows, len(table.rows))) > 0:
        lines.append(text("agent.told_more_rows", language, count=left))
    return "\n".join(lines)


def _line(cells: tuple[Cell, ...]) -> str:
    return f"| {' | '.join(map(_cell, cells))} |"


def _cell(value: Cell) -> str:
    words = "" if value is None else str(value).replace("\n", " ").replace("|", "\\|")
    return words if len(words) <= CELL_CHARS else f"{words[:CELL_CHARS]}…"
