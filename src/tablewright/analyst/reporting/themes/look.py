"""The first look at a table: its size, its faults, values in another unit, columns computed from others."""

from __future__ import annotations

from tablewright.analyst.reporting import charts
from tablewright.analyst.reporting.figures import PLAIN, Figures, number, percent, probability
from tablewright.analyst.reporting.finding import Finding, FindingTable
from tablewright.analyst.reporting.subject import Subject
from tablewright.analyst.reporting.themes.base import YEAR, Measured, Theme, filled
from tablewright.analyst.reporting.themes.cumulative import CUMULATIVE
from tablewright.analyst.reporting.wording import Markdown, enumerated, said
from tablewright.domain.language import Language

_LOAD = """
import json

import numpy as np
import pandas as pd
from scipy import stats

# $say_load
$load
measures = $measures
numbers = $df[measures].apply(pd.to_numeric, errors="coerce").astype(float)

# $say_totals_row
half = numbers.sum() / 2
is_total = np.isclose(numbers, half, rtol=1e-9) & (half > 0).to_numpy()
is_total = is_total.mean(axis=1) > 0.5 if len($df) > 3 and measures else np.zeros(len($df), dtype=bool)
totals_rows = $df[is_total].iloc[:, 0].astype(str).tolist()
$df, numbers = $df[~is_total].reset_index(drop=True), numbers[~is_total].reset_index(drop=True)

# $say_spellings
spellings = {}


def cleaned(name):
    numeric = pd.api.types.is_numeric_dtype($df[name])
    texts = ($df[name].astype("Int64") if numeric else $df[name]).astype("string").str.strip()
    folded = texts.str.normalize("NFKC").str.casefold().str.replace(r"\\s+", "", regex=True)
    usual = texts.groupby(folded).agg(lambda same: same.value_counts().index[0])
    variants = texts.groupby(folded).unique()
    variants = [list(same) for same in variants if len(same) > 1]
    if variants:
        spellings[name] = variants
    return folded.map(usual)


$df_labels = {name: cleaned(name) for name in $groups + $things}

# $say_duplicates
distinct = $df.nunique()
widest = distinct.idxmax()
others = $df.columns.drop(widest).tolist()
same_rest = $df.groupby(others, dropna=False).size() if others else pd.Series([len($df)])
same_row = $df.groupby([*others, widest], dropna=False).size()
same_cell = float(($df[widest].value_counts(normalize=True) ** 2).sum())
repeated = int($df.duplicated().sum())
other_pairs = float((same_rest * (same_rest - 1)).sum() - (same_row * (same_row - 1)).sum()) / 2
expected = other_pairs * same_cell / max(1 - same_cell, 1e-9)
"""

_UNIT = """
def gap_probability(distances, count, others=30):
    # $say_gap
    ordered = np.sort(distances)[::-1]
    spacings = -np.diff(ordered) * np.arange(1, len(ordered))
    rest = spacings[count : count + others]
    if len(rest) < 5 or rest.mean() <= 0:
        return 1.0
    return float(stats.f.sf(spacings[count - 1] / rest.mean(), 2, 2 * len(rest)))


def other_unit(values):
    # $say_unit
    logs = np.log10(values[values > 0])
    middle = logs.median()
    spread = 1.4826 * (logs - middle).abs().median()
    found = None
    for power in (1, 2, 3, -1, -2, -3):
        away = (logs - middle) * np.sign(power)
        width = min(abs(power) / 4, max(2 * spread, 0.05))
        cut = max(abs(power) - 2 * width, abs(power) / 2)
        apart = away[away > cut]
        count, near = len(apart), int((away[away > cut] - abs(power)).abs().le(width).sum())
        valley = int(away.between(abs(power) - 3 * width, abs(power) - width, inclusive="left").sum())
        tolerance = max(0.05, 3 * spread / max(count, 1) ** 0.5)
        if not 3 <= count <= 0.3 * len(logs) or abs(apart.median() - abs(power)) > tolerance or near < 0.8 * count:
            continue
        p = 12 * min(stats.binom.sf(near - 1, near + valley, 0.5), gap_probability(away.clip(lower=0), count))
        if found is None or p < found["p"]:
            found = {"power": power, "count": count, "p": float(min(1, p)), "rows": apart.index}
    return found


$df_clean, units = numbers.copy(), []
for column in measures:
    values = numbers[column].dropna()
    if (values > 0).mean() > 0.5 and len(values) >= 20 and (found := other_unit(values)) is not None:
        usual = values.drop(found["rows"])
        units.append({**found, "column": column, "of": len(values), "median": float(usual.median())})
        units[-1]["examples"] = values[found["rows"]].head(3).tolist()
        del units[-1]["rows"]
        if found["p"] < 0.0005:
            $df_clean.loc[found["rows"], column] = np.nan
"""

_IDENTITIES = """
# $say_identities
head = $df_clean.head(1000)
chance = head.sample(frac=1, random_state=1).set_axis(head.index)
$df_identities = []


def right_rows(result, column):
    valid = result.notna() & head[column].notna()
    close = np.isclose(result[valid], head.loc[valid, column], rtol=0.004, atol=0.006)
    return int(close.sum()), int(valid.sum())


def formulas(whole):
    others = [name for name in measures if name != whole]
    for place, a in enumerate(others):
        for b in others[place + 1 :]:
            yield "+", [a, b], head[a] + head[b], [chance[a] + head[b], head[a] + chance[b]]
            yield "×", [a, b], head[a] * head[b], [chance[a] * head[b], head[a] * chance[b]]
    before = measures[: measures.index(whole)]
    for parts in (before[first:] for first in range(len(before) - 2)):
        yield "+", parts, head[parts].sum(axis=1), [chance[parts].sum(axis=1)]


def checked(whole, sign, parts):
    # $say_shifted
    combined = getattr($df_clean[parts], "sum" if sign == "+" else "prod")(axis=1, min_count=2)
    both = pd.DataFrame({"whole": $df_clean[whole], "result": combined}).dropna()
    wrong = both[~np.isclose(both["result"], both["whole"], rtol=0.004, atol=0.006)]
    found = {"right": len(both) - len(wrong), "of": len(both), "power": 0, "shifted": 0}
    alike = wrong[wrong["whole"] * wrong["result"] > 0]
    powers = np.log10(alike["whole"] / alike["result"])
    tens = powers.round()
    tens = tens[((powers - tens).abs() < 0.002) & tens.between(-4, 4) & (tens != 0)]
    if len(tens):
        power = int(tens.mode().iloc[0])
        rows = tens.index[tens == power]
        found.update(power=power, shifted=len(rows))
        if len(rows) >= $least_shifted:
            $df_clean.loc[rows, whole] = np.nan
    return found


# $say_copies
alike = head.corr().abs()
copies = {
    b: a for place, a in enumerate(measures) for b in measures[place + 1 :]
    if alike.loc[a, b] > 0.9995 and head[[a, b]].dropna().shape[0] >= 10
}
running, rising = set(), set()
$cumulative
$df_left_out, $df_rising = set(copies) | running, rising
for whole in measures:
    for sign, parts, result, by_chance in formulas(whole):
        right, of = right_rows(result, whole)
        if of >= 10 and right >= 0.9 * of and all(right_rows(one, whole)[0] < 0.5 * right for one in by_chance):
            $df_identities.append({"whole": whole, "parts": parts, "sign": sign, **checked(whole, sign, parts)})
            break
"""

_PRINT = """
missing = $df.isna().mean()
print(json.dumps({
    "rows": len($df),
    "columns": $df.shape[1],
    "totals_rows": totals_rows[:5],
    "repeated": repeated,
    "expected": round(expected, 4),
    "repeated_p": float(stats.poisson.sf(repeated - 1, max(expected, 1e-6))) if repeated else 1.0,
    "missing": {name: round(float(share), 4) for name, share in missing[missing > 0].nlargest(8).items()},
    "constant": [name for name, count in distinct.items() if count <= 1][:8],
    "period": $period,
    "units": units,
    "identities": [one for one in $df_identities if one["whole"] not in copies][:6],
    "copies": copies,
    "running": sorted(running),
    "rising": sorted(rising),
    "spellings": {name: variants[:3] for name, variants in spellings.items()},
    "tests": 1 + len(measures),
}, ensure_ascii=False, default=str))
"""

LEAST_SHIFTED = 3
"""So many values that are the same power of ten of what they should be are left out of the rest."""


def code(subject: Subject, language: Language) -> str:
    """Return the code of the first look."""
    period, cumulative = "None", ""
    if subject.date or subject.year:
        cut = ".str[:10]" if subject.date else ""
        period = filled('$df[$date].dropna().agg(["min", "max"]).astype(str)', subject, language) + f"{cut}.tolist()"
        year = "" if subject.date else YEAR
        cumulative = filled(CUMULATIVE, subject, language, year=year)
    parts = [filled(_LOAD, subject, language, load="\n".join(subject.load())), ""]
    parts += [
        filled(part, subject, language, period=period, cumulative=cumulative, least_shifted=str(LEAST_SHIFTED))
        for part in (_UNIT, _IDENTITIES, _PRINT)
    ]
    return "\n".join(parts)


def findings(measured: Measured, step: str, language: Language, figures: Figures = PLAIN) -> list[Finding]:
    """Return faults of the table that a reader has to know before its figures."""
    found: list[Finding] = []
    if measured["repeated"] >= 2:
        found.append(_repeated(measured, step, language))
    found += [_unit(unit, step, language, figures) for unit in measured["units"]]
    if measured["spellings"]:
        found.append(_spellings(measured["spellings"], step, language))
    found += [_broken(one, step, language) for one in measured["identities"] if one["right"] < one["of"]]
    missing = {name: share for name, share in measured["missing"].items() if share >= 0.05}
    if missing:
        found.append(_missing(missing, step, language))
    return found


def _repeated(measured: Measured, step: str, language: Language) -> Finding:
    p, share = float(measured["repeated_p"]), measured["repeated"] / measured["rows"]
    words = said(
        "report.duplicates",
        language,
        count=number(measured["repeated"]),
        rows=number(measured["rows"]),
        share=percent(share),
        expected=number(measured["expected"]),
        p=probability(p),
    )
    return Finding(kind="duplicates", columns=(), text=words, weight=0.8 + min(0.15, share), step=step, p=p)


def _unit(unit: Measured, step: str, language: Language, figures: Figures) -> Finding:
    power = int(unit["power"])
    words = said(
        f"report.unit_{'large' if power > 0 else 'small'}",
        language,
        column=unit["column"],
        count=number(unit["count"]),
        of=number(unit["of"]),
        factor=number(10 ** abs(power)),
        median=figures.one(unit["column"], unit["median"]),
        examples=enumerated(figures.alike(unit["column"], unit["examples"]), language),
        p=probability(unit["p"]),
    )
    usual, example = said("report.chart.usual", language), said("report.chart.example", language)
    rows = ((usual, unit["median"]), *((example, value) for value in unit["examples"]))
    columns = (said("report.table.what", language), unit["column"])
    table = FindingTable(columns=columns, rows=rows, measures=((1, unit["column"]),), figures=figures)
    return Finding(kind="unit", columns=(unit["column"],), text=words, weight=0.98, step=step, p=unit["p"], table=table)


def _broken(identity: Measured, step: str, language: Language) -> Finding:
    words = said(
        "report.identity_broken",
        language,
        formula=formula(identity),
        wrong=number(identity["of"] - identity["right"]),
        of=number(identity["of"]),
    )
    if identity.get("shifted"):
        power = int(identity["power"])
        shifted = said(
            f"report.identity_{'large' if power > 0 else 'small'}",
            language,
            count=number(identity["shifted"]),
            column=identity["whole"],
            factor=number(10 ** abs(power)),
        )
        words = Markdown(words + shifted)
    columns = (identity["whole"], *identity["parts"])
    return Finding(kind="identity_broken", columns=columns, text=words, weight=0.85, step=step)


def _spellings(spellings: dict[str, list[list[str]]], step: str, language: Language) -> Finding:
    named = enumerated(
        (
            said("report.spelling", language, column=name, variants=enumerated(same, language))
            for name, variants in spellings.items()
            for same in variants
        ),
        language,
    )
    words = said("report.spellings", language, variants=named)
    return Finding(kind="spellings", columns=tuple(spellings), text=words, weight=0.62, step=step)


def _missing(missing: dict[str, float], step: str, language: Language) -> Finding:
    named = enumerated(
        (said("report.missing_column", language, column=name, share=percent(share)) for name, share in missing.items()),
        language,
    )
    chart = charts.bars(list(missing), [round(share, 4) for share in missing.values()], title=None)
    words = said("report.missing", language, columns=named)
    weight = 0.3 + 0.3 * max(missing.values())
    return Finding(kind="missing", columns=tuple(missing), text=words, weight=weight, step=step, chart=chart)


def formula(identity: Measured) -> str:
    """Return an identity in words: `total = price × quantity`."""
    sign = f" {identity['sign']} "
    return f"{identity['whole']} = {sign.join(identity['parts'])}"


LOOK = Theme(name="look", fits=lambda subject: subject.loaded, code=code, findings=findings)
