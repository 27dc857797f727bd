"""A clause of an instruction beside one table: its words, links, and what each token costs when nothing covers it."""

from __future__ import annotations

from dataclasses import dataclass, field

from tablewright.analyst.grammar.coverage import SIGNS, classes_of
from tablewright.analyst.grammar.scene import Scene as Linked
from tablewright.analyst.grammar.scene import scene
from tablewright.analyst.grammar.semantics import Word, mask_of
from tablewright.analyst.linking.text import is_han
from tablewright.analyst.linking.tokens import Token, lemmas, tokenize
from tablewright.analyst.operating.instructing.lettered import with_letters
from tablewright.analyst.operating.instructing.words import said_words
from tablewright.analyst.operating.scene import Place, Scene
from tablewright.data.base import ValueLookup

_COSTS = {
    "not": 3.0, "compare": 3.0, "between": 2.0, "before": 1.0, "after": 1.0, "missing": 2.0, "present": 1.0,
    "contains": 2.0, "number": 3.0, "period": 3.0, "value": 2.4, "part": 1.2, "column": 2.0, "word": 1.3, "stop": 0.05,
    "rows": 0.15, "restated": 0.2, "superlative": 1.2, "aggregate": 1.2, "each": 0.6,
}  # fmt: skip
_OTHER = 0.8
_FILLED = frozenset({"word", "stop", "rows", "top", "count", "each", "unit", "wh", "order", "direction", "aggregate",
                     "relation", "difference", "chart", "part", "present", "or", "share"})  # fmt: skip
VETOED = frozenset({"not", "compare", "number", "period", "outside"})
"""Classes of words that are never left aside without a word; `outside` are things that no workbook can do."""
_FILLER = 0.06
ROW = 0.3
"""What a word costs that only says what the rows are."""
SURE = 0.85
"""Words whose link scores so much name a column without doubt."""
_NAMING = frozenset({"column", "newcolumn", "called"})
_HAN = 0.5
_VERB = 1.6
_LONG = (1, 2)
VERBS = frozenset({"sort", "delete", "hide", "freeze", "chart", "bold", "filter", "split", "highlight", "rename",
                    "move", "replace", "bring", "copy", "trim", "round", "comment", "protect", "print",
                    "unprotect", "encrypt"})  # fmt: skip
"""Operations whose words are hardly ever said without being meant."""
_MARKED = {
    "noun:newcolumn": 1.3,
    "colour": 2.2,
    "numformat": 1.6,
    "noun:font": 1.0,
    "act:outside": 3.0,
    "act:bring": 1.0,
    "name:called": 1.3,
    "beyond": 1.4,
    "act:align": 1.3,
    "direction": 1.3,
    "act:borders": 1.3,
    "act:databars": 1.3,
    "act:colourscale": 1.3,
    "act:italic": 1.3,
    "act:underline": 1.3,
    "act:wrap": 1.3,
}
"""What words cost that are never said without being meant."""
_BOUNDS = frozenset({"before", "after", "between", "compare"})
_ASKED = 2.0
"""What a question word costs that nothing covers: what is asked is not to be changed."""


@dataclass(slots=True, kw_only=True)
class Memory:
    """What earlier clauses spoke of or made: columns, the sheet they filled, rows they chose, a summary's measures
    by the sheet it stands on, whether rows were deleted, so that the last row is not known, the cells and the chart."""

    columns: tuple[str, ...] = ()
    where: dict[str, object] | None = None
    target: str | None = None
    measures: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()
    added: str | None = None
    shrunk: bool = False
    area: object = None
    chart_sheet: str | None = None


@dataclass(slots=True, kw_only=True)
class Clause:
    """A clause, read beside the table `place`. `costs` are those of the tokens that nothing covers, `classes` their
    kinds, and `sheets` the sheets that it names, each with its words."""

    text: str
    tokens: tuple[Token, ...]
    linked: Linked
    scene: Scene
    place: Place
    memory: Memory
    words: tuple[Word, ...]
    classes: tuple[str, ...]
    costs: tuple[float, ...]
    sheets: tuple[tuple[str, int], ...]
    others: dict[str, tuple[Place, Linked]] = field(default_factory=dict[str, tuple[Place, Linked]])
    parts: dict[str, tuple[object, ...]] = field(default_factory=dict[str, tuple[object, ...]])

    def of(self, kind: str) -> list[Word]:
        """Return the words of a type, or of `type:meaning`, the longest first at each place."""
        name, _, meaning = kind.partition(":")
        found = [word for word in self.words if word.type == name and (not meaning or word.meaning == meaning)]
        return sorted(found, key=lambda word: (word.start, -word.end))

    def left(self, mask: int) -> float:
        """Return what the words outside a mask cost."""
        return sum(cost for place, cost in enumerate(self.costs) if not mask >> place & 1)

    def unread(self, mask: int) -> list[int]:
        """Return the tokens outside a mask that say something."""
        return [place for place, cost in enumerate(self.costs) if cost > _FILLER and not mask >> place & 1]

    def said(self, start: int, end: int) -> str:
        """Return the text of tokens."""
        return self.text[self.tokens[start].start : self.tokens[end - 1].end]


async def clause_of(text: str, scene_: Scene, place: Place, memory: Memory, values: ValueLookup) -> Clause:
    """Return a clause, linked to a table and to the others of the workbook."""
    tokens = tokenize(text)
    words = _without_names(tokens, said_words(tokens))
    linked = with_letters(await _linked(text, tokens, scene_, place, values), words, place)
    others = {}
    for other in scene_.places:
        if other.sheet != place.sheet and other.names and other.sheet not in others:
            others[other.sheet] = (other, await _linked(text, tokens, scene_, other, values))
    sheets = tuple(_sheets(tokens, scene_.sheets, words))
    classes = [name for name, _ in classes_of(linked)]
    _mark_outside(classes, words, [linked, *(other for _, other in others.values())])
    costs = _costs(tokens, classes, words, linked)
    return Clause(
        text=text, tokens=tokens, linked=linked, scene=scene_, place=place, memory=memory, words=words,
        classes=tuple(classes), costs=tuple(costs), sheets=sheets, others=others,
    )  # fmt: skip


async def _linked(text: str, tokens: tuple[Token, ...], scene_: Scene, place: Place, values: ValueLookup) -> Linked:
    """Return the words of a text linked to a table; a stretch of a message is read several times, and linked once."""
    key = text, id(place.facts)
    if key not in scene_.linked:
        # The facts are kept beside what they are known by, so that no others are.
        scene_.linked[key] = place.facts, await scene(text, tokens, scene_.language, place.facts, values)
    return scene_.linked[key][1]


def _without_names(tokens: tuple[Token, ...], words: tuple[Word, ...]) -> tuple[Word, ...]:
    """Return the words without those that are names: written large right behind a word that says that a name
    follows, as in `a column Growth`."""
    heads = {word.end for word in words if word.type in {"noun", "name"} and word.meaning in _NAMING}
    return tuple(
        word for word in words if not (word.start in heads and tokens[word.start].text[:1].isupper() and word.start)
    )


def _costs(tokens: tuple[Token, ...], classes: list[str], words: tuple[Word, ...], linked: Linked) -> list[float]:
    """Return what each token costs when nothing covers it."""
    costs = [_cost(token, name) for token, name in zip(tokens, classes, strict=True)]
    for at in _rows_named(linked):
        costs[at] = min(costs[at], ROW)
    for link in linked.links:
        if link.column.role == "date" and link.end < len(tokens) and classes[link.end] == "unit":
            costs[link.end] = min(costs[link.end], _FILLER)
    for at in (*_filled(tokens, classes, words, linked), *_counts_restated(linked)):
        costs[at] = min(costs[at], _FILLER)
    for word in words:
        if (
            word.type == "act"
            and word.meaning in VERBS
            and word.end - word.start >= _LONG[tokens[word.start].kind == "han"]
        ):
            for at in range(word.start, word.end):
                costs[at] = max(costs[at], _VERB)
    _mark(costs, words)
    for word in linked.of("wh"):
        asks = word.start == 0 or is_han(tokens[word.start].norm[0])
        if asks and word.meaning != "where":
            costs[word.start] = _ASKED
    return costs


def _counts_restated(linked: Linked) -> set[int]:
    """Return the tokens that only say how many kinds a column has that is named behind them: `the three regions`."""
    kinds = {one.name: one.distinct for one in linked.facts.columns}
    return {
        at
        for number in linked.numbers
        for link in linked.links
        if link.score >= SURE and 0 <= link.start - number.end <= 1 and kinds.get(link.column.name) == number.value
        for at in range(number.start, link.start)
    }


def _rows_named(linked: Linked) -> set[int]:
    """Return the tokens that call the rows by the column that tells them apart: `the cancelled orders`."""
    rows = linked.facts.rows
    keys = [link for link in linked.links if link.column.identifies or _unique(linked, link.column.name, rows)]
    return {at for link in keys for at in range(link.start, link.end)}


def _unique(linked: Linked, name: str, rows: int) -> bool:
    return any(one.name == name and one.distinct == rows and one.kind == "text" for one in linked.facts.columns)


def _filled(tokens: tuple[Token, ...], classes: list[str], words: tuple[Word, ...], linked: Linked) -> set[int]:
    """Return the tokens that say nothing: of words that fill a sentence, unless they may bound an amount or set one
    column beside another."""
    amounts = {at for at, name in enumerate(classes) if name in {"number", "period"}}
    columns = {at for link in linked.links if link.score >= SURE for at in range(link.start, link.end)}
    found: set[int] = set()
    for word in words:
        if word.type == "host":
            found |= {at for at in range(word.start, word.end) if classes[at] in _FILLED}
        for at in range(word.start, word.end) if word.type == "filler" else ():
            between = columns & {at - 1, at - 2} and columns & {at + 1, at + 2}
            bound = classes[at] in _BOUNDS and not between and not amounts & {at - 1, at + 1, at + 2}
            if not _short(tokens[at]) and (classes[at] in _FILLED or bound or word.end - word.start > 1):
                found.add(at)
    return found


def _mark(costs: list[float], words: tuple[Word, ...]) -> None:
    """Raise what words cost that are never said without being meant."""
    for word in words:
        least = _MARKED.get(f"{word.type}:{word.meaning}", _MARKED.get(word.type, 0.0))
        shared = 1 if word.meaning == "newcolumn" else word.end - word.start
        for at in range(word.start, word.end) if least else ():
            costs[at] = max(costs[at], least / shared)


def _mark_outside(classes: list[str], words: tuple[Word, ...], scenes: list[Linked]) -> None:
    """Class as `outside` the words for what no workbook can do, unless a column is called so."""
    named = 0
    for linked in scenes:
        for link in linked.links:
            named |= link.mask
    for word in words:
        if word.type == "act" and word.meaning == "outside" and not word.mask & named:
            for at in range(word.start, word.end):
                classes[at] = "outside"


def _cost(token: Token, name: str) -> float:
    if token.kind == "mark":
        return _COSTS[name] if name in SIGNS else 0.0
    cost = _COSTS.get(name, _OTHER) * (_HAN if is_han(token.norm[0]) else 1.0)
    return max(cost, _OTHER) if _short(token) else cost


def _short(token: Token) -> bool:
    """Return whether a token is written like an abbreviation: `IT` is not the word `it`."""
    return token.kind == "word" and token.text.isupper() and token.text not in {"I", "A"}


def _ahead(tokens: tuple[Token, ...], noun: Word, start: int) -> bool:
    """Return whether only a quotation mark stands between a word for a sheet and a token."""
    return noun.end == start - 1 and tokens[noun.end].kind == "mark"


def _sheets(tokens: tuple[Token, ...], names: tuple[str, ...], words: tuple[Word, ...]) -> list[tuple[str, int]]:
    """Return the sheets that are named, with their words and a word for a sheet beside them. One that is called by a
    part of its name alone (`出库` for `出库明细`) needs that word."""
    said = tuple(token.lemma for token in tokens)
    nouns = [word for word in words if word.type == "noun" and word.meaning == "sheet"]
    found: list[tuple[str, int]] = []
    for name in names:
        form = lemmas(name)
        for start in range(len(said) - len(form) + 1):
            if form and said[start : start + len(form)] == form:
                end = start + len(form)
                mask = mask_of(start, end)
                for noun in nouns:
                    if noun.start - end in {0, 1} or noun.end == start or _ahead(tokens, noun, start):
                        mask |= noun.mask
                found.append((name, mask))
    for noun in nouns:
        for name in names:
            form = lemmas(name)
            for size in range(min(len(form) - 1, noun.start), 0, -1):
                part = said[noun.start - size : noun.start]
                if form[:size] == part and not any(other == name for other, _ in found) and len("".join(part)) > 1:
                    found.append((name, mask_of(noun.start - size, noun.end)))
                    break
    return found
