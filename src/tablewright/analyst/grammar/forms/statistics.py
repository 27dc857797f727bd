"""Cells that are plain statistics: mean, deviation, quantiles, counts, shares, gaps, of all rows or of a group."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from tablewright.analyst.grammar.forms.cells import Candidate, Case, computed, counted
from tablewright.analyst.grammar.forms.phrases import SURE, Phrase
from tablewright.analyst.grammar.forms.rows import Group, flags
from tablewright.analyst.grammar.forms.scene import Stage
from tablewright.analyst.plan import (
    Aggregate,
    AggregateName,
    AllOf,
    Col,
    Condition,
    Expr,
    Filter,
    Lit,
    Math,
    Measure,
    Procedure,
    Relation,
)  # fmt: skip

_SHARES = frozenset({"share:", "share:percent"})
_MOMENTS = frozenset({"skew", "kurtosis"})
_QUARTILES = (("q1", 0.25), ("q3", 0.75))


def statistics(case: Case) -> Iterator[Candidate]:
    """Yield aggregates of a column."""
    for key, function, argument in _functions(case):
        for column, weight in case.numeric():
            means = frozenset({key, f"column:{column}", *case.group_keys, *case.stage_keys})
            covers = frozenset({f"superlative:{function}"})
            relation = _aggregate(case, function, argument, column)
            yield Candidate(relation=relation, means=means, covers=covers, weight=weight)


def _functions(case: Case) -> Iterator[tuple[str, AggregateName, float | None]]:
    """Yield the statistics that the tag's name says, else its placeholder, else what is said about it, else the task,
    if that says only one."""
    asked = case.asked
    first = [phrase for phrase in case.scene.phrases if phrase.asked]
    for place, phrase in enumerate((asked.name, asked.placeholder, asked.about, *first)):
        quantiles = phrase.meanings("quantile")
        found = [name for name in phrase.meanings("aggregate") if not (quantiles and name == "range")]
        if place >= 2 and len(found) + len(quantiles) > 1:
            continue
        for said in quantiles:
            yield f"quantile:{said}", "quantile", None if said == "iqr" else float(said)
        for said in found:
            yield f"aggregate:{said}", said, _argument(case, said)  # type: ignore[misc]
        if found or quantiles:
            return


def _argument(case: Case, function: str) -> float | None:
    """Return 0 if the task wants the population's figure, or scipy's convention for the higher moments; else None."""
    if function in {"std", "var"}:
        return 0.0 if case.scene.has("population") else None
    return 0.0 if function in _MOMENTS and case.scene.has("scipy") else None


def _aggregate(case: Case, function: AggregateName, argument: float | None, column: str) -> Relation:
    of, source = Col(name=column), case.rows()
    if function == "quantile" and argument is None:
        measures = tuple(Measure(name=name, function="quantile", of=of, argument=end) for name, end in _QUARTILES)
        both = Aggregate(source=source, groups=(), measures=measures)
        return computed(both, Math(op="-", left=Col(name="q3"), right=Col(name="q1")))
    measure = Measure(name=f"{function}_{column}", function=function, of=of, argument=argument)
    return Aggregate(source=source, groups=(), measures=(measure,))


def counts(case: Case) -> Iterator[Candidate]:
    """Yield numbers of rows and of different values, and shares of the rows."""
    asked, scene = case.asked, case.scene
    shares = asked.name.of("share") or asked.placeholder.of("share")
    means = frozenset({"tally:", "whole", *case.group_keys, *case.stage_keys})
    covers = frozenset({"row:", "aggregate:sum", "count:"})
    whole = asked.wanted.decimals == 0 or asked.name.has("tally") or asked.placeholder.has("tally")
    restricted = bool(case.groups or scene.kept or asked.name.has("row"))
    if whole and restricted and not asked.wanted.options:
        told = 0.4 if asked.name.has("tally") else 0.0
        yield Candidate(relation=counted(case.rows()), means=means, covers=covers, weight=told)
    if asked.name.has("distinct"):
        for column in dict.fromkeys([*(link.column for link in asked.name.links), *scene.every[:3]]):
            measure = Measure(name="count", function="count_distinct", of=Col(name=column))
            relation = Aggregate(source=case.rows(), groups=(), measures=(measure,))
            yield Candidate(
                relation=relation,
                means=(means | {"distinct:", f"column:{column}"}) - {"tally:"},
                covers=covers | {"tally:"},
            )
    if shares:
        yield from _shares(case, percent=_percent(case))


def _percent(case: Case) -> bool:
    """Return whether a share is wanted in percent."""
    asked, scene = case.asked, case.scene
    if [one for one in asked.about.numbers if one.value == 1] and not asked.name.has("share"):
        return False
    own = [phrase for phrase in (asked.name, asked.placeholder, asked.about) if "percent" in phrase.meanings("share")]
    return bool(own) or "percent" in scene.meanings("share")


def _shares(case: Case, *, percent: bool) -> Iterator[Candidate]:
    """Yield the share of the tag's rows in all rows; of the rows that the task is about in all; within the tag's group,
    of those with a flag."""
    scene = case.scene
    means = frozenset({"share:percent" if percent else "share:", *case.group_keys})
    flagged = [group for group in case.groups if _is_flag(case, group)]
    rest = [group for group in case.groups if group not in flagged]
    yield from _amount(case, means, percent=percent)
    if flagged and rest:
        inner = replace_groups(case, rest)
        yield Candidate(
            relation=_share(inner.rows(), flagged[0].where, percent=percent), means=means, covers=_SHARES, weight=0.3
        )
    elif case.groups:
        tests: tuple[Condition, ...] = tuple(group.where for group in case.groups)
        where = tests[0] if len(tests) == 1 else AllOf(parts=tests)
        yield Candidate(relation=_share(scene.source(case.stage), where, percent=percent), means=means, covers=_SHARES)
    elif scene.kept:
        where = scene.kept[0] if len(scene.kept) == 1 else AllOf(parts=scene.kept)
        source = scene.source("raw", but=scene.kept)
        yield Candidate(relation=_share(source, where, percent=percent), means=means, covers=_SHARES)


def _amount(case: Case, means: frozenset[str], *, percent: bool) -> Iterator[Candidate]:
    """Yield the share of an amount: `what share of the total miles did Heron sail`."""
    scene = case.scene
    tests: tuple[Condition, ...] = tuple(group.where for group in case.groups) or scene.kept
    if not tests:
        return
    where = tests[0] if len(tests) == 1 else AllOf(parts=tests)
    for phrase in (phrase for phrase in scene.phrases if phrase.asked and phrase.has("share")):
        totals = [word for word in phrase.of("aggregate") if word.meaning == "sum"]
        after = [link.column for link in phrase.links if totals and 0 <= link.start - totals[0].end <= 2]
        for column in [name for name in after if scene.linker.numeric(name)][:1]:
            source = scene.source(case.stage, but=() if case.groups else scene.kept)
            relation = _share(source, where, percent=percent, of=Col(name=column))
            yield Candidate(relation=relation, means=means, covers=_SHARES, weight=0.5)


def replace_groups(case: Case, groups: list[Group]) -> Case:
    """Return the tag with other groups."""
    return Case(case.scene, case.asked, groups)


def _is_flag(case: Case, group: Group) -> bool:
    column = case.scene.linker.columns.get(group.column)
    return column is not None and flags(column, case.scene.linker.cells.get(group.column, ())) is not None


def _share(source: Relation, where: Condition, *, percent: bool, of: Expr | None = None) -> Relation:
    function: AggregateName = "count" if of is None else "sum"
    part = Measure(name="part", function=function, of=of, where=where)
    measures = (part, Measure(name="whole", function=function, of=of))
    ratio: Expr = Math(op="/", left=Col(name="part"), right=Col(name="whole"))
    value = Math(op="*", left=ratio, right=Lit(value=100)) if percent else ratio
    return computed(Aggregate(source=source, groups=(), measures=measures), value)


def gaps(case: Case) -> Iterator[Candidate]:
    """Yield numbers and shares of missing cells, and of repeated rows."""
    asked, scene = case.asked, case.scene
    if scene.has("duplicate") and (asked.name.has("duplicate") or asked.about.has("duplicate")):
        repeated = Procedure(source=scene.source("raw"), name="duplicates", columns=())
        yield Candidate(
            relation=repeated,
            means=frozenset({"duplicate:", "whole"}),
            covers=frozenset({"tally:", "drop:", "stage:after"}),
            weight=0.3,
        )
    if not any(phrase.has("gap") for phrase in (asked.name, asked.placeholder, asked.about, *scene.phrases)):
        return
    shared = asked.name.has("share") or asked.placeholder.has("share")
    if not (shared or asked.name.has("gap") or asked.placeholder.has("gap") or asked.wanted.decimals == 0):
        return
    stage: Stage = "final" if "after" in asked.name.meanings("stage") else "raw"
    held = [group for group in case.groups if group.value != "gap"]
    rows = replace_groups(case, held).rows(stage)
    for place, column in enumerate(_columns(case)):
        keys = frozenset({"gap:", f"column:{column}", *case.group_keys, *case.stage_keys})
        covers = frozenset({"share:percent", "share:"} if shared else {"tally:"})
        keys |= frozenset() if shared else {"whole"}
        percent = shared and _percent(case)
        measure = Measure(name="missing", function="missing_percent" if percent else "missing", of=Col(name=column))
        relation: Relation = Aggregate(source=rows, groups=(), measures=(measure,))
        if shared and not percent:
            measure = replace(measure, function="missing_percent")
            relation = Aggregate(source=rows, groups=(), measures=(measure,))
            relation = computed(relation, Math(op="/", left=Col(name="missing"), right=Lit(value=100)))
        yield Candidate(relation=relation, means=keys, covers=covers, weight=-0.15 * place)


def _columns(case: Case) -> list[str]:
    """Return the columns whose gaps the tag may count."""
    own = _linked(case, case.asked.name) or _linked(case, case.asked.about)
    spoken = [
        link.column for phrase in case.scene.phrases if phrase.has("gap") for link in phrase.links
    ]  # fmt: skip
    held = {group.column for group in case.groups if group.value != "gap"}
    found = dict.fromkeys([*own, *spoken, *case.scene.every])
    return [name for name in found if name not in held and name in {c.name for c in case.scene.facts.columns}][:4]


def _linked(case: Case, phrase: Phrase) -> list[str]:
    """Return the columns that a phrase names for sure, or that the task names too."""
    return [link.column for link in phrase.links if link.score >= SURE or link.column in case.scene.every]


def rows_left(case: Case) -> Iterator[Candidate]:
    """Yield the number of rows after the task's steps."""
    if case.asked.name.has("row") and not case.groups:
        yield Candidate(
            relation=counted(case.scene.source(case.stage)),
            means=frozenset({"row:", "whole", *case.stage_keys}), covers=frozenset({"tally:"}), weight=0.2,
        )  # fmt: skip


def only(source: Relation, groups: list[Group]) -> Relation:
    """Return the rows of groups."""
    tests: tuple[Condition, ...] = tuple(group.where for group in groups)
    return source if not tests else Filter(source=source, where=tests[0] if len(tests) == 1 else AllOf(parts=tests))
