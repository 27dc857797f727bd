"""Tags about tests between groups: t-test, Mann-Whitney, ANOVA, Kruskal-Wallis, chi-square, and their verdicts."""

from __future__ import annotations

import re

from tablewright.analyst.plan import Case, Col, Compare, Derive, Lit, Named, Procedure, Relation, Tag
from tablewright.analyst.reading.parse import merged
from tablewright.analyst.reading.tagged.choosing import column_for
from tablewright.analyst.reading.tagged.form import Wanted
from tablewright.analyst.reading.tagged.grouping import compared
from tablewright.analyst.reading.tagged.rules import negative, positive
from tablewright.analyst.reading.tagged.scene import Scene
from tablewright.domain.table import Cell

TESTS: tuple[tuple[str, str], ...] = (
    (r"chi-?\s?squared?|χ2|卡方", "chi_square"),
    (r"\banova\b|analysis of variance|f-test|方差分析", "anova"),
    (r"kruskal", "kruskal"),
    (r"levene", "levene"),
    (r"bartlett", "bartlett"),
    (r"mann[- ]?whitney|wilcoxon|rank[- ]sum", "mann_whitney"),
    (r"t-?\s?test|significant(?:ly)? differen|t检验", "t_test"),
)
_GROUP = "compared group"
_STATISTICS = frozenset({"statistic", "stat", "t", "f", "u", "chi", "chi2", "h", "tstat", "fstat", "fvalue", "tvalue"})


def tested(scene: Scene, wanted: Wanted) -> Tag | None:
    """Read a tag about a test between groups."""
    name = next((name for pattern, name in TESTS if re.search(pattern, scene.text, re.IGNORECASE)), None)
    words = set(wanted.words)
    if name is None:
        return None
    relation = _relation(scene, wanted, name)
    if relation is None:
        return None
    if words & {"p", "pvalue", "pval"} or re.search(r"\bp[-_ ]?val", wanted.placeholder.lower()):
        return scene.tag(wanted, relation, 1)
    if words & {"degree", "dof", "df"} and name == "chi_square":
        return scene.tag(wanted, relation, 2)
    if words & _STATISTICS and not wanted.options:
        return scene.tag(wanted, relation, 0)
    return _verdict(scene, wanted, relation)


def _verdict(scene: Scene, wanted: Wanted, relation: Relation) -> Tag | None:
    """Read the verdict of a test: significant below the level; a verdict on the null hypothesis is the reverse."""
    options = wanted.options
    if not options and {"significant", "significance", "difference", "different"} & set(wanted.words):
        options = ("Yes", "No")
    if len(options) != 2:
        return None
    yes, no = _rejecting(options)
    if yes is None or no is None:
        return None
    if {"equal", "homogeneous", "homogeneity", "same"} & set(wanted.words):
        yes, no = no, yes
    below = Compare(op="<", left=Col(name="p_value"), right=Lit(value=scene.alpha))
    return scene.value(wanted, relation, Case(branches=((below, Lit(value=yes)),), otherwise=Lit(value=no)))


def _rejecting(options: tuple[str, ...]) -> tuple[str | None, str | None]:
    """Return the options for a small p-value and for a large one."""
    for one, other in (options, options[::-1]):
        if re.match(r"(?:reject)", one, re.IGNORECASE) and not re.match(r"reject", other, re.IGNORECASE):
            return one, other
        if re.match(r"(?:dependent|associated)", one, re.IGNORECASE) and re.match(
            r"independent|not", other, re.IGNORECASE
        ):
            return one, other
    return positive(options), negative(options)


def _relation(scene: Scene, wanted: Wanted, name: str) -> Relation | None:
    if name == "chi_square":
        pair = _categories(scene)
        return None if pair is None else Procedure(source=scene.source(), name=name, columns=pair)
    if name in {"anova", "kruskal", "levene", "bartlett"}:
        group = _grouping(scene)
        value = _measured(scene, wanted, group)
        if group is None or value is None:
            return None
        return Procedure(source=scene.source(), name=name, columns=(value, group))
    return _two_samples(scene, wanted, name)


def _categories(scene: Scene) -> tuple[str, str] | None:
    labelled = [made.name for made in scene.made if made.labels]
    others = sorted(scene.every, key=lambda name: scene.parse.facts(name).kind == "number")
    said = list(dict.fromkeys([*labelled, *others]))
    return (said[0], said[1]) if len(said) >= 2 else None


def _grouping(scene: Scene) -> str | None:
    labelled = [made.name for made in scene.made if made.labels]
    texts = [name for name in scene.every if name in scene.values]
    few = [name for name in scene.every if (scene.parse.facts(name).distinct or 999) <= 30]
    told = [clause.column for clause in merged(scene.parse.clauses) if len(clause.values) >= 2]
    return next(iter([*labelled, *texts, *few, *told]), None)


def _measured(scene: Scene, wanted: Wanted, group: str | None) -> str | None:
    column = column_for(scene, wanted, "differen", "mean", "test", "compare")
    if column is not None and column != group:
        return column
    return next((name for name in scene.numeric if name != group), None)


def _two_samples(scene: Scene, wanted: Wanted, name: str) -> Relation | None:
    options: dict[str, Cell] = {"equal_var": not scene.holds("welch", "unequal variance")} if name == "t_test" else {}
    source = scene.source()
    groups = compared(scene)
    if groups is None:
        pair = scene.numeric[:2]
        if len(pair) < 2 or not re.search(r"\bpaired\b|\bbetween\b", scene.text, re.IGNORECASE):
            return None
        paired: dict[str, Cell] = {"paired": True} if scene.holds("paired") else {"two_columns": True}
        return Procedure(source=source, name=name, columns=(pair[0], pair[1]), options={**options, **paired})
    if isinstance(groups, Case):
        group, first, second = _GROUP, "first", "second"
        source = Derive(source=source, columns=(Named(name=group, of=groups),))
        found: tuple[Cell, Cell] = (first, second)
    else:
        group, found = groups[0], (groups[1], groups[2])
    value = _measured(scene, wanted, group)
    if value is None:
        return None
    chosen: dict[str, Cell] = {**options, "first": found[0], "second": found[1]}
    return Procedure(source=source, name=name, columns=(value, group), options=chosen)
