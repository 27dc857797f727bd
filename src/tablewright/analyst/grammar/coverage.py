"""What words that no part of a reading covers cost, by their class."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tablewright.analyst.grammar.scene import ColumnLink, Scene
from tablewright.analyst.linking.lexicon import row_nouns, stopwords
from tablewright.analyst.linking.mentions import NumberMention, ValueMention
from tablewright.analyst.linking.text import is_han

_CLASSES = (
    "not", "compare", "between", "before", "after", "missing", "present", "contains", "superlative", "aggregate",
    "share", "difference", "growth", "cumulative", "distinct", "chart", "direction", "top", "count", "relation",
    "outliers", "consecutive", "repeat", "duration", "each", "unit", "wh", "order", "or",
)  # fmt: skip
SIGNS = frozenset({"compare", "not"})
"""Classes of signs that say something: `>`, `≠`."""
_SURE = 0.85
_SAYS_LITTLE = frozenset({"stop", "rows", "wh", "each", "order"})
_NAMES_TABLES = frozenset({"rows", "word", "stop", "order"})
"""Classes of words that may as well be what a table is called."""
_POINTERS = frozenset({"这", "these", "the", "those", "那"})
_HAN_WEIGHT = 0.5
Classes = tuple[tuple[str, float], ...]
"""The class and the weight of every token."""


def classes_of(scene: Scene) -> Classes:
    """Return the class and the weight of every token; marks weigh nothing."""
    fillers = _covered(scene, "filler")
    nouns = _covered(scene, "row_noun").difference(_grouped_by(scene))
    plain = [_plain(scene, place, fillers, nouns) for place in range(len(scene.tokens))]
    found = list(plain)
    for link in scene.links:
        if link.score >= _SURE:
            _mark(found, link.start, link.end, "restated" if _said_again(scene, link) else "column")
    for cell in scene.cells:
        _mark(found, cell.start, cell.end, "value" if cell.how == "exact" else "part")
    for test in scene.tests:
        _mark(found, test.start, test.end, "value")
    for formula in scene.formulas:
        _mark(found, formula.start, formula.end, "column")
    _mark_words(found, scene, plain)
    _mark_tables(found, scene)
    for start, end in said_to_group(scene):
        _mark(found, start, end, "per")
    for place in _ranked_by(scene):
        found[place] = "stop"
    for number in scene.numbers:
        _mark(found, number.start, number.end, "restated" if _restated(scene, number) else "number")
    for period in scene.periods:
        _mark(found, period.start, period.end, "period")
    return tuple(
        (name, 0.0 if token.kind == "mark" and name not in SIGNS else _HAN_WEIGHT if is_han(token.norm[0]) else 1.0)
        for name, token in zip(found, scene.tokens, strict=True)
    )


def _grouped_by(scene: Scene) -> list[int]:
    """Return the things that something is grouped by (`per product`) which are rows of other tables, not of this one:
    they ask for a column, and if none is linked to them, for one that is not there."""
    ends = {word.end for word in scene.of("each", "by")}
    things = (word.start for word in scene.of("row_noun") if word.meaning != "row")
    return [place for place in things if place in ends and scene.tokens[place].lemma not in scene.row_words]


def _mark_tables(found: list[str], scene: Scene) -> None:
    """Mark the words that name tables of which nothing is known here, and those of others that something is grouped
    by: `per order` of order lines."""
    grouped = {word.end for word in scene.of("each", "by")}
    for place in scene.others:
        if found[place] in _NAMES_TABLES and (place in scene.outside or place in grouped):
            found[place] = "table"


def _said_again(scene: Scene, link: ColumnLink) -> bool:
    """Return whether the same words stand for the column once more, further on (`revenue of the total revenue`)."""
    said = [token.norm for token in scene.tokens[link.start : link.end]]
    later = [one for one in scene.links if one.column is link.column and one.start >= link.end]
    return any(said == [token.norm for token in scene.tokens[one.start : one.end]] for one in later)


def said_to_group(scene: Scene) -> list[tuple[int, int]]:
    """Return the words that say that something is grouped by: before a unit of time with it (`by month`), before a
    column of texts or dates alone (`per` city)."""
    named = {link.start for link in scene.links if link.score >= _SURE and link.column.role in {"text", "date"}}
    found = [(word.start, word.end) for word in scene.of("each", "by") if word.end in named]
    found += [(word.start, word.end) for word in scene.of("unit") if word.about == "each"]
    means = {word.start for word in scene.of("aggregate") if word.meaning == "mean"}
    for word in scene.of("unit"):
        found += [(word.start, word.end)] if word.end in means and word.meaning != "year" else []
        found += [(one.end, word.end) for one in scene.of("each", "by") if one.end == word.start]
    return found


def _ranked_by(scene: Scene) -> list[int]:
    """Return the words between a ranking and the numbers that rank (`top 5 products by revenue`)."""
    ranking = min((word.end for word in scene.of("top", "superlative")), default=len(scene.tokens))
    amounts = {link.start for link in scene.links if link.column.role == "number" and not link.column.identifies}
    return [word.start for word in scene.of("each", "by") if ranking <= word.start and word.end in amounts]


def _mark_words(found: list[str], scene: Scene, plain: list[str]) -> None:
    """Mark the words of the lexicon, what must not be left out last; of a phrase, the words that tell something."""
    rank = {name: place for place, name in enumerate(_CLASSES)}
    for word in sorted(scene.words, key=lambda word: -rank.get(word.type, 99)):
        if word.type in rank and not (word.type == "order" and plain[word.start] == "rows"):
            telling = [place for place in range(word.start, word.end) if plain[place] != "stop"]
            for place in telling or range(word.start, word.end):
                found[place] = word.type


def hows_of(scene: Scene) -> tuple[str, ...]:
    """Return for every token by which kind of loose link it means something at best; empty for others."""
    found = [""] * len(scene.tokens)
    best = [0.0] * len(scene.tokens)
    several: list[ColumnLink | ValueMention] = [*scene.links, *scene.cells]
    for link in several:
        how = "" if link.how in {"exact", "contained"} else link.how
        for place in range(link.start, link.end):
            if link.score > best[place]:
                found[place], best[place] = how, link.score
    return tuple("typo" if place in scene.typos else how for place, how in enumerate(found))


def covered_loosely(hows: tuple[str, ...], classes: Classes, mask: int) -> dict[str, float]:
    """Return the features of the tokens in `mask` that mean something by a loose link."""
    found: dict[str, float] = {}
    for place, how in enumerate(hows):
        if how and mask >> place & 1:
            found[f"how:{how}"] = found.get(f"how:{how}", 0.0) + classes[place][1]
    return found


def heads_left(links: Sequence[ColumnLink], classes: Classes, mask: int) -> dict[str, float]:
    """Return whether the word right behind one that names a column loosely has no part: then that one only describes
    what is asked for (`shipping weight`)."""
    ends = {link.end for link in links if link.score < _SURE and link.mask & mask == link.mask}
    left = any(
        end < len(classes) and classes[end][1] and classes[end][0] not in _SAYS_LITTLE and not mask >> end & 1
        for end in ends
    )
    return {"left:head": 1.0} if left else {}


def _restated(scene: Scene, number: NumberMention) -> bool:
    """Return whether a number only says how many things are named (`these two`)."""
    named = {cell.start for cell in scene.cells}
    pointed = number.start > 0 and scene.tokens[number.start - 1].norm in _POINTERS
    return pointed and 1 < number.value <= len(named)


def _mark(found: list[str], start: int, end: int, name: str) -> None:
    for place in range(start, end):
        found[place] = name


def _covered(scene: Scene, type_: str) -> frozenset[int]:
    return frozenset(place for word in scene.of(type_) for place in range(word.start, word.end))


def _plain(scene: Scene, place: int, fillers: frozenset[int], nouns: frozenset[int]) -> str:
    token = scene.tokens[place]
    if token.lemma in scene.row_words or (token.lemma,) in row_nouns():
        return "rows"
    if place in fillers or token.norm in stopwords() or token.lemma in stopwords():
        return "stop"
    return "rows" if place in nouns else "word"


def gains(classes: Classes, weights: Mapping[str, float]) -> tuple[float, ...]:
    """Return what covering each token spares."""
    return tuple(-weights.get(f"left:{name}", 0.0) * size for name, size in classes)


def left_over(classes: Classes, mask: int) -> dict[str, float]:
    """Return the features of the tokens outside `mask`."""
    found: dict[str, float] = {}
    for place, (name, size) in enumerate(classes):
        if size and not mask >> place & 1:
            found[f"left:{name}"] = found.get(f"left:{name}", 0.0) + size
    return found
