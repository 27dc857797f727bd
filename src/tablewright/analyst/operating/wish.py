"""One part of what a person wants, with everything needed to read it, including what earlier parts mentioned."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from tablewright.analyst.linking.linker import LinkedTable
from tablewright.analyst.linking.text import fold
from tablewright.analyst.linking.tokens import Token
from tablewright.analyst.operating.cells_said import said_range, said_ranges
from tablewright.analyst.operating.columns_named import (
    abbreviated_columns,
    letter_spans,
    leveled_columns,
    named_columns,
    placed_columns,
    said_letters,
)
from tablewright.analyst.operating.op import Op as Op
from tablewright.analyst.operating.scene import Place, Scene, columns_between
from tablewright.workbook.areas import Area


@dataclass(frozen=True, slots=True, kw_only=True)
class Lacking:
    """One missing thing: `what` (column, range, name, value, condition) for `function`."""

    what: str
    function: str


Read = list[Op] | Lacking | None
"""The steps; what is missing; or None if the reader does not apply."""


@dataclass(slots=True)
class Memory:
    """What earlier parts mentioned or made: columns, rows, cells, and sheets."""

    columns: list[str] = field(default_factory=list)
    where: dict[str, Any] | None = None
    target: str | None = None
    color: str | None = None
    top: tuple[str, int, bool] | None = None
    made: str | None = None
    added: int = 0
    chart_sheet: str | None = None
    answers: list[str] = field(default_factory=list)
    """A person's answers to questions, as far as not used yet."""
    new_sheets: list[str] = field(default_factory=list)
    empty_sheet: str | None = None
    """A sheet added earlier that is still empty."""


@dataclass(slots=True, kw_only=True)
class Wish:
    """A part of a wish: its words, the table it is about, and the links of its words."""

    text: str
    scene: Scene
    place: Place
    memory: Memory
    tokens: tuple[Token, ...]
    linked: LinkedTable
    whole: str
    """The text of the whole wish."""
    elsewhere: tuple[Wish, ...] = ()
    """The same words, linked to the other tables."""

    @property
    def low(self) -> str:
        """The text folded to half width and lower case; its length is unchanged."""
        return fold(self.text)

    @property
    def bare(self) -> str:
        """The text without headers that look like cells (`Q1`); its length is unchanged."""
        alike = [name for name in self.place.names if re.fullmatch(r"[A-Za-z]{1,2}\d{1,3}", name)]
        text = self.text
        for name in alike:
            pattern = rf"(?<!cell )(?<![A-Za-z0-9:]){re.escape(name)}(?![A-Za-z0-9:])"
            text = re.sub(pattern, " " * len(name), text, flags=re.IGNORECASE)
        return text

    def cells(self) -> str | None:
        """Return the range, or else the cell, that the words name, or None."""
        return said_range(self.bare)

    def ranges(self) -> list[str]:
        """Return all ranges and cells that the words name."""
        return said_ranges(self.bare)

    def op(self, function: str, **parameters: Any) -> Op:
        """Return a step on the wish's sheet, without the parameters that are None."""
        given = {"sheet": self.place.sheet, **parameters}
        return Op(function=function, parameters={name: value for name, value in given.items() if value is not None})

    def has(self, pattern: str) -> re.Match[str] | None:
        """Return the first match of `pattern` in the folded text, or None."""
        return re.search(pattern, self.low)

    def said(self, text: str | None = None, *, least: float = 0.72) -> list[str]:
        """Return the columns that the words (or `text`) name by header or letters, in order."""
        words = self.text if text is None else text
        found = [(start, name) for start, _, name in named_columns(words, self.place.facts, least=least)]
        spans = letter_spans(words)
        for start, _, first, last in spans:
            found += [(start, self.by_letters(one)) for one in columns_between(first, last)]
        found += [
            (start, self.by_letters(one))
            for start, end, one in said_letters(words)
            if not any(low <= start and end <= high for low, high, _, _ in spans)
        ]
        found += leveled_columns(words, self.place.names) + abbreviated_columns(words, self.place.names)
        found += [(start, self.place.names[at - 1]) for start, at in placed_columns(words, len(self.place.names))]
        ordered = [name for _, name in sorted(found, key=lambda part: part[0])]
        return list(dict.fromkeys(ordered))

    def mentions_numbers(self, start: int, end: int) -> bool:
        """Return whether the span contains numbers that are not part of a date."""
        return re.search(r"(?<![-/.\d])\d+(?:[.,]\d+)*(?![-/.\d年月日])", self.text[start:end]) is not None

    def by_letters(self, one: str) -> str:
        """Return the header of the column with these letters, or the letters if it has none."""
        return self.place.by_letters(one) or one

    def column(self, text: str | None = None) -> str | None:
        """Return the single column that is meant, or None: one that is named, else one from an answer, else the one
        mentioned last."""
        found = self.said(text) or (self.said() if text is not None else [])
        return found[0] if found else self.answered() or (self.memory.columns[-1] if self.memory.columns else None)

    def answered(self) -> str | None:
        """Return the column that a person named when asked, and use up that answer; None without one."""
        for answer in self.memory.answers:
            known = next((name for name in self.place.names if fold(name) in fold(answer)), None)
            said = self.said(answer) or ([known] if known else [])
            bare = re.fullmatch(r"\s*([A-Za-z]{1,2})\s*", answer)
            if said or bare:
                self.memory.answers.remove(answer)
                return said[0] if said else self.by_letters(bare[1]) if bare else None
        return None

    def numeric(self, names: Iterable[str]) -> list[str]:
        """Return those of the columns that hold numbers."""
        known = set(self.place.names)
        return [name for name in names if name in known and self.place.numeric(name)]

    def letters_of(self, name: str) -> str:
        """Return a column's letters, or the name itself if it has none."""
        return self.place.letters.get(name, name)

    def span(self, name: str) -> str:
        """Return the range of a column's data."""
        if name not in self.place.letters:
            first, last = self.place.rows
            return f"{name}{first}:{name}{last}"
        return self.place.span(name)

    def body(self, *, header: bool = True) -> str:
        """Return the range of the table, with the header if `header`."""
        area = self.place.area
        first = area.first_row if header else self.place.rows[0]
        return Area(first, area.first_column, area.last_row, area.last_column).text
