"""The pandas call that loads a table region, offered to a model as the way to begin.

What one call cannot do (rows between header and data, merged cells, totals) stands beside it as facts: a model, unlike
the built-in analyst, looks at what it has loaded.
"""

from __future__ import annotations

from tablewright.domain.dataset import DatasetFacts, ReadOptions

NAMES_GIVEN = 60
"""A table with more columns is not given all its names in the call."""


def load_code(dataset: DatasetFacts) -> str:
    """Return one pandas expression for the region that `dataset` describes."""
    read, path = dataset.read, repr(dataset.path)
    if read.kind == "parquet":
        return f"pd.read_parquet({path})"
    if read.kind == "json":
        return _json(path, read)
    arguments = [path]
    if read.kind == "csv":
        arguments += [*_dialect(read), *_names(dataset)]
    else:
        arguments += [*([f"sheet_name={read.sheet!r}"] if read.sheet is not None else []), 'engine="calamine"']
    arguments += _region(read)
    call = f"pd.{'read_csv' if read.kind == 'csv' else 'read_excel'}({', '.join(arguments)})"
    return f'{call}.dropna(how="all")' if read.blank_rows else call


def _json(path: str, read: ReadOptions) -> str:
    if not read.record_path:
        return f"pd.read_json({path})"
    keys = "".join(f"[{key!r}]" for key in read.record_path)
    return f"pd.json_normalize(json.load(open({path}, encoding='utf-8')){keys})"


def _dialect(read: ReadOptions) -> list[str]:
    given: tuple[tuple[str, str | None], ...] = (
        ("encoding", read.encoding if read.encoding not in {"utf-8", "ascii"} else None),
        ("encoding_errors", "replace" if read.damaged else None),
        ("sep", read.delimiter if read.delimiter != "," else None),
        ("quotechar", read.quote if read.quote != '"' else None),
        ("decimal", read.decimal if read.decimal != "." else None),
    )
    arguments = [f"{name}={value!r}" for name, value in given if value is not None]
    return arguments if read.quote is not None else [*arguments, "quoting=3"]


def _names(dataset: DatasetFacts) -> list[str]:
    if not dataset.read.ragged or len(dataset.columns) > NAMES_GIVEN:
        return []
    return [f"names={[column.name for column in dataset.columns]!r}"]


def _region(read: ReadOptions) -> list[str]:
    arguments: list[str] = []
    header = read.header_rows[-1] if read.header_rows else None
    if header != 0:
        arguments.append(f"header={header}")
    if read.last_column is not None:
        arguments.append(f"usecols=range({read.first_column}, {read.last_column + 1})")
    if read.last_row is not None:
        arguments.append(f"nrows={read.last_row - (-1 if header is None else header)}")
    if read.as_text:
        arguments.append(f"dtype={dict.fromkeys(read.as_text, 'str')!r}")
    return arguments
