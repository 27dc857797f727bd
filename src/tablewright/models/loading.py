"""The pandas call that loads a table region, offered to a model as the way to begin."""

from __future__ import annotations

from tablewright.domain.dataset import ReadOptions


def load_code(path: str, read: ReadOptions) -> str:
    """Return one pandas expression for the region that `read` describes in the file at `path`."""
    if read.kind == "parquet":
        return f"pd.read_parquet({path!r})"
    if read.kind == "json":
        return _json(path, read)
    arguments = [repr(path)]
    if read.kind == "csv":
        arguments.extend(_dialect(read))
        arguments.extend(_region(read, implied=True))
        return f"pd.read_csv({', '.join(arguments)}){_from_column(read)}"
    if read.sheet is not None:
        arguments.append(f"sheet_name={read.sheet!r}")
    arguments.extend(_region(read, implied=False))
    return f"pd.read_excel({', '.join(arguments)}){_from_column(read)}"


def _json(path: str, read: ReadOptions) -> str:
    if not read.record_path:
        return f"pd.read_json({path!r})"
    keys = "".join(f"[{key!r}]" for key in read.record_path)
    return f"pd.json_normalize(json.load(open({path!r}, encoding='utf-8')){keys})"


def _dialect(read: ReadOptions) -> list[str]:
    given = (
        ("encoding", read.encoding if read.encoding not in {None, "utf-8", "ascii"} else None),
        ("sep", read.delimiter if read.delimiter != "," else None),
        ("quotechar", read.quote if read.quote != '"' else None),
        ("decimal", read.decimal if read.decimal != "." else None),
    )
    return [f"{name}={value!r}" for name, value in given if value is not None]


def _region(read: ReadOptions, *, implied: bool) -> list[str]:
    arguments: list[str] = []
    headers = read.header_rows
    if not headers:
        arguments.append("header=None")
    elif headers != (0,):
        arguments.append(f"header={headers[0] if len(headers) == 1 else list(headers)}")
    if implied and headers not in {(), (0,)}:
        # pandas otherwise counts a CSV's header row without the blank lines before it
        arguments.append("skip_blank_lines=False")
    if read.last_column is not None and (read.first_column or not implied):
        arguments.append(f"usecols=range({read.first_column}, {read.last_column + 1})")
    if read.last_row is not None:
        arguments.append(f"nrows={read.last_row - (headers[-1] if headers else -1)}")
    return arguments


def _from_column(read: ReadOptions) -> str:
    return f".iloc[:, {read.first_column}:]" if read.first_column and read.last_column is None else ""
