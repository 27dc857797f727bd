"""Cells of statistical tests: correlations, normality, differences between groups, with their verdicts."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from tablewright.analyst.grammar.forms.cells import Candidate, Case, computed
from tablewright.analyst.grammar.forms.phrases import FEW, Phrase
from tablewright.analyst.grammar.forms.rows import every_group
from tablewright.analyst.grammar.forms.rules import by_level, negative, positive, rejecting, rule, signs
from tablewright.analyst.plan import (
    Aggregate,
    Col,
    Derive,
    Expr,
    Lit,
    Measure,
    Named,
    Position,
    Procedure,
    Relation,
    Top,
)  # fmt: skip
from tablewright.analyst.plan import (
    Case as Choice,
)
from tablewright.domain.table import Cell

_NORMAL = frozenset({"shapiro", "ks", "anderson", "dagostino", "jarque_bera"})
_SEVERAL = frozenset({"anova", "kruskal", "levene", "bartlett"})
_TWO = frozenset({"t_test", "mann_whitney"})
_MOST = 5
_TEST = {"p": "p_value"}
_CORRELATED = frozenset({"correlation:"})
_STRONGEST = frozenset({"correlation:", "strength:", "superlative:max", "pair:", "sign:positive", "sign:negative"})
_VERDICT = frozenset(
    {
        "verdict:",
        "normal:",
        "correlation:",
        "equality:",
        "op:-",
        "coefficient:",
        "sign:positive",
        "sign:negative",
        "deny:",
        "test:",
        "p_value:",
    }
)


def tests(case: Case) -> Iterator[Candidate]:
    """Yield the cells of every test that the task speaks of."""
    scene = case.scene
    named = scene.meanings("test")
    if scene.has("correlation") or case.asked.name.has("correlation"):
        yield from _correlations(case)
    if scene.has("normal") or _NORMAL & set(named):
        yield from _normality(case, next((name for name in named if name in _NORMAL), ""))
    for name in named:
        if name in _SEVERAL:
            yield from _between(case, name)
        elif name == "chi_square":
            yield from _categories(case)
        elif name in _TWO:
            yield from _samples(case, name)


def _cells(case: Case, relation: Relation, means: frozenset[str], weight: float) -> Iterator[Candidate]:
    """Yield the statistic and the p-value of a test."""
    yield Candidate(
        relation=relation, column=1, means=means | {"p_value:"}, covers=frozenset({"normal:"}), weight=weight
    )
    yield Candidate(relation=relation, column=0, means=means | {"statistic:"}, weight=weight)


def _verdict(
    case: Case, relation: Relation, of: Expr | None, means: frozenset[str], weight: float
) -> Iterator[Candidate]:
    if of is not None:
        yield Candidate(relation=computed(relation, of), means=means, covers=_VERDICT, verdict=True, weight=weight)


def _stated(case: Case, quantities: dict[str, str], affirmed: str = "") -> Expr | None:
    """Return the verdict by the rule that the task, or what is said about the tag, states."""
    asked = case.asked
    phrases = [*case.scene.phrases, asked.about] if asked.wanted.options else []
    return rule(phrases, asked.wanted.options, quantities, case.scene.alpha, affirmed)


# ---- correlations ---------------------------------------------------------------------------------------------------


def _correlations(case: Case) -> Iterator[Candidate]:
    scene, asked = case.scene, case.asked
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
        yield from _verdict(case, relation, _worded(case, quantities), means, weight)


def _worded(case: Case, quantities: dict[str, str]) -> Expr | None:
    """Return the verdict on a correlation: by the stated rule, else by its sign, else by its significance."""
    options = case.asked.wanted.options
    stated = _stated(case, quantities)
    signed = signs(options, quantities["r"])
    if stated is not None and (signed is None or len(options) > 2 or _has_threshold(case)):
        return stated
    return signed or stated or by_level("p_value", case.scene.alpha, positive(options), negative(options))


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
    if not asked.wanted.options and asked.wanted.decimals is None:
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
    yield from _verdict(case, relation, _worded(case, quantities), means, 0.0)


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
        moments = [
            name for name in ("skew", "kurtosis") if name in {m for p in scene.phrases for m in p.meanings("quantity")}
        ]
        if moments and not method:
            argument = 0.0 if scene.has("scipy") else None
            measures = tuple(Measure(name=one, function=one, of=Col(name=column), argument=argument) for one in moments)  # type: ignore[arg-type]
            relation: Relation = Aggregate(source=case.rows(), groups=(), measures=measures)
            of = _stated(case, {one: one for one in moments}, "normal")
            yield from _verdict(case, relation, of, keys | {f"aggregate:{one}" for one in moments}, weight + 0.1)
            continue
        options: dict[str, Cell] = {"method": method or "shapiro", "alpha": scene.alpha}
        relation = Procedure(source=case.rows(), name="normality", columns=(column,), options=options)
        yield from _cells(case, relation, keys, weight)
        yes, no = positive(case.asked.wanted.options), negative(case.asked.wanted.options)
        by_rule = _stated(case, _TEST) if _one_sided(case) else None
        yield from _verdict(case, relation, by_rule or by_level("p_value", scene.alpha, no, yes), keys, weight)


def _one_sided(case: Case) -> bool:
    """Return whether the rule says which option is for which side: otherwise a small p-value is not normal."""
    return any(
        phrase.has("p_value") and phrase.has("compare") and _names_options(case, phrase)
        for phrase in case.scene.phrases
    )


def _names_options(case: Case, phrase: Phrase) -> bool:
    said = phrase.text.lower()
    return any(option.lower().replace("_", " ") in said for option in case.asked.wanted.options)


# ---- groups compared ------------------------------------------------------------------------------------------------


def _categories(case: Case) -> Iterator[Candidate]:
    """Yield the test of independence of two columns: those made of labels first."""
    scene = case.scene
    labelled = [made.name for made in scene.made if made.labels]
    parts = {link.column for made in scene.made for place in made.sentences for link in scene.phrases[place].links}
    later = {link.column for phrase in scene.phrases if phrase.has("test") for link in phrase.links}
    others = sorted(scene.every, key=lambda name: (name in parts - later, name not in later, scene.is_number(name)))
    said = list(dict.fromkeys([*labelled, *(name for name in others if name not in labelled)]))
    if len(said) < 2:
        return
    relation = Procedure(source=case.rows(), name="chi_square", columns=(said[0], said[1]))
    means = frozenset({f"column:{said[0]}", f"column:{said[1]}"})
    yield from _cells(case, relation, means, 0.2)
    yield Candidate(relation=relation, column=2, means=means | {"degrees:", "whole"}, weight=0.2)
    yield from _of_level(case, relation, means, 0.2)


def _of_level(case: Case, relation: Relation, means: frozenset[str], weight: float) -> Iterator[Candidate]:
    options = case.asked.wanted.options
    if not options and case.asked.name.has("verdict") and not case.asked.name.has("statistic", "p_value", "aggregate"):
        options = ("Yes", "No")
    small, large = rejecting(options)
    if case.asked.name.has("equality"):
        small, large = large, small
    of = by_level("p_value", case.scene.alpha, small, large)
    yield from _verdict(case, relation, of, means, weight)


def _between(case: Case, name: str) -> Iterator[Candidate]:
    scene = case.scene
    group = next(iter(_grouping(case)), None)
    for value, weight in case.numeric():
        if group is not None and value != group:
            relation = Procedure(source=scene.source(), name=name, columns=(value, group))
            means = frozenset({f"column:{value}", f"column:{group}"})
            yield from _cells(case, relation, means, weight)
            yield from _of_level(case, relation, means, weight)


def _grouping(case: Case) -> list[str]:
    """Return the columns by which rows may be compared: labels that the task makes, texts, numbers of few values."""
    scene = case.scene
    labelled = [made.name for made in scene.made if made.labels]
    texts = [name for name in scene.every if name in scene.linker.cells]
    held = [cell.places[0][0] for phrase in scene.phrases for cell in phrase.cells]
    few = [name for name in scene.every if (scene.linker.columns[name].distinct or 999) <= FEW]
    return list(dict.fromkeys([*labelled, *texts, *held, *few]))


_GROUP = "compared group"


def _samples(case: Case, name: str) -> Iterator[Candidate]:
    scene = case.scene
    welch: dict[str, Cell] = {"equal_var": not scene.has("welch")} if name == "t_test" else {}
    for relation, value, weight in _compared(case, name, welch):
        means = frozenset({f"column:{value}"})
        yield from _cells(case, relation, means, weight)
        yield from _of_level(case, relation, means, weight)


def _compared(case: Case, name: str, options: dict[str, Cell]) -> Iterator[tuple[Relation, str, float]]:
    """Yield the test of two groups: of two cells of a column, of rows with and without a flag or a gap, of weekdays and
    weekends, else of two columns."""
    scene = case.scene
    source = scene.source()
    pair = _two_groups(case)
    if pair is None:
        if len(scene.numeric) > 1 and scene.has("paired", "between"):
            how: dict[str, Cell] = {"paired": True} if scene.has("paired") else {"two_columns": True}
            columns = (scene.numeric[0], scene.numeric[1])
            yield Procedure(source=source, name=name, columns=columns, options={**options, **how}), columns[0], 0.0
        return
    column, first, second, of = pair
    if of is not None:
        source = Derive(source=source, columns=(Named(name=_GROUP, of=of),))
        column, first, second = _GROUP, "first", "second"
    chosen: dict[str, Cell] = {**options, "first": first, "second": second}
    for value, weight in _measured(case, pair[0]):
        yield Procedure(source=source, name=name, columns=(value, column), options=chosen), value, weight


def _measured(case: Case, column: str) -> list[tuple[str, float]]:
    names = [name for name, _ in case.numeric() if name != column] or [n for n in case.scene.numeric if n != column]
    return [(name, -0.15 * place) for place, name in enumerate(names)]


def _two_groups(case: Case) -> tuple[str, Cell, Cell, Expr | None] | None:
    scene = case.scene
    known = tuple(scene.every)
    by: dict[str, dict[object, Expr | None]] = {}
    where: dict[tuple[str, object], object] = {}
    texts = [*((one.name, known) for one in scene.tags), *((phrase, ()) for phrase in scene.phrases)]
    for phrase, named in texts:
        for group in every_group(phrase, scene.linker, scene.made, named):
            by.setdefault(group.column, {}).setdefault(group.value, None)
            where.setdefault((group.column, group.value), group.where)
    for column, values in by.items():
        if len(values) == 2 and column not in scene.numeric[:1]:
            one, other = values
            first = where[column, one]
            if isinstance(one, str) and (
                one in {"gap", "filled", "weekday", "weekend"} or column not in scene.linker.columns
            ):
                return (
                    column,
                    None,
                    None,
                    Choice(branches=((first, Lit(value="first")),), otherwise=Lit(value="second")),
                )  # type: ignore[arg-type]
            return column, one, other, None  # type: ignore[return-value]
    for name in scene.every:
        cells = scene.linker.cells.get(name, ())
        if len(cells) == 2:
            return name, cells[0], cells[1], None
        column_facts = scene.linker.columns[name]
        if column_facts.distinct == 2 and scene.is_number(name):
            return name, column_facts.minimum, column_facts.maximum, None
    return None


__all__ = ["tests"]
