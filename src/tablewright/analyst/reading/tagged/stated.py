"""Conditions stated beside the question: `a student passes if the math score is at least 60`, `whose Returned column
is "Yes"`, `excluding cancelled flights`, `closed higher than it opened`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

from tablewright.analyst.linking.tokens import lemmas
from tablewright.analyst.plan import Col, Compare, Condition, Lit
from tablewright.analyst.reading.tagged.columns_said import numeric_said, said_columns
from tablewright.analyst.reading.tagged.form import Wanted
from tablewright.analyst.reading.tagged.grouping import Group, flag_values
from tablewright.analyst.reading.tagged.scene import Scene

_Operator = Literal["=", "<", "<=", ">", ">="]
_OPERATORS: tuple[tuple[str, _Operator], ...] = (
    (r"at least|greater than or equal to|no less than|>=|≥", ">="),
    (r"at most|less than or equal to|no more than|<=|≤", "<="),
    (r"greater than|more than|higher than|larger than|above|over|exceeds|>", ">"),
    (r"less than|lower than|smaller than|below|under|<", "<"),
    (r"equal to|equals|=", "="),
)
_ANY = "|".join(pattern for pattern, _ in _OPERATORS)
_RULE = re.compile(
    rf"\b(?:if|when|whose|where)\s+(?:the\s+|a\s+|an\s+|their\s+|its\s+)?(?P<left>[^.,;\n]{{1,50}}?)\s+(?:(?:is"
    rf"|are|was|were|has|have)\s+)?(?:the value\s+)?(?P<op>{_ANY})?\s*(?:[\"“'‘](?P<text>[^\"”’'\n]{{1,40}})"
    rf"[\"”’']|(?P<number>-?\d+(?:\.\d+)?)\b(?!\s*(?:%|percent)))",
    re.IGNORECASE,
)
_AGAINST = re.compile(
    r"\b(?:is|was|were|are)?\s*(?P<op>higher|greater|larger|more|above|lower|less|smaller"
    r"|below)\s+(?:than\s+)?(?:the\s+|it\s+|its\s+|they\s+)?(?P<right>[\w ]{2,30})",
    re.IGNORECASE,
)
_WITHOUT = re.compile(
    r"\b(?:exclud\w*|ignor\w*|omit\w*|without|leaving out|not)\s+(?:the\s+|all\s+|any\s+|counting\s+)*(?P<said>[a-z]+)",
    re.IGNORECASE,
)
_WHO = re.compile(r"\b(?:who|that are|which are)\s+(?P<said>[^,.?;]{3,60})", re.IGNORECASE)
_STEM = 5
"""Number of letters that two forms of a word share (`return rate`, `Returned`)."""


def stated(scene: Scene) -> Condition | None:
    """Return the condition that the constraints, or else the question, state as a rule on a column's value; None
    without one."""
    for text in (scene.form.constraints, scene.form.question):
        for match in _RULE.finditer(text):
            condition = _condition(scene, match)
            if condition is not None:
                return condition
    return None


def _condition(scene: Scene, match: re.Match[str]) -> Compare | None:
    op = _operator(match.group("op") or "=")
    if match.group("number"):
        said = numeric_said(match.group("left"), scene.facts, least=0.7)
        value = float(match.group("number"))
        return Compare(op=op, left=Col(name=said[0]), right=Lit(value=value)) if len(said) == 1 else None
    for column in said_columns(match.group("left"), scene.facts, least=0.7):
        cell = next(
            (cell for cell in scene.values.get(column, ()) if cell.lower() == match.group("text").lower()), None
        )
        if cell is not None:
            return Compare(op="=", left=Col(name=column), right=Lit(value=cell))
    return None


def _operator(said: str) -> _Operator:
    return next((op for pattern, op in _OPERATORS if re.fullmatch(pattern, said, re.IGNORECASE)), "=")


def flagged(scene: Scene, wanted: Wanted) -> Group | None:
    """Return the rows that a rate counts, or None: `return_rate` with a column `Returned`, `survival_rate` with
    `Survived`."""
    return rated(scene, wanted.words) if "rate" in wanted.words else None


def rated(scene: Scene, words: Sequence[str]) -> Group | None:
    """Return the rows flagged by a yes-or-no column whose name has one of the words in any form, or None."""
    for column in scene.facts.columns:
        pair = flag_values(column, scene)
        if pair is not None and any(_alike(word, said) for said in words for word in lemmas(column.name)):
            condition = Compare(op="=", left=Col(name=column.name), right=Lit(value=pair[0]))
            return Group(name=column.name, condition=condition, column=column.name, value=pair[0])
    return None


def left_out(scene: Scene) -> Compare | None:
    """Return the condition of `excluding cancelled flights` on a yes-or-no column, or None."""
    for match in _WITHOUT.finditer(scene.form.question):
        for column in scene.facts.columns:
            pair = flag_values(column, scene)
            if pair is not None and lemmas(column.name) == lemmas(match.group("said")):
                return Compare(op="=", left=Col(name=column.name), right=Lit(value=pair[1]))
    return None


def described(scene: Scene) -> list[Compare]:
    """Return the conditions of `patients who smoke and are not diabetic` on yes-or-no columns, except columns by
    which rows are compared."""
    found: list[Compare] = []
    for match in _WHO.finditer(scene.form.question):
        for part in re.split(r"\band\b|\bbut\b", match.group("said")):
            words = re.findall(r"[a-z]+", part.lower())[:4]
            for column in scene.facts.columns:
                pair = flag_values(column, scene)
                if pair is None or not any(_form_of(word, lemmas(column.name)) for word in words):
                    continue
                denied = re.search(r"\b(?:not|don|doesn|didn|never|non)\b", part, re.IGNORECASE) is not None
                condition = Compare(op="=", left=Col(name=column.name), right=Lit(value=pair[1 if denied else 0]))
                found += [condition] if condition not in found else []
    return [one for one in found if all(other is one or other.left != one.left for other in found)]


def _form_of(word: str, name: tuple[str, ...]) -> bool:
    """Return whether a word is another form of a one-word column name (`smoke`, `smoker`)."""
    return len(name) == 1 and len(word) >= _STEM and len(name[0]) >= _STEM and word[:_STEM] == name[0][:_STEM]


def one_against_other(scene: Scene) -> Condition | None:
    """Return the condition of `on how many days did it close higher than it opened` on two numeric columns, or None."""
    text = scene.form.question
    for match in _AGAINST.finditer(text):
        left = _numeric(scene, text[max(0, match.start() - 40) : match.start()].split(",")[-1], last=True)
        right = _numeric(scene, match.group("right"), last=False)
        if left is not None and right is not None and left != right:
            op: _Operator = (
                ">" if re.match(r"higher|greater|larger|more|above", match.group("op"), re.IGNORECASE) else "<"
            )
            return Compare(op=op, left=Col(name=left), right=Col(name=right))
    return None


def _numeric(scene: Scene, text: str, *, last: bool) -> str | None:
    """Return the numeric column that the words name, or an inflected form of its one-word name (`opened`); with
    `last` the last one."""
    said = numeric_said(text, scene.facts, least=0.7)
    if said:
        return said[-1 if last else 0]
    words = re.findall(r"[a-z]+", text.lower())
    names = [column.name for column in scene.facts.columns if column.kind in {"number", "integer"}]
    found = [name for word in words for name in names if re.fullmatch(rf"{re.escape(name.lower())}(?:d|ed|s|es)", word)]
    return found[-1 if last else 0] if found else None


def _alike(one: str, other: str) -> bool:
    return len(one) >= _STEM and len(other) >= _STEM and one[:_STEM].lower() == other[:_STEM].lower()
