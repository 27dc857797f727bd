"""Trend, break and season of each measure, and of how many rows there are, over time.

Each is tested against chance series of the same memory.
"""

from __future__ import annotations

from tablewright.analyst.reporting import charts
from tablewright.analyst.reporting.figures import PLAIN, Figures, change, number, percent, probability
from tablewright.analyst.reporting.finding import Finding
from tablewright.analyst.reporting.subject import Subject
from tablewright.analyst.reporting.themes.base import YEAR, Measured, Theme, filled
from tablewright.analyst.reporting.wording import escaped, said
from tablewright.domain.language import Language

_PERIODS = """
# $say_periods
when = pd.to_datetime($df[$date]$year, errors="coerce")
days = when.dropna().dt.normalize()
gaps = days.drop_duplicates().sort_values().diff().dt.days.dropna()
step_days = gaps.median() if len(gaps) else 0
rows_per_day = len(days) / max(days.nunique(), 1)
span = (days.max() - days.min()).days if len(days) else 0
regular = len(gaps) > 0 and (gaps.between(0.8 * step_days, 1.2 * step_days)).mean() > 0.9
single = rows_per_day < 1.5 and regular
# $say_stepped
stepped = single or (regular and step_days >= 6)
if stepped and step_days >= 27:
    steps = ["M" if step_days < 45 else "Q" if step_days < 135 else "Y"]
elif stepped and step_days >= 6:
    steps = ["W"]
elif span >= 730:
    steps = ["M", "D"]
else:
    steps = ["W" if span >= 200 and not single else "D"]
    steps += ["D"] if steps == ["W"] and span >= 56 else []
cycles = {"M": 12, "Q": 4, "D": 7}


def per_period(values, step, adds):
    # $say_per_period
    grouped = values.groupby(when.dt.to_period(step))
    series, counts = (grouped.sum(min_count=1) if adds else grouped.mean()), grouped.count()
    if len(series) < 2:
        return series.astype(float)
    whole = pd.period_range(series.index.min(), series.index.max(), freq=step)
    if len(series) < 0.7 * len(whole):
        return series.iloc[:0]
    series = series.reindex(whole)
    if not stepped and step != "D":
        # $say_edges
        if (days.min() - whole[0].start_time).days > 1:
            series = series.iloc[1:]
        if (whole[-1].end_time - days.max()).days > 1:
            series = series.iloc[:-1]
    if adds and not stepped:
        series = series.fillna(0) / (series.index.days_in_month if step == "M" else 1)
    return series.dropna()
"""

_MODEL = """
def basis(columns):
    q, r = np.linalg.qr(np.column_stack(columns))
    return q[:, np.abs(np.diag(r)) > 1e-8]


def effects(many, time, phase):
    # $say_effects
    ones, slope = np.ones(len(time)), time / time[-1]
    rest, result = many - many.mean(axis=1, keepdims=True), {}
    dummies = [phase == place for place in np.unique(phase)] if phase is not None else [ones]
    fixed = basis([np.asarray(column, float) for column in dummies])
    cuts = np.unique(np.linspace(0.12, 0.88, min(len(time), 90)) * len(time)).astype(int)
    shapes = np.column_stack([slope, *(np.arange(len(time)) >= cut for cut in cuts)]).astype(float)
    shapes -= fixed @ (fixed.T @ shapes)
    shapes /= np.linalg.norm(shapes, axis=0)
    unseasoned = rest - (rest @ fixed) @ fixed.T
    total = (unseasoned**2).sum(axis=1)
    gains = (unseasoned @ shapes) ** 2
    free, best = len(time) - fixed.shape[1] - 1, 1 + gains[:, 1:].argmax(axis=1)
    for name, gain in (("trend", gains[:, 0]), ("break", gains[:, 1:].max(axis=1))):
        result[name] = gain / np.maximum(total - gain, 1e-12) * free
        result[name + "_share"] = gain / np.maximum(total, 1e-12)
    result["cut"] = cuts[best - 1]
    better = np.where(gains[:, 0] >= gains[:, 1:].max(axis=1), 0, best)
    score = np.take_along_axis(unseasoned @ shapes, better[:, None], axis=1)
    noise = unseasoned - score * shapes[:, better].T
    result["memory"] = (noise[:, 1:] * noise[:, :-1]).sum(axis=1) / np.maximum((noise**2).sum(axis=1), 1e-12)
    if phase is not None:
        slow = basis([ones, slope, slope**2, slope**3])
        quick = rest - (rest @ slow) @ slow.T
        season = basis([np.asarray(column, float) - slow @ (slow.T @ column) for column in dummies[1:]])
        gain, total = ((quick @ season) ** 2).sum(axis=1), (quick**2).sum(axis=1)
        result["season"] = gain / np.maximum(total - gain, 1e-12) * (len(time) - 4 - season.shape[1])
        result["season_share"] = gain / np.maximum(total, 1e-12)
    return result


def chance_series(memory, length, draws, rng):
    noise = rng.standard_normal((draws, length + 50))
    return signal.lfilter([1], [1, -memory], noise, axis=1)[:, 50:]


def tail_probability(value, simulated):
    # $say_tail
    start = np.quantile(simulated, 0.95)
    if value <= start:
        return float((simulated >= value).mean())
    return float(0.05 * np.exp(-(value - start) / (simulated[simulated > start] - start).mean()))


def compared(values, phase):
    time = np.arange(len(values), dtype=float)
    seen = effects(values.to_numpy()[None, :], time, phase)
    # $say_memory
    rng = np.random.default_rng(0)
    grid = np.linspace(0, 0.95, 9)
    seen_of = [effects(chance_series(memory, len(time), 100, rng), time, phase)["memory"] for memory in grid]
    memory = np.interp(seen["memory"][0], np.maximum.accumulate([one.mean() for one in seen_of]), grid)
    memory = min(0.97, memory + np.sqrt((1 - memory**2) / len(time)))
    simulated = effects(chance_series(memory, len(time), 1500, rng), time, phase)
    kinds = [name for name in ("trend", "break", "season") if name in seen]
    chances = {name: tail_probability(seen[name][0], simulated[name]) for name in kinds}
    return {name: (p, float(seen[name + "_share"][0])) for name, p in chances.items()}, int(seen["cut"][0])


def tested(series, step):
    cycle, phase = cycles.get(step, 0), None
    if cycle and len(series) >= 2.5 * cycle:
        phase = {"M": series.index.month, "Q": series.index.quarter, "D": series.index.dayofweek}[step].to_numpy()
    smooth = series.rolling(7, center=True, min_periods=1).median()
    limit = 8 * (series - smooth).abs().median()
    calm = series.clip(smooth - limit, smooth + limit)
    if phase is None:
        return *compared(calm, None), None
    found, cut = compared(series, phase)
    if found["season"][0] >= 0.01:
        # $say_no_season
        plain, cut = compared(calm, None)
        found.update(plain)
    return found, cut, phase
"""

_RUN = """
measured, tests, longest = [], 0, (0, "D")
# $say_rows_in_time
counted = [] if single else [""]
for column in [*(name for name in $measures if name not in $df_left_out), *counted]:
    adds = not column or column in $sums and column not in $df_rising
    values = $df_clean[column] if column else pd.Series(1.0, index=$df.index)
    for step in steps:
        series = per_period(values, step, adds)
        series = series.tail(400)
        longest = max(longest, (len(series), step))
        if len(series) < $least or series.nunique() < 4:
            continue
        effects_seen, cut, phase = tested(series, step)
        if step == "D" and len(steps) > 1:
            effects_seen = {name: found for name, found in effects_seen.items() if name == "season"}
        if column in $df_rising:
            # $say_no_calendar
            effects_seen.pop("season", None)
        tests += len(effects_seen)
        likely = {name: p for name, (p, share) in effects_seen.items() if p < 0.01}
        if not likely:
            continue
        thin = max(1, len(series) // 30)
        edge = max(3, len(series) // 8)
        measured.append({
            "column": column, "adds": adds, "step": step, "per_day": not stepped, "periods": len(series), "p": likely,
            "share": {name: round(share, 3) for name, (p, share) in effects_seen.items()},
            "first": str(series.index[0]), "last": str(series.index[-1]), "mean": float(series.mean()),
            "begin": float(series.head(edge).mean()), "end": float(series.tail(edge).mean()), "edge": edge,
            "at": str(series.index[cut]), "before": float(series.iloc[:cut].mean()),
            "after": float(series.iloc[cut:].mean()),
            "profile": [] if phase is None else [
                [int(place), round(float(value), 4)] for place, value in series.groupby(phase).mean().items()
            ],
            "points": [[str(when_), float(f"{value:.4g}")] for when_, value in series.iloc[::thin].items()],
        })
measured.sort(key=lambda one: min(one["p"].values()))
print(json.dumps({"tests": tests, "steps": steps, "longest": longest, "series": measured[:4]}, ensure_ascii=False))
"""

LEAST_PERIODS = 16
"""In fewer periods, nothing is tested."""

_LEAST_SHARE = {"trend": 0.1, "break": 0.15, "season": 0.15}
"""The part of the movement that an effect must explain to be told."""

_LEAST_CHANGE = 0.02
"""A change of less than this part of the mean matters to nobody."""

_ROWS_WEIGHT = 0.95
"""How many rows there are matters a little less than what they measure, where both change."""

_COUNTED_BY = {"M": "day", "W": "week", "D": "day"}
"""What rows are counted by: those of a month by its days."""


def code(subject: Subject, language: Language) -> str:
    """Return the code that looks for effects over time."""
    year = "" if subject.date else YEAR
    parts = (_PERIODS, _MODEL, _RUN)
    head = "from scipy import signal\n\n"
    return head + "\n\n".join(filled(part, subject, language, year=year, least=str(LEAST_PERIODS)) for part in parts)


def findings(measured: Measured, step: str, language: Language, figures: Figures = PLAIN) -> list[Finding]:
    """Return trends or breaks, and seasons, that explain enough of a measure's movement."""
    found: list[Finding] = []
    for series in measured["series"]:
        p, share = series["p"], series["share"]
        told = [kind for kind in _LEAST_SHARE if kind in p and share[kind] >= _LEAST_SHARE[kind]]
        if "trend" in told and "break" in told:
            told.remove("trend" if share["break"] > share["trend"] + 0.04 else "break")
        for kind in told:
            finding = _MAKERS[kind](series, step, language, figures)
            if finding is not None:
                found.append(finding)
    return found


def _measure(series: Measured, language: Language) -> str:
    """Return what the points of a series are: `sales per day` where months are told by their days."""
    if not series["column"]:
        return said(f"report.time.rows_{_COUNTED_BY[series['step']]}", language)
    if not series["adds"]:
        return said("report.time.mean", language, column=series["column"])
    if series["per_day"] and series["step"] == "M":
        return said("report.time.daily", language, column=series["column"])
    return escaped(series["column"])


def _trend(series: Measured, step: str, language: Language, figures: Figures) -> Finding | None:
    begin, end = float(series["begin"]), float(series["end"])
    first, last = figures.alike(series["column"], [begin, end])
    if abs(end - begin) < _LEAST_CHANGE * abs(series["mean"]):
        return None
    words = said(
        f"report.trend_{'up' if end > begin else 'down'}",
        language,
        column=_measure(series, language),
        begin=first,
        end=last,
        edge=number(series["edge"]),
        change=_change(begin, end),
        first=series["first"],
        last=series["last"],
        share=percent(series["share"]["trend"]),
        p=probability(series["p"]["trend"]),
    )
    weight = 0.55 + 0.4 * min(1.0, float(series["share"]["trend"]))
    return _made("trend", series, words, weight, step, _line(series, language))


def _break(series: Measured, step: str, language: Language, figures: Figures) -> Finding | None:
    before, after = float(series["before"]), float(series["after"])
    earlier, later = figures.alike(series["column"], [before, after])
    if abs(after - before) < _LEAST_CHANGE * abs(series["mean"]):
        return None
    words = said(
        "report.break",
        language,
        column=_measure(series, language),
        at=series["at"],
        before=earlier,
        after=later,
        change=_change(before, after),
        share=percent(series["share"]["break"]),
        p=probability(series["p"]["break"]),
    )
    weight = 0.6 + 0.35 * min(1.0, float(series["share"]["break"]))
    return _made("break", series, words, weight, step, _line(series, language, mark=series["at"]))


def _season(series: Measured, step: str, language: Language, figures: Figures) -> Finding | None:
    profile = sorted(series["profile"], key=lambda entry: float(entry[1]))
    (low, least), (high, most) = profile[0], profile[-1]
    if most - least < _LEAST_CHANGE * abs(series["mean"]):
        return None
    top, bottom = figures.alike(series["column"], [most, least])
    named = {place: said(f"{_PHASES[series['step']]}_{place}", language) for place, _ in series["profile"]}
    words = said(
        "report.season",
        language,
        column=_measure(series, language),
        high=named[high],
        most=top,
        low=named[low],
        least=bottom,
        share=percent(series["share"]["season"]),
        p=probability(series["p"]["season"]),
    )
    names, values = [named[place] for place, _ in series["profile"]], [value for _, value in series["profile"]]
    weight = 0.5 + 0.4 * min(1.0, float(series["share"]["season"]))
    title = series["column"] or _measure(series, language)
    return _made("season", series, words, weight, step, charts.bars(names, values, title=title))


def _made(kind: str, series: Measured, words: str, weight: float, step: str, chart: charts.Option) -> Finding:
    return Finding(
        kind="trend" if kind == "trend" else "break" if kind == "break" else "season",
        columns=(series["column"],) if series["column"] else (),
        text=words,
        weight=weight if series["column"] else weight * _ROWS_WEIGHT,
        step=step,
        p=float(series["p"][kind]),
        chart=chart,
    )


def _line(series: Measured, language: Language, mark: str | None = None) -> charts.Option:
    names, values = [name for name, _ in series["points"]], [value for _, value in series["points"]]
    shown = None if mark is None else max((name for name in names if name <= mark), default=None)
    title = series["column"] or _measure(series, language)
    return charts.line(names, values, title=title, mark=shown)


def _change(before: float, after: float) -> str:
    return change((after - before) / abs(before)) if before and before * after > 0 else number(after - before)


_PHASES = {"M": "words.month", "Q": "report.quarter", "D": "report.weekday"}
_MAKERS = {"trend": _trend, "break": _break, "season": _season}

TIME = Theme(
    name="time",
    fits=lambda subject: subject.tested and bool(subject.date or subject.year),
    code=code,
    findings=findings,
)
