"""The context for reading tags: the columns and rows of a question with an answer form, and the preparation of
these."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from tablewright.analyst.plan import Derive, Expr, Named, Part, Project, Relation, Tag
from tablewright.analyst.plan_values import Col
from tablewright.analyst.reading.parse import Parse
from tablewright.analyst.reading.tagged.form import Form, Wanted
from tablewright.analyst.reading.tagged.making import Made
from tablewright.analyst.reading.tagged.preparing import Preparation
from tablewright.domain.dataset import DatasetFacts

Stage = Literal["raw", "before_outliers", "final"]
_BEFORE = frozenset(
    {"before", "original", "pre", "raw", "initial", "originally", "initially", "prior", "untransformed"}
)
_AFTER = frozenset(
    {"after", "post", "new", "without", "removed", "excluding", "cleaned", "final", "filled", "imputed", "updated",
        "filtered"}
)  # fmt: skip


@dataclass(slots=True, kw_only=True)
class Scene:
    """A parsed question with an answer form. `numeric` and `every` are its columns in the order of the question,
    `values` the cells of its text columns; `parts` grows as tags need relations, without repeats."""

    form: Form
    parse: Parse
    facts: DatasetFacts
    numeric: list[str]
    every: list[str]
    values: Mapping[str, tuple[str, ...]]
    made: tuple[Made, ...] = ()
    preparations: tuple[Preparation, ...] = ()
    parts: list[Part] = field(default_factory=list)

    @property
    def text(self) -> str:
        """The question with its constraints."""
        return self.form.text

    def source(self, stage: Stage = "final") -> Relation:
        """Return the rows in question: `raw` as loaded, with only the columns that the question makes;
        `before_outliers` after all its steps except the removal of outliers; `final` after all steps."""
        relation = self.parse.source()
        held = () if stage == "raw" else self.preparations
        for preparation in held:
            if preparation.kind in {"duplicates", "fill"}:
                relation = preparation.applied(relation)
        for made in self.made:
            relation = made.applied(relation)
        for preparation in held:
            if preparation.kind == "transform" or (preparation.kind == "outliers" and stage == "final"):
                relation = preparation.applied(relation)
        return relation

    def source_for(self, wanted: Wanted) -> Relation:
        """Return the rows that a tag is about, by what its name says about before and after."""
        return self.source(self.stage(wanted))

    def stage(self, wanted: Wanted) -> Stage:
        """Return the stage that a tag's name means."""
        words = {*wanted.words, *wanted.placeholder.lower().replace("_", " ").split()}
        if words & _BEFORE and not words & _AFTER:
            return "raw"
        return "raw" if "with" in words and any(word.startswith("outlier") for word in words) else "final"

    def removes_outliers(self) -> bool:
        """Return whether the question removes outliers."""
        return any(preparation.kind == "outliers" for preparation in self.preparations)

    def holds(self, *words: str) -> bool:
        """Return whether the question or its constraints contain any of the words, in lower case."""
        lower = self.text.lower()
        return any(word in lower for word in words)

    def number_near(self, pattern: str) -> float | None:
        """Return the first number after a match of `pattern` in the text, or None."""
        match = re.search(pattern + r"[^\d\n]{0,40}?(\d+(?:\.\d+)?)", self.text, re.IGNORECASE)
        return float(match.group(1)) if match else None

    @property
    def alpha(self) -> float:
        """Return the significance level that the question states, 0.05 by default."""
        said = self.number_near(
            r"(?:alpha\)?|α|significance level|level of significance|p[- _]?value (?:is )?(?:less|greater|<|>))"
        )
        return said if said is not None and 0 < said < 0.5 else 0.05

    def tag(self, wanted: Wanted, relation: Relation, column: int = 0, *, row: int = 0, every: bool = False) -> Tag:
        """Return a tag for a cell of `relation`, which is added to the parts if it is not one yet."""
        place = next((number for number, part in enumerate(self.parts) if part.relation == relation), None)
        if place is None:
            self.parts.append(Part(relation=relation))
            place = len(self.parts) - 1
        return Tag(
            name=wanted.name,
            part=place,
            column=column,
            row=row,
            decimals=wanted.decimals,
            every=every,
            quoted=wanted.quoted,
        )

    def value(self, wanted: Wanted, relation: Relation, of: Expr) -> Tag:
        """Return a tag for an expression over the single row of `relation`."""
        named = Derive(source=relation, columns=(Named(name="value", of=of),))
        return self.tag(wanted, Project(source=named, columns=(Named(name="value", of=Col(name="value")),)))


def staged(name: str) -> bool:
    """Return whether a tag's name mentions before or after a step."""
    return bool({*name.lower().split("_")} & {*_BEFORE, *_AFTER, "with"})
