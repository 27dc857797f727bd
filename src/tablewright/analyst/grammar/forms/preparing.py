"""What a task does to its table before anything is computed: gaps filled or dropped, repeats and outliers removed,
columns put on another scale."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from tablewright.analyst.grammar.forms.making import Made, transformed
from tablewright.analyst.grammar.forms.phrases import Linker, Phrase
from tablewright.analyst.plan import (
    Case,
    Col,
    Compare,
    Derive,
    Expr,
    Fill,
    Func,
    Lit,
    Named,
    Procedure,
    Project,
    Relation,
)  # fmt: skip
from tablewright.domain.table import Cell

Kind = Literal["duplicates", "fill", "transform", "outliers"]
How = Literal["mean", "median", "mode", "constant", "drop", "forward", "backward", "interpolate"]
_HOWS: dict[str, How] = {
    "mean": "mean", "median": "median", "mode": "mode", "forward": "forward", "backward": "backward",
    "interpolate": "interpolate",
}  # fmt: skip
_NEAR = 6
_SCALES = frozenset({"log", "log1p", "log10", "log2", "sqrt", "zscore", "minmax"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One step, on one column (`duplicates`: on whole rows)."""

    kind: Kind
    column: str = ""
    how: How = "mean"
    value: Cell = None
    within: tuple[str, ...] = ()
    of: Expr | None = None
    options: tuple[tuple[str, Cell], ...] = ()
    names: tuple[str, ...] = ()

    def applied(self, relation: Relation) -> Relation:
        """Return the relation after the step."""
        match self.kind:
            case "duplicates":
                columns = tuple(Named(name=name, of=Col(name=name)) for name in self.names)
                return Project(source=relation, columns=columns, distinct=True)
            case "fill":
                return Fill(source=relation, column=self.column, how=self.how, value=self.value, within=self.within)
            case "transform":
                return Derive(source=relation, columns=(Named(name=self.column, of=self.of or Col(name=self.column)),))
            case "outliers":
                options = {**dict(self.options), "keep": "inliers"}
                return Procedure(source=relation, name="outliers", columns=(self.column,), options=options)


@dataclass(frozen=True, slots=True, kw_only=True)
class Preparing:
    """The sentences of a task, with what is known to read steps from them."""

    phrases: Sequence[Phrase]
    linker: Linker
    made: Sequence[Made]
    outlier_columns: Sequence[str]
    options: dict[str, Cell]


def steps(given: Preparing) -> tuple[Step, ...]:
    """Return the steps, in the order in which they are done."""
    found: list[Step] = []
    making = frozenset[int]().union(*(made.sentences for made in given.made))
    for place, phrase in enumerate(given.phrases):
        earlier = given.phrases[place - 1] if place else None
        found += _duplicates(phrase, given)
        found += _gaps(phrase, earlier, given.linker)
        found += _outliers(phrase, given)
        if place not in making:
            found += _scaled(phrase, None if any(one.kind == "transform" for one in found) else earlier, given)
    once: dict[object, Step] = {}
    for step in found:
        once.setdefault((step.kind, step.column), step)
    order = {"duplicates": 0, "fill": 1, "transform": 2, "outliers": 3}
    return tuple(sorted(once.values(), key=lambda step: order[step.kind]))


def _duplicates(phrase: Phrase, given: Preparing) -> Iterator[Step]:
    dropped = phrase.of("drop")
    if dropped and any(0 <= word.start - dropped[0].end <= _NEAR for word in phrase.of("duplicate")):
        made = {one.name for one in given.made}
        names = [column.name for column in given.linker.facts.columns if column.name not in made]
        yield Step(kind="duplicates", names=tuple(names))


def _gaps(phrase: Phrase, earlier: Phrase | None, linker: Linker) -> Iterator[Step]:
    gaps, fills, drops = phrase.of("gap"), phrase.of("fill"), phrase.of("drop")
    context = gaps or (earlier is not None and earlier.has("gap"))
    if fills and context:
        yield from _filled(phrase, earlier, linker)
    elif drops and gaps:
        columns = _named(phrase, drops[0].start, gaps[0].end)
        if not columns and phrase.has("row") and not _elsewhere(phrase, gaps[-1].end):
            columns = [column.name for column in linker.facts.columns if column.missing]
        for column in columns:
            yield Step(kind="fill", column=column, how="drop")


def _elsewhere(phrase: Phrase, end: int) -> bool:
    """Return whether columns are pointed at without being named: `in these two columns`."""
    return any(0 <= word.start - end <= _NEAR for word in phrase.of("feature"))


def _named(phrase: Phrase, drop: int, gap: int) -> list[str]:
    """Return the columns whose gaps are meant: between the two words, or in a row right behind the later one."""
    later = max(drop, gap)
    found: list[str] = []
    reached = later
    for link in phrase.links:
        between = min(drop, gap) <= link.start < later
        if between or (link.start >= reached and link.start - reached <= (_NEAR if reached == later else 3)):
            if _apart(phrase, later, link.start):
                break
            found.append(link.column)
            reached = max(reached, link.end)
    return list(dict.fromkeys(found))


def _apart(phrase: Phrase, start: int, end: int) -> bool:
    """Return whether a new wish begins in between: an aggregate that is to be computed."""
    return any(start <= word.start < end for word in phrase.of("aggregate"))


def _filled(phrase: Phrase, earlier: Phrase | None, linker: Linker) -> Iterator[Step]:
    fills = phrase.of("fill")
    start = fills[0].start
    how, value, at = _how(phrase, start)
    if how is None:
        return
    own = [link.column for link in phrase.links if link.start < at or not phrase.of("aggregate")]
    rest = [link for link in phrase.links if link.start >= at and link.column not in own]
    within = tuple(dict.fromkeys(link.column for link in rest if not linker.numeric(link.column)))[:1]
    if how == "constant":
        within = ()
    columns = [name for name in dict.fromkeys(own) if name not in within]
    if not columns and earlier is not None and earlier.has("gap"):
        columns = [link.column for link in earlier.links]
    columns = columns or [link.column for link in rest if linker.numeric(link.column)][:1]
    if not columns:
        columns = [
            one.name for one in linker.facts.columns if one.missing and (linker.numeric(one.name) or how == "mode")
        ]
    for column in dict.fromkeys(columns):
        if linker.numeric(column) or how not in {"mean", "median"}:
            yield Step(kind="fill", column=column, how=how, value=value, within=within)


def _how(phrase: Phrase, start: int) -> tuple[How | None, Cell, int]:
    """Return by what gaps are filled, with its constant, and where that is said."""
    for word in phrase.of("fill_how"):
        return _HOWS[word.meaning], None, word.start
    numbers = [one for one in phrase.numbers if one.start > start]
    words = [word for word in phrase.of("aggregate") if word.meaning in {"mean", "median", "mode"}]
    after = [word for word in words if word.start > start] or words
    if numbers and (not after or numbers[0].start < after[0].start):
        return "constant", float(numbers[0].value), numbers[0].start
    return (_HOWS[after[0].meaning], None, after[0].start) if after else (None, None, start)


def _outliers(phrase: Phrase, given: Preparing) -> Iterator[Step]:
    drops = phrase.of("drop")
    if not drops or not given.outlier_columns:
        return
    about = phrase.of("outlier")
    near = any(abs(word.start - drop.start) <= _NEAR for word in about for drop in drops)
    if near or (about and any(drop.start > about[0].start for drop in drops)):
        options = tuple(given.options.items())
        yield Step(kind="outliers", column=given.outlier_columns[0], options=options)


def _scaled(phrase: Phrase, earlier: Phrase | None, given: Preparing) -> Iterator[Step]:
    words = [word for word in phrase.of("transform") if word.meaning in {*_SCALES, "codes", "binary"}]
    if not words or not (phrase.has("apply", "make") or _commands(phrase, words[0].start)):
        return
    kind = words[0].meaning
    columns = list(dict.fromkeys(link.column for link in phrase.links))
    if kind in {"codes", "binary"}:
        for column in columns:
            if not given.linker.numeric(column):
                of = _written(phrase, column) or Func(name="codes", of=Col(name=column))
                yield Step(kind="transform", column=column, of=of)
        return
    numeric = [column for column in columns if given.linker.numeric(column)]
    if not numeric and earlier is not None:
        numeric = [link.column for link in earlier.links if given.linker.numeric(link.column)]
    if not phrase.has("every") and any(abs(link.start - words[0].end) <= 3 for link in phrase.links):
        numeric = _nearest(phrase, words[0].end, numeric)
    for column in numeric:
        yield Step(kind="transform", column=column, of=transformed(kind, column))


def _written(phrase: Phrase, column: str) -> Expr | None:
    """Return the numbers that are written for the cells of a column: `(Yes = 1, No = 0)`."""
    branches = []
    for cell in phrase.cells:
        numbers = [one for one in phrase.numbers if 0 <= one.start - cell.end <= 2]
        own = [value for name, value in cell.places if name == column]
        if own and numbers:
            test = Compare(op="=", left=Col(name=column), right=Lit(value=own[0]))
            branches.append((test, Lit(value=float(numbers[0].value))))
    return Case(branches=tuple(branches), otherwise=Lit(value=None)) if len(branches) > 1 else None


def _commands(phrase: Phrase, place: int) -> bool:
    """Return whether a word is what the sentence commands: it begins it, or a list's item."""
    before = [token for token in phrase.tokens[:place] if token.kind == "word"]
    return len(before) <= 1 or phrase.tokens[place - 1].norm in {",", "and", "then", "、", "，"}


def _nearest(phrase: Phrase, place: int, numeric: Sequence[str]) -> list[str]:
    """Return the columns that are named in a row behind a word, or the last before it."""
    found, reached = [], place
    for link in phrase.links:
        if link.start >= reached and link.start - reached <= 5 and link.column in numeric:
            found.append(link.column)
            reached = link.end
    before = [link.column for link in phrase.links if link.end <= place and link.column in numeric]
    return list(dict.fromkeys(found)) or before[-1:] or list(numeric)
