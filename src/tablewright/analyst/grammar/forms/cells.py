"""Cells of results that a tag may mean, and how well the tag's words agree with each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from tablewright.analyst.grammar.forms.phrases import Link, Phrase
from tablewright.analyst.grammar.forms.rows import Group, groups_of
from tablewright.analyst.grammar.forms.scene import Asked, Scene, Stage
from tablewright.analyst.grammar.forms.selecting import identifies
from tablewright.analyst.grammar.rows import row_words
from tablewright.analyst.linking.tokens import lemmas
from tablewright.analyst.plan import (
    Aggregate,
    AllOf,
    Col,
    Condition,
    Derive,
    Expr,
    Filter,
    Measure,
    Named,
    Project,
    Relation,
)  # fmt: skip

_WEIGHTLESS = frozenset(
    {
        "filler", "being", "only", "who", "every", "defined", "condition", "same", "apply", "group_word", "stops",
        "turned", "quantity", "threshold", "either", "previous", "boolean", "truth", "reject", "equality", "split",
        "feature", "new", "make", "or", "between", "compare", "predict", "features", "modelled", "label_noun",
        "transform", "fill", "drop", "op", "method", "part_of_date", "form", "decimals", "absolute", "denominator",
        "open", "sign", "pair", "normal", "count", "row", "deny", "test", "change", "target", "kind_of_text",
        "population", "scipy", "welch", "paired", "alpha", "seed", "trees", "classify", "identity", "listing", "model",
        "correlation", "whole", "days", "percentile", "degrees",
    }
)  # fmt: skip
"""Types of words that leave nothing out where no part means them."""
_ROLES = frozenset(
    {
        "p_value", "statistic", "degrees", "coefficient", "tally", "gap", "outlier", "bound", "metric",
        "aggregate", "quantile", "share", "duplicate", "distinct", "superlative", "row", "listing",
    }
)  # fmt: skip
"""Types of what a cell is, rather than of what it is about: a tag that is one says so."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A cell that a tag may mean: at `column` of a relation's first row (`every`: of all rows). `means` names what it
    stands for, `covers` what else
    it accounts for; `verdict` if it is one of the words that the form allows; `text` if it holds text; `weight` is what
    speaks for it beside its words."""

    relation: Relation
    means: frozenset[str]
    covers: frozenset[str] = frozenset()
    column: int = 0
    every: bool = False
    verdict: bool = False
    text: bool = False
    weight: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Scored:
    """A candidate with its features."""

    candidate: Candidate
    features: Mapping[str, float]
    score: float


@dataclass(slots=True)
class Case:
    """A tag beside its task: what its words may mean."""

    scene: Scene
    asked: Asked
    groups: list[Group]

    @property
    def stage(self) -> Stage:
        """Return the stage that the tag's name or placeholder means."""
        for phrase in (self.asked.name, self.asked.placeholder):
            stages = phrase.meanings("stage")
            if stages:
                return "raw" if stages[0] == "before" else "final"
        return "final"

    def rows(self, stage: Stage | None = None) -> Relation:
        """Return the rows that the tag is about."""
        source = self.scene.source(stage or self.stage)
        tests: tuple[Condition, ...] = tuple(group.where for group in self.groups)
        return source if not tests else Filter(source=source, where=tests[0] if len(tests) == 1 else AllOf(parts=tests))

    @property
    def group_keys(self) -> set[str]:
        """Return what the tag's groups stand for."""
        return {group_key(group) for group in self.groups}

    @property
    def stage_keys(self) -> set[str]:
        """Return what the tag's stage stands for."""
        return {"stage:before"} if self.stage == "raw" else {"stage:after"} if self.asked.name.has("stage") else set()

    def numeric(self) -> list[tuple[str, float]]:
        """Return the columns of numbers that the tag may be about, with what speaks for each: those of its name, else
        of its placeholder or of what is said about it, else of the task."""
        held = {group.column for group in self.groups}
        spans = [(group.start, group.end) for group in self.groups]
        free = [
            link
            for link in self.asked.name.links
            if not any(start < link.end and link.start < end for start, end in spans)
        ]
        own = [name for link in free if self.scene.is_number(name := self._meant(link)) and name not in held]
        exact = [link.column for link in free if link.column in own and link.score >= 0.9]
        known = [name for name in own if name in self.scene.numeric]
        if known or exact:
            return [(name, -0.1 * place) for place, name in enumerate(dict.fromkeys([*known, *exact]))]
        said = [
            link.column for phrase in (self.asked.about, self.asked.placeholder) for link in phrase.links
            if self.scene.is_number(link.column) and link.column not in held and link.score >= 0.9
        ]  # fmt: skip
        filled = {step.column for step in self.scene.steps if step.kind == "fill"} - {*self.changed()}
        known = [name for name in self.scene.numeric if name not in held]
        things = [name for name in known if not identifies(self.scene.linker, name)] or known
        rest = sorted(things, key=lambda name: name in filled)
        ordered = dict.fromkeys([*said, *own, *self.changed(), *rest])
        return [(name, -0.15 * place) for place, name in enumerate(ordered)][:6]

    def _meant(self, link: Link) -> str:
        """Return the column of a link; of those that fit nearly as well, one that the task names."""
        if link.score >= 0.9 or link.column in self.scene.numeric:
            return link.column
        return next((name for name in link.others if name in self.scene.numeric), link.column)

    def changed(self) -> list[str]:
        """Return the columns that the task puts on another scale or rids of outliers."""
        return [step.column for step in self.scene.steps if step.kind in {"transform", "outliers"}]


def group_key(group: Group) -> str:
    """Return what a group stands for."""
    return f"group:{group.column}={group.value}"


def case_of(scene: Scene, asked: Asked) -> Case:
    """Return a tag beside its task."""
    named = [link.column for phrase in scene.phrases for link in phrase.links]
    found = groups_of(asked.name, scene.linker, scene.made, tuple(dict.fromkeys(named)))
    if not found:
        said = groups_of(asked.placeholder, scene.linker, scene.made, tuple(dict.fromkeys(named)))
        found = [group for group in said if isinstance(group.value, str)]
    kept = [group for group in found if not _quantile(asked.name, group)]
    return Case(scene, asked, kept)


def _quantile(phrase: Phrase, group: Group) -> bool:
    return any(
        word.start < group.end and group.start < word.end
        for word in phrase.of("quantile", "metric", "statistic", "test")
    )


def counted(source: Relation) -> Aggregate:
    """Return the number of rows."""
    return Aggregate(source=source, groups=(), measures=(Measure(name="count", function="count"),))


def computed(relation: Relation, of: Expr) -> Relation:
    """Return an expression over the single row of a relation."""
    derived = Derive(source=relation, columns=(Named(name="value", of=of),))
    return Project(source=derived, columns=(Named(name="value", of=Col(name="value")),))


def keys_at(phrase: Phrase, groups: Sequence[Group]) -> list[set[str]]:
    """Return for every token what it may mean."""
    found: list[set[str]] = [set() for _ in phrase.tokens]
    for word in phrase.words:
        for place in range(word.start, word.end):
            found[place].add(f"{word.type}:{word.meaning}")
    for link in phrase.links:
        for place in range(link.start, link.end):
            found[place] |= {f"column:{name}" for name in (link.column, *link.others)}
    for group in groups:
        for place in range(group.start, min(group.end, len(found))):
            found[place].add(group_key(group))
    return found


def scored(case: Case, candidate: Candidate, weights: Mapping[str, float]) -> Scored:
    """Return a candidate with its features and their weighted sum."""
    features: dict[str, float] = {"prior": candidate.weight}
    asked = case.asked
    inside = keys_at(asked.name, case.groups)
    words = _lemmas(candidate.means)
    nouns = row_words(case.scene.facts)
    _add(features, _of_name(asked.name, inside, (candidate.means, candidate.covers), words, nouns))
    named = set[str]().union(*inside) if inside else set()
    _add(features, _of_means(case, candidate.means - named))
    wanted = asked.wanted
    features["verdict:unfit"] = float(
        bool(wanted.options) != candidate.verdict and not (candidate.text and wanted.options)
    )
    features["text:unfit"] = float(candidate.text and wanted.exact)
    features["whole:unfit"] = float(wanted.decimals == 0 and "whole" not in candidate.means)
    total = sum(weights.get(name, 0.0) * value for name, value in features.items())
    return Scored(candidate=candidate, features=features, score=total)


def _add(features: dict[str, float], names: Iterable[str]) -> None:
    for name in names:
        features[name] = features.get(name, 0.0) + 1.0


def _lemmas(keys: Iterable[str]) -> frozenset[str]:
    """Return the words of the names of columns."""
    return frozenset(lemma for key in keys if key.startswith("column:") for lemma in lemmas(key.partition(":")[2]))


def _of_name(
    phrase: Phrase,
    inside: Sequence[set[str]],
    parts: tuple[frozenset[str], frozenset[str]],
    words: frozenset[str],
    nouns: frozenset[str],
) -> Iterable[str]:  # fmt: skip
    """Yield a feature for every word of the tag's name: whether the cell means it."""
    means, covers = parts
    for token, keys in zip(phrase.tokens, inside, strict=True):
        if token.kind == "mark" or (not keys and token.lemma in nouns):
            continue
        types = {key.partition(":")[0] for key in keys}
        light = "light" if types & {"filler"} else "weightless" if types and types <= _WEIGHTLESS else "content"
        if keys & means or token.lemma in words:
            yield f"name:{'light' if light == 'light' else 'content'}"
        elif keys & covers:
            yield "name:covered" if light != "light" else "name:light"
        elif light == "content":
            yield "left:word" if not types else "left:meaning"
        else:
            yield f"left:{light}"


def _of_means(case: Case, means: Iterable[str]) -> Iterable[str]:
    """Yield where what the cell means is said, if not in the tag's name."""
    asked = case.asked
    own = set[str]().union(*keys_at(asked.placeholder, ()), set())
    about = set[str]().union(*keys_at(asked.about, ()), set())
    task = [set[str]().union(*keys_at(phrase, ()), set()) for phrase in case.scene.phrases]
    first = set[str]().union(
        *(keys for keys, phrase in zip(task, case.scene.phrases, strict=True) if phrase.asked), set()
    )
    every = set[str]().union(*task, set())
    for key in means:
        if ":" not in key:
            continue
        kind = "role" if key.partition(":")[0] in _ROLES else "means"
        if key in own:
            yield f"{kind}:placeholder"
        elif key in about:
            yield f"{kind}:about"
        elif key in first:
            yield f"{kind}:question"
        elif (
            key in every
            or key.startswith("made:")
            or (key.startswith("column:") and case.scene.makes(key.partition(":")[2]))
        ):
            yield f"{kind}:constraints"
        else:
            yield f"{kind}:unsaid"
