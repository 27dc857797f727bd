"""Cells of the row, or of the group, with the most or the least of something: its name, its figure, its other cells."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tablewright.analyst.grammar.forms.cells import Candidate, Case, group_key
from tablewright.analyst.grammar.forms.phrases import Phrase
from tablewright.analyst.grammar.forms.rows import flags
from tablewright.analyst.grammar.forms.selecting import identifies
from tablewright.analyst.grammar.lexicon import words
from tablewright.analyst.linking.tokens import lemmas
from tablewright.analyst.plan import (
    Aggregate,
    AggregateName,
    Bucket,
    Col,
    Compare,
    Expr,
    Lit,
    Measure,
    Named,
    Project,
    Relation,
    TimeUnit,
    Top,
)  # fmt: skip
from tablewright.analyst.plan import (
    Case as Choice,
)
from tablewright.domain.table import Cell

_FUNCTIONS: frozenset[str] = frozenset({"mean", "sum", "median", "std", "var"})
_UNITS: tuple[TimeUnit, ...] = ("weekday", "hour", "month_of_year", "quarter", "year")
_DATED = frozenset({"date", "datetime"})
_NEAR = 7
_HUNDRED = 100
_LEADS = 0.6


@dataclass(frozen=True, slots=True, kw_only=True)
class Key:
    """What groups are named by: an expression, the column that it is of, and what is called so."""

    of: Expr
    column: str
    name: str


def extremes(case: Case) -> Iterator[Candidate]:
    """Yield the cells of the extreme that the question asks for."""
    for phrase in case.scene.phrases:
        compared = {word.start for word in phrase.of("compare")}
        for word in phrase.of("superlative") if phrase.asked else ():
            if word.meaning in {"max", "min"} and word.start not in compared:
                yield from _of(case, phrase, word.start, descending=word.meaning == "max")
                return


def _of(case: Case, phrase: Phrase, place: int, *, descending: bool) -> Iterator[Candidate]:
    scene = case.scene
    extreme = "superlative:max" if descending else "superlative:min"
    aggregated = frozenset({extreme, "aggregate:max" if descending else "aggregate:min"})
    numbers = [
        link for link in phrase.links if scene.linker.numeric(link.column) and not identifies(scene.linker, link.column)
    ]
    measured = [link.column for link in numbers if link.end > place] or [link.column for link in numbers]
    measured = measured or _hinted(case, phrase)
    functions = [
        word.meaning
        for word in phrase.of("aggregate")
        if abs(word.start - place) <= _NEAR and word.meaning in _FUNCTIONS
    ]  # fmt: skip
    keys = list(_keys(case, phrase))
    for key in keys[:3]:
        for measure, means, weight in _measures(case, phrase, measured, functions):
            groups = Aggregate(source=scene.source(), groups=(Named(name=key.name, of=key.of),), measures=(measure,))
            top = Top(source=groups, by=measure.name, count=1, descending=descending)
            yield from _named(case, top, key, means, aggregated, weight)
    for number, column in enumerate(dict.fromkeys(measured)):
        if functions:
            break
        rows = Top(source=scene.source(), by=column, count=1, descending=descending)
        yield from _of_row(case, rows, column, aggregated, -0.2 * number)


def _hinted(case: Case, phrase: Phrase) -> list[str]:
    """Return the columns that the words for an extreme hint at: a height by `tallest`."""
    hints = dict.fromkeys(word.about for word in words(phrase.tokens) if word.type == "superlative" and word.about)
    linker = case.scene.linker
    return [name for hint in hints for name in linker.hinted(hint) if linker.numeric(name)]


def _measures(
    case: Case, phrase: Phrase, measured: list[str], functions: list[str]
) -> Iterator[tuple[Measure, frozenset[str], float]]:
    """Yield what groups are compared by: an aggregate of a column, the number of their rows, the sum or the share of a
    flag."""
    scene = case.scene
    for function in dict.fromkeys(functions):
        for place, column in enumerate(dict.fromkeys(measured)):
            name: AggregateName = function  # type: ignore[assignment]
            measure = Measure(name=f"{function}_{column}", function=name, of=Col(name=column))
            yield measure, frozenset({f"aggregate:{function}", f"column:{column}", "value"}), 0.3 - 0.15 * place
    if not functions and phrase.has("tally", "count"):
        weight = 0.55 if not measured else -0.2
        yield Measure(name="count", function="count"), frozenset({"tally:", "whole", "count:"}), weight
    for column, pair in _flags(case, phrase):
        if phrase.has("share"):
            test = Compare(op="=", left=Col(name=column), right=Lit(value=pair))
            of = Choice(branches=((test, Lit(value=_HUNDRED)),), otherwise=Lit(value=0))
            yield (
                Measure(name="share", function="mean", of=of),
                frozenset({f"column:{column}", "share:", "share:percent"}),
                0.9,
            )
        elif phrase.has("tally", "count") and scene.linker.numeric(column):
            measure = Measure(name=f"sum_{column}", function="sum", of=Col(name=column))
            yield measure, frozenset({f"column:{column}", "tally:", "whole", "count:"}), 0.5


def _flags(case: Case, phrase: Phrase) -> list[tuple[str, Cell]]:
    scene = case.scene
    found = []
    for name, column in scene.linker.columns.items():
        pair = flags(column, scene.linker.cells.get(name, ()))
        alike = any(token.lemma[:5] == name.lower()[:5] and len(token.lemma) >= 5 for token in phrase.tokens)
        if pair is not None and alike:
            found.append((name, pair[0]))
    return found


def _keys(case: Case, phrase: Phrase) -> Iterator[Key]:
    """Yield what groups may be named by: columns of names that the question names, parts of dates, labels."""
    scene = case.scene
    for made in scene.made:
        if made.labels:
            yield Key(of=Col(name=made.name), column=made.name, name=made.name)
    for link in phrase.links:
        column = scene.linker.columns[link.column]
        few = scene.linker.numeric(link.column) and (column.distinct or 999) <= 30
        if (not scene.linker.numeric(link.column) and column.kind not in _DATED) or (few and link.start <= 3):
            yield Key(of=Col(name=link.column), column=link.column, name=link.column)
    dated = [column.name for column in scene.facts.columns if column.kind in _DATED]
    units = phrase.meanings("part_of_date")
    for unit in _UNITS if len(dated) == 1 else ():
        if unit in units:
            name = unit.partition("_")[0]
            yield Key(of=Bucket(of=Col(name=dated[0]), unit=unit), column=dated[0], name=name)


def _named(
    case: Case, top: Top, key: Key, means: frozenset[str], extreme: frozenset[str], weight: float
) -> Iterator[Candidate]:  # fmt: skip
    """Yield the name of the extreme group, and its figure; a tag whose name begins with the column means the name."""
    own = case.asked.name
    leads = bool(own.links) and own.links[0].start == 0 and own.links[0].column == key.column
    said = {group_key(group) for group in case.groups if f"column:{group.column}" in means}
    named = frozenset({f"column:{key.column}"} if not isinstance(key.of, Bucket) else set[str]())
    covers = means | extreme | _kin(case, means) | said | ({f"part_of_date:{unit}" for unit in _UNITS} - {"whole"})
    text = _textual(top)
    more = _LEADS if leads else 0.2
    yield Candidate(relation=top, means=named, covers=covers, text=text, every=True, weight=weight + more)
    figure = own.has("aggregate", "tally", "share", "superlative")
    covers = extreme | _kin(case, means) | said | (named if figure else frozenset())
    likely = figure or (case.asked.wanted.decimals is not None and not leads)
    less = 0.0 if likely and not leads else _LEADS
    yield Candidate(relation=top, column=1, means=means, covers=covers, weight=weight - less)


def _kin(case: Case, keys: frozenset[str]) -> frozenset[str]:
    """Return the columns whose names share their words with one of these."""
    own = [set(lemmas(key.partition(":")[2])) for key in keys if key.startswith("column:")]
    names = case.scene.linker.columns
    return frozenset(f"column:{name}" for name in names if any(set(lemmas(name)) <= words for words in own))


def _textual(top: Top) -> bool:
    source = top.source
    of = source.groups[0].of if isinstance(source, Aggregate) else None
    return not (isinstance(of, Bucket) and of.unit not in {"weekday", "quarter"})


def _of_row(case: Case, rows: Top, column: str, extreme: frozenset[str], less: float) -> Iterator[Candidate]:
    """Yield cells of the extreme row: of the column that the tag names, else of one that names rows."""
    scene, asked = case.scene, case.asked
    own = [link.column for phrase in (asked.name, asked.placeholder, asked.about) for link in phrase.links]
    said = [link.column for phrase in scene.phrases if phrase.asked for link in phrase.links]
    names = dict.fromkeys([*own, *said])
    for place, name in enumerate(names):
        text = not scene.linker.numeric(name)
        keys = frozenset({f"column:{name}"})
        keys |= {"whole"} if not text and scene.linker.columns[name].kind == "integer" else frozenset()
        relation: Relation = Project(source=rows, columns=(Named(name=name, of=Col(name=name)),))
        weight = less + (0.1 - 0.1 * place if name != column else -0.1)
        yield Candidate(
            relation=relation, means=keys, covers=extreme | {f"column:{column}"}, text=text, every=text, weight=weight
        )
