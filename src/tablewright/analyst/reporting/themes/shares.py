"""Differences between groups in how often one of two things is so: came or not, defective or not."""

from __future__ import annotations

from tablewright.analyst.reporting import charts
from tablewright.analyst.reporting.figures import number, percent, probability
from tablewright.analyst.reporting.finding import Finding, FindingTable
from tablewright.analyst.reporting.themes.base import Measured
from tablewright.analyst.reporting.wording import said
from tablewright.domain.language import Language

CODE = """
# $say_shares
shares, pairs = [], [name for name in $groups if $df_labels[name].nunique() == 2]
for outcome in pairs:
    # $say_rarer
    rarer = $df_labels[outcome].value_counts().index[-1]
    for group in $groups:
        if group == outcome or group in pairs[: pairs.index(outcome)]:
            continue
        both = pd.DataFrame({"group": $df_labels[group], "level": $df_labels[outcome]}).dropna()
        sizes = both["group"].value_counts()
        both = both[both["group"].isin(sizes[sizes >= 10].index)]
        counts = pd.crosstab(both["group"], both["level"] == rarer)
        if not 2 <= len(counts) <= 20 or counts.shape[1] != 2:
            continue
        test = stats.chi2_contingency(counts, correction=False)
        if test.expected_freq.min() < 3:
            continue
        tests += 1
        strength = float(np.sqrt(test.statistic / len(both)))
        if test.pvalue < 0.01 and 0.12 <= strength < 0.98:
            rates = (counts[True] / counts.sum(axis=1)).sort_values(ascending=False)
            away = (rates - counts[True].sum() / len(both)) * np.sqrt(counts.sum(axis=1))
            apart = away.abs().idxmax()
            rest = counts.drop(index=apart)
            shares.append({
                "outcome": outcome, "level": rarer, "group": group, "p": float(test.pvalue), "strength": strength,
                "rows": len(both), "apart": apart, "value": float(rates[apart]),
                "others": float(rest[True].sum() / rest.to_numpy().sum()),
                "rates": [[name, float(rate), int(counts.loc[name].sum())] for name, rate in rates.items()],
            })
shares.sort(key=lambda one: -one["strength"])
"""


def finding(one: Measured, step: str, language: Language) -> Finding:
    """Return what is said of one pair of columns."""
    words = said(
        "report.share_differs",
        language,
        group=one["group"],
        apart=one["apart"],
        outcome=one["outcome"],
        level=one["level"],
        value=percent(one["value"]),
        others=percent(one["others"]),
        rows=number(one["rows"]),
        p=probability(one["p"]),
    )
    title = said("report.table.level", language, outcome=one["outcome"], level=one["level"])
    rates = one["rates"][:12]
    share = said("report.table.share", language)
    return Finding(
        kind="rate",
        columns=(one["group"], one["outcome"]),
        text=words,
        weight=0.5 + 0.45 * min(1.0, 2 * float(one["strength"])),
        step=step,
        p=one["p"],
        chart=charts.bars([name for name, *_ in rates], [100 * rate for _, rate, _ in rates], title=f"{title} (%)"),
        table=FindingTable(
            columns=(one["group"], f"{title}: {share}", said("report.table.rows", language)),
            rows=tuple(map(tuple, one["rates"])),
            shares=(1,),
        ),
    )
