"""What tests have in common: their figures, and verdicts over them."""

from __future__ import annotations

from collections.abc import Iterator

from tablewright.analyst.grammar.forms.cells import Candidate, Case, computed
from tablewright.analyst.grammar.forms.rules import rule
from tablewright.analyst.plan import Expr, Relation

_VERDICT = frozenset(
    {
        "verdict:",
        "normal:",
        "correlation:",
        "equality:",
        "op:-",
        "coefficient:",
        "sign:positive",
        "sign:negative",
        "deny:",
        "test:",
        "p_value:",
    }
)


def figures(relation: Relation, means: frozenset[str], weight: float) -> Iterator[Candidate]:
    """Yield the statistic and the p-value of a test."""
    yield Candidate(
        relation=relation, column=1, means=means | {"p_value:"}, covers=frozenset({"normal:"}), weight=weight
    )
    yield Candidate(relation=relation, column=0, means=means | {"statistic:"}, weight=weight)


def verdict(relation: Relation, of: Expr | None, means: frozenset[str], weight: float) -> Iterator[Candidate]:
    """Yield a verdict over the single row of a relation, if there is one."""
    if of is not None:
        yield Candidate(relation=computed(relation, of), means=means, covers=_VERDICT, verdict=True, weight=weight)


def stated(case: Case, quantities: dict[str, str], affirmed: str = "") -> Expr | None:
    """Return the verdict by the rule that the task, or what is said about the tag, states."""
    asked = case.asked
    phrases = [*case.scene.phrases, asked.about] if asked.wanted.options else []
    return rule(phrases, asked.wanted.options, quantities, case.scene.alpha, affirmed)
