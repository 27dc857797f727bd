"""Digits in the names of tables and columns: where a report says the name, they are no figures. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from tablewright.domain.answer import NumberSource
from tablewright.domain.dataset import DatasetFacts

_WORD = re.compile(r"[^\W\d_]")
_DIGIT = re.compile(r"\d")


def outside_names(
    report: str, sources: Sequence[NumberSource], datasets: Sequence[DatasetFacts]
) -> tuple[NumberSource, ...]:
    """Return the sources that are not part of a name of `datasets` that `report` says."""
    names = sorted(set(_names(datasets)), key=len, reverse=True)
    if not names or not sources:
        return tuple(sources)
    said = re.compile("|".join(map(_said, names)))
    spans = [found.span() for found in said.finditer(report)]
    return tuple(one for one in sources if not any(start <= one.start and one.end <= end for start, end in spans))


def _names(datasets: Sequence[DatasetFacts]) -> Iterator[str]:
    """Yield the names that have digits beside letters: a name of digits alone is a number wherever it stands."""
    for facts in datasets:
        yield from filter(_mixed, (facts.name, *(column.name for column in facts.columns)))


def _mixed(name: str) -> bool:
    return len(name) <= 200 and bool(_WORD.search(name) and _DIGIT.search(name))


def _said(name: str) -> str:
    """Return the pattern of a name as text or with the escapes of markdown, not as a part of a longer word."""
    body = "".join(r"\s+" if char.isspace() else _character(char) for char in " ".join(name.split()))
    begin = r"(?<![A-Za-z0-9])" if name[0].isascii() and name[0].isalnum() else ""
    end = r"(?![A-Za-z0-9])" if name[-1].isascii() and name[-1].isalnum() else ""
    return f"{begin}{body}{end}"


def _character(char: str) -> str:
    escape = re.escape(char)
    if char in "&<":
        return f"(?:{escape}|{'&amp;' if char == '&' else '&lt;'})"
    return escape if char.isalnum() else rf"\\?{escape}"
