"""Detect the encoding, delimiter, quoting and decimal mark of a text file."""

from __future__ import annotations

import codecs
import csv
import io
import math
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from charset_normalizer import from_bytes

from tablewright.errors import InvalidInput

HEAD_BYTES = 256 * 1024
WHITESPACE = r"\s+"
_BLOCK_BYTES = 256 * 1024
"""As much as is decoded at once: what fits into the processor's cache."""
_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_NATIONAL = ["gb18030", "big5", "shift_jis", "euc_jp", "euc_kr", "cp1251", "cp1252"]
_DELIMITERS = (",", "\t", ";", "|", "^", "~", ":", WHITESPACE)
_KNOWN = re.compile(
    r"[-+(]?[^\w\s]?\s?[\d.,' ]*\d\)?\s?(%|\"|[^\W\d]{1,4})?"  # numbers in any notation
    r"|\d{1,4}[-/.年]\d{1,2}([-/.月]\d{1,4}日?|月)?([ T]\d{1,2}:\d{2}(:\d{2}(\.\d+)?)?Z?)?|\d{1,2}:\d{2}(:\d{2})?"
    r"|[\w.+-]+@[\w-]+\.[\w.]+|https?://\S+"
    r"|[\w\u0080-\uffff][^,;|\t^~:\"]*"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Encoding:
    """A text encoding, by the name that Python and pandas use.

    `damaged` means that some bytes cannot be decoded and are replaced.
    """

    name: str
    damaged: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialect:
    """`delimiter` is one character, or a regular expression for blanks. If `quote` is None, quotes have no meaning."""

    delimiter: str
    quote: str | None
    escape: str | None = None


def detect_encoding(path: Path) -> Encoding:
    """Detect the encoding from a byte order mark, else by decoding the whole file."""
    with path.open("rb") as file:
        head = file.read(HEAD_BYTES)
    for mark, name in _BOMS:
        if head.startswith(mark):
            return Encoding(name=name, damaged=not _decodes(path, name))
    if (wide := _wide(head)) is not None:
        return Encoding(name=wide)
    if _decodes(path, "utf-8"):
        return Encoding(name="utf-8")
    bad = codecs.decode(head, "utf-8", "replace").count("\ufffd")
    many = sum(
        1 for _ in re.finditer(rb"[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}", head)
    )
    if many > 20 * bad:
        return Encoding(name="utf-8", damaged=True)
    return _national(path, head)


def encoding_of(path: Path, wanted: str | None) -> Encoding:
    """Return the encoding `wanted` if the whole file can be decoded in it, else the one that is detected.

    Raises `InvalidInput` for a name that no text encoding has.
    """
    if wanted is None or wanted.lower().replace("_", "-") in {"utf-8", "utf8"}:
        return detect_encoding(path)
    try:
        "".encode(wanted)
    except (LookupError, UnicodeError, ValueError) as error:
        raise InvalidInput("encoding_unknown", field="encoding", encoding=wanted[:40]) from error
    return Encoding(name=wanted) if _decodes(path, wanted) else detect_encoding(path)


def detect_dialect(text: str, *, complete: bool = True) -> Dialect:
    """Detect delimiter and quoting from the head of a file.

    `text` consists of whole lines; `complete` means that it is the whole file. The choice maximizes how much the
    records resemble each other and how many cells are recognizable as a number, a date or a word.
    """
    quotes: Sequence[str | None] = ('"', None) if '"' in text else ('"',)
    best, best_score = Dialect(delimiter=",", quote='"'), 0.0
    for delimiter in _DELIMITERS:
        if not _occurs(delimiter, text):
            continue
        for quote in quotes if delimiter != WHITESPACE else (None,):
            dialect = Dialect(delimiter=delimiter, quote=quote, escape=_escape(text, delimiter) if quote else None)
            score = _score(list(split(text, dialect, limit=200)), dialect)
            if complete and quote and _is_open_at_end(text, dialect):
                score /= 10
            if score > best_score * (1.0 + 1e-9):
                best, best_score = dialect, score
    return best


def split(text: str, dialect: Dialect, *, limit: int | None = None) -> Iterator[list[str]]:
    """Split `text` into records the way `pandas.read_csv` does; a blank line is an empty record."""
    return islice(records_of(io.StringIO(text, newline=""), dialect), limit)


def records_of(lines: Iterable[str], dialect: Dialect) -> Iterator[list[str]]:
    """Split lines into records like `split`; cells may be of any length."""
    csv.field_size_limit(sys.maxsize)
    if dialect.delimiter == WHITESPACE:
        records: Iterator[list[str]] = (line.split() for line in lines)
    elif dialect.quote is None:
        records = csv.reader(lines, delimiter=dialect.delimiter, quoting=csv.QUOTE_NONE)
    else:
        records = csv.reader(lines, delimiter=dialect.delimiter, quotechar=dialect.quote, escapechar=dialect.escape)
    return ([] if len(record) == 1 and not record[0].strip() else record for record in records)


def detect_decimal(cells: Sequence[str], delimiter: str) -> str | None:
    """Return `,` if the numbers among `cells` use it as the decimal mark and none uses a point; else None."""
    if delimiter == ",":
        return None
    comma = sum(1 for cell in cells if re.fullmatch(r"\s*[-+]?(\d{1,3}(\.\d{3})+|\d+),\d+\s*[%€]?\s*", cell))
    grouped = sum(1 for cell in cells if re.fullmatch(r"\s*[-+]?\d{1,3}(,\d{3})+\s*", cell))
    point = sum(1 for cell in cells if re.fullmatch(r"\s*[-+]?[\d,]*\d\.\d+\s*", cell)) - sum(
        1 for cell in cells if re.fullmatch(r"\s*[-+]?\d{1,3}(\.\d{3})+\s*", cell)
    )
    return "," if comma > grouped and point <= 0 else None


def _wide(head: bytes) -> str | None:
    """Detect UTF-16 without a byte order mark by its zero bytes."""
    if len(head) < 4 or b"\0" not in head:
        return None
    even, odd = head[0::2].count(0), head[1::2].count(0)
    half = len(head) // 2
    if odd > half * 0.4 and even < half * 0.05:
        return "utf-16-le"
    return "utf-16-be" if even > half * 0.4 and odd < half * 0.05 else None


def _decodes(path: Path, encoding: str) -> bool:
    decoder = codecs.getincrementaldecoder(encoding)()
    try:
        with path.open("rb") as file:
            while block := file.read(_BLOCK_BYTES):
                if not (encoding == "utf-8" and block.isascii() and not decoder.getstate()[0]):
                    decoder.decode(block)
            decoder.decode(b"", final=True)
    except UnicodeError:
        return False
    return True


def _national(path: Path, head: bytes) -> Encoding:
    pairs = re.findall(rb"[\x81-\xfe][\x40-\xfe]", head)
    common = sum(1 for pair in pairs if (0xB0 <= pair[0] <= 0xD7 and pair[1] >= 0xA1) or pair[0] in {0xA1, 0xA3})
    if pairs and common >= len(pairs) * 0.7 and _decodes(path, "gb18030"):
        return Encoding(name="gb18030")
    if _western(head):
        return Encoding(name="cp1252" if _decodes(path, "cp1252") else "latin-1")
    best = from_bytes(head, cp_isolation=_NATIONAL).best()
    if best is not None and _decodes(path, best.encoding):
        return Encoding(name=best.encoding.replace("_", "-"))
    return Encoding(name="cp1252") if _decodes(path, "cp1252") else Encoding(name="latin-1")


def _western(head: bytes) -> bool:
    """Detect a Western encoding: accented letters occur within plain words, while bytes of wide scripts cluster."""
    high = sum(1 for byte in head if byte >= 0x80)
    inside = len(re.findall(rb"(?<=[A-Za-z])[\xc0-\xff]|[\xc0-\xff](?=[a-z])", head))
    return high > 0 and inside >= high * 0.8


def _is_open_at_end(text: str, dialect: Dialect) -> bool:
    """Return whether a quoted cell is never closed, which makes pandas fail."""
    lines = io.StringIO(text, newline="")
    options: dict[str, Any] = {"delimiter": dialect.delimiter, "quotechar": dialect.quote, "escapechar": dialect.escape}
    try:
        for _ in csv.reader(lines, strict=True, **options):
            pass
    except csv.Error as error:
        return "unexpected end" in str(error)
    return False


def _escape(text: str, delimiter: str) -> str | None:
    """Return the backslash if it escapes quotes: it stands before quotes that neither end a cell nor are doubled."""
    ends = re.escape(delimiter) if len(delimiter) == 1 else " "
    return "\\" if '\\"' in text and re.search(rf'\\"[^"\r\n{ends}]', text) else None


def _occurs(delimiter: str, text: str) -> bool:
    return bool(re.search(r"\S[ \t]{2,}\S", text)) if delimiter == WHITESPACE else delimiter in text


def _score(records: list[list[str]], dialect: Dialect) -> float:
    """Score a dialect: similarity of records times share of known cells (van den Burg, Nazábal and Sutton, 2019)."""
    rows = [record for record in records if record]
    if not rows:
        return 0.0
    widths = Counter(len(row) for row in rows)
    pattern = sum(count * max(1e-3, width - 1) / width for width, count in widths.items()) / len(widths)
    cells = [cell.strip() for row in rows for cell in row]
    known = sum(1 for cell in cells if not cell or _KNOWN.fullmatch(cell)) / len(cells)
    if dialect.quote is None:
        known -= sum(1 for cell in cells if cell.startswith('"')) / len(cells)
    commonest = widths.most_common(1)[0][1] / len(rows)
    prior = {",": 1.05, "\t": 1.05, ";": 1.02, ":": 0.5, WHITESPACE: 0.8}.get(dialect.delimiter, 1.0)
    return pattern * max(known, 1e-10) * math.sqrt(commonest) * prior
