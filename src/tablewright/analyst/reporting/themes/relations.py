"""The strongest relations between measures, without those that time or arithmetic makes."""

from __future__ import annotations

from tablewright.analyst.reporting import charts
from tablewright.analyst.reporting.figures import PLAIN, Figures, number, probability
from tablewright.analyst.reporting.finding import Finding
from tablewright.analyst.reporting.subject import Subject
from tablewright.analyst.reporting.themes.base import Measured, Theme, filled
from tablewright.analyst.reporting.wording import enumerated, said
from tablewright.domain.language import Language

_CODE = """
# $say_time_out
moment = $moment
order = moment.argsort() if moment is not None else np.arange(len($df))
ranks = $df_clean.iloc[order].rank().reset_index(drop=True)
if moment is not None:
    place = np.linspace(-1, 1, len(ranks))
    curve = np.column_stack([place**power for power in range(4)])
    for column in ranks:
        known = ranks[column].notna()
        weights = np.linalg.lstsq(curve[known], ranks.loc[known, column], rcond=None)[0]
        ranks.loc[known, column] -= curve[known] @ weights

# $say_same_whole
family = [{one["whole"], *one["parts"]} for one in $df_identities]
measured, computed, same, tests = [], [], set(), 0
measures = [column for column in $measures if column not in $df_left_out and $df_clean[column].nunique() > 1]
for place, a in enumerate(measures):
    for b in measures[place + 1 :]:
        both = ranks[[a, b]].dropna()
        if len(both) < 20 or {a, b} & same or any({a, b} <= names for names in family):
            continue
        r = float(both[a].corr(both[b]))
        straight = float($df_clean[a].corr($df_clean[b]))
        if abs(r) > 0.985 or abs(straight) > 0.999:
            computed.append([a, b, round(r, 3)])
            same.add(b)
            continue
        tests += 1
        # $say_memory
        memory = max(0.0, both[a].autocorr(1) * both[b].autocorr(1)) if moment is not None else 0.0
        free = max(3.0, len(both) * (1 - memory) / (1 + memory) - (5 if moment is not None else 2))
        p = float(2 * stats.t.sf(abs(r) * np.sqrt(free / (1 - r * r)), free))
        if p < 0.01 and abs(r) >= 0.25:
            measured.append({"a": a, "b": b, "r": r, "p": p, "rows": len(both), "dated": moment is not None})
measured.sort(key=lambda one: -abs(one["r"]))
for one in measured[:12]:
    few = $df_clean[[one["a"], one["b"]]].dropna()
    few = few.sample(min(25, len(few)), random_state=0)
    one["points"] = [[float(f"{x:.4g}"), float(f"{y:.4g}")] for x, y in few.to_numpy()]
print(json.dumps({"tests": tests, "relations": measured[:12], "computed": computed[:6]}, ensure_ascii=False))
"""


_MOST = 3
_TOGETHER = 0.6
"""Rank correlation from which columns are told as moving together."""


def code(subject: Subject, language: Language) -> str:
    """Return the code that correlates the measures."""
    moment = filled("$df[$date]", subject, language) if subject.date or subject.year else "None"
    return filled(_CODE, subject, language, moment=moment)


def findings(measured: Measured, step: str, language: Language, _: Figures = PLAIN) -> list[Finding]:
    """Return the strongest relations; of columns that all move together, one finding in all."""
    found: list[Finding] = []
    seen: set[str] = set()
    for one in measured["relations"]:
        if len(found) < _MOST and not {one["a"], one["b"]} <= seen:
            together = _together(one, measured["relations"])
            found.append(_cluster(together, step, language) if len(together) > 1 else _finding(one, step, language))
            seen |= {name for each in together for name in (each["a"], each["b"])}
    return found


def _together(first: Measured, relations: list[Measured]) -> list[Measured]:
    """Return the strong relations that hang together with `first`."""
    if abs(first["r"]) < _TOGETHER:
        return [first]
    names, found = {first["a"], first["b"]}, [first]
    for _ in relations:
        for one in relations:
            if one not in found and abs(one["r"]) >= _TOGETHER and names & {one["a"], one["b"]}:
                found.append(one)
                names |= {one["a"], one["b"]}
    return found


def _cluster(together: list[Measured], step: str, language: Language) -> Finding:
    first = together[0]
    names = dict.fromkeys(name for one in together for name in (one["a"], one["b"]))
    sizes, p = [abs(float(one["r"])) for one in together], max(float(one["p"]) for one in together)
    words = said(
        "report.relation_cluster",
        language,
        columns=enumerated(names, language),
        pairs=number(len(together)),
        low=number(round(min(sizes), 2)),
        high=number(round(max(sizes), 2)),
        a=first["a"],
        b=first["b"],
        rows=number(first["rows"]),
        p=probability(p),
    )
    after = said("report.relation_dated", language) if first["dated"] else ""
    chart = charts.points(first["points"], x=first["a"], y=first["b"])
    weight = 0.4 + 0.5 * max(sizes)
    return Finding(
        kind="correlation", columns=tuple(names), text=words + after, weight=weight, step=step, p=p, chart=chart
    )


def _finding(one: Measured, step: str, language: Language) -> Finding:
    after = said("report.relation_dated", language) if one["dated"] else ""
    words = said(
        f"report.relation_{'same' if one['r'] > 0 else 'opposite'}",
        language,
        a=one["a"],
        b=one["b"],
        r=number(round(one["r"], 2)),
        rows=number(one["rows"]),
        p=probability(one["p"]),
    )
    chart = charts.points(one["points"], x=one["a"], y=one["b"])
    weight = 0.4 + 0.5 * abs(float(one["r"]))
    columns = (one["a"], one["b"])
    return Finding(
        kind="correlation", columns=columns, text=words + after, weight=weight, step=step, p=one["p"], chart=chart
    )


RELATIONS = Theme(
    name="relations", fits=lambda subject: subject.tested and len(subject.measures) > 1, code=code, findings=findings
)
