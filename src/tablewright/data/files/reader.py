"""The operation `read`: the beginning of a file of any kind, as a table or as text, in the child process."""

from __future__ import annotations

import codecs
from pathlib import Path, PurePath
from typing import Any

from python_calamine import CalamineError, CalamineWorkbook

from tablewright.data.base import ContentOptions, FileContent, ReadFormat
from tablewright.data.files.dialect import HEAD_BYTES, Encoding, detect_dialect, encoding_of
from tablewright.data.files.kinds import Format, identify
from tablewright.data.files.previewer import table_of
from tablewright.data.files.sheets import sheet_names
from tablewright.data.files.xlsx_head import STREAMED_BYTES
from tablewright.domain.codec import from_python, to_json
from tablewright.errors import FileUnreadable

MOST_CHARS = 2_000_000
_TEXTS: dict[str, ReadFormat] = {".py": "python", ".sql": "sql"}
_PLAIN = frozenset({".md", ".markdown", ".log", ".yaml", ".yml", ".xml", ".html", ".htm", ".ini", ".toml", ".rst"})
_TABLES: dict[Format, ReadFormat] = {
    "text": "csv",
    "json": "json",
    "xlsx": "excel",
    "xlsb": "excel",
    "xls": "excel",
    "ods": "ods",
    "parquet": "parquet",
}
_SUFFIXES: dict[ReadFormat, str] = {"csv": ".csv", "json": ".json"}
_BLOCK_BYTES = 1024**2


def read(path: Path, *, name: str, options: dict[str, Any]) -> bytes:
    """Return the beginning of a file as the JSON of a `FileContent`; `options` are those of `ContentOptions`."""
    return to_json(FileContent, content_of(path, name, from_python(ContentOptions, options)))


def content_of(path: Path, name: str, options: ContentOptions) -> FileContent:
    """Read the beginning of a file. Errors: `FileUnreadable` and its subclasses, `InvalidInput`."""
    form = options.format or _format_of(path, name)
    if form in {"text", "python", "sql"}:
        return _text(path, form, options)
    found = _identified(path, name, form)
    encoding = encoding_of(path, options.encoding) if found in {"text", "json"} else None
    table = table_of(path, name, found, sheet=options.sheet, rows=options.rows, encoding=encoding)
    shown = None if encoding is None else encoding.name
    return FileContent(format=_TABLES[found], table=table, encoding=shown, sheets=_sheets(path, found))


def _format_of(path: Path, name: str) -> ReadFormat:
    suffix = PurePath(name).suffix.lower()
    if suffix in _TEXTS:
        return _TEXTS[suffix]
    if suffix in _PLAIN or (suffix == ".txt" and not _has_columns(path)):
        return "text"
    return _TABLES[identify(path, name)]


def _has_columns(path: Path) -> bool:
    """Return whether a text looks like a table of more than one column: most of its first lines are equally wide."""
    encoding = encoding_of(path, None)
    with path.open(encoding=encoding.name, errors="replace", newline="") as file:
        head = file.read(HEAD_BYTES // 8)
    lines = [line for line in head.splitlines() if line.strip()][:50]
    if len(lines) < 2:
        return False
    delimiter = detect_dialect("\n".join(lines)).delimiter
    counts = [line.count(delimiter) for line in lines] if len(delimiter) == 1 else [0]
    return min(counts) > 0 and len(set(counts)) <= max(1, len(lines) // 5)


def _identified(path: Path, name: str, form: ReadFormat) -> Format:
    """Return how a file is read as `form`. What it holds decides; a text may be read as what its name is not."""
    try:
        found = identify(path, name)
    except FileUnreadable:
        if form not in _SUFFIXES:
            raise
        found = identify(path, f"{PurePath(name).stem}{_SUFFIXES[form]}")
    if found in {"text", "json"} and form in _SUFFIXES:
        return "json" if form == "json" else "text"
    if _TABLES[found] != form and {form, _TABLES[found]} != {"excel", "ods"}:
        raise FileUnreadable("file_other_format", name=name, found=_TABLES[found], wanted=form)
    return found


def _text(path: Path, form: ReadFormat, options: ContentOptions) -> FileContent:
    encoding = encoding_of(path, options.encoding)
    head, chars, lines = _measured(path, encoding, max(0, min(options.chars, MOST_CHARS)))
    return FileContent(format=form, text=head, chars=chars, lines=lines, encoding=encoding.name)


def _measured(path: Path, encoding: Encoding, most: int) -> tuple[str, int, int]:
    """Return the first `most` characters of a text, and how many characters and lines it has."""
    decoder = codecs.getincrementaldecoder(encoding.name)("replace")
    head, chars, lines, last = "", 0, 0, "\n"
    with path.open("rb") as file:
        while block := file.read(_BLOCK_BYTES):
            text = decoder.decode(block)
            head += text[: most - len(head)]
            chars += len(text)
            lines += text.count("\n")
            last = text[-1:] or last
    return head, chars, lines + (last != "\n")


def _sheets(path: Path, form: Format) -> tuple[str, ...]:
    """Return the names of a workbook's sheets; none where opening it for them alone would take long."""
    if form not in {"xlsx", "xlsb", "xls", "ods"} or path.stat().st_size > STREAMED_BYTES:
        return ()
    try:
        with path.open("rb") as file:
            return tuple(sheet_names(CalamineWorkbook.from_filelike(file)))
    except CalamineError:
        return ()
