"""The procedures correlation, correlations, correlation_matrix, correlation_pairs and chi_square."""

from __future__ import annotations

from tablewright.analyst.plan import Procedure
from tablewright.analyst.writing.columns import Column, Frame
from tablewright.analyst.writing.literals import listed, quoted
from tablewright.analyst.writing.procedures.columns import number_columns, numeric, one_row
from tablewright.analyst.writing.script import Script
from tablewright.domain.dataset import ColumnKind

_TESTS = {"pearson": "stats.pearsonr", "spearman": "stats.spearmanr", "kendall": "stats.kendalltau"}


def _method(relation: Procedure) -> str:
    return str(relation.options.get("method") or "pearson")


def correlation(script: Script, relation: Procedure, frame: Frame) -> Frame:
    """Write the coefficient of two columns, its two-sided p-value, and the number of rows that have both."""
    one, other = relation.columns[:2]
    table = numeric(script, frame, (one, other))
    pair, test = script.names.fresh(otherwise="pair"), script.names.fresh(otherwise="test")
    script.emit(
        f"{pair} = {table.name}[{listed(dict.fromkeys((one, other)))}].dropna()",
        f"{test} = {_TESTS[_method(relation)]}({pair}[{quoted(one)}], {pair}[{quoted(other)}])",
    )
    cells: list[tuple[str, str, ColumnKind]] = [
        ("correlation", f"{test}.statistic", "number"), ("p_value", f"{test}.pvalue", "number"),
        ("count", f"len({pair})", "integer"),
    ]  # fmt: skip
    return one_row(script, cells, otherwise="correlation")


def correlations(script: Script, relation: Procedure, frame: Frame) -> Frame:
    """Write the coefficients of the first column with each of the others (by default all numeric columns)."""
    target = relation.columns[0]
    others = relation.columns[1:] or number_columns(frame, but=(target,))
    table = numeric(script, frame, (target, *others))
    found, name = script.names.fresh(otherwise="found"), script.names.fresh(otherwise="correlations")
    script.emit(
        f"{found} = []",
        f"for name in {listed(others)}:",
        f"    pair = {table.name}[[{quoted(target)}, name]].dropna()",
        "    if len(pair) > 2:",
        f"        test = {_TESTS[_method(relation)]}(pair[{quoted(target)}], pair[name])",
        f"        {found}.append((name, test.statistic, test.pvalue))",
        f'{name} = pd.DataFrame({found}, columns=["column", "correlation", "p_value"])',
        f'{name} = {name}.sort_values("correlation", key=abs, ascending=False, kind="stable")',
    )
    return Frame(
        name=name,
        columns=(
            Column(name="column", kind="text"),
            Column(name="correlation", kind="number"),
            Column(name="p_value", kind="number"),
        ),
    )


def correlation_pairs(script: Script, relation: Procedure, frame: Frame) -> Frame:
    """Write the coefficients of every pair of columns (by default all numeric ones), strongest first."""
    names = relation.columns or number_columns(frame)
    table = numeric(script, frame, names)
    found, name = script.names.fresh(otherwise="found"), script.names.fresh(otherwise="pairs")
    script.require("from itertools import combinations")
    script.emit(
        f"{found} = []",
        f"for one, other in combinations({listed(names)}, 2):",
        f"    pair = {table.name}[[one, other]].dropna()",
        "    if len(pair) > 2:",
        f"        test = {_TESTS[_method(relation)]}(pair[one], pair[other])",
        f'        {found}.append((f"{{one}}, {{other}}", test.statistic, test.pvalue))',
        f'{name} = pd.DataFrame({found}, columns=["pair", "correlation", "p_value"])',
        f'{name} = {name}.sort_values("correlation", key=abs, ascending=False, kind="stable")',
    )
    numbers = tuple(Column(name=name, kind="number") for name in ("correlation", "p_value"))
    return Frame(name=name, columns=(Column(name="pair", kind="text"), *numbers))


def correlation_matrix(script: Script, relation: Procedure, frame: Frame) -> Frame:
    """Write the matrix of the coefficients of all pairs."""
    names = relation.columns or number_columns(frame)
    table = numeric(script, frame, names)
    columns = [Column(name="column", kind="text"), *[Column(name=name, kind="number") for name in names]]
    return script.define(
        columns, f"{table.name}[{listed(names)}]", f".corr(method={quoted(_method(relation))})",
        '.rename_axis("column")',
        ".reset_index()", otherwise="correlations",
    )  # fmt: skip


def chi_square(script: Script, relation: Procedure, frame: Frame) -> Frame:
    """Write the test of independence of two columns. Option `correction` (True): Yates' correction for 2×2 tables."""
    one, other = relation.columns[:2]
    counts, test = script.names.fresh(otherwise="counts"), script.names.fresh(otherwise="test")
    plain = "" if relation.options.get("correction", True) else ", correction=False"
    script.emit(
        f"{counts} = pd.crosstab({frame.name}[{quoted(one)}], {frame.name}[{quoted(other)}])",
        f"{test} = stats.chi2_contingency({counts}{plain})",
        f"print({counts})",
    )
    cells: list[tuple[str, str, ColumnKind]] = [
        ("statistic", f"{test}.statistic", "number"),
        ("p_value", f"{test}.pvalue", "number"),
        ("degrees", f"{test}.dof", "integer"),
    ]
    return one_row(script, cells, otherwise="chi_square")
