"""Totals, who leads them, and whether one group holds more of them than chance would give it."""

from __future__ import annotations

from tablewright.analyst.reporting import charts
from tablewright.analyst.reporting.figures import PLAIN, Figures, number, percent, probability
from tablewright.analyst.reporting.finding import LEVEL, Finding, FindingTable
from tablewright.analyst.reporting.subject import Subject
from tablewright.analyst.reporting.themes.base import Measured, Theme, filled
from tablewright.analyst.reporting.wording import enumerated, said
from tablewright.domain.language import Language

_CODE = """
# $say_leaders
rng = np.random.default_rng(0)
measured, rows_of = [], []
for group in $groups + $things:
    labels = $df_labels[group]
    counts = labels.value_counts()
    if len(counts) < 3:
        continue
    # $say_rows_even
    by_rows = len(counts) * stats.binom.sf(counts.iloc[0] - 1, counts.sum(), 1 / len(counts))
    rows_of.append({
        "group": group, "groups": len(counts), "of": int(counts.sum()), "p": float(min(1, by_rows)),
        "top": [[name, int(count)] for name, count in counts.head(20).items()],
    })
    for column in [name for name in $sums if name not in $df_left_out | $df_rising]:
        values = $df_clean[column].where(labels.notna()).dropna()
        totals = values.groupby(labels[values.index]).sum().sort_values(ascending=False)
        if (values < 0).any() or totals.sum() <= 0 or len(totals) < 3:
            continue
        # $say_permutation
        codes, names = pd.factorize(labels[values.index])
        expected = np.bincount(codes) / len(codes)
        excess = np.bincount(codes, values) / values.sum() - expected
        draws = np.array([
            (np.bincount(codes, rng.permutation(values.to_numpy())) / values.sum() - expected).max() for _ in range(300)
        ])
        leader = totals.index[0]
        over, start = float(excess[names.get_loc(leader)]), np.quantile(draws, 0.9)
        p = float((draws >= over).mean())
        if over > start and len(names) < len(values):
            p = float(0.1 * np.exp(-(over - start) / (draws[draws > start] - start).mean()))
        measured.append({
            "column": column, "group": group, "groups": len(totals), "rows": len(values),
            "total": float(values.sum()), "top": [[name, float(value)] for name, value in totals.head(20).items()],
            "share": float(totals.iloc[0] / totals.sum()), "rows_share": float(counts[leader] / counts.sum()),
            "p_values": p,
        })
tests = len(rows_of) + len(measured)
measured = measured[:2] + sorted(measured[2:], key=lambda one: one["p_values"])[:6]
print(json.dumps({"tests": tests, "totals": measured, "rows": rows_of}, ensure_ascii=False))
"""

_BARS = 8
"""The most bars of a chart; the table has more rows."""

_LEADS = ((0.35, 1.8), (0.15, 5.0))
"""The share that a group must hold to dominate, and how many times the even share: one such pair is enough."""


def code(subject: Subject, language: Language) -> str:
    """Return the code that adds up."""
    return filled(_CODE, subject, language)


def findings(measured: Measured, step: str, language: Language, figures: Figures = PLAIN) -> list[Finding]:
    """Return the groups that dominate, by their values or by their number, and of the totals the first."""
    by_values = [one for one in measured["totals"] if _dominates(one)]
    found = [_dominant(one, step, language, figures) for one in by_values]
    found += [_many_rows(one, step, language) for one in measured["rows"] if _frequent(one, by_values)]
    told = {finding.columns for finding in found}
    totals = [one for one in measured["totals"] if (one["group"], one["column"]) not in told]
    if totals:
        found.append(_leaders(min(totals, key=_plainness), step, language, figures))
    return found


def _dominates(one: Measured) -> bool:
    """Return whether a group leads by more than it has rows."""
    return (
        _lead(one["share"], one["groups"]) and one["groups"] < one["rows"] and one["share"] >= 1.2 * one["rows_share"]
    )


def _frequent(one: Measured, by_values: list[Measured]) -> bool:
    """Return whether a group has so many rows that it leads, and this is not told of its values already."""
    told = any(other["group"] == one["group"] and other["p_values"] < LEVEL / 100 for other in by_values)
    return _lead(one["top"][0][1] / one["of"], one["groups"]) and not told


def _plainness(one: Measured) -> tuple[bool, bool, int]:
    """Return what a first total is chosen by: groups of several rows, few enough to be seen at once."""
    return one["groups"] == one["rows"], one["groups"] > 12, -int(one["groups"])


def _lead(share: float, groups: int) -> bool:
    return any(share >= max(least, times / groups) for least, times in _LEADS)


def _dominant(one: Measured, step: str, language: Language, figures: Figures) -> Finding:
    p = float(one["p_values"])
    leader, most = one["top"][0]
    value, total = figures.alike(one["column"], [most, one["total"]])
    words = said(
        "report.dominant",
        language,
        leader=leader,
        group=one["group"],
        column=one["column"],
        share=percent(one["share"]),
        value=value,
        total=total,
        rows=percent(one["rows_share"]),
        even=percent(1 / one["groups"]),
        groups=number(one["groups"]),
        p=probability(p),
    )
    columns = (one["group"], one["column"])
    weight = 0.6 + 0.35 * float(one["share"])
    return Finding(
        kind="dominant",
        columns=columns,
        text=words,
        weight=weight,
        step=step,
        p=p,
        chart=_chart(one, one["column"]),
        table=_table(one, one["column"], one["total"], language, figures),
    )


def _many_rows(one: Measured, step: str, language: Language) -> Finding:
    leader, most = one["top"][0]
    words = said(
        "report.dominant_rows",
        language,
        leader=leader,
        group=one["group"],
        share=percent(most / one["of"]),
        count=number(most),
        of=number(one["of"]),
        even=percent(1 / one["groups"]),
        groups=number(one["groups"]),
        p=probability(one["p"]),
    )
    weight = 0.4 + 0.35 * most / one["of"]
    return Finding(
        kind="dominant",
        columns=(one["group"],),
        text=words,
        weight=weight,
        step=step,
        p=one["p"],
        chart=_chart(one, one["group"]),
        table=_table(one, said("report.table.rows", language), one["of"], language),
    )


def _leaders(one: Measured, step: str, language: Language, figures: Figures) -> Finding:
    first = one["top"][:3]
    total, *written = figures.alike(one["column"], [one["total"], *(value for _, value in first)])
    top = enumerated(
        (
            said("report.leader", language, name=name, value=told, share=percent(value / one["total"]))
            for (name, value), told in zip(first, written, strict=True)
        ),
        language,
    )
    words = said(
        "report.leaders",
        language,
        column=one["column"],
        total=total,
        group=one["group"],
        groups=number(one["groups"]),
        top=top,
    )
    return Finding(
        kind="leaders",
        columns=(one["group"], one["column"]),
        text=words,
        weight=0.35,
        step=step,
        chart=_chart(one, one["column"]),
        table=_table(one, one["column"], one["total"], language, figures),
    )


def _chart(one: Measured, title: str) -> charts.Option:
    top = one["top"][:_BARS]
    return charts.bars([name for name, _ in top], [value for _, value in top], title=title)


def _table(one: Measured, measure: str, total: float, language: Language, figures: Figures = PLAIN) -> FindingTable:
    """Return the groups that lead, with their shares."""
    rows = tuple((name, value, value / total) for name, value in one["top"])
    columns = (one["group"], measure, said("report.table.share", language))
    return FindingTable(columns=columns, rows=rows, shares=(2,), measures=((1, measure),), figures=figures)


LEADERS = Theme(
    name="leaders",
    fits=lambda subject: subject.loaded and bool(subject.groups or subject.things),
    code=code,
    findings=findings,
)
