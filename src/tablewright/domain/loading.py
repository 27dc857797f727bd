"""Generate the pandas code that loads a table exactly as its facts describe it.

The code is derived from the facts alone, so what a model is given to start with and what is generated without a model
agree by construction.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable

from tablewright.domain.cleaning import dated_form, lacks_year
from tablewright.domain.dataset import CleanFacts, ColumnFacts, DatasetFacts, ReadOptions
from tablewright.domain.spans import span_expression

_WIDE = {"%": "[%％]", "¥": "[¥￥]"}
"""Signs that also have a full-width form."""

LIMIT = r"^\s*[<>≤≥＜＞≦≧]\s*=?\s*"
"""What stands before a number of which only a limit is known."""

WEEKDAYS = r"\s*[(（]?(?:周|星期|礼拜)[一二三四五六日天][)）]?"
"""How Chinese names of weekdays stand behind dates."""


def load_lines(dataset: DatasetFacts, variable: str = "df") -> tuple[str, ...]:
    """Return the lines of code that load `dataset` into `variable`.

    Rows and columns match the facts; columns with a notation other than `plain` stay as written. The code needs `pd`,
    and `json` for JSON files.
    """
    read, names = dataset.read, [column.name for column in dataset.columns]
    call, named = load_call(dataset)
    lines = [f"{variable} = {call}"]
    if read.renamed and not named:
        lines.append(f"{variable}.columns = {_list(names)}")
    for name, ranges in read.fill_ranges:
        lines.append(f"for first, last in {list(ranges)}:")
        lines.append(f"    {variable}.loc[first:last, {_text(name)}] = {variable}.loc[first, {_text(name)}]")
    if read.left_out:
        lines.append(f"{variable} = {variable}.drop(index={list(read.left_out)}).reset_index(drop=True)")
    if read.blank_rows:
        lines.append(f'{variable} = {variable}.dropna(how="all").reset_index(drop=True)')
    if read.left_out and (whole := [column.name for column in dataset.columns if _is_whole(column)]):
        lines.append(f'{variable} = {variable}.astype(dict.fromkeys({_list(whole)}, "int64"))')
    if read.left_out and read.kind != "csv":
        dates = (f"{variable}[{_text(column.name)}]" for column in dataset.columns if _is_moment(column))
        lines += [f"{series} = pd.to_datetime({series})" for series in dates]
    if read.fill_down:
        columns = f"{variable}[{_list(read.fill_down)}]"
        lines.append(f"{columns} = {columns}.ffill()")
        if filled := [column.name for column in dataset.columns if column.name in read.fill_down and _is_whole(column)]:
            lines.append(f'{variable} = {variable}.astype(dict.fromkeys({_list(filled)}, "int64"))')
    return tuple(lines)


def load_call(dataset: DatasetFacts) -> tuple[str, bool]:
    """Return the expression that reads the table, and whether its column names already match the facts."""
    read = dataset.read
    if read.kind == "parquet":
        return f"pd.read_parquet({_text(dataset.path)})", False
    if read.kind == "json":
        return _json_call(dataset), False
    options, named = _options(dataset)
    if read.kind == "csv":
        return f"pd.read_csv({', '.join([_text(dataset.path), *_dialect(read), *options])})", named
    sheet = [f"sheet_name={_text(read.sheet)}"] if read.sheet is not None else []
    return f'pd.read_excel({", ".join([_text(dataset.path), *sheet, *options])}, engine="calamine")', named


def number_expression(series: str, column: ColumnFacts, *, decimal: str | None = None) -> str:
    """Return the expression that converts the texts of a number column, in any notation, to numbers."""
    if column.notation == "plain":
        return series
    text = f'{series}.astype("str")'
    if column.clean is not None and column.clean.limits:
        text += f'.str.replace(r"{LIMIT}", "", regex=True)'
    if column.clean is not None and column.clean.spans is not None:
        return span_expression(text, column.clean.spans)
    if column.unit:
        pattern = unit_pattern(column)
        raw = "" if "\\" in (pattern or "") else "r"
        way = f'{_text(column.unit)}, "", regex=False' if pattern is None else f'{raw}{_text(pattern)}, "", regex=True'
        text += f".str.replace({way})"
    group = "." if decimal == "," else ","
    text += f""".str.replace(r"[{group}\\s'’]", "", regex=True)"""
    if decimal == ",":
        text += '.str.replace(",", ".", regex=False)'
    for word, exponent in column.clean.powers if column.clean is not None else ():
        text += f'.str.replace({_text(word)}, "e{exponent}", regex=False)'
    if isinstance(column.minimum, int | float) and column.minimum < 0:
        text += r""".str.replace(r"[−–]", "-", regex=True).str.replace(r"^[(（](.*)[)）]$", r"-\1", regex=True)"""
    return f'pd.to_numeric({text}, errors="coerce")'


def unit_pattern(column: ColumnFacts) -> str | None:
    """Return the regular expression of the ways in which the unit of a column is written; None for the unit alone."""
    if column.units:
        return "|".join(_WIDE.get(way) or re.escape(way).replace("\\ ", " ") for way in column.units)
    return _WIDE.get(column.unit or "")


def date_expression(series: str, column: ColumnFacts) -> str:
    """Return the expression that converts a date column, text or not, to datetimes."""
    if column.notation != "date_text":
        return series
    text = f'{series}.astype("Int64").astype("str")' if column.date_format in {"%Y%m%d", "%Y%m%d%H%M%S"} else series
    if column.clean is not None and column.clean.weekdays:
        text += f'.str.replace(r"{WEEKDAYS}", "", regex=True)'
    if column.clean is not None and len(column.clean.date_formats) > 1:
        first, *others = (_parsed(*_with_year(text, form, column.clean)) for form in column.clean.date_formats)
        return first + "".join(f".fillna({other})" for other in others)
    utc = ", utc=True" if "%z" in (column.date_format or "") else ""
    return f'pd.to_datetime({text}, format={_text(column.date_format or "mixed")}, errors="coerce"{utc})'


def _with_year(text: str, form: str, clean: CleanFacts) -> tuple[str, str]:
    """Return the texts to parse, as code, and their format: both begin with the year that dates of this form lack."""
    if clean.year is None or not lacks_year(form):
        return text, form
    return f'"{clean.year} " + {text}.astype("str")', dated_form(form)


def _is_whole(column: ColumnFacts) -> bool:
    """Return whether pandas holds a column as whole numbers, but for empty cells that were dropped or filled."""
    return column.kind == "integer" and column.notation == "plain" and not column.missing


def _is_moment(column: ColumnFacts) -> bool:
    """Return whether pandas holds a column as dates, but for words in rows that were dropped."""
    return column.kind in {"date", "datetime"} and column.notation == "plain"


def _parsed(series: str, form: str) -> str:
    return f'pd.to_datetime({series}, format={_text(form)}, errors="coerce")'


def _options(dataset: DatasetFacts) -> tuple[list[str], bool]:
    """Return the arguments that select the region: header, names, columns, rows, types, missing texts."""
    read = dataset.read
    types = ", ".join(f'{_text(name)}: "str"' for name in read.as_text)
    missing = ", ".join(
        f"{_text(column.name)}: {_list(column.missing_texts)}" for column in dataset.columns if column.missing_texts
    )
    named = not read.header_rows or read.ragged or (read.renamed and bool(types or missing))
    first = _first_row(read)
    options: list[str] = []
    if named:
        names = _list(column.name for column in dataset.columns)
        skipped = first + (read.blank_lines if read.kind == "csv" else 0)
        options += ["header=None", f"names={names}", *([f"skiprows={skipped}"] if skipped else [])]
    elif read.header_rows[-1]:
        options.append(f"header={read.header_rows[-1]}")
    if read.first_column or read.last_column is not None:
        options.append(f"usecols=range({read.first_column}, {read.first_column + len(dataset.columns)})")
    if read.last_row is not None:
        options.append(f"nrows={read.last_row - first + 1}")
    options += [f"dtype={{{types}}}"] if types else []
    options += [f"na_values={{{missing}}}"] if missing else []
    return options, named


def _first_row(read: ReadOptions) -> int:
    if read.first_row is not None:
        return read.first_row
    return read.header_rows[-1] + 1 if read.header_rows else 0


def _dialect(read: ReadOptions) -> list[str]:
    options: list[str] = []
    if read.encoding not in {None, "utf-8", "ascii"}:
        options.append(f"encoding={_text(read.encoding or '')}")
    if read.damaged:
        options.append('encoding_errors="replace"')
    if read.delimiter == r"\s+":
        options.append(r'sep=r"\s+"')
    elif read.delimiter not in {None, ","}:
        options.append(f"sep={_text(read.delimiter or '')}")
    if read.quote is None:
        options.append("quoting=3")
    elif read.quote != '"':
        options.append(f"quotechar={_text(read.quote)}")
    if read.escape is not None:
        options.append(f"escapechar={_text(read.escape)}")
    if read.decimal not in {None, "."}:
        options.append(f"decimal={_text(read.decimal or '')}")
    return options


def _json_call(dataset: DatasetFacts) -> str:
    read = dataset.read
    file = f"open({_text(dataset.path)}, encoding={_text(read.encoding or 'utf-8')})"
    if read.lines:
        return f"pd.json_normalize([json.loads(line) for line in {file} if line.strip()])"
    keys = "".join(f"[{_text(key)}]" for key in read.record_path)
    made = "DataFrame" if read.by_column else "json_normalize"
    return f"pd.{made}(json.load({file}){keys})"


def _text(value: str) -> str:
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\x7f")


def _list(values: Iterable[str]) -> str:
    return f"[{', '.join(map(_text, values))}]"
