"""Columns that a task makes from others: arithmetic, categories, parts of dates, changes from row to row."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal

from tablewright.analyst.grammar.forms.arithmetic import combined, formula
from tablewright.analyst.grammar.forms.bands import bands
from tablewright.analyst.grammar.forms.phrases import Linker, Phrase
from tablewright.analyst.plan import Bucket, Col, Derive, Expr, Func, Lit, Math, Named, Relation, Shift, TimeUnit
from tablewright.domain.dataset import ColumnFacts

_TEXTUAL = frozenset({"letters", "words", "length", "title"})
_UNITS: tuple[TimeUnit, ...] = ("weekday", "hour", "month_of_year", "quarter", "year", "day_of_month")
_LABELLED = frozenset({"weekday", "month_of_year"})
SCALES = frozenset({"log", "log1p", "log10", "log2", "sqrt", "square", "zscore", "minmax"})
_SECONDS = 3600
_TWO = 2
_NEAR = 3
_TOLD = 5
_DATED = frozenset({"date", "datetime"})
_SMALL = "e-"


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """A new column: an expression per row, or (`moved`) the change of a column from the row before; `labels` are its
    values if it is of text. `start` is the sentence that makes it, `defined` the one that says how."""

    name: str
    of: Expr | None = None
    moved: tuple[str, Literal["difference", "growth", "cumulative"]] | None = None
    labels: tuple[str, ...] = ()
    sentences: frozenset[int] = frozenset()
    known: bool = True

    def applied(self, relation: Relation) -> Relation:
        """Return the relation with the column added."""
        if self.moved is not None:
            relation = Shift(source=relation, column=self.moved[0], name=self.name, how=self.moved[1])
            if self.of is None:
                return relation
        return Derive(source=relation, columns=(Named(name=self.name, of=self.of or Lit(value=None)),))

    def facts(self) -> ColumnFacts:
        """Return what is known of the column."""
        return ColumnFacts(name=self.name, kind="text" if self.labels else "number", samples=self.labels)


Reader = Callable[[Phrase, str, Linker], "Made | None"]


def made_columns(phrases: Sequence[Phrase], linker: Linker) -> tuple[Made, ...]:
    """Return the columns that sentences make, `known` if how was understood."""
    found: list[Made] = []
    for place, name in _names(phrases, linker):
        if all(one.name != name for one in found):
            found.append(_defined(name, place, phrases, linker))
    return tuple(found)


def _names(phrases: Sequence[Phrase], linker: Linker) -> Iterator[tuple[int, str]]:
    """Yield the names of columns that are made, and the sentences that make them."""
    known = {column.lower() for column in linker.columns}
    unnamed: list[tuple[int, str]] = []
    named = False
    for place, phrase in enumerate(phrases):
        if phrase.has("transform") and "rolling_mean" in phrase.meanings("transform") and not phrase.has("make"):
            yield place, "rolling mean"
            named = True
            continue
        verbs, new = phrase.of("make"), phrase.of("new")
        nouns = phrase.of("feature")
        if not verbs and not (new and nouns):
            continue
        name = _quoted_name(phrase, known) or _identifier(phrase, known)
        if name is not None:
            named = True
            yield place, name
        elif new and nouns and new[0].end <= nouns[0].start <= new[0].end + _NEAR and not named:
            unnamed.append((place, phrase.said(new[0].start, nouns[0].end)))
    if not named:
        yield from unnamed[:1]


def _quoted_name(phrase: Phrase, known: set[str]) -> str | None:
    """Return the quoted name after the word for a column or for making; a name before such a word only if it follows
    the verb (`create a "Size" column`)."""
    start = min(word.end for word in [*phrase.of("make"), *phrase.of("new")])
    nouns = [word for word in phrase.of("feature") if word.start >= start - 1]
    for span in phrase.quoted:
        name = phrase.said(*span)
        if name.lower() in known or span[0] < start:
            continue
        near = any(abs(span[0] - word.end) <= _NEAR or abs(word.start - span[1]) <= _TWO for word in nouns)
        if near or span[0] - start <= _TWO:
            return name
    return None


def _identifier(phrase: Phrase, known: set[str]) -> str | None:
    """Return an identifier right after the word for a column: `a new feature FamilySize`, `a new column log_price`."""
    for word in phrase.of("feature"):
        place = word.end
        if place < len(phrase.tokens) and phrase.tokens[place].norm in {"called", "named", ","}:
            place += 1
        if place >= len(phrase.tokens):
            continue
        start = phrase.tokens[place].start
        said = phrase.text[start:].split()[0].strip(".,;:()\"'")
        plain = said.isalpha() and not any(letter.isupper() for letter in said[1:])
        named = said.replace("_", "").isalnum() and said[:1].isalpha()
        if named and not plain and said.lower() not in known:
            return said
    return None


def _defined(name: str, place: int, phrases: Sequence[Phrase], linker: Linker) -> Made:
    naming = [number for number, phrase in enumerate(phrases) if name.lower() in phrase.text.lower()]
    order = dict.fromkeys([*naming, place, *(number for number in (place + 1, place + 2) if number < len(phrases))])
    readers: tuple[Reader, ...] = (
        _bands, _formula, _centered, _moved, _with_number, _arithmetic, _textual, _dated, _rescaled,
    )  # fmt: skip
    before = [link.column for phrase in phrases[: place + 1] for link in phrase.links]
    following = [phrase.text for phrase in phrases[place : place + _TOLD] if phrase.asked == phrases[place].asked]
    whole = linker.phrase(" ".join(following))
    all_of = linker.phrase(" ".join(phrase.text for phrase in phrases[:place]))
    for reader in readers:
        for number in order:
            phrase = phrases[number]
            made = reader(phrase, name, linker)
            if reader is _bands:
                made = next(
                    (found for text in (phrase, whole, all_of) if (found := _bands(text, name, linker, before))), None
                )
            if made is not None:
                made = replace(made, of=_guarded(made.of, phrases))
                return replace(made, sentences=frozenset({place, number}))
    return Made(name=name, sentences=frozenset({place}), known=False)


def _numeric(phrase: Phrase, name: str, linker: Linker) -> list[str]:
    """Return the columns of numbers that a definition names, without those within the new column's name."""
    spans = _own(phrase, name)
    links = [
        link for link in phrase.links
        if linker.numeric(link.column) and not any(start <= link.start and link.end <= end for start, end in spans)
    ]  # fmt: skip
    exact = list(dict.fromkeys(link.column for link in links if link.score >= 1))
    return exact if len(exact) >= _TWO else list(dict.fromkeys(link.column for link in links))


def _own(phrase: Phrase, name: str) -> list[tuple[int, int]]:
    """Return the spans that repeat the new column's name."""
    found, text, said = [], phrase.text.lower(), name.lower()
    start = text.find(said)
    while start >= 0:
        inside = [
            place for place, one in enumerate(phrase.tokens) if start <= one.start and one.end <= start + len(said)
        ]
        if inside:
            found.append((inside[0], inside[-1] + 1))
        start = text.find(said, start + 1)
    return found


def _formula(phrase: Phrase, name: str, linker: Linker) -> Made | None:
    if phrase.has("previous"):
        return None
    of = formula(phrase, name, linker)
    return None if of is None else Made(name=name, of=of)


def _bands(phrase: Phrase, name: str, linker: Linker, before: Sequence[str] = ()) -> Made | None:
    found = bands(phrase, name, linker, before)
    return None if found is None else Made(name=name, of=found.of, labels=found.labels)


def _op(phrase: Phrase, name: str) -> tuple[str, int] | None:
    """Return the first word of arithmetic, outside the new name and the names of columns, and where it ends."""
    taken = [*_own(phrase, name), *((link.start, link.end) for link in phrase.links if link.score >= 1)]
    words = [
        word for word in phrase.of("op") if not any(start <= word.start < end for start, end in taken)
    ]  # fmt: skip
    verbs = [word for word in words if word.meaning != "mean"] or words
    return (verbs[0].meaning, verbs[0].end) if verbs else None


def _centered(phrase: Phrase, name: str, linker: Linker) -> Made | None:
    op, said = _op(phrase, name), _numeric(phrase, name, linker)
    averaged = "mean" in phrase.meanings("aggregate")
    if op is None or op[0] != "-" or len(said) != 1 or not averaged:
        return None
    return Made(name=name, of=Func(name="center", of=Col(name=said[0])))


def _moved(phrase: Phrase, name: str, linker: Linker) -> Made | None:
    said = _numeric(phrase, name, linker)
    if len(said) != 1:
        return None
    column = said[0]
    if "rolling_mean" in phrase.meanings("transform"):
        counts = [one for one in phrase.numbers if float(one.value).is_integer()]
        return Made(name=name, of=_rolling(column, int(counts[0].value))) if counts else None
    if "cumulative" in phrase.meanings("transform"):
        return Made(name=name, moved=(column, "cumulative"))
    if not phrase.has("previous", "change"):
        return None
    divided = "growth" in phrase.meanings("change") or "/" in phrase.meanings("op") or "/" in phrase.text
    if not divided:
        return Made(name=name, moved=(column, "difference"))
    whole = "percent" in phrase.meanings("share") or "growth" in phrase.meanings("change") or "100" in phrase.text
    share = None if whole else Math(op="/", left=Col(name=name), right=Lit(value=100))
    return Made(name=name, moved=(column, "growth"), of=share)


def _rolling(column: str, size: int) -> Expr:
    return Func(name="rolling_mean", of=Col(name=column), argument=size)


def _with_number(phrase: Phrase, name: str, linker: Linker) -> Made | None:
    op, said = _op(phrase, name), _numeric(phrase, name, linker)
    counts = [one for one in phrase.numbers if op is not None and one.start >= op[1]]
    if op is None or len(said) != 1 or not counts or op[0] not in {"-", "*", "/"}:
        return None
    column, number = Col(name=said[0]), Lit(value=float(counts[0].value))
    turned = any(word.end == counts[0].start for word in phrase.of("turned"))
    left, right = (number, column) if turned else (column, number)
    return Made(name=name, of=Math(op=op[0], left=left, right=right))  # type: ignore[arg-type]


def _arithmetic(phrase: Phrase, name: str, linker: Linker) -> Made | None:
    op, said = _op(phrase, name), _numeric(phrase, name, linker)
    if len(said) < _TWO:
        said = _dates(phrase, linker)
    if op is None or len(said) < _TWO:
        return None
    at = [link.start for link in phrase.links if link.column in said[:_TWO]]
    turned = any(low < word.start < high for low, high in pairwise(at) for word in phrase.of("turned"))
    return Made(name=name, of=combined(op[0], said, turned=turned))


def _dates(phrase: Phrase, linker: Linker) -> list[str]:
    dated = [one.column for one in phrase.links if linker.columns[one.column].kind in _DATED]
    return list(dict.fromkeys(dated))


def _textual(phrase: Phrase, name: str, linker: Linker) -> Made | None:
    kinds = [meaning for meaning in phrase.meanings("transform") if meaning in _TEXTUAL]
    said = [one.column for one in phrase.links if linker.columns[one.column].kind in {"text", "mixed"}]
    if not kinds or not said:
        return None
    return Made(name=name, of=Func(name=kinds[0], of=Col(name=said[0])), labels=("",) if kinds[0] == "title" else ())


def _dated(phrase: Phrase, name: str, linker: Linker) -> Made | None:
    units = phrase.meanings("part_of_date")
    clocks = [one.column for one in phrase.links if linker.columns[one.column].kind == "time"]
    if "hour" in units and clocks:
        hours = Math(op="/", left=Col(name=clocks[0]), right=Lit(value=_SECONDS))
        return Made(name=name, of=Func(name="floor", of=hours))
    dated = [column.name for column in linker.facts.columns if column.kind in _DATED]
    said = _dates(phrase, linker) or (dated if len(dated) == 1 else [])
    unit = next((one for one in _UNITS if one in units), None)
    if unit is None or not said:
        return None
    return Made(name=name, of=Bucket(of=Col(name=said[0]), unit=unit), labels=("",) if unit in _LABELLED else ())


def _rescaled(phrase: Phrase, name: str, linker: Linker) -> Made | None:
    said = _numeric(phrase, name, linker)
    kinds = [meaning for meaning in phrase.meanings("transform") if meaning in SCALES]
    if len(said) != 1 or not kinds:
        return None
    return Made(name=name, of=transformed(kinds[0], said[0]))


def transformed(kind: str, column: str) -> Expr:
    """Return a column on another scale."""
    return Func(name=kind, of=Col(name=column), argument=0 if kind == "zscore" else None)


def _guarded(of: Expr | None, phrases: Sequence[Phrase]) -> Expr | None:
    """Add the small constant to the denominator if the task asks for it."""
    if not isinstance(of, Math) or of.op != "/":
        return of
    for phrase in phrases:
        for word in phrase.text.replace("(", " ").replace(")", " ").split() if phrase.has("denominator") else ():
            if _SMALL in word and word.replace("e-", "", 1).replace(".", "", 1).isdigit():
                return replace(of, right=Math(op="+", left=of.right, right=Lit(value=float(word))))
    return of
