"""Cells about outliers: how many, which, their bounds and ends, and statistics without them."""

from __future__ import annotations

from collections.abc import Iterator

from tablewright.analyst.grammar.forms.cells import Candidate, Case, computed, counted
from tablewright.analyst.grammar.forms.rules import negative, positive
from tablewright.analyst.grammar.forms.scene import outlier_columns
from tablewright.analyst.grammar.forms.statistics import only
from tablewright.analyst.plan import (
    Aggregate,
    AggregateName,
    Col,
    Combine,
    Compare,
    Expr,
    Filter,
    Lit,
    Math,
    Measure,
    Named,
    Procedure,
    Project,
    Relation,
    Sort,
    Statistic,
)  # fmt: skip
from tablewright.analyst.plan import (
    Case as Choice,
)
from tablewright.domain.table import Cell

_ROW = "row"
_STEP = 0.15


def outliers(case: Case) -> Iterator[Candidate]:
    """Yield the cells about outliers of every column that may be meant."""
    scene, asked = case.scene, case.asked
    if not (scene.has("outlier") or asked.name.has("outlier", "bound")):
        return
    own = [link.column for link in asked.name.links if scene.linker.numeric(link.column)]
    held = {group.column for group in case.groups}
    columns = [name for name in dict.fromkeys([*own, *outlier_columns(scene)]) if name not in held]
    for place, column in enumerate(columns[:4]):
        yield from _of_column(case, column, -_STEP * place)


def _of_column(case: Case, column: str, weight: float) -> Iterator[Candidate]:
    scene, asked = case.scene, case.asked
    source = only(scene.source("before_outliers"), case.groups)
    options: dict[str, Cell] = {**scene.options, "keep": "outliers"}
    found: Relation = Procedure(source=source, name="outliers", columns=(column,), options=options)
    means = frozenset({"outlier:", f"column:{column}", *case.group_keys})
    bounds = Procedure(source=source, name="outlier_bounds", columns=(column,), options=scene.options)
    yield Candidate(relation=bounds, means=means | {"bound:", "side:lower"}, weight=weight)
    yield Candidate(relation=bounds, column=1, means=means | {"bound:", "side:upper"}, weight=weight)
    told = asked.name.has("outlier") or asked.placeholder.has("outlier") or asked.about.has("outlier")
    if not told and not asked.name.has("identity", "listing"):
        return
    sides = asked.name.meanings("side")
    if len(sides) == 1 and not asked.name.has("bound"):
        yield from _one_side(case, column, sides[0], found, weight)
        return
    if asked.wanted.options:
        yield from _whether(case, found, means, weight)
        return
    if asked.name.has("share"):
        percent = "percent" in asked.name.meanings("share")
        combined = Combine(
            op="percent" if percent else "ratio", left=counted(found), right=counted(source), name="share"
        )
        yield Candidate(relation=combined, means=means, covers=frozenset({"share:percent", "share:"}), weight=weight)
    yield Candidate(relation=counted(found), means=means | {"tally:", "whole"}, weight=weight)
    if not asked.name.has("tally"):
        yield from _listed(case, column, found, means, weight)


def _one_side(
    case: Case, column: str, side: str, found: Relation, weight: float
) -> Iterator[Candidate]:  # fmt: skip
    """Yield the lowest or highest outlier, and how many are below or above the bounds."""
    means = frozenset({"outlier:", f"column:{column}", f"side:{side}", *case.group_keys})
    function: AggregateName = "min" if side == "lower" else "max"
    measure = Measure(name=function, function=function, of=Col(name=column))
    end = Aggregate(source=found, groups=(), measures=(measure,))
    yield Candidate(
        relation=end,
        means=means,
        covers=frozenset({"aggregate:range", f"aggregate:{function}", f"superlative:{function}"}),
        weight=weight,
    )
    if case.asked.wanted.decimals == 0:
        of, end_of = Col(name=column), _bound(column, case.scene.options, upper=side == "upper")
        where = Compare(op=">" if side == "upper" else "<", left=of, right=end_of)
        rows = Filter(source=only(case.scene.source("before_outliers"), case.groups), where=where)
        yield Candidate(relation=counted(rows), means=means | {"tally:", "whole"}, weight=weight + 0.1)


def _bound(column: str, options: dict[str, Cell], *, upper: bool) -> Expr:
    """Return the highest, or lowest, value that is no outlier."""
    of, op = Col(name=column), "+" if upper else "-"
    if options["method"] == "zscore":
        deviation = Statistic(name="std", of=of, argument=None if options.get("ddof") else 0)
        reach = Math(op="*", left=Lit(value=options["threshold"]), right=deviation)
        return Math(op=op, left=Statistic(name="mean", of=of), right=reach)  # type: ignore[arg-type]
    low, high = (Statistic(name="quantile", of=of, argument=end) for end in (0.25, 0.75))
    reach = Math(op="*", left=Lit(value=options["factor"]), right=Math(op="-", left=high, right=low))
    return Math(op=op, left=high if upper else low, right=reach)  # type: ignore[arg-type]


def _whether(case: Case, found: Relation, means: frozenset[str], weight: float) -> Iterator[Candidate]:
    """Yield whether there are any."""
    yes, no = positive(case.asked.wanted.options), negative(case.asked.wanted.options)
    if yes is not None and no is not None:
        some = Compare(op=">", left=Col(name="count"), right=Lit(value=0))
        of = Choice(branches=((some, Lit(value=yes)),), otherwise=Lit(value=no))
        yield Candidate(
            relation=computed(counted(found), of),
            means=means,
            covers=frozenset({"verdict:"}),
            verdict=True,
            weight=weight,
        )


def _listed(case: Case, column: str, found: Relation, means: frozenset[str], weight: float) -> Iterator[Candidate]:
    """Yield the outliers themselves: their row numbers, ids, names or values."""
    scene, asked = case.scene, case.asked
    shown: list[tuple[str, frozenset[str], float]] = []
    if scene.has("row_number"):
        shown.append((_ROW, frozenset({"listing:", "row_number:"}), 0.4))
    own = [link.column for phrase in (asked.name, asked.placeholder, asked.about) for link in phrase.links]
    ids = [one.name for one in scene.facts.columns if _is_id(one.name) and _spoken(case, one.name)]
    shown += [
        (name, frozenset({f"column:{name}", "identity:"}), 0.3 if name in own else 0.1)
        for name in dict.fromkeys([*own, *ids])
        if name != column
    ]
    shown.append((column, frozenset({"listing:"}), 0.0))
    ordered = any(
        phrase.text.lower().find("ascending") >= 0 or phrase.text.lower().find("sorted") >= 0
        for phrase in (*scene.phrases, asked.about)
    )
    for name, keys, more in shown:
        relation: Relation = Project(source=found, columns=(Named(name=name, of=Col(name=name)),))
        if ordered:
            relation = Sort(source=relation, keys=((name, False),))
        yield Candidate(
            relation=relation, every=True,
            means=(means | keys | {"whole"}) - {f"column:{column}", "row_number:", "identity:"},
            covers=frozenset({"filler:", f"column:{column}", "row_number:", "identity:"}), weight=weight + more,
        )  # fmt: skip


def _is_id(name: str) -> bool:
    return name.lower().endswith("id")


def _spoken(case: Case, name: str) -> bool:
    asked = case.asked
    told = asked.name.has("identity") or asked.placeholder.has("identity")
    return told or any(
        name.lower() in text.lower() for text in (asked.about.text, *(p.text for p in case.scene.phrases))
    )
