"""Cells of a fitted model: how well it predicts, its coefficients, and their significance."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from tablewright.analyst.grammar.forms.cells import Candidate, Case, computed
from tablewright.analyst.grammar.forms.phrases import Phrase
from tablewright.analyst.grammar.forms.rules import by_level, negative, positive
from tablewright.analyst.grammar.forms.scene import Scene
from tablewright.analyst.plan import Procedure
from tablewright.domain.table import Cell

_METRICS = ("mse", "rmse", "mae", "r_squared", "accuracy", "intercept")
_WHOLE = 100
_DEFAULT_TEST = 0.2
_NEAR = 6
_LINEAR = frozenset({"linear", "logistic"})


def models(case: Case) -> Iterator[Candidate]:
    """Yield the scores of the model that the task fits, and what it says of each of its features."""
    scene = case.scene
    if not scene.has("model", "modelled"):
        return
    columns = _columns(scene)
    if columns is None:
        return
    options = _options(scene)
    relation = Procedure(source=scene.source(), name="regression", columns=columns, options=options)
    for place, metric in enumerate(_METRICS):
        if any(
            metric in phrase.meanings("metric")
            for phrase in (case.asked.name, case.asked.placeholder, case.asked.about)
        ):
            yield Candidate(relation=relation, column=place, means=frozenset({f"metric:{metric}"}), weight=0.5)
    yield from _of_features(case, relation)


def _of_features(case: Case, relation: Procedure) -> Iterator[Candidate]:
    features, options = relation.columns[1:], relation.options
    if options["model"] not in _LINEAR or not all(case.scene.linker.numeric(name) for name in features):
        return
    fitted = options["model"] == "linear" and not options["test_share"]
    wanted = case.asked.wanted
    for place, feature in enumerate(features, start=len(_METRICS)):
        means = frozenset({f"column:{feature}"})
        yield Candidate(relation=relation, column=place, means=means | {"coefficient:"}, weight=0.2)
        if not fitted:
            continue
        yield Candidate(relation=relation, column=place + len(features), means=means | {"p_value:"}, weight=0.2)
        of = by_level(f"p_{feature}", case.scene.alpha, positive(wanted.options), negative(wanted.options))
        if of is not None and len(wanted.options) == len(("yes", "no")):
            yield Candidate(
                relation=computed(relation, of),
                means=means,
                covers=frozenset({"verdict:", "modelled:"}),
                verdict=True,
                weight=0.2,
            )


def _columns(scene: Scene) -> tuple[str, ...] | None:
    """Return the target followed by its features, from the first sentences that tell them."""
    target = next((found for phrase in scene.phrases if (found := _by_role(phrase)) is not None), None)
    target = target or next((found for phrase in scene.phrases if (found := _predicted(phrase)) is not None), None)
    if target is None:
        return None
    lists = [_features(phrase, target, first=True) for phrase in scene.phrases]
    lists += [_features(phrase, target, first=False) for phrase in scene.phrases if phrase.has("predict", "model")]
    features = max((found for found in lists), key=len, default=[])
    known = [name for name in features if name in scene.linker.columns]
    return (target, *known) if known else None


def _by_role(phrase: Phrase) -> str | None:
    """Return the column that is called the target: the last before the word, in the same clause, else the next."""
    for word in phrase.of("target"):
        before = [link for link in phrase.links if 0 <= word.start - link.end <= _NEAR]
        behind = [link for link in phrase.links if 0 <= link.start - word.end <= _NEAR]
        between = [
            link for link in before if not any(link.end <= one.start < word.start for one in phrase.of("features"))
        ]
        if between:
            return between[-1].column
        if behind:
            return behind[0].column
    return None


def _predicted(phrase: Phrase) -> str | None:
    for word in phrase.of("predict"):
        behind = [link for link in phrase.links if link.start >= word.end]
        if behind:
            return behind[0].column
    return None


def _features(phrase: Phrase, target: str, *, first: bool) -> list[str]:
    """Return the columns that are called features, or (not `first`) all others of a sentence about the model."""
    if not first:
        return list(dict.fromkeys(link.column for link in phrase.links if link.column != target))
    found: list[str] = []
    for _ in phrase.of("features"):
        found += [link.column for link in phrase.links if link.column != target]
        if found:
            break
    return list(dict.fromkeys(found))


def _options(scene: Scene) -> dict[str, Cell]:
    named = scene.meanings("model")
    kind = next((name for name in named if name != "linear"), "linear")
    options: dict[str, Cell] = {"model": kind, "test_share": _test_share(scene)}
    options["seed"] = int(_beside(scene, "seed") or 42)
    if (trees := _beside(scene, "trees")) is not None:
        options["trees"] = int(trees)
    if kind == "logistic" or scene.has("classify"):
        options["classify"] = True
    return options


def _beside(scene: Scene, type_: str) -> float | None:
    """Return the number nearest to a word, or None."""
    for phrase in scene.phrases:
        for word in phrase.of(type_):
            near = [
                one for one in phrase.numbers if 0 <= one.start - word.end <= _NEAR or 0 <= word.start - one.end <= 1
            ]
            if near:
                return float(near[0].value)
    return None


def _test_share(scene: Scene) -> float:
    """Return the share of the rows that the model is tested on; 0 if it is tested on all."""
    split = [phrase for phrase in scene.phrases if {"train", "test"} & set(phrase.meanings("split")) and phrase.numbers]
    for phrase in split:
        values = [abs(float(one.value)) for one in phrase.numbers]
        for one, other in pairwise(values):
            if one + other == _WHOLE or abs(one + other - 1) < 1e-9:
                return min(one, other) / (_WHOLE if one + other == _WHOLE else 1)
    for phrase in split:
        for number in phrase.numbers:
            value = float(number.value)
            value = value / _WHOLE if number.percent else value
            if not 0 < value < 1:
                continue
            words = sorted(
                phrase.of("split"), key=lambda word: min(abs(word.start - number.end), abs(number.start - word.end))
            )
            return round(1 - value, 4) if words[0].meaning == "train" else value
    both = {meaning for phrase in scene.phrases for meaning in phrase.meanings("split")}
    return _DEFAULT_TEST if {"train", "test"} <= both else 0.0
