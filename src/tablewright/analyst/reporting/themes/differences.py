"""Differences between groups: in the level of a measure, tested by ranks, and in how often one of two things is so."""

from __future__ import annotations

from tablewright.analyst.reporting import charts
from tablewright.analyst.reporting.figures import change, number, percent, probability
from tablewright.analyst.reporting.finding import Finding, FindingTable
from tablewright.analyst.reporting.subject import Subject
from tablewright.analyst.reporting.themes import shares
from tablewright.analyst.reporting.themes.base import Measured, Theme, filled
from tablewright.analyst.reporting.wording import Markdown, said
from tablewright.domain.language import Language

_CODE = """
# $say_differences
measured, tests = [], 0
for group in $groups:
    labels = $df_labels[group]
    large = labels.value_counts()
    large = large[large >= 5].index
    if not 2 <= len(large) <= 20:
        continue
    for column in [name for name in $measures if name not in $df_left_out]:
        values = $df_clean[column].where(labels.isin(large)).dropna()
        kinds = values.groupby(labels[values.index])
        sizes = kinds.size()
        if (sizes >= 5).sum() < 2 or values.nunique() < 2:
            continue
        tests += 1
        test = stats.kruskal(*(part for _, part in kinds if len(part) >= 5))
        explained = float((test.statistic - len(sizes) + 1) / (len(values) - len(sizes)))
        if test.pvalue < 0.01 and 0.03 <= explained < 0.99:
            # $say_middle
            middle = "median" if values.nunique() > 10 else "mean"
            middles = kinds.agg(middle).sort_values(ascending=False)
            ranks = values.rank().groupby(labels[values.index]).mean()
            apart = (ranks - ranks.median()).abs().idxmax()
            rest = values[labels[values.index] != apart]
            measured.append({
                "group": group, "column": column, "p": float(test.pvalue), "explained": explained,
                "rows": len(values), "apart": apart, "count": int(sizes[apart]),
                "middle": middle, "value": float(middles[apart]), "others": float(rest.agg(middle)),
                "middles": [[name, float(value)] for name, value in middles.items()],
            })
measured.sort(key=lambda one: -one["explained"])
measured = [one for place, one in enumerate(measured) if [x["group"] for x in measured[:place]].count(one["group"]) < 2]
"""

_PRINT = """
print(json.dumps({"tests": tests, "differences": measured[:4], "shares": shares[:3]}, ensure_ascii=False))
"""

_LEAST_EXPLAINED = 0.05


def code(subject: Subject, language: Language) -> str:
    """Return the code that compares groups."""
    return "\n".join(filled(part, subject, language) for part in (_CODE, shares.CODE, _PRINT))


def findings(measured: Measured, step: str, language: Language) -> list[Finding]:
    """Return the differences that explain enough of a measure."""
    found = [_finding(one, step, language) for one in measured["differences"] if one["explained"] >= _LEAST_EXPLAINED]
    return found + [shares.finding(one, step, language) for one in measured["shares"]]


def _finding(one: Measured, step: str, language: Language) -> Finding:
    others = float(one["others"])
    apart = (one["value"] - others) / abs(others) if others else 0.0
    two = next((name for name, _ in one["middles"] if name != one["apart"]), "") if len(one["middles"]) == 2 else ""
    words = said(
        f"report.{'two_groups' if two else 'difference'}_{one['middle']}",
        language,
        other=two,
        group=one["group"],
        column=one["column"],
        apart=one["apart"],
        value=number(one["value"]),
        others=number(others),
        change=change(apart) if others * one["value"] > 0 else number(one["value"] - others),
        explained=percent(one["explained"]),
        rows=number(one["rows"]),
        p=probability(one["p"]),
    )
    bars = one["middles"][:12]
    chart = charts.bars([name for name, _ in bars], [value for _, value in bars], title=one["column"])
    middle = said(f"report.table.{one['middle']}", language, column=Markdown(one["column"]))
    return Finding(
        kind="group",
        columns=(one["group"], one["column"]),
        text=words,
        weight=0.45 + 0.45 * min(1.0, float(one["explained"]) * 1.5),
        step=step,
        p=one["p"],
        chart=chart,
        table=FindingTable(columns=(one["group"], middle), rows=tuple(map(tuple, one["middles"]))),
    )


DIFFERENCES = Theme(
    name="differences",
    fits=lambda subject: subject.tested and bool(subject.groups) and bool(subject.measures or len(subject.groups) > 1),
    code=code,
    findings=findings,
)
