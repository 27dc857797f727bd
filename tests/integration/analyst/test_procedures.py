"""Statistical procedures, against the same figures computed without pandas' or scipy's help, or by another way of
theirs."""

from __future__ import annotations

import math
import statistics
from typing import Any

import pytest
from tests.integration.analyst.conftest import Bench, Ran
from tests.integration.analyst.tables import is_

from tablewright.analyst.plan import Aggregate, Col, Filter, Measure, Missing, Not, Procedure, Source
from tablewright.domain.dataset import ColumnFacts, DatasetFacts

X = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 40.0]
Y = [2.1, 3.9, 6.2, 7.8, 10.1, 12.2, 13.8, 16.1, 18.0, 79.9]
GROUP = ["a", "b"] * 5
KIND = ["u", "u", "v", "v", "u", "w", "w", "v", "u", "w"]


def numbers(bench: Bench) -> DatasetFacts:
    """Return ten rows and one without x, and the same x as text with thousands."""
    lines = [f'{x},{y},{group},{kind},"{x * 1000:,.0f}"' for x, y, group, kind in zip(X, Y, GROUP, KIND, strict=True)]
    return bench.table(
        "m",
        "\n".join(["x,y,group,kind,t", *lines, ",1,a,u,–"]) + "\n",
        ColumnFacts(name="x", kind="number", missing=1),
        ColumnFacts(name="y", kind="number"),
        ColumnFacts(name="group", kind="text"),
        ColumnFacts(name="kind", kind="text"),
        ColumnFacts(name="t", kind="mixed"),
    )


def run(bench: Bench, name: str, *columns: str, **options: Any) -> Ran:
    """Run one procedure over the table."""
    return bench.run(
        Procedure(source=Source(dataset_id="m"), name=name, columns=columns, options=options), numbers(bench)
    )


def row(ran: Ran) -> dict[str, Any]:
    """Return the one row by column."""
    assert ran.result is not None
    assert len(ran.rows) == 1
    return dict(zip(ran.result["columns"], ran.rows[0], strict=True))


def pearson(x: list[float], y: list[float]) -> float:
    return statistics.correlation(x, y)


def test_columns_are_described(bench: Bench) -> None:
    ran = run(bench, "describe", "x", "y")

    assert ran.result is not None
    assert ran.result["columns"] == ["column", "count", "mean", "std", "min", "25%", "50%", "75%", "max"]
    assert ran.rows[0][:4] == ["x", 10, pytest.approx(statistics.fmean(X)), pytest.approx(statistics.stdev(X))]
    assert ran.rows[1][0] == "y"


def test_empty_cells_are_counted(bench: Bench) -> None:
    assert run(bench, "missing").rows == [
        ["x", 1, pytest.approx(100 / 11)], ["y", 0, 0], ["group", 0, 0], ["kind", 0, 0], ["t", 0, 0],
    ]  # fmt: skip
    assert run(bench, "missing", "x").rows == [["x", 1, pytest.approx(100 / 11)]]


def test_columns_are_listed_with_what_fills_them(bench: Bench) -> None:
    assert run(bench, "columns").rows == [
        ["x", 10, 10], ["y", 11, 11], ["group", 11, 2], ["kind", 11, 3], ["t", 11, 11],
    ]  # fmt: skip


def test_repeated_rows_are_counted(bench: Bench) -> None:
    assert run(bench, "duplicates").value == 0
    assert run(bench, "duplicates", "group").value == 9


@pytest.mark.parametrize(("method", "expected"), [("pearson", pearson(X, Y)), ("spearman", 1.0), ("kendall", 1.0)])
def test_two_columns_are_correlated_over_rows_that_have_both(bench: Bench, method: str, expected: float) -> None:
    found = row(run(bench, "correlation", "x", "y", method=method))

    assert found == {"correlation": pytest.approx(expected), "p_value": pytest.approx(0, abs=1e-5), "count": 10}


def test_a_column_is_correlated_with_itself(bench: Bench) -> None:
    assert row(run(bench, "correlation", "x", "x"))["correlation"] == pytest.approx(1)


def test_a_column_of_written_numbers_is_correlated(bench: Bench) -> None:
    assert row(run(bench, "correlation", "x", "t"))["correlation"] == pytest.approx(1)


def test_a_column_is_correlated_with_all_others(bench: Bench) -> None:
    ran = run(bench, "correlations", "x", "t", "y")

    assert [line[0] for line in ran.rows] == ["t", "y"]
    assert [line[1] for line in ran.rows] == [pytest.approx(1), pytest.approx(pearson(X, Y))]


def test_all_columns_are_correlated_with_each_other(bench: Bench) -> None:
    ran = run(bench, "correlation_matrix", "x", "y")

    assert ran.rows == [["x", 1, pytest.approx(pearson(X, Y))], ["y", pytest.approx(pearson(X, Y)), 1]]


def test_outliers_by_quartiles_keep_their_place_in_the_table(bench: Bench) -> None:
    ran = run(bench, "outliers", "x")

    assert ran.result is not None
    assert ran.result["columns"] == ["row", "x", "y", "group", "kind", "t"]
    assert ran.rows == [[9, 40.0, 79.9, "b", "w", "40,000"]]
    assert len(run(bench, "outliers", "x", keep="inliers").rows) == 9


def test_outliers_by_deviation_use_the_whole_population(bench: Bench) -> None:
    z = (40 - statistics.fmean(X)) / statistics.pstdev(X)

    assert len(run(bench, "outliers", "x", method="zscore", threshold=z - 0.01).rows) == 1
    assert run(bench, "outliers", "x", method="zscore", threshold=z + 0.01).rows == []


def test_outliers_of_some_rows_keep_their_place_in_the_whole_table(bench: Bench) -> None:
    relation = Procedure(
        source=Filter(source=Source(dataset_id="m"), where=is_("group", "b")), name="outliers", columns=("x",)
    )

    assert [line[0] for line in bench.run(relation, numbers(bench)).rows] == [9]


def test_the_bounds_of_outliers(bench: Bench) -> None:
    found = row(run(bench, "outlier_bounds", "x"))

    assert found == {"lower": 3.25 - 1.5 * 4.5, "upper": 7.75 + 1.5 * 4.5}


@pytest.mark.parametrize("method", ["shapiro", "ks", "anderson", "dagostino", "jarque_bera"])
def test_normality(bench: Bench, method: str) -> None:
    found = row(run(bench, "normality", "x", method=method))

    assert set(found) == {"statistic", "p_value", "normal"}
    assert found["normal"] is (found["p_value"] > 0.05)
    assert 0 <= found["p_value"] <= 1
    if method in {"shapiro", "jarque_bera", "dagostino"}:
        assert found["normal"] is False


def test_two_groups_are_compared(bench: Bench) -> None:
    a, b = X[0::2], X[1::2]
    found = row(run(bench, "t_test", "x", "group"))
    named = row(run(bench, "t_test", "x", "group", first="b", second="a", equal_var=False))
    pooled = (statistics.variance(a) + statistics.variance(b)) / 2
    expected = (statistics.fmean(a) - statistics.fmean(b)) / math.sqrt(pooled * 2 / 5)

    assert found["statistic"] == pytest.approx(expected)
    assert (found["mean_1"], found["mean_2"]) == (statistics.fmean(a), statistics.fmean(b))
    assert found["std_1"] == pytest.approx(statistics.stdev(a))
    assert (named["mean_1"], named["mean_2"]) == (statistics.fmean(b), statistics.fmean(a))
    assert named["p_value"] > found["p_value"]


def test_two_columns_are_compared_as_samples_and_as_pairs(bench: Bench) -> None:
    differences = [x - y for x, y in zip(X, Y, strict=True)]
    expected = statistics.fmean(differences) / (statistics.stdev(differences) / math.sqrt(10))

    assert row(run(bench, "t_test", "x", "y", paired=True))["statistic"] == pytest.approx(expected)
    assert row(run(bench, "t_test", "x", "y", two_columns=True))["mean_2"] == pytest.approx(statistics.fmean([*Y, 1]))


def test_two_groups_are_compared_by_rank(bench: Bench) -> None:
    a, b = X[0::2], X[1::2]
    wins = sum(1.0 if x > y else 0.5 if x == y else 0.0 for x in a for y in b)

    assert row(run(bench, "mann_whitney", "x", "group"))["statistic"] == wins


def test_several_groups_are_compared(bench: Bench) -> None:
    samples = [[x for x, kind in zip(X, KIND, strict=True) if kind == wanted] for wanted in "uvw"]
    mean = statistics.fmean(X)
    between = sum(len(sample) * (statistics.fmean(sample) - mean) ** 2 for sample in samples) / 2
    inside = sum((x - statistics.fmean(sample)) ** 2 for sample in samples for x in sample) / 7

    assert row(run(bench, "anova", "x", "kind"))["statistic"] == pytest.approx(between / inside)
    assert 0 < row(run(bench, "kruskal", "x", "kind"))["p_value"] < 1


def test_two_columns_are_tested_for_independence(bench: Bench) -> None:
    found = row(run(bench, "chi_square", "group", "kind"))
    groups, kinds = [*GROUP, "a"], [*KIND, "u"]
    pairs = list(zip(groups, kinds, strict=True))
    expected = 0.0
    for group in "ab":
        for kind in "uvw":
            wanted = groups.count(group) * kinds.count(kind) / 11
            expected += (pairs.count((group, kind)) - wanted) ** 2 / wanted

    assert found["statistic"] == pytest.approx(expected)
    assert found["degrees"] == 2


def test_a_line_is_fitted_with_its_p_values(bench: Bench) -> None:
    found = row(run(bench, "regression", "y", "x"))
    slope, intercept = statistics.linear_regression(X, Y)
    errors = [(y - intercept - slope * x) ** 2 for x, y in zip(X, Y, strict=True)]

    assert found["coef_x"] == pytest.approx(slope)
    assert found["intercept"] == pytest.approx(intercept)
    assert found["mse"] == pytest.approx(statistics.fmean(errors))
    assert found["rmse"] == pytest.approx(math.sqrt(statistics.fmean(errors)))
    assert found["r_squared"] == pytest.approx(pearson(X, Y) ** 2)
    assert found["p_x"] < 0.001
    assert found["accuracy"] is None


def test_a_model_is_measured_on_rows_it_has_not_seen(bench: Bench) -> None:
    found = row(run(bench, "regression", "y", "x", test_share=0.3, seed=42))

    assert found["coef_x"] == pytest.approx(2, abs=0.1)
    assert found["r_squared"] > 0.9
    assert found["rmse"] == pytest.approx(math.sqrt(found["mse"]))


@pytest.mark.parametrize("model", ["random_forest", "decision_tree", "ridge", "lasso"])
def test_other_models_of_numbers_and_words(bench: Bench, model: str) -> None:
    found = row(run(bench, "regression", "y", "x", "kind", model=model, trees=5))

    assert found["r_squared"] > 0.3
    assert found["accuracy"] is None


@pytest.mark.parametrize(
    "options",
    [{"model": "logistic"}, {"model": "logistic", "balanced": True}, {"model": "decision_tree", "classify": True}],
)
def test_classes_are_predicted(bench: Bench, options: dict[str, Any]) -> None:
    found = row(run(bench, "regression", "group", "x", "y", **options))

    assert 0.4 <= found["accuracy"] <= 1
    assert found["r_squared"] is None


@pytest.mark.parametrize(
    ("value", "offset", "expected"),
    [("u", 1, [40.0]), ("u", -1, []), ("v", -1, [2.0]), ("w", 1, []), ("nobody", 1, []), ("V", -9, [])],
)
def test_the_row_beside_another(bench: Bench, value: str, offset: int, expected: list[float]) -> None:
    table = numbers(bench)
    source = Filter(source=Source(dataset_id="m"), where=Not(of=Missing(of=Col(name="x"))))
    relation = Procedure(source=source, name="neighbour", columns=("kind",), options={"value": value, "offset": offset})

    assert [line[0] for line in bench.run(relation, table).rows] == expected


def test_every_two_columns_the_strongest_first(bench: Bench) -> None:
    ran = run(bench, "correlation_pairs", "x", "y", "t")

    assert ran.rows[0][0] == "x, t"
    assert {line[0] for line in ran.rows} == {"x, y", "x, t", "y, t"}
    assert dict(zip([line[0] for line in ran.rows], [line[1] for line in ran.rows], strict=True))[
        "x, y"
    ] == pytest.approx(pearson(X, Y))


def test_variances_of_groups_are_compared(bench: Bench) -> None:
    for name in ("levene", "bartlett"):
        found = row(run(bench, name, "x", "group"))
        assert found["statistic"] >= 0
        assert 0 < found["p_value"] < 1


def test_the_populations_skewness_is_uncorrected(bench: Bench) -> None:
    measure = Measure(name="skewness", function="skew", of=Col(name="x"), argument=0.0)
    relation = Aggregate(source=Source(dataset_id="m"), groups=(), measures=(measure,))
    mean, deviation = statistics.fmean(X), statistics.pstdev(X)

    assert bench.run(relation, numbers(bench)).value == pytest.approx(
        statistics.fmean(((x - mean) / deviation) ** 3 for x in X)
    )
