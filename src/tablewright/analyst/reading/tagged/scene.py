"""What a question with an answer form gives to work with: its columns, its rows, its options."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from tablewright.analyst.linking.columns import column_names, columns
from tablewright.analyst.linking.tokens import lemmas, tokenize
from tablewright.analyst.plan import Derive, Named, Part, Relation, Tag
from tablewright.analyst.reading.parse import Parse
from tablewright.analyst.reading.tagged.form import Form, Wanted
from tablewright.domain.dataset import DatasetFacts

_NO_COLUMN = frozenset(
    {
        "num",
        "number",
        "no",
        "of",
        "count",
        "total",
        "value",
        "mean",
        "average",
        "avg",
        "std",
        "dev",
        "median",
        "min",
        "max",
        "with",
        "without",
    }
)


@dataclass(slots=True)
class Scene:
    """A parsed question; `parts` grow as tags ask for them, equal relations once."""

    form: Form
    parse: Parse
    facts: DatasetFacts
    numeric: list[str]
    every: list[str]
    made: Named | None = None
    parts: list[Part] = field(default_factory=list)

    @property
    def text(self) -> str:
        """The question with its constraints."""
        return f"{self.form.question}\n{self.form.constraints}"

    def source(self) -> Relation:
        """Return the rows in question, with the column that the question makes."""
        source = self.parse.source()
        return Derive(source=source, columns=(self.made,)) if self.made is not None else source

    def holds(self, *words: str) -> bool:
        """Tell whether the question or its constraints use one of the words."""
        lower = self.text.lower()
        return any(word in lower for word in words)

    def number_near(self, pattern: str) -> float | None:
        """Return the number that follows a pattern in the text."""
        match = re.search(pattern + r"[^\d\n]{0,40}?(\d+(?:\.\d+)?)", self.text, re.IGNORECASE)
        return float(match.group(1)) if match else None

    def column_for(self, wanted: Wanted) -> str | None:
        """Return the numeric column that a tag's name tells, else the first of the question."""
        if self.made is not None and self.made.name in self.numeric and set(lemmas(self.made.name)) & set(wanted.words):
            return self.made.name
        numeric = {column.name for column in self.facts.columns if column.kind in {"number", "integer"}}
        tokens = tokenize(wanted.name)
        tokens = tuple(token for token in tokens if token.lemma not in _NO_COLUMN)
        mentions = sorted(
            columns(tokens, column_names(self.facts.columns)),
            key=lambda mention: (-mention.score, mention.start - mention.end),
        )
        for mention in mentions:
            options = [mention.column, *(column for column, _ in mention.others)]
            agreed = [column for column in options if column in numeric and column in self.numeric]
            named = agreed or ([mention.column] if mention.column in numeric and mention.score >= 0.6 else [])
            if named:
                return named[0]
        return self.numeric[0] if self.numeric else None

    def tag(self, wanted: Wanted, relation: Relation, column: int = 0, *, row: int = 0, every: bool = False) -> Tag:
        """Return a tag for a cell of `relation`, which becomes a part unless it is one."""
        place = next((number for number, part in enumerate(self.parts) if part.relation == relation), None)
        if place is None:
            self.parts.append(Part(relation=relation))
            place = len(self.parts) - 1
        return Tag(name=wanted.name, part=place, column=column, row=row, decimals=wanted.decimals, every=every)
