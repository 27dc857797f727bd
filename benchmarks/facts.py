"""Print the facts about the tables of given files as a model reads them, briefly: what is irregular, what sums others,
what connects them: `.venv/bin/python -m benchmarks.facts FILE… [--language zh]`."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from tablewright.data.facts.references import with_references
from tablewright.data.facts.relations import compared_columns, relations
from tablewright.data.files.profiler import profile_file
from tablewright.domain.dataset import ColumnFacts, DatasetFacts
from tablewright.domain.language import Language
from tablewright.models.facts import dataset_parts
from tablewright.models.relations import relation_lines


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--language", choices=("en", "zh"), default="en")
    parser.add_argument("--whole", action="store_true", help="all that a model is told of each table")
    options = parser.parse_args()
    for path in options.files:
        print(f"=== {path.name}")
        for line in facts_of(path, options.language, whole=options.whole):
            print(line)


def facts_of(path: Path, language: Language, *, whole: bool) -> Iterator[str]:
    """Yield lines about each table of a file, then about what connects them."""
    profiles = profile_file(path, path.name).datasets
    tables = [profile.facts for profile in profiles]
    for number, table in enumerate(tables, start=1):
        if whole:
            yield "".join(part.text for part in dataset_parts(table, number, language))
        else:
            yield from _table(table)
    counts = {
        (profile.facts.id, column.name): dict(zip(known.values, known.counts, strict=True))
        for profile in profiles
        for column in compared_columns(profile.facts)
        if (known := profile.values.get(column.name)) is not None and known.complete
    }
    yield relation_lines(relations(with_references(tables, counts), counts), tables, language).rstrip()


def _table(table: DatasetFacts) -> Iterator[str]:
    read = table.read
    yield f"--- {table.name}: {table.rows} rows, {len(table.columns)} columns"
    about = {
        "encoding": read.encoding if read.encoding not in {None, "utf-8"} else None,
        "header rows": read.header_rows if read.header_rows != (0,) else None,
        "totals row": read.totals_row,
        "inner totals": read.inner_totals or None,
        "only called totals": read.named_totals or None,
        "filled down": read.fill_down or None,
        "blank rows": read.blank_rows or None,
        "notes": table.notes or None,
        "renamed headers": read.renamed or None,
        "repeated rows": None if table.repeated is None else f"{table.repeated.rows}, but for {table.repeated.besides}",
    }
    yield from (f"    {name}: {value}" for name, value in about.items() if value is not None)
    for column in table.columns:
        yield from _column(column)


def _column(column: ColumnFacts) -> Iterator[str]:
    about = [column.kind, *(text for text in (column.unit, column.date_format) if text)]
    if column.notation != "plain":
        about.append(column.notation)
    if column.missing:
        about.append(f"{column.missing} missing")
    if len(about) > 1 or column.irregular:
        yield f"    {column.name}: {', '.join(about)}"
    for one in column.irregular:
        told = replace(one, examples=one.examples[:3])
        yield f"        {told.kind}, {told.cells} cells: {', '.join(map(repr, told.examples))} → {told.meant or '-'}"


if __name__ == "__main__":
    main()
