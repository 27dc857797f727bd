"""Cells of tests of groups against each other: means, ranks, variances, and whether two columns are independent."""

from __future__ import annotations

from collections.abc import Iterator

from tablewright.analyst.grammar.forms.cells import Candidate, Case
from tablewright.analyst.grammar.forms.phrases import FEW, SURE
from tablewright.analyst.grammar.forms.rows import every_group
from tablewright.analyst.grammar.forms.rules import by_level, rejecting
from tablewright.analyst.grammar.forms.verdicts import figures, verdict
from tablewright.analyst.plan import Case as Choice
from tablewright.analyst.plan import Condition, Derive, Expr, Lit, Named, Procedure, Relation
from tablewright.domain.table import Cell

_SEVERAL = frozenset({"anova", "kruskal", "levene", "bartlett"})
_PAIR = 2
_UNWRITTEN = frozenset({"gap", "filled", "weekday", "weekend"})
"""Values of groups that stand in no cell."""
_TWO = frozenset({"t_test", "mann_whitney"})


def comparisons(case: Case) -> Iterator[Candidate]:
    """Yield the cells of every test of groups that the task speaks of."""
    for name in case.scene.meanings("test"):
        if name in _SEVERAL:
            yield from _between(case, name)
        elif name == "chi_square":
            yield from _categories(case)
        elif name in _TWO:
            yield from _samples(case, name)


def _categories(case: Case) -> Iterator[Candidate]:
    """Yield the test of independence of two columns: those made of labels first."""
    scene = case.scene
    labelled = [made.name for made in scene.made if made.labels]
    parts = {link.column for made in scene.made for place in made.sentences for link in scene.phrases[place].links}
    linked = scene.linked()
    later = {link.column for phrase in scene.phrases if phrase.has("test") for link in phrase.links}

    def rank(name: str) -> tuple[bool, ...]:
        return name in parts - later, linked[name] < SURE, name not in later, scene.is_number(name)

    others = sorted(scene.every, key=rank)
    said = list(dict.fromkeys([*labelled, *(name for name in others if name not in labelled)]))
    if len(said) < 2:
        return
    relation = Procedure(source=case.rows(), name="chi_square", columns=(said[0], said[1]))
    means = frozenset({f"column:{said[0]}", f"column:{said[1]}"})
    yield from figures(relation, means, 0.2)
    yield Candidate(relation=relation, column=2, means=means | {"degrees:", "whole"}, weight=0.2)
    yield from _of_level(case, relation, means, 0.2)


def _of_level(case: Case, relation: Relation, means: frozenset[str], weight: float) -> Iterator[Candidate]:
    options = case.asked.wanted.options
    if not options and case.asked.name.has("verdict") and not case.asked.name.has("statistic", "p_value", "aggregate"):
        options = ("Yes", "No")
    small, large = rejecting(options)
    if case.asked.name.has("equality"):
        small, large = large, small
    of = by_level("p_value", case.scene.alpha, small, large)
    yield from verdict(relation, of, means, weight)


def _between(case: Case, name: str) -> Iterator[Candidate]:
    scene = case.scene
    group = next(iter(_grouping(case)), None)
    for value, weight in case.numeric():
        if group is not None and value != group:
            relation = Procedure(source=scene.source(), name=name, columns=(value, group))
            means = frozenset({f"column:{value}", f"column:{group}"})
            yield from figures(relation, means, weight)
            yield from _of_level(case, relation, means, weight)


def _grouping(case: Case) -> list[str]:
    """Return the columns by which rows may be compared: labels that the task makes, texts, numbers of few values."""
    scene = case.scene
    labelled = [made.name for made in scene.made if made.labels]
    texts = [name for name in scene.every if name in scene.linker.cells]
    held = [cell.places[0][0] for phrase in scene.phrases for cell in phrase.cells]
    few = [name for name in scene.every if (scene.linker.columns[name].distinct or 999) <= FEW]
    return list(dict.fromkeys([*labelled, *texts, *held, *few]))


_GROUP = "compared group"


def _samples(case: Case, name: str) -> Iterator[Candidate]:
    scene = case.scene
    welch: dict[str, Cell] = {"equal_var": not scene.has("welch")} if name == "t_test" else {}
    for relation, value, weight in _compared(case, name, welch):
        means = frozenset({f"column:{value}"})
        yield from figures(relation, means, weight)
        yield from _of_level(case, relation, means, weight)


def _compared(case: Case, name: str, options: dict[str, Cell]) -> Iterator[tuple[Relation, str, float]]:
    """Yield the test of two groups: of two cells of a column, of rows with and without a flag or a gap, of weekdays and
    weekends, else of two columns."""
    scene = case.scene
    source = scene.source()
    pair = _two_groups(case)
    if pair is None:
        if len(scene.numeric) > 1 and scene.has("paired", "between"):
            how: dict[str, Cell] = {"paired": True} if scene.has("paired") else {"two_columns": True}
            columns = (scene.numeric[0], scene.numeric[1])
            yield Procedure(source=source, name=name, columns=columns, options={**options, **how}), columns[0], 0.0
        return
    column, first, second, of = pair
    if of is not None:
        source = Derive(source=source, columns=(Named(name=_GROUP, of=of),))
        column, first, second = _GROUP, "first", "second"
    chosen: dict[str, Cell] = {**options, "first": first, "second": second}
    for value, weight in _measured(case, pair[0]):
        yield Procedure(source=source, name=name, columns=(value, column), options=chosen), value, weight


def _measured(case: Case, column: str) -> list[tuple[str, float]]:
    names = [name for name, _ in case.numeric() if name != column] or [n for n in case.scene.numeric if n != column]
    return [(name, -0.15 * place) for place, name in enumerate(names)]


def _two_groups(case: Case) -> tuple[str, Cell, Cell, Expr | None] | None:
    """Return the column of two groups, and their values, or the expression that tells them apart."""
    scene = case.scene
    by: dict[str, dict[Cell, Condition]] = {}
    texts = [*((one.name, scene.every) for one in scene.tags), *((phrase, ()) for phrase in scene.phrases)]
    for phrase, named in texts:
        for group in every_group(phrase, scene.linker, scene.made, named):
            by.setdefault(group.column, {}).setdefault(group.value, group.where)
    for column, values in by.items():
        if len(values) == _PAIR and column not in scene.numeric[:1]:
            (one, where), (other, _) = values.items()
            if one in _UNWRITTEN or column not in scene.linker.columns:
                return (
                    column,
                    None,
                    None,
                    Choice(branches=((where, Lit(value="first")),), otherwise=Lit(value="second")),
                )
            return column, one, other, None
    return next((pair for name in scene.every if (pair := _only_two(case, name)) is not None), None)


def _only_two(case: Case, name: str) -> tuple[str, Cell, Cell, Expr | None] | None:
    """Return a column of only two values with them, else None."""
    cells = case.scene.linker.cells.get(name, ())
    if len(cells) == _PAIR:
        return name, cells[0], cells[1], None
    column = case.scene.linker.columns[name]
    if column.distinct == _PAIR and case.scene.is_number(name):
        return name, column.minimum, column.maximum, None
    return None
