"""Tags about a fitted model: how well it predicts, its coefficients, and their significance."""

from __future__ import annotations

import re

from tablewright.analyst.linking.tokens import lemmas
from tablewright.analyst.plan import Case, Col, Compare, Lit, Procedure, Tag
from tablewright.analyst.reading.tagged.columns_said import is_numeric, said_columns
from tablewright.analyst.reading.tagged.form import Wanted
from tablewright.analyst.reading.tagged.rules import negative, positive
from tablewright.analyst.reading.tagged.scene import Scene
from tablewright.domain.table import Cell

MODELS = re.compile(r"predict|regress|classif|random forest|decision tree|machine learning", re.IGNORECASE)
_METRICS = {"mse": 0, "rmse": 1, "mae": 2, "r2": 3, "rsquared": 3, "accuracy": 4, "intercept": 5}
_COEFFICIENTS = frozenset({"coef", "coefficient", "slope", "beta", "weight"})
_END = (
    r"(?:\.(?=\s|$)|\bas (?:the )?(?:target|dependent|response|outcome)|\bas (?:the )?(?:features?|predictors?"
    r"|independent|input)|\n|;|$)"
)
_ROLES: tuple[str, ...] = (
    (
        r"(?:where|,|\band\b|with|use|using)\s+(?:the\s+)?(?P<target>[^.,]{2,60}?)\s+(?:is"
        r"|as)\s+(?:the\s+)?(?:dependent|target|response|outcome)\b.{0,40}?(?:,|and"
        r"|with)\s+(?P<features>.{2,200}?)\s+(?:are|is|as)\s+(?:the\s+)?(?:independent|features?|predictors?"
        r"|explanatory|input)"
    ),
    (
        r"(?P<features>[^.\n]{2,200}?)\s+(?:are|is|as)\s+(?:the\s+)?(?:independent|features?|predictors?|explanatory"
        r"|input)\b.{0,60}?(?:,|and|with)\s+(?P<target>[^.]{2,60}?)\s+(?:is|as)\s+(?:the\s+)?(?:dependent|target"
        r"|response|outcome)"
    ),
    (
        rf"predict\w*\s+(?:the\s+)?(?P<target>.{{2,120}}?)\s*(?:\(\w+\)\s*)?(?:,\s*)?(?:based on|using|from|with|given"
        rf"|by)\s+(?:the\s+)?(?:features?\s+|values of\s+|variables?\s+)?(?P<features>.{{3,260}}?){_END}"
    ),
    rf"(?:based on|using|with)\s+(?P<features>.{{3,200}}?)\s*,?\s*(?:to\s+)?predict\w*\s+(?P<target>.{{2,80}}?){_END}",
    rf"regression[^.\n]{{0,30}}?\bof\s+(?P<target>.{{2,60}}?)\s+(?:on|against)\s+(?P<features>.{{3,200}}?){_END}",
    rf"regression[^.\n]{{0,40}}?between\s+(?P<features>.{{2,60}}?)\s+and\s+(?P<target>.{{2,60}}?){_END}",
)


def metric_of(wanted: Wanted) -> int | None:
    """Return the position of the metric in a regression's result row, or None if the tag is no metric."""
    name = wanted.name.lower()
    if "mean_squared" in name or name.endswith("mse"):
        return 1 if "root" in name or "rmse" in name else 0
    if re.search(r"r[-_]?(?:2|squared?)\b|r2|coefficient_of_determination", name):
        return 3
    if "absolute_error" in name:
        return 2
    return next((place for word, place in _METRICS.items() if word in wanted.words), None)


def model(scene: Scene, wanted: Wanted) -> Tag | None:
    """Read a tag about a fitted model."""
    place = metric_of(wanted)
    words = set(wanted.words)
    if not MODELS.search(scene.text) or (
        place is None and not words & {*_COEFFICIENTS, "p", "pvalue"} and not wanted.options
    ):
        return None
    columns = _columns(scene)
    if columns is None:
        return None
    relation = Procedure(source=scene.source(), name="regression", columns=columns, options=_options(scene))
    if place is not None:
        return scene.tag(wanted, relation, place)
    return _of_feature(scene, wanted, relation)


def _of_feature(scene: Scene, wanted: Wanted, relation: Procedure) -> Tag | None:
    """Read a feature's coefficient, its p-value, or whether it is significant."""
    features = relation.columns[1:]
    spoken = "_".join(wanted.words)
    feature = next((name for name in features if "_".join(lemmas(name)) in spoken), None)
    feature = feature or (features[0] if len(features) == 1 else None)
    numeric = all(is_numeric(scene.parse.facts(name)) for name in features)
    if feature is None or not numeric or relation.options.get("model") not in {"linear", "logistic"}:
        return None
    place = 6 + features.index(feature)
    if set(wanted.words) & _COEFFICIENTS:
        return scene.tag(wanted, relation, place)
    if relation.options.get("model") != "linear" or relation.options.get("test_share"):
        return None
    if set(wanted.words) & {"p", "pvalue"}:
        return scene.tag(wanted, relation, place + len(features))
    yes, no = positive(wanted.options), negative(wanted.options)
    if yes is None or no is None:
        return None
    below = Compare(op="<", left=Col(name=f"p_{feature}"), right=Lit(value=scene.alpha))
    return scene.value(wanted, relation, Case(branches=((below, Lit(value=yes)),), otherwise=Lit(value=no)))


def _columns(scene: Scene) -> tuple[str, ...] | None:
    """Return the target followed by its features, from the first sentence that names both; None if there is none."""
    for pattern in _ROLES:
        for text in (scene.form.constraints, scene.form.question, scene.text.replace("\n", " ")):
            for match in re.finditer(pattern, text, re.IGNORECASE):
                target = said_columns(match.group("target"), scene.facts, least=0.55)
                features = said_columns(match.group("features"), scene.facts, least=0.55)
                features = [column for column in features if column not in target[:1]]
                if target and features:
                    return (target[0], *features)
                if target and re.search(r"\b(?:all )?(?:the )?(?:other|remaining)\b", match.group("features")):
                    others = [column.name for column in scene.facts.columns if is_numeric(column)]
                    return (target[0], *(name for name in others if name != target[0]))
    return None


def _options(scene: Scene) -> dict[str, Cell]:
    kinds = (
        ("random forest", "random_forest"),
        ("randomforest", "random_forest"),
        ("logistic", "logistic"),
        ("decision tree", "decision_tree"),
        ("decisiontree", "decision_tree"),
        ("ridge", "ridge"),
        ("lasso", "lasso"),
    )
    options: dict[str, Cell] = {"model": next((name for said, name in kinds if scene.holds(said)), "linear")}
    options["test_share"] = _test_share(scene.text)
    seed = scene.number_near(r"(?:random[_ ]?(?:state|seed)|seed)")
    options["seed"] = int(seed) if seed is not None else 42
    trees = scene.number_near(r"(?:n_estimators|number of (?:trees|estimators))") or _trees(scene.text)
    if trees is not None:
        options["trees"] = int(trees)
    if options["model"] == "logistic" or scene.holds("classif"):
        options["classify"] = True
    return options


def _trees(text: str) -> float | None:
    match = re.search(r"(\d+)\s+(?:trees|estimators)", text)
    return float(match.group(1)) if match else None


def _test_share(text: str) -> float:
    split = re.search(r"(\d{2})\s*%?\s*(?:[-:/]|and|to)\s*(\d{2})\b", text)
    if split and int(split.group(1)) + int(split.group(2)) == 100:
        return min(int(split.group(2)), int(split.group(1))) / 100
    trained = re.search(r"(\d{2})\s*%\s*(?:of the (?:data|dataset) )?(?:as |for )?(?:the )?train", text)
    if trained:
        return round(1 - int(trained.group(1)) / 100, 2)
    held = re.search(r"(\d{2})\s*%\s*(?:of the (?:data|dataset) )?(?:as |for )?(?:the )?test", text)
    if held:
        return int(held.group(1)) / 100
    said = re.search(r"test[_ ]?size\s*(?:of|=|is|set to)?\s*(0?\.\d+)", text) or re.search(
        r"(?:0?\.\d+)\s*(?:[-:/]|and)\s*(0?\.\d+)", text
    )
    if said:
        return float(said.group(1))
    return 0.2 if re.search(r"train\w*[- ]?(?:and|/|-)?[- ]?test", text) else 0.0
