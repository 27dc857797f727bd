"""Cells of correlations and of tests of normality, with their verdicts."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from tablewright.analyst.grammar.forms.cells import Candidate, Case
from tablewright.analyst.grammar.forms.phrases import Phrase
from tablewright.analyst.grammar.forms.rules import by_level, negative, positive, signs
from tablewright.analyst.grammar.forms.verdicts import figures, stated, verdict
from tablewright.analyst.plan import (
    Aggregate,
    AggregateName,
    Col,
    Expr,
    Measure,
    Position,
    Procedure,
    Relation,
    Top,
)  # fmt: skip
from tablewright.domain.table import Cell

_NORMAL = frozenset({"shapiro", "ks", "anderson", "dagostino", "jarque_bera"})
_MOST = 5
_MOMENTS: tuple[AggregateName, ...] = ("skew", "kurtosis")
_TEST = {"p": "p_value"}
_CORRELATED = frozenset({"correlation:"})
_STRONGEST = frozenset({"correlation:", "strength:", "superlative:max", "pair:", "sign:positive", "sign:negative"})


def tests(case: Case) -> Iterator[Candidate]:
    """Yield the cells of the correlations and tests of normality that the task speaks of."""
    scene = case.scene
    named = scene.meanings("test")
    if scene.has("correlation") or case.asked.name.has("correlation"):
        yield from _correlations(case)
    if scene.has("normal") or _NORMAL & set(named):
        yield from _normality(case, next((name for name in named if name in _NORMAL), ""))


# ---- correlations ---------------------------------------------------------------------------------------------------


def _correlations(case: Case) -> Iterator[Candidate]:
    scene = case.scene
    options: dict[str, Cell] = {"method": next(iter(scene.meanings("correlation_method")), "pearson")}
    if scene.has("strength"):
        yield from _strongest(case, options)
        return
    for one, other, weight in _pairs(case):
        relation = Procedure(source=case.rows(), name="correlation", columns=(one, other), options=options)
        means = frozenset({f"column:{one}", f"column:{other}", *case.group_keys, *case.stage_keys})
        quantities = {"p": "p_value", "r": "correlation"}
        yield Candidate(relation=relation, means=means | {"coefficient:"}, covers=_CORRELATED, weight=weight)
        yield Candidate(relation=relation, column=1, means=means | {"p_value:"}, covers=_CORRELATED, weight=weight)
        yield from verdict(relation, _worded(case, quantities), means, weight)


def _worded(case: Case, quantities: dict[str, str]) -> Expr | None:
    """Return the verdict on a correlation: by the stated rule, else by its sign, else by its significance."""
    options = case.asked.wanted.options
    told = stated(case, quantities)
    signed = signs(options, quantities["r"])
    if told is not None and (signed is None or len(options) > 2 or _has_threshold(case)):
        return told
    return signed or told or by_level("p_value", case.scene.alpha, positive(options), negative(options))


def _has_threshold(case: Case) -> bool:
    """Return whether the task compares the coefficient with a number that is not zero."""
    levels = {float(one.value) for phrase in case.scene.phrases if phrase.has("quantity") for one in phrase.numbers}
    return bool(levels - {0.0, 1.0, -1.0, case.scene.alpha})


def _pairs(case: Case) -> list[tuple[str, str, float]]:
    """Return the pairs of columns that may be correlated, with what speaks for each: beside each other in a sentence
    about a correlation, or in the tag's name."""
    scene = case.scene
    held = {group.column for group in case.groups}
    found: dict[frozenset[str], float] = {}
    names = [name for name in dict.fromkeys([*_told(case), *scene.numeric]) if name not in held][:_MOST]
    for one, other in combinations(names, 2):
        found[frozenset({one, other})] = -0.12 * (names.index(one) + names.index(other) - 1)
    for phrase in scene.phrases:
        said = [name for name in _spoken(case, phrase) if name not in held]
        both = _between_and(case, phrase)
        for one, other in [*([both] if both else []), *list(combinations(said, 2))[:3]]:
            place = 0 if both == (one, other) else said.index(one) + said.index(other)
            key = frozenset({one, other})
            found[key] = max(found.get(key, -1.0), 0.7 - 0.15 * place)
    return [(*_ordered(names, key), weight) for key, weight in found.items()]  # type: ignore[misc]


def _ordered(names: list[str], pair: frozenset[str]) -> tuple[str, ...]:
    return tuple(sorted(pair, key=lambda name: names.index(name) if name in names else len(names)))


def _told(case: Case) -> list[str]:
    return [link.column for link in case.asked.name.links if case.scene.is_number(link.column)]


def _spoken(case: Case, phrase: Phrase) -> list[str]:
    """Return the columns of numbers behind the word for a correlation, each once; the column that the task makes also
    where it is only called the new one."""
    words = phrase.of("correlation")
    if not words:
        return []
    made = [one for one in case.scene.made if not one.labels]
    found = [
        (link.start, link.column) for link in phrase.links
        if case.scene.is_number(link.column) and link.end > words[0].start
    ]  # fmt: skip
    if made and any(word.start > words[0].start for word in phrase.of("new")):
        found += [(word.start, made[-1].name) for word in phrase.of("new")][:1]
    return list(dict.fromkeys(name for _, name in sorted(found)))


def _between_and(case: Case, phrase: Phrase) -> tuple[str, str] | None:
    """Return the columns of `between A and B`: the first behind each of the two words."""
    joints = [place for place, token in enumerate(phrase.tokens) if token.norm in {"and", "与", "和"}]
    made = [one.name for one in case.scene.made if not one.labels]
    for word in phrase.of("between"):
        links = [
            (one.start, one.column)
            for one in phrase.links
            if one.start >= word.end and case.scene.is_number(one.column)
        ]
        links += [(new.start, made[-1]) for new in phrase.of("new") if made and new.start >= word.end]
        links.sort()
        for joint in joints:
            left, right = [name for at, name in links if at < joint], [name for at, name in links if at > joint]
            if joint > word.end and left and right and left[0] != right[0]:
                return left[0], right[0]
    return None


def _strongest(case: Case, options: dict[str, Cell]) -> Iterator[Candidate]:
    """Yield the column, or the pair of columns, with the strongest correlation."""
    scene, asked = case.scene, case.asked
    numbers = [column.name for column in scene.facts.columns if scene.is_number(column.name)]
    means = frozenset[str]()
    if scene.has("pair"):
        names = [name for name in scene.numeric if name in numbers]
        columns = tuple(names if len(names) > 2 else numbers)
        found = Procedure(source=scene.source(), name="correlation_pairs", columns=columns, options=options)
    else:
        target = _target(case)
        if target is None:
            return
        others = [name for name in numbers if name != target and name not in _left_out(case)]
        found = Procedure(source=scene.source(), name="correlations", columns=(target, *others), options=options)
    relation: Relation = Position(source=found, count=1)
    for phrase in scene.phrases:
        for word in phrase.of("sign"):
            if any(0 <= word.start - one.end <= 1 for one in [*phrase.of("strength"), *phrase.of("superlative")]):
                relation = Top(source=found, by="correlation", count=1, descending=word.meaning == "positive")
    labels = asked.name.has("label_noun", "pair") or asked.placeholder.has("label_noun", "pair")
    if not asked.wanted.options and not asked.wanted.exact:
        yield Candidate(
            relation=relation,
            means=means,
            covers=_STRONGEST | {"label_noun:"},
            text=True,
            weight=0.5 if labels else 0.0,
        )
    yield Candidate(relation=relation, column=1, means=means | {"coefficient:"}, covers=_STRONGEST)
    yield Candidate(relation=relation, column=2, means=means | {"p_value:"}, covers=_STRONGEST)
    quantities = {"p": "p_value", "r": "correlation"}
    yield from verdict(relation, _worded(case, quantities), means, 0.0)


def _target(case: Case) -> str | None:
    for phrase in case.scene.phrases:
        if said := _spoken(case, phrase):
            return said[0]
    return next(iter(case.scene.numeric), None)


def _left_out(case: Case) -> list[str]:
    return [link.column for phrase in case.scene.phrases for word in phrase.of("drop")
            for link in phrase.links if 0 <= link.start - word.end <= 3 and link.score >= 0.9]  # fmt: skip


# ---- normality ------------------------------------------------------------------------------------------------------


def _normality(case: Case, method: str) -> Iterator[Candidate]:
    scene = case.scene
    for column, weight in case.numeric():
        keys = frozenset({f"column:{column}", *case.group_keys, *case.stage_keys})
        moments: list[AggregateName] = [name for name in _MOMENTS if name in scene.meanings("quantity")]
        if moments and not method:
            argument = 0.0 if scene.has("scipy") else None
            of_column = Col(name=column)
            measures = tuple(Measure(name=one, function=one, of=of_column, argument=argument) for one in moments)
            relation: Relation = Aggregate(source=case.rows(), groups=(), measures=measures)
            of = stated(case, {one: one for one in moments}, "normal")
            yield from verdict(relation, of, keys | {f"aggregate:{one}" for one in moments}, weight + 0.1)
            continue
        options: dict[str, Cell] = {"method": method or "shapiro", "alpha": scene.alpha}
        relation = Procedure(source=case.rows(), name="normality", columns=(column,), options=options)
        yield from figures(relation, keys, weight)
        yes, no = positive(case.asked.wanted.options), negative(case.asked.wanted.options)
        by_rule = stated(case, _TEST) if _one_sided(case) else None
        yield from verdict(relation, by_rule or by_level("p_value", scene.alpha, no, yes), keys, weight)


def _one_sided(case: Case) -> bool:
    """Return whether the rule says which option is for which side: otherwise a small p-value is not normal."""
    return any(
        phrase.has("p_value") and phrase.has("compare") and _names_options(case, phrase)
        for phrase in case.scene.phrases
    )


def _names_options(case: Case, phrase: Phrase) -> bool:
    said = phrase.text.lower()
    return any(option.lower().replace("_", " ") in said for option in case.asked.wanted.options)
