"""Columns that a question makes: `a new feature FamilySize by adding SibSp and Parch`, labelled bands, parts of
dates."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from tablewright.analyst.plan import Bucket, Col, Derive, Expr, Func, Lit, Math, Named, Relation, Shift, TimeUnit
from tablewright.analyst.reading.tagged.bands import banded
from tablewright.analyst.reading.tagged.coding import coded_columns
from tablewright.analyst.reading.tagged.columns_said import numeric_said, quoted_columns, said_columns
from tablewright.analyst.reading.tagged.formulas import formula
from tablewright.domain.dataset import DatasetFacts

_NEW = re.compile(
    r"\b(?:new|derived|additional|(?:creat|add|generat|mak|engineer|deriv)(?:e|es|ed|ing"
    r"|s)?)\s+(?:\w+\s+){0,3}?(?:feature|column|variable|attribute|field)s?[,\s]*(?:called|named|titled"
    r"|,)?\s*[\"“'‘]([^\"”'’]+)[\"”'’]"
    r"|creat\w*\s+(?:a|an|the)?\s*[\"“'‘]([^\"”'’]+)[\"”'’]\s+(?:feature|column|variable|attribute)"
    r"|(?:new|derived)\s+(?:feature|column|variable|attribute)s?,?\s+(?:called\s+|named\s+)?(?-i:([A-Z]\w*"
    r"|[a-z]+_\w+))\b",
    re.IGNORECASE,
)
_UNNAMED = re.compile(
    r"\b(?:new|derived|additional)\s+(?:feature|column|variable|attribute)\s+(?=by\b|that\b|which\b|representing\b"
    r"|for the\b|as the\b|from\b)",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"(?<!\d)\.(?=\s|$)|(?<=\d)\.(?=\s|$)|\n|;|\bThen,", re.IGNORECASE)
_PREVIOUS = re.compile(r"\bprevious\b|\bprior\b|\byesterday|\bday before\b", re.IGNORECASE)
_SIGNED = re.compile(r"\bmultiplied by\b|\btimes\b|\bdivided by\b|\bminus\b|\bplus\b|\s[-+*/×÷]\s", re.IGNORECASE)
_FROM_NUMBER = re.compile(r"\bsubtract\w*\s+(?P<said>[^.,\d]{2,50}?)\s+from\s+(?P<number>\d+(?:\.\d+)?)", re.IGNORECASE)
_BY_NUMBER = re.compile(
    r"\b(?P<verb>multipl|divid)\w*\s+(?P<said>[^.,\d]{2,50}?)\s+by\s+(?P<number>\d+(?:\.\d+)?)\b", re.IGNORECASE
)
_ROLLING = re.compile(
    r"\b(\d+)[- ]?(?:day|period|row|month|week|point)?s?[- ](?:rolling|moving)[- ](?:mean|average)|\b(?:rolling"
    r"|moving)[- ](?:mean|average)\b[^.\n\d]{0,60}?(?:window|over|period)[^.\n\d]{0,25}(\d+)",
    re.IGNORECASE,
)
_DATED: tuple[tuple[str, TimeUnit], ...] = (
    (r"day of (?:the )?week|weekday", "weekday"),
    (r"\bhours?\b", "hour"),
    (r"\bmonths?\b", "month_of_year"),
    (r"\bquarters?\b", "quarter"),
    (r"\byears?\b", "year"),
    (r"\bday\b", "day_of_month"),
)
_COUNTED: tuple[tuple[str, str], ...] = (
    (r"non-?space characters?|excluding spaces|without spaces", "letters"),
    (r"number of words|word count|words in", "words"),
    (r"\blength\b|number of characters|character count", "length"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """A new column: an expression per row, or (`moved`: a column and how) its change from the row before; `labels`
    are its values if it is of text."""

    name: str
    of: Expr | None = None
    moved: tuple[str, Literal["difference", "growth", "cumulative"]] | None = None
    labels: tuple[str, ...] = ()

    def applied(self, relation: Relation) -> Relation:
        """Return the relation with the column added."""
        if self.moved is not None:
            column, how = self.moved
            relation = Shift(source=relation, column=column, name=self.name, how=how)
            if self.of is None:
                return relation
        return Derive(source=relation, columns=(Named(name=self.name, of=self.of or Lit(value=None)),))


def made_columns(text: str, facts: DatasetFacts) -> tuple[Made, ...]:
    """Return the columns that a text defines and that could be read."""
    found: list[Made] = []
    names = _names(text)
    for name, start in names or [("rolling mean", 0)] if _ROLLING.search(text) else names:
        made = _defined(name, text, start, facts)
        if made is not None:
            found.append(replace(made, of=_guarded(made.of, text)))
    return (*found, *(Made(name=name, of=of) for name, of in coded_columns(text, facts)))


def undefined(text: str, facts: DatasetFacts) -> bool:
    """Return whether a text makes a column whose definition could not be read."""
    known = {column.name for column in facts.columns} | {made.name for made in made_columns(text, facts)}
    return any(name not in known for name, _ in _names(text))


def _guarded(of: Expr | None, text: str) -> Expr | None:
    """Add the small constant to the denominator if the question asks for it."""
    said = re.search(r"(1e-\d+|0\.0+1)[^.\n]{0,60}(?:denominator|zero)", text, re.IGNORECASE)
    if said is None or not isinstance(of, Math) or of.op != "/":
        return of
    return replace(of, right=Math(op="+", left=of.right, right=Lit(value=float(said.group(1)))))


def _names(text: str) -> list[tuple[str, int]]:
    names: dict[str, int] = {}
    for match in _NEW.finditer(text):
        name = next(group for group in match.groups() if group)
        names.setdefault(name, match.end())
    unnamed = None if names else _UNNAMED.search(text)
    if unnamed is not None:
        names[unnamed.group().strip()] = unnamed.end()
    return list(names.items())


def _defined(name: str, text: str, start: int, facts: DatasetFacts) -> Made | None:
    bands = banded(name, text[start:], facts) or banded(name, text, facts)
    if bands is not None:
        return Made(name=name, of=bands[0], labels=bands[1])
    if _ROLLING.search(text) and not start:
        return next((made for piece in _SENTENCE.split(text) if (made := _rolled(name, piece, facts))), None)
    own = [text[start:].split("\n", 1)[0]]
    naming = [sentence for sentence in _SENTENCE.split(text) if name.lower() in sentence.lower()]
    taken = [
        sentence
        for sentence in _SENTENCE.split(text)
        if re.search(r"\bextract|\bconsecutive\b", sentence, re.IGNORECASE)
    ]
    bracketed = [f"= {piece}" for piece in re.findall(r"\(([^()]{5,80})\)", text) if _SIGNED.search(piece)]
    pieces = [piece for piece in [*naming, *_SENTENCE.split(own[0])[:2], *taken, *bracketed] if piece.strip()]
    for piece in pieces:
        expression = None if _PREVIOUS.search(piece) else formula(name, piece, facts)
        if expression is not None:
            return Made(name=name, of=expression)
    readers = (_subtracted_mean, _rolled, _moved, _with_number, _arithmetic, _counted, _dated, _rescaled)
    for reader in readers:
        for piece in pieces:
            made = reader(name, piece, facts)
            if made is not None:
                return made
    return None


def _columns(name: str, text: str, facts: DatasetFacts) -> list[str]:
    """Return the numeric columns of a definition; if two or more are quoted exactly, only these."""
    exact = [column for column in quoted_columns(text, facts) if column != name]
    said = [column for column in numeric_said(_without(name, text), facts, least=0.7) if column != name]
    return exact if len(exact) >= 2 else said


def _without(name: str, text: str) -> str:
    return re.sub(re.escape(name), " ", text, flags=re.IGNORECASE)


def _arithmetic(name: str, text: str, facts: DatasetFacts) -> Made | None:
    expression = spoken(text, _columns(name, text, facts))
    return Made(name=name, of=expression) if expression is not None else None


def spoken(text: str, said: Sequence[str]) -> Expr | None:
    """Return arithmetic given in words, or None: `the difference between A and B`, `by subtracting B from A`, `the
    sum of A, B and C`."""
    if len(said) < 2:
        return None
    lower = text.lower()
    columns: list[Expr] = [Col(name=name) for name in said]
    if re.search(r"\bsubtract\w*", lower):
        swapped = re.search(r"subtract\w*.*\bfrom\b", lower) is not None
        return Math(op="-", left=columns[1 if swapped else 0], right=columns[0 if swapped else 1])
    if re.search(r"\bratio\b|\bdivid\w*|\bquotient\b", lower):
        return Math(op="/", left=columns[0], right=columns[1])
    if re.search(r"\bdifference\b|\bminus\b", lower):
        return Math(op="-", left=columns[0], right=columns[1])
    if re.search(r"\bproduct\b|\bmultipl\w*", lower):
        return _folded("*", columns)
    if re.search(r"\bsum\w*|\badd\w*|\bcombin\w*|\bplus\b|\btotal\b", lower):
        return _folded("+", columns)
    if re.search(r"\baverage|\bmean of\b", lower):
        return Math(op="/", left=_folded("+", columns), right=Lit(value=len(columns)))
    return None


def _folded(op: str, columns: Sequence[Expr]) -> Expr:
    total = columns[0]
    for column in columns[1:]:
        total = Math(op=op, left=total, right=column)  # type: ignore[arg-type]  # one of two signs, given above
    return total


def _subtracted_mean(name: str, text: str, facts: DatasetFacts) -> Made | None:
    said = _columns(name, text, facts)
    if len(set(said)) == 1 and re.search(r"subtract\w* the (?:mean|average)|minus the (?:mean|average)", text.lower()):
        return Made(name=name, of=Func(name="center", of=Col(name=said[0])))
    return None


def _with_number(name: str, text: str, facts: DatasetFacts) -> Made | None:
    """Read arithmetic of a column and a number: `by subtracting YearBuilt from 2024`, `by dividing Price by 1000`."""
    match = _FROM_NUMBER.search(text) or _BY_NUMBER.search(text)
    said = _columns(name, match.group("said"), facts) if match else []
    if match is None or len(said) != 1:
        return None
    column, number = Col(name=said[0]), Lit(value=float(match.group("number")))
    if match.re is _FROM_NUMBER:
        return Made(name=name, of=Math(op="-", left=number, right=column))
    return Made(
        name=name, of=Math(op="*" if match.group("verb").lower() == "multipl" else "/", left=column, right=number)
    )


def with_number(made: Made) -> float | None:
    """Return the number in a column's arithmetic, such as the 2024 from which a year is subtracted, or None."""
    of = made.of
    said = (
        next((side.value for side in (of.left, of.right) if isinstance(side, Lit)), None)
        if isinstance(of, Math)
        else None
    )
    return float(said) if isinstance(said, int | float) else None


def _rolled(name: str, text: str, facts: DatasetFacts) -> Made | None:
    """Read a rolling mean over each row and those before it."""
    match = _ROLLING.search(text)
    said = _columns(name, text, facts)
    if match is None or len(said) != 1:
        return None
    size = float(match.group(1) or match.group(2))
    return Made(name=name, of=Func(name="rolling_mean", of=Col(name=said[0]), argument=int(size)))


def _moved(name: str, text: str, facts: DatasetFacts) -> Made | None:
    """Read the change of a column from row to row, or its running sum."""
    lower = text.lower()
    said = _columns(name, text, facts)
    if len(said) != 1:
        return None
    column = said[0]
    if re.search(r"\bcumulative|\brunning (?:sum|total)", lower):
        return Made(name=name, moved=(column, "cumulative"))
    if not re.search(
        r"\bprevious\b|\bconsecutive\b|\bday-to-day\b|\bdaily (?:return|change)|\bpercent(?:age)? change"
        r"|\bpct_change|\bshift",
        lower,
    ):
        return None
    if re.search(r"percent|\breturn|pct_change|growth|\bdivid|/", lower):
        whole = re.search(r"percentage|\* ?100|× ?100", lower)
        share = None if whole else Math(op="/", left=Col(name=name), right=Lit(value=100))
        return Made(name=name, moved=(column, "growth"), of=share)
    return Made(name=name, moved=(column, "difference"))


def _counted(name: str, text: str, facts: DatasetFacts) -> Made | None:
    texts = {column.name for column in facts.columns if column.kind in {"text", "mixed"}}
    for pattern, function in _COUNTED:
        if re.search(pattern, text, re.IGNORECASE):
            said = [column for column in said_columns(_without(name, text), facts, least=0.7) if column in texts]
            if len(said) == 1:
                return Made(name=name, of=Func(name=function, of=Col(name=said[0])))
    return None


def _dated(name: str, text: str, facts: DatasetFacts) -> Made | None:
    dates = [column.name for column in facts.columns if column.kind in {"date", "datetime"}]
    unit = next((unit for pattern, unit in _DATED if re.search(pattern, text, re.IGNORECASE)), None)
    clocks = [column.name for column in facts.columns if column.kind == "time"]
    if unit == "hour" and (
        told := [column for column in said_columns(_without(name, text), facts) if column in clocks]
    ):
        hours = Math(op="/", left=Col(name=told[0]), right=Lit(value=3600))
        return Made(name=name, of=Func(name="floor", of=hours))
    if unit is None or not dates or not re.search(r"extract|from the|of the|based on|represent", text, re.IGNORECASE):
        return None
    said = [column for column in said_columns(_without(name, text), facts) if column in dates]
    column = next(iter(said or (dates if len(dates) == 1 else [])), None)
    if column is None:
        return None
    named = {"month_of_year", "weekday"}
    return Made(name=name, of=Bucket(of=Col(name=column), unit=unit), labels=("",) if unit in named else ())


def _rescaled(name: str, text: str, facts: DatasetFacts) -> Made | None:
    said = _columns(name, text, facts)
    if len(said) != 1:
        return None
    for pattern, function, argument in (
        (r"\blog(?:arithm\w*)?[- ]?10", "log10", None),
        (r"\blog1p", "log1p", None),
        (r"\bnatural log|\blogarithm|\blog[- ]?(?:transform|of)", "log", None),
        (r"\bsquare root", "sqrt", None),
        (r"\bsquare(?:d)?\b", "square", None),
        (r"\bz-?score|\bstandardi[sz]", "zscore", 0),
        (r"\bmin-?max|\bnormali[sz]", "minmax", None),
    ):
        if re.search(pattern, text, re.IGNORECASE):
            return Made(name=name, of=Func(name=function, of=Col(name=said[0]), argument=argument))
    return None
