"""Sentences of a report in markdown, in which names and cells of tables are text and never markup."""

from __future__ import annotations

from collections.abc import Iterable

from tablewright.domain.language import Language
from tablewright.texts.catalogue import text

_LONGEST = 80
_SHOWN = str.maketrans({**{mark: f"\\{mark}" for mark in "\\`*[]|~"}, "&": "&amp;", "<": "&lt;"})
"""What markdown and HTML would take for more than itself."""


class Markdown(str):
    """Text whose parts from tables are escaped."""

    __slots__ = ()


def escaped(words: object) -> Markdown:
    """Return `words` on one line, shortened, as markdown that shows just them."""
    line = " ".join(str(words).split())
    return unmarked(line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1]}…")


def unmarked(words: str) -> Markdown:
    """Return a sentence that names parts of tables as markdown that shows just it, on one line."""
    return Markdown(" ".join(words.split()).translate(_SHOWN))


def whole(words: str) -> Markdown:
    """Return `words`, with their lines, as markdown that shows just them."""
    return Markdown("\n\n".join(line.translate(_SHOWN) for line in words.splitlines() if line.strip()))


def said(code: str, language: Language, **params: object) -> Markdown:
    """Return the message `code` with `params`, which are escaped where they are not markdown."""
    safe = {
        name: value if isinstance(value, Markdown | int | float) else escaped(value) for name, value in params.items()
    }
    return Markdown(text(code, language, **safe))


def enumerated(parts: Iterable[object], language: Language) -> Markdown:
    """Return `parts` with commas between them."""
    shown = [part if isinstance(part, Markdown) else escaped(part) for part in parts]
    return Markdown(text("words.comma", language).join(shown))
