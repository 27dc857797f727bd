"""The findings of statistical procedures, in words."""

from __future__ import annotations

from collections.abc import Callable

from tablewright.analyst.answering.figures import number
from tablewright.analyst.answering.sentences import Spoken
from tablewright.analyst.plan import Procedure
from tablewright.domain.table import Cell, Table

ALPHA = 0.05


def finding(procedure: Procedure, spoken: Spoken) -> str:
    """Return the finding in words; empty if a table shows it better."""
    said = _FINDINGS.get(procedure.name)
    return said(procedure, spoken) if said is not None else ""


def _row(table: Table | None) -> dict[str, Cell]:
    return dict(zip(table.columns, table.rows[0], strict=True)) if table is not None and table.rows else {}


def _figure(value: Cell, decimals: int = 4) -> str:
    """Return a statistic to `decimals`; one too small for these is written in scientific notation."""
    if not isinstance(value, int | float) or isinstance(value, bool):
        return "–"
    if value != 0 and abs(value) < 0.5 * 10**-decimals:
        return f"{value:.2e}"
    return number(value, decimals)


def _alpha(procedure: Procedure) -> float:
    alpha = procedure.options.get("alpha")
    return float(alpha) if isinstance(alpha, int | float) else ALPHA


def _significant(procedure: Procedure, spoken: Spoken, row: dict[str, Cell]) -> str:
    p_value = row.get("p_value")
    if not isinstance(p_value, int | float):
        return ""
    code = "answer.significant" if p_value < _alpha(procedure) else "answer.not_significant"
    return spoken.say(code, alpha=f"{_alpha(procedure):g}")


def _correlation(procedure: Procedure, spoken: Spoken) -> str:
    row = _row(spoken.table)
    value = row.get("correlation")
    size = abs(value) if isinstance(value, int | float) else 0.0
    strength = "strong" if size >= 0.7 else "moderate" if size >= 0.4 else "weak" if size >= 0.1 else "none"
    return spoken.say(
        "answer.correlation",
        columns=spoken.words.joined(procedure.columns[:2]),
        value=_figure(value),
        strength=spoken.say(f"answer.strength.{strength}"),
        tested=_tested(procedure, spoken, row),
    )


def _tested(procedure: Procedure, spoken: Spoken, row: dict[str, Cell]) -> str:
    """Return how sure a coefficient is; empty where the result holds only the coefficient, which was asked for."""
    significance = _significant(procedure, spoken, row)
    if not significance or row.get("count") is None:
        return ""
    return spoken.say(
        "answer.correlation_tested",
        p_value=_figure(row.get("p_value")),
        count=_figure(row.get("count")),
        significance=significance,
    )


def _correlations(procedure: Procedure, spoken: Spoken) -> str:
    rows = spoken.table.rows if spoken.table is not None else ()
    strongest = rows[0]
    return spoken.say(
        "answer.correlations",
        target=procedure.columns[0],
        column=strongest[0],
        value=_figure(strongest[1]),
        p_value=_figure(strongest[2]),
        count=len(rows),
    )


def _normality(procedure: Procedure, spoken: Spoken) -> str:
    row = _row(spoken.table)
    return spoken.say(
        "answer.normal" if row.get("normal") else "answer.not_normal",
        column=procedure.columns[0],
        statistic=_figure(row.get("statistic")),
        p_value=_figure(row.get("p_value")),
        alpha=f"{_alpha(procedure):g}",
    )


def _two_samples(procedure: Procedure, spoken: Spoken) -> str:
    row = _row(spoken.table)
    return spoken.say(
        "answer.two_samples",
        first=_figure(row.get("mean_1")),
        second=_figure(row.get("mean_2")),
        statistic=_figure(row.get("statistic")),
        p_value=_figure(row.get("p_value")),
        significance=_significant(procedure, spoken, row),
    )


def _test(procedure: Procedure, spoken: Spoken) -> str:
    row = _row(spoken.table)
    return spoken.say(
        "answer.test",
        columns=spoken.words.joined(procedure.columns[:2]),
        statistic=_figure(row.get("statistic")),
        p_value=_figure(row.get("p_value")),
        significance=_significant(procedure, spoken, row),
    )


def _outliers(procedure: Procedure, spoken: Spoken) -> str:
    table = spoken.table
    column = procedure.columns[0]
    if table is None or procedure.options.get("keep") == "inliers" or column not in table.columns:
        return ""
    place = table.columns.index(column)
    values = [spoken.cell(row[place], column) for row in table.rows[:8]]
    return spoken.say(
        "answer.outliers", column=column, count=table.total_rows, values=spoken.say("words.comma").join(values),
        more="…" if table.total_rows > 8 else "",
    )  # fmt: skip


def _described(_: Procedure, spoken: Spoken) -> str:
    table = spoken.table
    if table is None or len(table.rows) < 2 or not {"column", "min", "max", "mean"} <= set(table.columns):
        return ""
    rows = [dict(zip(table.columns, row, strict=True)) for row in table.rows]
    items = [
        spoken.say(
            "answer.described",
            column=row["column"], least=_figure(row["min"], 2), most=_figure(row["max"], 2),
            mean=_figure(row["mean"], 2),
        )
        for row in rows[:6]
    ]  # fmt: skip
    return spoken.say("answer.list", items=spoken.say("answer.separator").join(items + ["…"] * (len(rows) > 6)))


def _columns(_: Procedure, spoken: Spoken) -> str:
    names = [str(row[0]) for row in spoken.table.rows] if spoken.table is not None else []
    count = spoken.table.total_rows if spoken.table is not None else 0
    shown = spoken.say("words.comma").join(names[:_NAMED]) + (" …" if count > _NAMED else "")
    return spoken.say("answer.columns" if count != 1 else "answer.column", count=count, names=shown)


def _missing(_: Procedure, spoken: Spoken) -> str:
    table = spoken.table
    rows = [row for row in (table.rows if table is not None else ()) if row[1]]
    if not rows:
        return spoken.say("answer.none_missing")
    items = [
        spoken.say("answer.missing_item", column=row[0], count=_figure(row[1]), percent=_figure(row[2], 2))
        for row in rows[:10]
    ]
    return spoken.say("answer.missing", items=spoken.say("answer.separator").join(items), count=len(rows))


def _duplicates(_: Procedure, spoken: Spoken) -> str:
    row = _row(spoken.table)
    value = next(iter(row.values()), 0)
    return spoken.say("answer.duplicates" if value else "answer.no_duplicates", count=_figure(value))


def _regression(procedure: Procedure, spoken: Spoken) -> str:
    row = _row(spoken.table)
    wanted = [("R²", "r_squared"), ("RMSE", "rmse"), ("MAE", "mae"), (spoken.say("answer.accuracy"), "accuracy")]
    scores = [f"{label} {_figure(row[key])}" for label, key in wanted if row.get(key) is not None]
    return spoken.say("answer.regression", target=procedure.columns[0], scores=spoken.say("words.comma").join(scores))


_NAMED = 40
_FINDINGS: dict[str, Callable[[Procedure, Spoken], str]] = {
    "correlation": _correlation,
    "correlations": _correlations,
    "normality": _normality,
    "t_test": _two_samples,
    "mann_whitney": _two_samples,
    "anova": _test,
    "kruskal": _test,
    "levene": _test,
    "bartlett": _test,
    "chi_square": _test,
    "outliers": _outliers,
    "describe": _described,
    "columns": _columns,
    "missing": _missing,
    "duplicates": _duplicates,
    "regression": _regression,
}
