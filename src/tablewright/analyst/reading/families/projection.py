"""Which columns of the selected rows are shown: those asked for, and those that explain them."""

from __future__ import annotations

from collections.abc import Iterable

from tablewright.analyst.linking.mentions import ColumnMention
from tablewright.analyst.plan import Col, Named, Part, Project, Relation
from tablewright.analyst.reading.parse import Parse


def named(columns: Iterable[str]) -> tuple[Named, ...]:
    """Return columns under their own names, without repeats."""
    return tuple(Named(name=column, of=Col(name=column)) for column in dict.fromkeys(columns))


def show(
    relation: Relation, asked: list[str], beside: Iterable[str], *, measures: Iterable[str] = (), distinct: bool = False
) -> Part:
    """Return a part whose result has the columns asked for. A person is also shown the columns `beside`, which
    identify the rows, before them, and the `measures` after them."""
    result = Project(source=relation, columns=named(asked), distinct=distinct)
    every = list(dict.fromkeys([*(column for column in beside if column not in asked), *asked, *measures]))
    if len(every) == len(asked):
        return Part(relation=result)
    return Part(relation=result, shown=Project(source=relation, columns=named(every), distinct=distinct))


def remaining(parse: Parse, *, least: float = 0.55) -> list[str]:
    """Take the columns named but not used yet, and return them."""
    found = []
    for mention in list(parse.free(ColumnMention)):
        if mention.score >= least:
            found.append(mention.column)
            parse.take(mention)
    return list(dict.fromkeys(found))
