"""Readable names throughout a plan for what it names by formula (`sum_amount`, `month`, `percent`)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, is_dataclass, replace
from typing import Any, TypeVar

from tablewright.analyst.plan import (
    Bucket,
    Col,
    Combine,
    Drawing,
    Lit,
    Matches,
    Measure,
    Named,
    OneOf,
    Plan,
    Share,
    Source,
    Tag,
)
from tablewright.analyst.plan_walk import nodes
from tablewright.analyst.words import Words
from tablewright.domain.dataset import DatasetFacts
from tablewright.domain.language import Language

T = TypeVar("T")
_VALUES = (Lit, Source, Matches, OneOf, Tag)
"""Nodes whose strings are not column names (the column of a condition is a node of its own)."""


def readable(plan: Plan, datasets: Sequence[DatasetFacts], language: Language) -> Plan:
    """Return `plan` with its formula-like names replaced by words; names that are columns of a data set stay."""
    words = Words(language)
    taken = {column.name for dataset in datasets for column in dataset.columns}
    names: dict[str, str] = {}
    made = list(nodes(plan))
    formulas = {node.name for node in made if isinstance(node, Measure) and _formula(node)}
    for node in sorted(made, key=lambda node: _of_another(node, formulas)):
        said = _said(_of_named(node, names), words)
        if said in taken and isinstance(node, Measure) and node.of is None:
            said = words.say("words.rows")
        if said and node.name not in taken | names.keys() and said not in taken and said not in names.values():
            names[node.name] = said
    return _renamed(plan, names) if names else plan


def _of_another(node: object, formulas: set[str]) -> bool:
    """Return whether a node is an aggregate of another aggregate (`the average of the totals per month`)."""
    return isinstance(node, Measure) and isinstance(node.of, Col) and node.of.name in formulas - {node.name}


def _of_named(node: object, names: dict[str, str]) -> object:
    """Return an aggregate of a column that is already named in words, with that name; any other node unchanged."""
    if not isinstance(node, Measure) or not isinstance(node.of, Col) or not _formula(node) or node.of.name not in names:
        return node
    of = Col(name=names[node.of.name])
    return replace(node, of=of, name=node.name if node.name == node.function else f"{node.function}_{of.name}")


def _said(node: object, words: Words) -> str:
    """Return the readable name of the column a node makes; empty if it already has a name of its own."""
    match node:
        case Measure() if _formula(node):
            return words.measure(replace(node, where=None)) if node.of is not None else words.say("words.count_name")
        case Named(of=Bucket(unit=unit)) if node.name == unit:
            return words.say(f"words.bucket_name.{unit}")
        case Share(name="percent"):
            return words.say("words.share_name")
        case Combine() if node.name in {"percent", "percent_change", "difference"}:
            return words.say(f"words.combined_name.{node.name}")
        case Combine() if node.name.endswith("_difference"):
            return words.say("words.difference_of", of=node.name.removesuffix("_difference"))
        case _:
            return ""


def _formula(measure: Measure) -> bool:
    if measure.name == measure.function:
        return True
    return isinstance(measure.of, Col) and measure.name == f"{measure.function}_{measure.of.name}"


def _renamed(tree: T, names: dict[str, str]) -> T:
    if isinstance(tree, str):
        return names.get(tree, tree)  # type: ignore[return-value]
    if isinstance(tree, tuple):
        return tuple(_renamed(item, names) for item in tree)  # type: ignore[return-value]
    if not is_dataclass(tree) or isinstance(tree, type):
        return tree
    changed: dict[str, Any] = {}
    for field in fields(tree):
        if _names_columns(tree, field.name):
            changed[field.name] = _renamed(getattr(tree, field.name), names)
    return replace(tree, **changed)


def _names_columns(node: object, field: str) -> bool:
    if isinstance(node, _VALUES):
        return isinstance(node, Matches | OneOf) and field == "of"
    if isinstance(node, Drawing):
        return field in {"x", "y", "series"}
    return field not in {"function", "how", "op", "caption", "kind", "unit", "title", "save_as", "labels"}
