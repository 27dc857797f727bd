"""The built-in analyst, imported with the first question."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from tablewright.bootstrap.loader import BUILTIN_ANALYST, GRAMMAR, PLAN_SPLIT, PLAN_STATEMENTS, load
from tablewright.data.base import ValueLookup
from tablewright.domain.dataset import DatasetFacts
from tablewright.domain.language import Language
from tablewright.models.base import BUILTIN, ModelRequest, StreamPart
from tablewright.models.dialogue import CodeTags
from tablewright.settings.tree import ReactSettings

if TYPE_CHECKING:
    from tablewright.analyst.evaluating.base import PlanEvaluator
    from tablewright.analyst.model import BuiltinAnalyst


class LazyAnalyst:
    """Implements `Model` and `QuestionSuggester` with an analyst that is made when it is first asked."""

    def __init__(self, make: Callable[[], BuiltinAnalyst]) -> None:
        self._made = cache(make)

    @property
    def name(self) -> str:
        return BUILTIN

    def stream(self, request: ModelRequest) -> AsyncIterator[StreamPart]:
        return self._made().stream(request)

    async def suggested(self, language: Language, datasets: Sequence[DatasetFacts], most: int) -> tuple[str, ...]:
        return await self._made().suggested(language, datasets, most)


def built_in(
    values: ValueLookup, tags: CodeTags, *, evaluator: PlanEvaluator | None = None, most_wrong: float
) -> LazyAnalyst:
    """Return the built-in analyst.

    It compares readings by what `evaluator` says they give; at most the share `most_wrong` of its answers should be
    wrong."""

    def make() -> BuiltinAnalyst:
        analyst: BuiltinAnalyst = load(BUILTIN_ANALYST)(
            values,
            tags,
            _split,
            write=_written,
            grammar=load(GRAMMAR),
            evaluator=evaluator,
            most_wrong=most_wrong,
        )
        return analyst

    return LazyAnalyst(make)


def code_tags(settings: ReactSettings) -> CodeTags:
    """Return the tags used in the dialogue between the code analyst and a model."""
    return CodeTags(
        code_begin=settings.code_begin_tag,
        code_end=settings.code_end_tag,
        step_annotation=settings.step_annotation,
        conclusion_step_zh=settings.conclusion_step_zh,
        conclusion_step_en=settings.conclusion_step_en,
    )


def _split(*given: Any) -> Any:
    """Find what databases can answer; the writer of SQL is loaded with the first question of one."""
    return load(PLAN_SPLIT)(*given)


def _written(*given: Any) -> Any:
    """Write a plan as statements; the writer is loaded with the first of them."""
    return load(PLAN_STATEMENTS)(*given)
