"""What reading a question gives."""

from __future__ import annotations

from dataclasses import dataclass

from tablewright.analyst.plan import Plan


@dataclass(frozen=True, slots=True, kw_only=True)
class Understood:
    """The question as a plan."""

    plan: Plan


@dataclass(frozen=True, slots=True, kw_only=True)
class NotUnderstood:
    """Why there is no plan: what was recognised, `reason` (a code of the catalogue with its parameters), and
    questions that this table can answer."""

    understood: tuple[str, ...]
    reason: str
    params: dict[str, str]
    suggestions: tuple[str, ...]


Reading = Understood | NotUnderstood
