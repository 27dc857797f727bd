"""How much of a result is told to a model: `brief`, `standard` or `full`, the same for every tool."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tablewright.domain.language import Language
from tablewright.domain.table import Cell, Table
from tablewright.tools.base import ResponseFormat
from tablewright.tools.prompt_files import phrase

RESPONSE_FORMAT: Mapping[str, Any] = {
    "type": "string",
    "enum": ["brief", "standard", "full"],
    "default": "standard",
}
"""The JSON schema of the argument `response_format`."""
CELL_CHARS = 200
ROWS: Mapping[ResponseFormat, int] = {"brief": 5, "standard": 20}
CHARS: Mapping[ResponseFormat, int] = {"brief": 500, "standard": 4_000}


@dataclass(frozen=True, slots=True, kw_only=True)
class Cap:
    """The most that a tool tells in `full`."""

    rows: int = 1_000
    chars: int = 20_000

    def rows_of(self, form: ResponseFormat) -> int:
        """Return how many rows of a table are told."""
        return min(ROWS.get(form, self.rows), self.rows)

    def chars_of(self, form: ResponseFormat) -> int:
        """Return how many characters are told."""
        return min(CHARS.get(form, self.chars), self.chars)


def shaped_text(
    text: str,
    form: ResponseFormat,
    language: Language,
    cap: Cap,
    *,
    total: int | None = None,
    lines: int | None = None,
) -> str:
    """Return the beginning of `text`, and how much is left out of it.

    `total` and `lines` are its whole size, where `text` is only the beginning; `brief` also tells the shape.
    """
    chars = len(text) if total is None else total
    shown = text[: cap.chars_of(form)]
    left = chars - len(shown)
    parts = [shown] if left <= 0 else [shown, phrase("more_chars", language, count=left)]
    if form == "brief" and left > 0:
        parts.insert(0, phrase("text_shape", language, chars=chars, lines=lines or text.count("\n") + 1))
    return "\n".join(parts)


def shaped_table(table: Table, form: ResponseFormat, language: Language, cap: Cap) -> str:
    """Return the shape of a table and its first rows in markdown, as many as fit in the tool's characters."""
    shape = phrase("table_shape", language, rows=table.total_rows, columns=len(table.columns))
    title = f"{table.title}: " if table.title else ""
    lines = [f"{title}{shape}", ""]
    if not table.columns:
        return lines[0]
    lines += [_row(table.columns), _row(["---"] * len(table.columns))]
    left_chars = cap.chars - sum(map(len, lines))
    told = 0
    for row in table.rows[: cap.rows_of(form)]:
        line = _row([_shown(cell) for cell in row])
        left_chars -= len(line) + 1
        if left_chars < 0:
            break
        lines.append(line)
        told += 1
    if (more := table.total_rows - told) > 0:
        lines.append(phrase("more_rows", language, count=more))
    return "\n".join(lines)


def _row(cells: list[str] | tuple[str, ...]) -> str:
    return f"| {' | '.join(_inline(cell) for cell in cells)} |"


def _shown(cell: Cell) -> str:
    if cell is None:
        return ""
    text = str(cell)
    return text if len(text) <= CELL_CHARS else f"{text[:CELL_CHARS]}…"


def _inline(text: str) -> str:
    return " ".join(text.replace("|", "\\|").split())
