"""Which column a tag is about: by its name, by what the form says about it, or by the sentence that asks for its
statistic."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tablewright.analyst.linking.columns import column_names, columns
from tablewright.analyst.linking.mentions import ColumnMention
from tablewright.analyst.linking.tokens import lemmas, tokenize
from tablewright.analyst.reading.tagged.columns_said import is_numeric, numeric_said
from tablewright.analyst.reading.tagged.form import Wanted
from tablewright.analyst.reading.tagged.scene import Scene
from tablewright.domain.dataset import DatasetFacts

_NO_COLUMN = frozenset(
    [
        "num",
        "number",
        "no",
        "of",
        "count",
        "total",
        "value",
        "mean",
        "average",
        "avg",
        "std",
        "dev",
        "median",
        "min",
        "max",
        "with",
        "without",
        "before",
        "after",
        "sum",
        "standard",
        "deviation",
        "the",
        "for",
        "pre",
        "post",
        "p",
        "r",
    ]
)
_NEW = re.compile(
    r"\b(?:new|transformed|derived|created|resulting)\s+(?:\w+\s+)?(?:feature|column|variable|attribute)"
    r"|\bthis (?:new )?(?:feature|column)",
    re.IGNORECASE,
)
_ITS = re.compile(
    r"\b(?:its|this|the resulting|the new)\s+(?:mean|average|median|standard|variance|min|max|sum|total|skew|kurt)",
    re.IGNORECASE,
)
_OTHERWISE_USED = re.compile(
    r"\b(?:fill|imput|replac)\w*\b[^.]*\b(?:with|by|using)\b|\b(?:mean|median|mode) imputation|\bcategori[sz]"
    r"|\bsubtract\w* the (?:mean|average)",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"(?<!\d)\.(?=\s|$)|(?<=\d)\.(?=\s|$)|\n|;")


def column_for(scene: Scene, wanted: Wanted, *verbs: str) -> str | None:
    """Return the numeric column of a tag, or None. `verbs` are patterns for words with which the text asks for the
    tag's statistic."""
    named = _made(scene, wanted) or _named(scene, wanted.name) or _by_digits(scene, wanted)
    named = named or _named(scene, wanted.placeholder)
    if named is None and len(_known(scene)) > 1:
        named = _ordered(scene, verbs) or _told(scene, wanted)
    return named or _anywhere(scene, wanted) or next(iter(_known(scene)), None)


def _known(scene: Scene) -> list[str]:
    return [*(made.name for made in reversed(scene.made) if not made.labels), *scene.numeric]


def _made(scene: Scene, wanted: Wanted) -> str | None:
    said = set(wanted.words) | set(lemmas(wanted.placeholder))
    numeric = [made.name for made in scene.made if not made.labels]
    if len(numeric) == 1 and {"new"} & said and {"feature", "column", "variable"} & said:
        return numeric[0]
    named = next((name for name in numeric if set(lemmas(name)) & said - _NO_COLUMN), None)
    return named or next((name for name in numeric if len(lemmas(name)) > 1 and _initials(name) in wanted.words), None)


def _initials(name: str) -> str:
    return "".join(word[0] for word in lemmas(name))


def _mentions(text: str, facts: DatasetFacts) -> list[ColumnMention]:
    tokens = tuple(token for token in tokenize(text) if token.lemma not in _NO_COLUMN)
    found = columns(tokens, column_names(facts.columns))
    return sorted(found, key=lambda mention: (-mention.score, mention.start - mention.end))


def _named(scene: Scene, text: str) -> str | None:
    """Return the column of the question that a name mentions."""
    known = _known(scene)
    for mention in _mentions(text, scene.facts):
        for column in (mention.column, *(column for column, _ in mention.others)):
            if column in known:
                return column
    return None


def _by_digits(scene: Scene, wanted: Wanted) -> str | None:
    """Return the only column that shares a number with the tag: `gdp2007` and `gdpPercap_2007`."""
    digits = re.findall(r"\d{2,}", wanted.name)
    found = [column for column in _known(scene) if any(number in re.findall(r"\d+", column) for number in digits)]
    return found[0] if len(found) == 1 else None


def _ordered(scene: Scene, verbs: Sequence[str]) -> str | None:
    """Return the column of the sentence that asks for the statistic: `calculate the mean and median of the Price
    column`."""
    for sentence in reversed(_SENTENCE.split(scene.text)):
        match = next((found for verb in verbs if (found := re.search(rf"\b{verb}", sentence, re.IGNORECASE))), None)
        if match is None or _OTHERWISE_USED.search(sentence):
            continue
        after = sentence[match.end() :]
        made = [made.name for made in scene.made if not made.labels]
        if made and (
            _NEW.search(after) or _ITS.search(sentence) or any(name.lower() in after.lower() for name in made)
        ):
            return made[-1]
        said = [column for column in numeric_said(after, scene.facts) if column in scene.numeric]
        if said:
            return said[0]
    return None


def _told(scene: Scene, wanted: Wanted) -> str | None:
    said = [column for column in numeric_said(wanted.about, scene.facts, least=0.8) if column in _known(scene)]
    return said[0] if len(said) == 1 else None


def _anywhere(scene: Scene, wanted: Wanted) -> str | None:
    """Return a numeric column that only the tag's name mentions."""
    numeric = {column.name for column in scene.facts.columns if is_numeric(column)}
    return next(
        (
            mention.column
            for mention in _mentions(wanted.name, scene.facts)
            if mention.column in numeric and mention.score >= 0.8
        ),
        None,
    )
