"""The procedure regression: a model of one column by others, with its scores."""

from __future__ import annotations

from collections.abc import Sequence

from tablewright.analyst.plan import Procedure
from tablewright.analyst.writing.columns import Frame
from tablewright.analyst.writing.literals import listed, literal, quoted
from tablewright.analyst.writing.procedures.columns import numeric, one_row
from tablewright.analyst.writing.script import Script
from tablewright.domain.dataset import ColumnKind

_MODELS = {
    "linear": ("sklearn.linear_model", "LinearRegression", ""),
    "ridge": ("sklearn.linear_model", "Ridge", ""),
    "lasso": ("sklearn.linear_model", "Lasso", ""),
    "logistic": ("sklearn.linear_model", "LogisticRegression", ""),
    "random_forest": ("sklearn.ensemble", "RandomForest", "Regressor"),
    "decision_tree": ("sklearn.tree", "DecisionTree", "Regressor"),
}
_LINEAR = frozenset({"linear", "ridge", "lasso", "logistic"})
_SEEDED = frozenset({"random_forest", "decision_tree"})


def regression(script: Script, relation: Procedure, frame: Frame) -> Frame:
    """Write a model trained on one part and scored on the rest (`test_share` 0: on all rows for both). A `linear`
    model without a test share is fitted by least squares, with a p-value per feature."""
    options = relation.options
    kind = str(options.get("model") or "linear")
    classify = kind == "logistic" or bool(options.get("classify"))
    target = relation.columns[0]
    names = relation.columns[1:]
    table = numeric(script, frame, [target] if not classify and not frame.column(target).is_number else [])
    data, features = script.names.fresh(otherwise="data"), script.names.fresh(otherwise="features")
    script.emit(f"{data} = {table.name}[{listed(dict.fromkeys((target, *names)))}].dropna()")
    texts = [name for name in names if not table.column(name).is_number]
    plain = f"{data}[{listed(names)}]"
    script.emit(f"{features} = " + (f"pd.get_dummies({plain}, drop_first=True, dtype=float)" if texts else plain))
    outcome = f"{data}[{quoted(target)}]"
    if kind == "linear" and not options.get("test_share") and not classify:
        return _least_squares(script, features, outcome, [] if texts else names)
    trained, tested = _split(script, relation, features, outcome)
    model = _model(script, relation, kind, trained, classify=classify)
    return _scores(
        script,
        model,
        tested,
        names=[] if texts or kind not in _LINEAR else names,
        classify=classify,
        numeric_target=frame.column(target).is_number,
    )


def _least_squares(script: Script, features: str, outcome: str, names: Sequence[str]) -> Frame:
    model = script.names.fresh(otherwise="model")
    script.require("import statsmodels.api as sm")
    script.emit(
        f'{features} = sm.add_constant({features}.astype(float), has_constant="add")',
        f"{model} = sm.OLS({outcome}, {features}).fit()",
        f"print({model}.summary())",
    )
    error = f"({model}.resid ** 2).mean()"
    cells: list[tuple[str, str, ColumnKind]] = [
        ("mse", error, "number"),
        ("rmse", f"{error} ** 0.5", "number"),
        ("mae", f"{model}.resid.abs().mean()", "number"),
        ("r_squared", f"{model}.rsquared", "number"),
        ("accuracy", 'float("nan")', "number"),
        ("intercept", f'{model}.params["const"]', "number"),
        *[(f"coef_{name}", f"{model}.params[{quoted(name)}]", "number") for name in names],
        *[(f"p_{name}", f"{model}.pvalues[{quoted(name)}]", "number") for name in names],
    ]
    if not names:
        return _with_all(script, cells, f'{model}.params.drop("const")', f"{model}.params.index[1:]")
    return one_row(script, cells, otherwise="scores")


def _with_all(script: Script, cells: list[tuple[str, str, ColumnKind]], values: str, labels: str) -> Frame:
    """Write a row of scores and a coefficient for every feature, including those that encoding creates."""
    frame = one_row(script, cells, otherwise="scores")
    script.emit(f"for feature, weight in zip({labels}, {values}):", f'    {frame.name}[f"coef_{{feature}}"] = weight')
    return frame


def _split(script: Script, relation: Procedure, features: str, outcome: str) -> tuple[tuple[str, str], tuple[str, str]]:
    share = relation.options.get("test_share")
    if not share:
        return (features, outcome), (features, outcome)
    seed = relation.options.get("seed", 42)
    script.require("from sklearn.model_selection import train_test_split")
    script.emit(
        "train_features, test_features, train_target, test_target = train_test_split(",
        f"    {features}, {outcome}, test_size={literal(share)}, random_state={literal(seed)}",
        ")",
    )
    return ("train_features", "train_target"), ("test_features", "test_target")


def _model(script: Script, relation: Procedure, kind: str, trained: tuple[str, str], *, classify: bool) -> str:
    module, name, suffix = _MODELS[kind]
    if suffix and classify:
        suffix = "Classifier"
    options = relation.options
    arguments: list[str] = []
    if kind == "random_forest":
        arguments.append(f"n_estimators={literal(options.get('trees') or 100)}")
    if kind in _SEEDED:
        arguments.append(f"random_state={literal(options.get('seed', 42))}")
    if kind == "logistic":
        if options.get("balanced"):
            arguments.append('class_weight="balanced"')
        if options.get("iterations"):
            arguments.append(f"max_iter={literal(options.get('iterations'))}")
    if kind in {"ridge", "lasso"} and options.get("penalty"):
        arguments.append(f"alpha={literal(options.get('penalty'))}")
    model = script.names.fresh(otherwise="model")
    script.require(f"from {module} import {name}{suffix}")
    script.emit(f"{model} = {name}{suffix}({', '.join(arguments)}).fit({trained[0]}, {trained[1]})")
    return model


def _scores(
    script: Script, model: str, tested: tuple[str, str], *, names: Sequence[str], classify: bool, numeric_target: bool
) -> Frame:
    features, outcome = tested
    predicted, error = script.names.fresh(otherwise="predicted"), script.names.fresh(otherwise="error")
    nothing = 'float("nan")'
    script.emit(f"{predicted} = {model}.predict({features})")
    if numeric_target:
        script.emit(f"{error} = {outcome} - {predicted}")
    cells: list[tuple[str, str, ColumnKind]] = [
        ("mse", f"({error} ** 2).mean()" if numeric_target else nothing, "number"),
        ("rmse", f"({error} ** 2).mean() ** 0.5" if numeric_target else nothing, "number"),
        ("mae", f"{error}.abs().mean()" if numeric_target else nothing, "number"),
        ("r_squared", nothing if classify else f"{model}.score({features}, {outcome})", "number"),
        ("accuracy", f"{model}.score({features}, {outcome})" if classify else nothing, "number"),
    ]
    if names:
        weights = f"{model}.coef_[0]" if classify else f"{model}.coef_"
        cells.append(("intercept", f"{model}.intercept_[0]" if classify else f"{model}.intercept_", "number"))
        cells += [(f"coef_{name}", f"{weights}[{place}]", "number") for place, name in enumerate(names)]
    else:
        cells.append(("intercept", nothing, "number"))
    return one_row(script, cells, otherwise="scores")
