"""Print which traps the tables of given files hold, counted in the file itself, beside what the facts tell of them:
`.venv/bin/python -m benchmarks.traps FILE…`. What is counted and not told ends in `!`.

The count looks at the cells alone, as `csv` and `openpyxl` give them, and shares no code with the facts. It is a
pointer to where to look, no truth: a word in a column of numbers may be a value.
"""

from __future__ import annotations

import argparse
import csv
import io
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path
from typing import Any

import openpyxl
from benchmarks.facts import facts_of

from tablewright.data.files.profiler import profile_file
from tablewright.domain.dataset import DatasetFacts

TOTAL = re.compile(r"\s*(?:(?:sub|grand)\s*)?totals?\b|.{0,6}(?:合计|总计|小计|共计)\s*[:：]?\s*$", re.IGNORECASE)
NUMBER = re.compile(r"[-+(（]?\D{0,3}\d[\d,]*(?:\.\d+)?\D{0,6}")
DATE = re.compile(
    r"\d{1,4}([-/.])\d{1,2}\1\d{1,4}.*|\d{4}年.*|\d{1,2}月.*|\d{1,2}:\d{2}.*"
    r"|(?:\d{1,2}[ -])?[A-Z][a-z]{2,8}[ -]\d{2,4}.*"
)
LIST = re.compile(r"[;；、|]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """The rows of a text file or sheet, and the first row, from 1, of each merged area."""

    rows: list[list[Any]]
    merged: tuple[int, ...] = ()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+", type=Path)
    for path in parser.parse_args().files:
        told = told_by(path)
        counted = counted_in(path)
        print(f"=== {path.name}")
        for trap in dict.fromkeys([*counted, *told]):
            missed = " !" if counted[trap] and not told[trap] else ""
            print(f"    {trap}: {counted[trap]} counted, {told[trap]} told{missed}")


def told_by(path: Path) -> Counter[str]:
    """Return how often the facts about a file tell of each trap."""
    found: Counter[str] = Counter()
    for profile in profile_file(path, path.name).datasets:
        _told(profile.facts, found)
    relations = [line for line in facts_of(path, "en", whole=False) if "How the tables" in line]
    found["keys that repeat"] += sum(line.count("several times") for line in relations)
    found["tables of one form"] += sum(line.count("have the same columns") for line in relations)
    return +found


def _told(table: DatasetFacts, found: Counter[str]) -> None:
    read = table.read
    found["encoding"] += read.encoding not in {None, "utf-8"}
    found["rows above the header"] += read.header_rows[0] if read.header_rows else 0
    found["totals rows"] += len(read.inner_totals) + (read.totals_row is not None) + len(read.named_totals)
    found["merged areas"] += sum(len(ranges) for _, ranges in read.fill_ranges) + len(read.fill_down)
    found["blank rows"] += read.blank_rows
    found["notes beside the table"] += len(table.notes)
    found["repeated rows"] += 0 if table.repeated is None else table.repeated.rows
    found["renamed headers"] += read.renamed
    for column in table.columns:
        kinds = {one.kind for one in column.irregular}
        clean = column.clean
        found["marks among values"] += bool(column.missing_texts) or bool(clean and clean.marked) or "marks" in kinds
        found["numbers with signs or separators"] += column.notation in {"currency", "thousands", "unit", "percent"}
        found["numbers with signs or separators"] += bool(clean and clean.kind in {"number", "integer"})
        found["dates as text"] += column.notation == "date_text" or bool(clean and clean.kind.startswith("date"))
        found["spellings"] += bool(kinds & {"spelling", "abbreviation", "spaces"})
        found["lists in cells"] += "lists" in kinds
        found["missing cells"] += column.missing > 0


def counted_in(path: Path) -> Counter[str]:
    """Return how often each trap is in a file, counted in its cells."""
    found: Counter[str] = Counter()
    raw = path.read_bytes() if path.suffix == ".csv" else b""
    found["encoding"] += raw.startswith(b"\xef\xbb\xbf") or (bool(raw) and not _is_utf8(raw))
    for sheet in _sheets(path, raw):
        _count(sheet, found)
    return +found


def _count(sheet: Sheet, found: Counter[str]) -> None:
    rows = sheet.rows
    start = next((place for place, row in enumerate(rows) if sum(_there(cell) for cell in row) > 1), len(rows))
    head, body = rows[start : start + 1], rows[start + 1 :]
    found["rows above the header"] += start
    found["merged areas"] += sum(top > start + 1 for top in sheet.merged)
    found["notes beside the table"] += sum(isinstance(cell, str) for row in rows[:start] for cell in row)
    found["blank rows"] += any(not any(map(_there, row)) for row in body)
    sums = [row for row in body if any(isinstance(cell, str) and TOTAL.match(cell) for cell in row)]
    found["totals rows"] += len(sums)
    wide = max((sum(map(_there, row)) for row in body), default=0)
    found["notes beside the table"] += sum(wide > 2 and sum(map(_there, row)) == 1 for row in body)
    body = [row for row in body if row not in sums and sum(map(_there, row)) > (wide > 2)]
    found["repeated rows"] += _repeated([tuple(map(str, row)) for row in body])
    for names in head:
        found["renamed headers"] += len({str(name) for name in names}) < len(names)
    for place in range(max(map(len, body), default=0)):
        _count_column([row[place] for row in body if place < len(row)], found)


def _repeated(rows: Sequence[tuple[str, ...]]) -> int:
    """Return how many rows repeat another, but for their first column where that numbers them."""
    numbered = bool(rows) and len(rows[0]) > 2 and len({row[0] for row in rows}) == len(rows)
    compared = [row[1:] for row in rows] if numbered else rows
    return len(compared) - len(set(compared))


def _count_column(cells: Sequence[Any], found: Counter[str]) -> None:
    there = [cell for cell in cells if _there(cell)]
    words = [cell for cell in there if isinstance(cell, str)]
    dates = [word for word in words if DATE.fullmatch(word.strip())]
    numbers = [word for word in words if word not in dates and NUMBER.fullmatch(word.strip())]
    values = len(dates) + sum(isinstance(cell, int | float | date | datetime) for cell in there)
    values += sum(bool(re.fullmatch(r"[-\d.,¥￥$£€%]+", word.strip())) for word in numbers)
    others = len(there) - values
    found["missing cells"] += len(there) < len(cells)
    found["marks among values"] += bool(0 < others * 4 < values)
    found["dates as text"] += len(dates) * 2 > len(there) > 0
    found["numbers with signs or separators"] += len(numbers) * 2 > len(there) and any(
        re.search(r"[¥￥$£€%,]|\d\s?[^\d\s.)-]{1,4}$", word) for word in numbers
    )
    distinct = set(words)
    folded = {"".join(unicodedata.normalize("NFKC", word).split()).lower() for word in distinct}
    found["spellings"] += len(folded) < len(distinct) < len(words)
    found["lists in cells"] += sum(bool(LIST.search(word)) for word in words) * 10 > len(words) > 0


def _sheets(path: Path, raw: bytes) -> Iterator[Sheet]:
    if raw:
        text = raw.decode("utf-8-sig" if _is_utf8(raw) else "gb18030")
        yield Sheet(rows=[[*row] for row in csv.reader(io.StringIO(text))])
        return
    for sheet in openpyxl.load_workbook(path, data_only=True).worksheets:
        rows = [[*row] for row in sheet.iter_rows(values_only=True)]
        yield Sheet(rows=rows, merged=tuple(area.min_row for area in sheet.merged_cells.ranges))


def _is_utf8(raw: bytes) -> bool:
    try:
        raw.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _there(cell: Any) -> bool:
    return cell is not None and cell != ""


if __name__ == "__main__":
    main()
