"""The outcome of reading a question: a plan, or the reason why there is none."""

from __future__ import annotations

from dataclasses import dataclass

from tablewright.analyst.plan import Plan


@dataclass(frozen=True, slots=True, kw_only=True)
class Understood:
    """A question that was read, as a plan."""

    plan: Plan


@dataclass(frozen=True, slots=True, kw_only=True)
class NotUnderstood:
    """A question that was not read: what was recognised in it, `reason` (a message code of the catalogue, with its
    `params`), and `suggestions` of questions that these tables can answer."""

    understood: tuple[str, ...]
    reason: str
    params: dict[str, str]
    suggestions: tuple[str, ...]


Reading = Understood | NotUnderstood
