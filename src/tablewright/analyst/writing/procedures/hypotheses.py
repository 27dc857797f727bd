"""The procedures normality, t_test, mann_whitney, anova, kruskal, levene and bartlett."""

from __future__ import annotations

from tablewright.analyst.plan import Col, Compare, Lit, Procedure
from tablewright.analyst.writing.columns import Frame
from tablewright.analyst.writing.literals import literal, quoted
from tablewright.analyst.writing.procedures.columns import numeric, one_row
from tablewright.analyst.writing.script import Script

_NORMALITY = {
    "shapiro": "stats.shapiro({x})",
    "ks": 'stats.kstest({x}, "norm", args=({x}.mean(), {x}.std()))',
    "dagostino": "stats.normaltest({x})",
    "jarque_bera": "stats.jarque_bera({x})",
    "anderson": 'stats.anderson({x}, dist="norm", method="interpolate")',
}


_SEVERAL = {
    "anova": "stats.f_oneway",
    "kruskal": "stats.kruskal",
    "levene": "stats.levene",
    "bartlett": "stats.bartlett",
}


def normality(script: Script, relation: Procedure, frame: Frame) -> Frame:
    """Write a test of whether a column is normally distributed."""
    table = numeric(script, frame, relation.columns[:1])
    alpha = relation.options.get("alpha") or 0.05
    method = str(relation.options.get("method") or "shapiro")
    values, test = script.names.fresh(otherwise="values"), script.names.fresh(otherwise="test")
    script.emit(f"{values} = {table.name}[{quoted(relation.columns[0])}].dropna()")
    script.emit(f"{test} = {_NORMALITY[method].format(x=values)}")
    return one_row(
        script,
        [
            ("statistic", f"{test}.statistic", "number"),
            ("p_value", f"{test}.pvalue", "number"),
            ("normal", f"bool({test}.pvalue > {literal(alpha)})", "boolean"),
        ],
        otherwise="normality",
    )


def two_samples(script: Script, relation: Procedure, frame: Frame) -> Frame:
    """Write a test that compares two samples, with their means and standard deviations."""
    options = relation.options
    paired = bool(options.get("paired"))
    first, second = script.names.fresh(otherwise="first"), script.names.fresh(otherwise="second")
    if paired or options.get("two_columns"):
        _two_columns(script, relation, frame, first, second, paired=paired)
    else:
        _two_groups(script, relation, frame, first, second)
    test = script.names.fresh(otherwise="test")
    if relation.name == "mann_whitney":
        call = f"stats.wilcoxon({first}, {second})" if paired else f"stats.mannwhitneyu({first}, {second})"
    elif paired:
        call = f"stats.ttest_rel({first}, {second})"
    else:
        welch = ", equal_var=False" if options.get("equal_var") is False else ""
        call = f"stats.ttest_ind({first}, {second}{welch})"
    script.emit(f"{test} = {call}")
    return one_row(
        script,
        [
            ("statistic", f"{test}.statistic", "number"),
            ("p_value", f"{test}.pvalue", "number"),
            ("mean_1", f"{first}.mean()", "number"),
            ("mean_2", f"{second}.mean()", "number"),
            ("std_1", f"{first}.std()", "number"),
            ("std_2", f"{second}.std()", "number"),
        ],
        otherwise="comparison",
    )


def _two_columns(script: Script, relation: Procedure, frame: Frame, first: str, second: str, *, paired: bool) -> None:
    table = numeric(script, frame, relation.columns[:2])
    one, other = (quoted(name) for name in relation.columns[:2])
    if paired:
        pairs = script.names.fresh(otherwise="pairs")
        script.emit(f"{pairs} = {table.name}[[{one}, {other}]].dropna()")
        script.emit(f"{first}, {second} = {pairs}[{one}], {pairs}[{other}]")
        return
    script.emit(f"{first}, {second} = {table.name}[{one}].dropna(), {table.name}[{other}].dropna()")


def _two_groups(script: Script, relation: Procedure, frame: Frame, first: str, second: str) -> None:
    value, group = relation.columns[:2]
    table = numeric(script, frame, (value,))
    wanted = [relation.options.get("first"), relation.options.get("second")]
    if None in wanted:
        script.emit(f"{first}, {second} = [")
        script.emit(
            f"    values.dropna() for _, values in {table.name}.groupby({quoted(group)})[{quoted(value)}]", "][:2]"
        )
        return
    conditions = script.conditions(table)
    for target, name in zip((first, second), wanted, strict=True):
        where = conditions.write(Compare(op="=", left=Col(name=group), right=Lit(value=name)))
        script.emit(f"{target} = {table.name}.loc[{where}, {quoted(value)}].dropna()")


def anova(script: Script, relation: Procedure, frame: Frame) -> Frame:
    """Write a test of whether the groups' means (kruskal: ranks; levene, bartlett: variances) differ."""
    value, group = relation.columns[:2]
    table = numeric(script, frame, (value,))
    groups, test = script.names.fresh(otherwise="samples"), script.names.fresh(otherwise="test")
    function = _SEVERAL[relation.name]
    script.emit(
        f"{groups} = [values.dropna() for _, values in {table.name}.groupby({quoted(group)})[{quoted(value)}]]",
        f"{test} = {function}(*[values for values in {groups} if len(values)])",
    )
    return one_row(
        script,
        [("statistic", f"{test}.statistic", "number"), ("p_value", f"{test}.pvalue", "number")],
        otherwise=relation.name,
    )
