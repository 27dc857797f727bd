"""Tables that are written into a message as markdown, taken out of it as CSV. Pure, and linear in the text."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

TABLES = 20
"""The most tables that are taken out of one text; those after them stay in it."""
TEXT_CHARS = 2_000_000
"""The longest text that is looked through: a larger table is sent as a file."""
_RULE = frozenset("|:- \t")
_RULE_CELL = re.compile(r":?-+:?")
_NAME = re.compile(r"#{1,6}\s+(?P<name>\S.{0,60})")


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenTable:
    """A table of a message; `name` is the heading above it, empty without one."""

    name: str
    csv: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadText:
    """A text without its tables."""

    text: str
    tables: tuple[WrittenTable, ...] = ()


def without_tables(text: str) -> ReadText:
    """Take the tables out of `text`: those that have a header, a rule below it and at least one row.

    A longer text than `TEXT_CHARS` stays as it is.
    """
    if "|" not in text or len(text) > TEXT_CHARS:
        return ReadText(text=text)
    lines = text.splitlines()
    kept: list[str] = []
    tables: list[WrittenTable] = []
    at = 0
    while at < len(lines):
        end = _end(lines, at) if len(tables) < TABLES else at
        if end == at:
            kept.append(lines[at])
            at += 1
            continue
        tables.append(WrittenTable(name=_heading(kept), csv=_csv(lines[at], lines[at + 2 : end])))
        at = end
    return ReadText(text="\n".join(kept).strip() if tables else text, tables=tuple(tables))


def _end(lines: Sequence[str], at: int) -> int:
    """Return where the table that begins at a line ends, or the line itself if none does."""
    if at + 2 >= len(lines) or "|" not in lines[at] or not _is_rule(lines[at + 1]):
        return at
    if len(_cells(lines[at])) != len(_cells(lines[at + 1])):
        return at
    end = at + 2
    while end < len(lines) and "|" in lines[end] and lines[end].strip():
        end += 1
    return end if end > at + 2 else at


def _is_rule(line: str) -> bool:
    stripped = line.strip()
    if "|" not in stripped or not _RULE.issuperset(stripped):
        return False
    return all(_RULE_CELL.fullmatch(cell) for cell in _cells(stripped))


def _cells(line: str) -> list[str]:
    """Return the cells of a line; a bar after a backslash belongs to its cell."""
    inner = line.strip().removeprefix("|")
    if inner.endswith("|") and not inner.endswith("\\|"):
        inner = inner[:-1]
    return [cell.replace("\\|", "|").strip() for cell in re.split(r"(?<!\\)\|", inner)]


def _csv(header: str, rows: Sequence[str]) -> bytes:
    columns = _cells(header)
    written = io.StringIO(newline="")
    writer = csv.writer(written, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(_fitted(_cells(row), len(columns)) for row in rows)
    return written.getvalue().encode("utf-8", "replace")


def _fitted(cells: Sequence[str], width: int) -> Iterator[str]:
    yield from cells[:width]
    yield from [""] * (width - len(cells))


def _heading(kept: Sequence[str]) -> str:
    above = next((line for line in reversed(kept[-3:]) if line.strip()), "")
    found = _NAME.fullmatch(above.strip())
    return "" if found is None else found["name"].strip()
