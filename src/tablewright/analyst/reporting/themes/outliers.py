"""Values that lie further out than the tail of all others would carry.

To the values of one side of the median, but for those that are suspected, a Student distribution is fitted, cut where
the suspects begin. Of all that fit nearly as well as the best, the one with the heaviest tail decides.
"""

from __future__ import annotations

from tablewright.analyst.reporting import charts
from tablewright.analyst.reporting.figures import PLAIN, Figures, number, probability
from tablewright.analyst.reporting.finding import Finding, FindingTable
from tablewright.analyst.reporting.subject import Subject
from tablewright.analyst.reporting.themes.base import Measured, Theme, filled
from tablewright.analyst.reporting.wording import enumerated, said
from tablewright.analyst.writing.literals import literal
from tablewright.domain.language import Language
from tablewright.domain.table import Cell

_CODE = """
degrees = np.array([0.7, 1, 1.5, 2, 3, 4, 6, 10, 20, 1000])


def outside(values, side):
    # $say_scale
    if (values % 1 == 0).all():
        # $say_whole
        values = values + np.random.default_rng(0).uniform(-0.5, 0.5, len(values))
    low, middle, high = values.quantile([0.05, 0.5, 0.95])
    most, found = min(10, max(3, len(values) // 20)), None
    # $say_skewed
    skewed = values.sort_values().iloc[:-most].skew() > 0.5 and high - middle > 1.3 * (middle - low)
    scaled = np.log(values) if skewed and (values > 0).all() else values
    away = (scaled - scaled.median()) * side
    width, distance = 1.4826 * away.abs().median(), away[away > 0].sort_values(ascending=False)
    for count in range(1, most + 1):
        if width == 0 or len(distance) < 15 + count or distance.iloc[count - 1] < 4 * width:
            break
        # $say_tail
        last = distance.iloc[count - 1]
        rest = distance[distance < last].to_numpy()
        if len(rest) < 15:
            break
        parts = min(len(rest), 400)
        points = np.quantile(rest, (np.arange(parts) + 0.5) / parts)
        scales = np.median(rest) / stats.t.ppf(0.75, degrees)[:, None] * np.exp(np.linspace(-1, 1, 25))
        density = stats.t.logpdf(points / scales[..., None], degrees[:, None, None]).mean(-1) - np.log(scales)
        fit = len(rest) * (density - np.log(stats.t.cdf(last / scales, degrees[:, None]) - 0.5))
        # $say_heaviest
        beyond = 2 * stats.t.sf(last / scales, degrees[:, None])[fit >= fit.max() - 1].max()
        p = most * float(stats.binom.sf(count - 1, len(distance), beyond))
        if found is None or p < found[0]:
            found = (p, distance.index[:count], float(last / width))
    return found


measured, tests = [], 0
for column in [name for name in $measures if name not in $df_left_out]:
    values = $df_clean[column].dropna()
    if values.nunique() < 8 or len(values) < 20:
        continue
    tests += 2
    both = [found for side in (1, -1) if (found := outside(values, side)) is not None]
    found = min(both, key=lambda one: one[0], default=None)
    if found is not None and found[0] < 0.01:
        p, rows, deviations = found
        usual = values.drop(rows)
        label = $df.loc[rows, $label].astype(str) if $label else pd.Series("", index=rows)
        measured.append({
            "column": column, "p": min(1.0, p), "deviations": deviations, "of": len(values), "count": len(rows),
            "label": $label, "values": [[int(row), label[row], float(values[row])] for row in rows],
            "median": float(usual.median()), "low": float(usual.min()), "high": float(usual.max()),
            "points": [float(f"{value:.4g}") for value in usual.sort_values().iloc[:: max(1, len(usual) // 40)]],
        })
measured.sort(key=lambda one: one["p"])
print(json.dumps({"tests": tests, "outliers": measured[:4]}, ensure_ascii=False))
"""


_SAID = 5
"""So many values are said; the table has all of them."""


def code(subject: Subject, language: Language) -> str:
    """Return the code that looks for values far from all others."""
    label = next(iter((*subject.things, *((subject.date,) if subject.date else ()))), None)
    return filled(_CODE, subject, language, label=literal(label))


def findings(measured: Measured, step: str, language: Language, figures: Figures = PLAIN) -> list[Finding]:
    """Return the outlying values of each column."""
    return [_finding(one, step, language, figures) for one in measured["outliers"]]


def _finding(one: Measured, step: str, language: Language, figures: Figures) -> Finding:
    far = one["values"][:_SAID]
    usual = [one["low"], one["high"], one["median"]]
    low, high, median, *written = figures.alike(one["column"], [*usual, *(value for *_, value in far)])
    told = zip(far, written, strict=True)
    values = enumerated((_value(row, label, value, language) for (row, label, _), value in told), language)
    words = said(
        "report.outlier",
        language,
        column=one["column"],
        count=number(one["count"]),
        values=values,
        deviations=number(round(one["deviations"], 1)),
        low=low,
        high=high,
        median=median,
        p=probability(one["p"]),
    )
    near = [[place, value] for place, value in enumerate(one["points"])]
    apart = [[len(near) + place, value] for place, (*_, value) in enumerate(sorted(one["values"], key=lambda v: v[2]))]
    chart = charts.points([*near, *apart], x=said("report.chart.rank", language), y=one["column"])
    weight = 0.5 + 0.3 * min(1.0, one["deviations"] / 30)
    return Finding(
        kind="outlier",
        columns=(one["column"],),
        text=words,
        weight=weight,
        step=step,
        p=one["p"],
        chart=chart,
        table=_table(one, language, figures),
    )


def _table(one: Measured, language: Language, figures: Figures) -> FindingTable:
    """Return the rows of the outlying values, counted from 1."""
    row = said("report.table.row", language)
    if one["label"] is None:
        rows: tuple[tuple[Cell, ...], ...] = tuple((place + 1, value) for place, _, value in one["values"])
        return FindingTable(columns=(row, one["column"]), rows=rows, measures=((1, one["column"]),), figures=figures)
    rows = tuple((place + 1, label, value) for place, label, value in one["values"])
    columns = (row, one["label"], one["column"])
    return FindingTable(columns=columns, rows=rows, measures=((2, one["column"]),), figures=figures)


def _value(row: int, label: str, value: str, language: Language) -> str:
    if label:
        return said("report.outlier_value", language, value=value, label=label)
    return said("report.outlier_row", language, value=value, row=row + 1)


OUTLIERS = Theme(
    name="outliers", fits=lambda subject: subject.tested and bool(subject.measures), code=code, findings=findings
)
