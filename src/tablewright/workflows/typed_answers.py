"""What an answer in words must be: a text of some form, a number or a date."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime
from functools import lru_cache
from typing import Annotated, Any

from pydantic import StringConstraints, TypeAdapter, ValidationError

from tablewright.domain.language import Language
from tablewright.domain.workflow import AskUserNode
from tablewright.texts.catalogue import text

MOST_CHARS = 20_000
_GROUPED = re.compile(r"[+-]?\d{1,3}(,\d{3})+(\.\d+)?")
_DATES = ("%Y-%m-%d", "%Y/%m/%d", "%Y.%m.%d", "%Y年%m月%d日")


@dataclass(frozen=True, slots=True, kw_only=True)
class TypedAnswer:
    """The words of an answer and its value (None: it has none besides its words), or what is wrong with it."""

    words: str
    value: float | str | None = None
    problem: str = ""


def typed_answer(node: AskUserNode, said: str, language: Language) -> TypedAnswer:
    """Read an answer in words."""
    words = said.strip()
    if not words:
        return TypedAnswer(words=words, problem=text("workflow_answer_empty", language))
    match node.accepts:
        case "number":
            return _number(node, words, language)
        case "date":
            found = _date(words)
            problem = "" if found is not None else text("workflow_answer_date", language)
            return TypedAnswer(words=words, value=found, problem=problem)
        case "text":
            return TypedAnswer(words=words, problem=_text_problem(node, words, language))


def schema_of(node: AskUserNode) -> dict[str, Any] | None:
    """Return the JSON schema of a question's answer, or None if any words will do."""
    if node.form != "text":
        return node.schema
    match node.accepts:
        case "number":
            return {"type": "number"} | _given(minimum=node.minimum, maximum=node.maximum)
        case "date":
            return {"type": "string", "format": "date"}
        case "text":
            rules = _given(pattern=node.pattern, minLength=node.min_length, maxLength=node.max_length)
            return {"type": "string"} | rules if rules else None


@lru_cache(maxsize=256)
def pattern_of(pattern: str) -> Callable[[str], bool]:
    """Return what tells whether a whole text fits; its engine takes linear time. Raises `ValueError`."""
    if len(pattern) > 1_000:
        raise ValueError("too long")
    try:
        wanted = TypeAdapter[str](Annotated[str, StringConstraints(pattern=rf"\A(?:{pattern})\z")])
    except Exception as error:  # pydantic tells of it as `SchemaError`, which is no part of its interface
        raise ValueError(pattern) from error

    def fits(words: str) -> bool:
        try:
            wanted.validate_python(words)
        except ValidationError:
            return False
        return True

    return fits


def _number(node: AskUserNode, words: str, language: Language) -> TypedAnswer:
    plain = unicodedata.normalize("NFKC", words).replace(" ", "")
    if _GROUPED.fullmatch(plain):
        plain = plain.replace(",", "")
    try:
        value = float(plain)
    except ValueError:
        return TypedAnswer(words=words, problem=text("workflow_answer_number", language))
    if not abs(value) <= 1e300:
        return TypedAnswer(words=words, problem=text("workflow_answer_number", language))
    if (node.minimum is not None and value < node.minimum) or (node.maximum is not None and value > node.maximum):
        least, most = _shown(node.minimum), _shown(node.maximum)
        return TypedAnswer(words=words, problem=text("workflow_answer_range", language, least=least, most=most))
    return TypedAnswer(words=words, value=int(value) if value.is_integer() else value)


def _date(words: str) -> str | None:
    plain = unicodedata.normalize("NFKC", words).replace(" ", "")
    for form in _DATES:
        try:
            found: date = datetime.strptime(plain, form).date()  # noqa: DTZ007  # a day has no zone
        except ValueError:
            continue
        return found.isoformat()
    return None


def _text_problem(node: AskUserNode, words: str, language: Language) -> str:
    least, most = node.min_length or 0, min(node.max_length or MOST_CHARS, MOST_CHARS)
    if not least <= len(words) <= most:
        return text("workflow_answer_length", language, least=least, most=most)
    if node.pattern is not None and not pattern_of(node.pattern)(words):
        return text("workflow_answer_pattern", language, pattern=node.pattern)
    return ""


def _given(**rules: Any) -> dict[str, Any]:
    return {name: value for name, value in rules.items() if value is not None}


def _shown(bound: float | None) -> str:
    return "…" if bound is None else f"{bound:g}"
