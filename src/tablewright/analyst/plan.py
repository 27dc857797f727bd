"""The logical plan: what a question asks of tables, as a small relational algebra.

A plan is a tree of relations over data sets; `writing` turns it into pandas code, with one step per relation worth
naming. Columns have the names given in the facts. Nothing here depends on a natural language or a library.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from tablewright.analyst.plan_values import (
    AggregateName,
    AllOf,
    AnyOf,
    Between,
    Bucket,
    Case,
    Col,
    Compare,
    Condition,
    Cut,
    Expr,
    Func,
    Lit,
    Matches,
    Math,
    Missing,
    Not,
    OneOf,
    Statistic,
    TimeUnit,
)
from tablewright.domain.chart import ChartKind
from tablewright.domain.table import Cell

# ---- relations ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """An expression and the name of its column in the result."""

    name: str
    of: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """A named aggregate of `of`, or of whole rows if `of` is None; `where` restricts the rows that this aggregate
    sees."""

    name: str
    function: AggregateName
    of: Expr | None = None
    where: Condition | None = None
    argument: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A data set, by its id in the facts."""

    dataset_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Filter:
    """The rows for which `where` holds."""

    source: Relation
    where: Condition


@dataclass(frozen=True, slots=True, kw_only=True)
class Derive:
    """New columns beside the existing ones."""

    source: Relation
    columns: tuple[Named, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Aggregate:
    """One row per group, or a single row if there are no groups. Groups with a missing key are left out unless
    `keep_missing`."""

    source: Relation
    groups: tuple[Named, ...]
    measures: tuple[Measure, ...]
    keep_missing: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Share:
    """A new column `name`: `column` as a fraction of its sum, or of the sum per group of `within` if given; ×100 if
    `percent`."""

    source: Relation
    column: str
    name: str
    within: tuple[str, ...] = ()
    percent: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Shift:
    """A new column `name`: the change in `column` from the row `periods` earlier, as a difference or a growth rate
    (×100), or its running sum (`periods` unused)."""

    source: Relation
    column: str
    name: str
    how: Literal["difference", "growth", "cumulative"]
    periods: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Sort:
    """Rows in order, sorted stably; each key is a column of the relation and whether it descends."""

    source: Relation
    keys: tuple[tuple[str, bool], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Top:
    """The first `count` rows by a column, including all that tie with the last of them unless `ties` is False.
    `offset` skips ranks, counted on distinct values (the second highest: offset 1, count 1); `within` ranks inside
    groups."""

    source: Relation
    by: str
    count: int
    descending: bool = True
    ties: bool = True
    offset: int = 0
    within: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Position:
    """Rows by position: the first `count` (the last if negative) after skipping `offset`."""

    source: Relation
    count: int
    offset: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Project:
    """Only these values, in this order; `distinct` drops duplicate rows."""

    source: Relation
    columns: tuple[Named, ...]
    distinct: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Pivot:
    """The values of `column` turned into columns, filled with `value`."""

    source: Relation
    index: tuple[str, ...]
    column: str
    value: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Join:
    """Rows of two relations matched on equal keys. A right-hand column that also exists on the left, and is not a
    common key, gets the suffix `_2`."""

    left: Relation
    right: Relation
    on: tuple[tuple[str, str], ...]
    how: Literal["inner", "left", "outer"] = "inner"


@dataclass(frozen=True, slots=True, kw_only=True)
class Concat:
    """Rows of several relations, one after another; columns are matched by position."""

    sources: tuple[Relation, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Combine:
    """One number computed from two one-cell relations: `ratio` is left / right, `percent` the same × 100,
    `percent_change` (right - left) / left × 100."""

    op: Literal["difference", "absolute_difference", "sum", "ratio", "percent", "percent_change"]
    left: Relation
    right: Relation
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Fill:
    """Missing values of a column replaced by a statistic (within groups), a constant, the value before or after, or
    interpolation between neighbours; or their rows dropped."""

    source: Relation
    column: str
    how: Literal["mean", "median", "mode", "constant", "drop", "forward", "backward", "interpolate"]
    value: Cell = None
    within: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Procedure:
    """A named statistical procedure over columns; rows with a missing value in any of them are left out. `options` are
    its parameters by name (defaults first). The result is one table with exactly these columns:

    - `describe`: a row per column: `column, count, mean, std, min, 25%, 50%, 75%, max`.
    - `columns`: a row per column, in table order: `column, filled, distinct`.
    - `missing`: a row per column (all without `columns`), in table order: `column, missing, percent`.
    - `duplicates`: one row: `count` of rows that repeat an earlier one (in `columns`, or whole rows).
    - `correlation` of two columns: one row: `correlation, p_value, count`; `method`: pearson|spearman|kendall.
    - `correlations` of the first column with each other one: `column, correlation, p_value`, strongest first; `method`.
    - `outliers` of one column: the source's rows that are outliers (all columns, source order), preceded by `row` (the
      position in the table as loaded, from 0); `method`: iqr (`factor` 1.5) | zscore (`threshold` 3, population std);
      `keep`: outliers|inliers (inliers: the rows that are not outliers, missing values left out).
    - `outlier_bounds` of one column: one row: `lower, upper`; same options.
    - `normality` of one column: one row: `statistic, p_value, normal` (boolean, by `alpha` 0.05); `method`:
      shapiro|ks (against the normal with the sample's mean and std)|anderson (p_value None, critical
      value)|dagostino|jarque_bera.
    - `t_test` of (value, group) with two groups, named by the options `first` and `second`, else the two values found:
      one row: `statistic, p_value, mean_1, mean_2, std_1, std_2`; `equal_var`: True|False. With option `paired` or
      `two_columns` the two columns are the samples. `mann_whitney` has the same form.
    - `anova`, `kruskal`, `levene`, `bartlett` of (value, group): one row: `statistic, p_value`.
    - `chi_square` of two columns: one row: `statistic, p_value, degrees`.
    - `regression`: the first column is the target, the others the features (text is one-hot encoded; rows with missing
      values dropped): one row: `mse, rmse, mae, r_squared, accuracy, intercept` then `coef_<column>` per feature
      (linear
      models); `model`: linear|logistic|random_forest|decision_tree|ridge|lasso; `test_share` (0: trained and measured
      on all), `seed` 42, `trees` 100, `classify` False.
    - `neighbour` of one column: the row (all columns) `offset` places after (before, when negative) the row whose cell
      equals `value`: after the last such row, before the first one; no row beyond the ends.
    - `correlation_pairs` of every pair of the columns: `pair` (`A, B`), `correlation, p_value`, strongest first;
    `method`.
    - `longest_run` of one column: one number, `count`: the largest number of consecutive rows where it is above zero.
    - `correlation_matrix`: `column` then one column per column; `method`.
    """

    source: Relation
    name: str
    columns: tuple[str, ...]
    options: dict[str, Cell] = field(default_factory=dict[str, Cell])


Relation = (
    Source
    | Filter
    | Derive
    | Aggregate
    | Share
    | Shift
    | Sort
    | Top
    | Position
    | Project
    | Pivot
    | Join
    | Concat
    | Combine
    | Fill
    | Procedure
)

# ---- the plan -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawing:
    """A chart of the part's relation; `x`, `y` and `series` are columns of it."""

    kind: ChartKind
    x: str
    y: str
    series: str | None = None
    title: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Tag:
    """A value that the question wants as `@name[value]`: the cell at `row` and `column` of part `part`'s result, or,
    with `every`, all rows of the column joined by commas. A cell that does not exist counts as missing; `quoted`
    puts the value in quotes."""

    name: str
    part: int = 0
    column: int = 0
    row: int = 0
    decimals: int | None = None
    every: bool = False
    quoted: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One thing asked. `relation` is exactly what was asked; `shown`, if it differs, is what a person wants to see
    (the values of a ranking beside its names)."""

    relation: Relation
    shown: Relation | None = None
    drawing: Drawing | None = None
    decimals: int | None = None
    caption: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """Everything a question asks. Parts are answered one after another; the answer's `result` is that of the last
    part, or one row of tags if the question prescribes a form. `save_as` names a file to write the result to."""

    parts: tuple[Part, ...]
    tags: tuple[Tag, ...] = ()
    save_as: str | None = None
    confidence: float = 1.0
    """Fraction of the question's content words that the plan accounts for, 0 to 1."""


__all__ = [
    "Aggregate",
    "AggregateName",
    "AllOf",
    "AnyOf",
    "Between",
    "Bucket",
    "Case",
    "Col",
    "Combine",
    "Compare",
    "Concat",
    "Condition",
    "Cut",
    "Derive",
    "Drawing",
    "Expr",
    "Fill",
    "Filter",
    "Func",
    "Join",
    "Lit",
    "Matches",
    "Math",
    "Measure",
    "Missing",
    "Named",
    "Not",
    "OneOf",
    "Part",
    "Pivot",
    "Plan",
    "Position",
    "Procedure",
    "Project",
    "Relation",
    "Share",
    "Shift",
    "Sort",
    "Source",
    "Statistic",
    "Tag",
    "TimeUnit",
    "Top",
]
