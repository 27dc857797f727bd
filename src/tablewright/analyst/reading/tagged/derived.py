"""A column that the question makes: `a new feature FamilySize by adding SibSp and Parch`."""

from __future__ import annotations

import re
from dataclasses import dataclass

from tablewright.analyst.linking.columns import column_names, columns
from tablewright.analyst.linking.mentions import ColumnMention, choose
from tablewright.analyst.linking.tokens import lemmas, tokenize
from tablewright.analyst.plan import Col, Cut, Expr, Math, Named
from tablewright.domain.dataset import DatasetFacts

_NEW = re.compile(
    r"new\s+(?:\w+\s+){0,3}?(?:feature|column|variable|attribute)s?[,\s]*(?:called|named|titled)?\s*[\"“'‘]([^\"”'’]+)[\"”'’]",
    re.IGNORECASE,
)
_OPERATIONS: tuple[tuple[str, str], ...] = (
    (r"ratio|divid|quotient", "/"),
    (r"subtract|difference|minus", "-"),
    (r"product of|multipl", "*"),
    (r"sum|add|combin|plus", "+"),
)
_BAND = re.compile(
    r"[\"'“‘]?([A-Za-z][\w -]*?)[\"'”’]?\s*\(\s*(?:age[sd]?\s*)?(\d+)\s*(?:-|to|–)\s*(\d+)|[\"'“‘]?([A-Za-z][\w -]*?)[\"'”’]?\s*\(\s*(\d+)[^)]*?(?:and above|and older|\+|or above|and over)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Derived:
    """The new column, and whether it holds labels."""

    column: Named
    labels: tuple[str, ...] = ()


def derived(text: str, facts: DatasetFacts) -> Derived | None:
    """Return the column that a text defines, if it can be told how."""
    match = _NEW.search(text)
    if match is None:
        return None
    name = match.group(1)
    bands = _bands(text)
    text = text[match.end() :]
    said = said_columns(text, facts, without=name)
    if len(bands) >= 2 and said:
        edges = (*(low for _, low in bands), float("inf"))
        labels = tuple(label for label, _ in bands)
        return Derived(
            column=Named(name=name, of=Cut(of=Col(name=said[0]), edges=tuple(edges), labels=labels)), labels=labels
        )
    expression = _formula(text, facts) or spoken(text, said)
    return Derived(column=Named(name=name, of=expression)) if expression is not None else None


def said_columns(text: str, facts: DatasetFacts, *, without: str = "", least: float = 0.6) -> list[str]:
    """Return the columns that a text names, in order."""
    tokens = tokenize(text)
    mentions = choose(columns(tokens, column_names(facts.columns)), tokens)
    skipped = lemmas(without)
    found = [
        mention.column
        for mention in mentions
        if isinstance(mention, ColumnMention)
        and mention.score >= least
        and tuple(token.lemma for token in tokens[mention.start : mention.end] if token.kind != "mark") != skipped
    ]
    return list(dict.fromkeys(found))


def _bands(text: str) -> list[tuple[str, float]]:
    found = []
    for match in _BAND.finditer(text):
        label, low = (match.group(1), match.group(2)) if match.group(1) else (match.group(4), match.group(5))
        found.append((re.sub(r"^(?:and|or)\s+", "", label.strip()), float(low)))
    return sorted(found, key=lambda band: band[1])


def _formula(text: str, facts: DatasetFacts) -> Expr | None:
    """`Volatility = (High - Low) / Open`, `as Balance / Limit`."""
    for match in re.finditer(
        r"(?:=|\bas\b|formula:?)\s*((?:\(?\s*(?:[\w' \"]|\.(?=\w))+\)?\s*[-+*/]\s*)+\(?(?:[\w' \"]|\.(?=\w))+\)?)", text
    ):
        expression = _arithmetic(match.group(1), facts)
        if expression is not None:
            return expression
    return None


def _arithmetic(text: str, facts: DatasetFacts) -> Expr | None:
    parts = re.split(r"(\s[-+*/]\s|[*/+()])", text)
    pieces = [part.strip() for part in parts if part and part.strip()]
    try:
        expression, rest = _sum(pieces, facts)
    except ValueError:
        return None
    return expression if not rest and isinstance(expression, Math) else None


def _sum(pieces: list[str], facts: DatasetFacts) -> tuple[Expr, list[str]]:
    left, rest = _product(pieces, facts)
    while rest and rest[0] in {"+", "-"}:
        right, after = _product(rest[1:], facts)
        left, rest = Math(op="+" if rest[0] == "+" else "-", left=left, right=right), after
    return left, rest


def _product(pieces: list[str], facts: DatasetFacts) -> tuple[Expr, list[str]]:
    left, rest = _atom(pieces, facts)
    while rest and rest[0] in {"*", "/"}:
        right, after = _atom(rest[1:], facts)
        left, rest = Math(op="*" if rest[0] == "*" else "/", left=left, right=right), after
    return left, rest


def _atom(pieces: list[str], facts: DatasetFacts) -> tuple[Expr, list[str]]:
    if not pieces:
        raise ValueError(pieces)
    if pieces[0] == "(":
        inner, rest = _sum(pieces[1:], facts)
        if not rest or rest[0] != ")":
            raise ValueError(pieces)
        return inner, rest[1:]
    said = said_columns(pieces[0], facts)
    if len(said) != 1:
        raise ValueError(pieces[0])
    return Col(name=said[0]), pieces[1:]


def spoken(text: str, said: list[str]) -> Expr | None:
    """Return the arithmetic that words tell: `the difference between A and B`, `by subtracting B from A`, `adding up A and B`."""
    if len(said) < 2:
        return None
    lower = text.lower()
    first: Expr = Col(name=said[0])
    second: Expr = Col(name=said[1])
    for pattern, operator in _OPERATIONS:
        match = re.search(pattern, lower)
        if match is None:
            continue
        if operator == "-" and re.search(r"subtract\w*[^.]*\bfrom\b", lower):
            first, second = second, first
        return Math(op=operator, left=first, right=second)  # type: ignore[arg-type]
    return None
