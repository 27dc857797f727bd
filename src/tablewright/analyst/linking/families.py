"""Vocabulary of what is said of columns and cells by other words than theirs: `related.json`, `cells.json`, and what
stands behind surnames, `titles.json`."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from tablewright.analyst.linking.lexicon import read
from tablewright.analyst.linking.stems import stem
from tablewright.analyst.linking.tokens import lemmas

Form = tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Related:
    """Forms that are said (`owe`) of columns whose `names` hold other forms (`balance`), of these `kinds` if any;
    `stems` are those of the forms."""

    said: frozenset[Form]
    stems: frozenset[Form]
    names: frozenset[Form]
    kinds: frozenset[str]


def stems(form: Form) -> Form:
    """Return the stems of the words of a form."""
    return tuple(map(stem, form))


@cache
def related() -> tuple[Related, ...]:
    """Return what is said of columns by other words than their names."""
    found = []
    for row in read("related.json"):
        said = frozenset(lemmas(form) for form in row["said"])
        names = frozenset(lemmas(form) for form in row["names"])
        kinds = frozenset(row.get("kinds", ()))
        found.append(Related(said=said, stems=frozenset(map(stems, said)), names=names, kinds=kinds))
    return tuple(found)


@cache
def said_forms() -> frozenset[Form]:
    """Return all forms that are said of columns."""
    return frozenset(form for one in related() for form in one.said)


@cache
def cell_groups() -> tuple[frozenset[Form], ...]:
    """Return groups of forms that stand for the same cell of a column (`cancelled`, `called off`)."""
    return tuple(frozenset(lemmas(form) for form in forms) for forms in read("cells.json"))


@cache
def titles() -> frozenset[Form]:
    """Return what stands behind the surname of a Chinese person (`师傅`)."""
    return frozenset(lemmas(form) for form in read("titles.json"))
