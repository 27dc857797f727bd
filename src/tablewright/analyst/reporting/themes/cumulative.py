"""Which columns are running totals.

That a column never falls is not enough, as a number of employees may only grow. A running total begins with about one
step, and so it does again where it falls, or its steps stand in another column.
"""

from __future__ import annotations

CUMULATIVE = """
# $say_running
moment = pd.to_datetime($df[$date]$year, errors="coerce")


def running_total(column, entities):
    ordered = numbers[column].iloc[moment.argsort()].dropna()
    growth = ordered.groupby(entities).diff().dropna()
    falls = growth < 0
    if len(growth) < 10 or (growth > 0).mean() <= 0.3 or falls.mean() > 0.2:
        return None
    steps = growth[~falls]
    low = ordered.abs() <= 5 * steps.mean()
    again = low[growth.index[falls]] & (growth[falls] < -ordered[growth.index[falls]].abs())
    if falls.mean() >= 0.01 and (len(steps) < 10 or again.mean() < 0.9):
        return None
    # $say_steps
    others = [numbers[other].loc[steps.index] for other in measures if other != column]
    in_another = any(np.isclose(steps, other, rtol=0.004, atol=0.006).mean() > 0.9 for other in others)
    from_nothing = low.groupby(entities).first().mean() > 0.5
    return bool(in_another or from_nothing)


for column in measures:
    for entities in [$df_labels[name] for name in $things[:1]] + [pd.Series("", index=$df.index)]:
        found = running_total(column, entities)
        if found is not None:
            (running if found else rising).add(column)
rising -= running
"""
