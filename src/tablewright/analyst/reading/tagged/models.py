"""Tags about a fitted model (regression, classification) and about tests between groups."""

from __future__ import annotations

import re

from tablewright.analyst.plan import Case, Col, Compare, Derive, Lit, Named, Procedure, Project, Tag
from tablewright.analyst.reading.tagged.derived import said_columns
from tablewright.analyst.reading.tagged.form import Wanted
from tablewright.analyst.reading.tagged.rules import label, negative, positive
from tablewright.analyst.reading.tagged.scene import Scene
from tablewright.domain.table import Cell

_METRICS = {"mse": 0, "rmse": 1, "mae": 2, "r2": 3, "accuracy": 4, "intercept": 5}
_FEATURES = re.compile(
    r"(?:based on|using|from|with)\s+(?:the\s+)?(.{3,200}?)(?:\.|\bas\b|\bfeatures?\b|\bpredictors?\b|$)", re.IGNORECASE
)
_TARGET = re.compile(
    r"predict\w*\s+(?:the\s+)?(.{2,120}?)(?:\bbased on\b|\busing\b|\bfrom\b|\bwith\b|\.|,|$)", re.IGNORECASE
)


def metric_of(wanted: Wanted) -> int | None:
    """Return the place of a metric in a regression's row."""
    name = wanted.name.lower()
    if "mean_squared" in name or name.endswith("mse"):
        return 1 if "root" in name or "rmse" in name else 0
    if "r_squared" in name or "r2" in name:
        return 3
    return next((place for word, place in _METRICS.items() if word in wanted.words), None)


def model(scene: Scene, wanted: Wanted) -> Tag | None:
    """Read a tag about how well a model predicts."""
    place = metric_of(wanted)
    columns = _columns(scene)
    if place is None or columns is None:
        return None
    relation = Procedure(source=scene.source(), name="regression", columns=columns, options=_options(scene))
    return scene.tag(wanted, relation, place)


def _columns(scene: Scene) -> tuple[str, ...] | None:
    for text in (scene.form.question, scene.text.replace("\n", " ")):
        goal, given = _TARGET.search(text), None
        if goal is None:
            continue
        given = _FEATURES.search(text, goal.end(1))
        target = said_columns(goal.group(1), scene.facts, least=0.55)
        features = said_columns(given.group(1), scene.facts, least=0.55) if given else []
        features = [column for column in features if column not in target[:1]]
        if target and features:
            return (target[0], *features)
    return None


def _options(scene: Scene) -> dict[str, Cell]:
    kinds = (
        ("random forest", "random_forest"),
        ("logistic", "logistic"),
        ("decision tree", "decision_tree"),
        ("ridge", "ridge"),
        ("lasso", "lasso"),
    )
    options: dict[str, Cell] = {"model": next((name for said, name in kinds if scene.holds(said)), "linear")}
    options["test_share"] = _test_share(scene.text)
    seed = scene.number_near(r"(?:random[_ ]?(?:state|seed)|seed)")
    options["seed"] = int(seed) if seed is not None else 42
    if options["model"] == "logistic" or scene.holds("classif"):
        options["classify"] = True
    return options


def _test_share(text: str) -> float:
    split = re.search(r"(\d{2})\s*[-:/]\s*(\d{2})", text)
    if split and int(split.group(1)) + int(split.group(2)) == 100:
        return int(split.group(2)) / 100
    trained = re.search(r"(\d{2})\s*%\s*(?:of the (?:data|dataset) )?(?:for )?train", text)
    if trained:
        return round(1 - int(trained.group(1)) / 100, 2)
    tested = re.search(r"(?:test[_ ]size\s*(?:of|=|is)?\s*)(0\.\d+)", text)
    return float(tested.group(1)) if tested else 0.2 if re.search(r"train\w*[- ]?(?:and|/|-)?[- ]?test", text) else 0.0


def t_test(scene: Scene, wanted: Wanted) -> Tag | None:
    """Read a tag of a test between two groups: its p-value, the groups' means, and the verdict."""
    groups = [column.name for column in scene.facts.columns if column.name in scene.every and column.distinct == 2]
    value = next((column for column in scene.numeric if column not in groups), None)
    if not groups or value is None:
        return None
    options: dict[str, Cell] = {"equal_var": not scene.holds("welch", "unequal")}
    relation = Procedure(source=scene.source(), name="t_test", columns=(value, groups[0]), options=options)
    words = set(wanted.words)
    if words & {"p", "pvalue"}:
        return scene.tag(wanted, relation, 1)
    if words & {"t", "statistic"}:
        return scene.tag(wanted, relation, 0)
    if not wanted.options:
        return None
    yes, no = positive(wanted.options), negative(wanted.options)
    if yes is None or no is None:
        return None
    verdict = label(scene.text, wanted.options, {"p": "p_value"}) or Case(
        branches=((Compare(op="<", left=Col(name="p_value"), right=Lit(value=0.05)), Lit(value=yes)),),
        otherwise=Lit(value=no),
    )
    named = Derive(source=relation, columns=(Named(name="label", of=verdict),))
    return scene.tag(wanted, Project(source=named, columns=(Named(name="label", of=Col(name="label")),)))
