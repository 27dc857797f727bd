"""The first step: each data set read once, and the columns that the plan computes with made numbers and dates."""

from __future__ import annotations

from tablewright.analyst.writing.columns import Column, Frame, facts_column
from tablewright.analyst.writing.literals import listed, quoted
from tablewright.analyst.writing.naming import Names, slug
from tablewright.domain.dataset import ColumnFacts, DatasetFacts, ReadOptions

_ISO = {"%Y-%m-%d", "%Y-%m-%d %H:%M:%S", "%Y-%m-%dT%H:%M:%S", "ISO8601"}


def load(dataset: DatasetFacts, names: Names, computed: frozenset[str], *, alone: bool) -> tuple[list[str], Frame]:
    """Return the lines that load `dataset`, and the variable."""
    name = names.fresh(
        slug(dataset.name) if not alone or len(dataset.name) <= 24 else "", otherwise="df" if alone else "table"
    )
    lines = [f"{name} = {_read(dataset)}"]
    if dataset.read.renamed:
        lines.append(f"{name}.columns = {listed(column.name for column in dataset.columns)}")
    columns: list[Column] = []
    for facts in dataset.columns:
        cleaned, column = _cleaned(name, facts, used=facts.name in computed)
        lines += cleaned
        columns.append(column)
    return lines, Frame(name=name, columns=tuple(columns))


def _read(dataset: DatasetFacts) -> str:
    read, path = dataset.read, quoted(dataset.path)
    if read.kind == "csv":
        return f"pd.read_csv({', '.join([path, *_csv_options(read)])})"
    if read.kind == "parquet":
        return f"pd.read_parquet({path})"
    if read.kind == "json":
        return f"pd.read_json({path})"
    options = [f"sheet_name={quoted(read.sheet)}" if read.sheet else ""]
    options.append(f"header={read.header_rows[-1]}" if read.header_rows and read.header_rows[-1] else "")
    options.append('engine="calamine"')
    return f"pd.read_excel({', '.join(option for option in [path, *options] if option)})"


def _csv_options(read: ReadOptions) -> list[str]:
    options: list[str] = []
    if read.encoding and read.encoding.lower().replace("_", "-") not in {"utf-8", "ascii"}:
        options.append(f"encoding={quoted(read.encoding)}")
    if read.delimiter not in {None, ","}:
        options.append(f"sep={quoted(read.delimiter or '')}")
    if not read.header_rows:
        options.append("header=None")
    elif read.header_rows[-1]:
        options.append(f"header={read.header_rows[-1]}")
    if read.as_text:
        types = ", ".join(f'{quoted(name)}: "str"' for name in read.as_text)
        options.append(f"dtype={{{types}}}")
    return options


def _cleaned(frame: str, facts: ColumnFacts, *, used: bool) -> tuple[list[str], Column]:
    """Return the lines that make a column what its facts say, and the column as it then stands."""
    series = f"{frame}[{quoted(facts.name)}]"
    numeric = facts.kind in {"number", "integer"} and facts.notation != "plain"
    if numeric and used:
        return [f"{series} = {_number(series, facts)}"], facts_column(facts, date_format=None)
    if numeric:
        return [], Column(name=facts.name, kind="text", missing=facts.missing > 0)
    if facts.kind not in {"date", "datetime"}:
        return [], facts_column(facts, date_format=None)
    return _dated(series, facts, used=used)


def _number(series: str, facts: ColumnFacts) -> str:
    text = f'{series}.astype("str")'
    if facts.notation == "thousands":
        text += '.str.replace(",", "")'
    elif facts.notation == "percent":
        text += '.str.rstrip("%").str.replace(",", "")'
    else:
        text += r'.str.replace(r"[^\d.\-]", "", regex=True)'
    return f'pd.to_numeric({text}, errors="coerce")'


def _dated(series: str, facts: ColumnFacts, *, used: bool) -> tuple[list[str], Column]:
    if facts.notation != "date_text":
        return [], facts_column(facts, date_format=None)
    form = facts.date_format or ""
    if used and form in _ISO:
        return [f'{series} = pd.to_datetime({series}, format={quoted(form)}, errors="coerce")'], facts_column(
            facts, date_format=None
        )
    return [], facts_column(facts, date_format=form)
