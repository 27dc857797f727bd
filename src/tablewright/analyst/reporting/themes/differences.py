"""Differences between groups: in the level of a measure, tested by ranks, and in how often one of two things is so."""

from __future__ import annotations

from tablewright.analyst.reporting import charts
from tablewright.analyst.reporting.figures import PLAIN, Figures, change, number, percent, probability
from tablewright.analyst.reporting.finding import Finding, FindingTable
from tablewright.analyst.reporting.lookups import Lookup
from tablewright.analyst.reporting.subject import Subject
from tablewright.analyst.reporting.themes import shares
from tablewright.analyst.reporting.themes.base import Measured, Theme, filled
from tablewright.analyst.reporting.wording import Markdown, said
from tablewright.analyst.writing.literals import listed, quoted
from tablewright.domain.language import Language

_CODE = """
# $say_differences
measured, tests = [], 0
compared = [name for name in $measures if name not in $df_left_out]
grouped = [(group, $df_labels[group], $df_clean[compared], None) for group in $groups]
$lookups
for group, labels, numbers_of, over in grouped:
    large = labels.value_counts()
    large = large[large >= 5].index
    if not 2 <= len(large) <= 20:
        continue
    for column in compared:
        values = numbers_of[column].where(labels.isin(large)).dropna()
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
                "group": group, "column": column, "over": over, "p": float(test.pvalue), "explained": explained,
                "rows": len(values), "apart": apart, "count": int(sizes[apart]),
                "middle": middle, "value": float(middles[apart]), "others": float(rest.agg(middle)),
                "middles": [[name, float(value)] for name, value in middles.items()],
            })
measured.sort(key=lambda one: -one["explained"])
measured = [one for place, one in enumerate(measured) if [x["group"] for x in measured[:place]].count(one["group"]) < 2]
"""

_LOOKUP = """
# $say_lookup
$load
keys = $df[$reference].convert_dtypes().astype("string").str.strip()
each = $df_clean[compared].groupby(keys).median().reindex($known.index)
grouped += [(group, $known[group], each, [$table, $reference]) for group in $found]
"""

_PRINT = """
print(json.dumps({"tests": tests, "differences": measured[:4], "shares": shares[:3]}, ensure_ascii=False))
"""

_LAST = (shares.CODE, _PRINT)
_LEAST_EXPLAINED = 0.05


def code(subject: Subject, language: Language) -> str:
    """Return the code that compares groups."""
    looked = "\n".join(_looked(one, place, subject, language) for place, one in enumerate(subject.lookups))
    parts = (filled(_CODE, subject, language, lookups=looked), *(filled(one, subject, language) for one in _LAST))
    return "\n".join(parts)


def _looked(lookup: Lookup, place: int, subject: Subject, language: Language) -> str:
    """Return the code that looks groups up in another table. A value of the key counts once however many rows refer to
    it: rows of one customer are alike."""
    known = f"{subject.variable}_known_{place}"
    return filled(
        _LOOKUP,
        subject,
        language,
        load="\n".join(lookup.load(known)),
        known=known,
        reference=quoted(lookup.reference),
        table=quoted(lookup.table.name),
        found=listed(lookup.groups),
    )


def findings(measured: Measured, step: str, language: Language, figures: Figures = PLAIN) -> list[Finding]:
    """Return the differences that explain enough of a measure."""
    found = [
        _finding(one, step, language, figures)
        for one in measured["differences"]
        if one["explained"] >= _LEAST_EXPLAINED
    ]
    return found + [shares.finding(one, step, language) for one in measured["shares"]]


def _finding(one: Measured, step: str, language: Language, figures: Figures) -> Finding:
    others = float(one["others"])
    apart = (one["value"] - others) / abs(others) if others else 0.0
    two = next((name for name, _ in one["middles"] if name != one["apart"]), "") if len(one["middles"]) == 2 else ""
    written = figures.alike(one["column"], [one["value"], others, one["value"] - others])
    words = said(
        f"report.{'two_groups' if two else 'difference'}_{one['middle']}",
        language,
        other=two,
        group=one["group"],
        column=one["column"],
        apart=one["apart"],
        value=written[0],
        others=written[1],
        change=change(apart) if others * one["value"] > 0 else written[2],
        explained=percent(one["explained"]),
        rows=number(one["rows"]),
        p=probability(one["p"]),
    )
    if one.get("over"):
        table, key = one["over"]
        words = Markdown(words + said("report.looked_up", language, group=one["group"], table=table, key=key))
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
        table=FindingTable(
            columns=(one["group"], middle),
            rows=tuple(map(tuple, one["middles"])),
            measures=((1, one["column"]),),
            figures=figures,
        ),
    )


def _fits(subject: Subject) -> bool:
    several = bool(subject.measures) and bool(subject.groups or subject.lookups)
    return subject.tested and (several or len(subject.groups) > 1)


DIFFERENCES = Theme(name="differences", fits=_fits, code=code, findings=findings)
