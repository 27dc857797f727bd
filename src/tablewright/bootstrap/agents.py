"""The agents that take runs."""

from __future__ import annotations

from collections.abc import Callable

from tablewright.agent.base import Agent
from tablewright.agent.code_analyst import CodeAnalyst
from tablewright.agent.loop import LoopRules
from tablewright.domain.run import Run
from tablewright.models.dialogue import CodeTags
from tablewright.settings.tree import ReactSettings


def code_tags(settings: ReactSettings) -> CodeTags:
    """Return the marks of the dialogue between the code analyst and a model."""
    return CodeTags(
        code_begin=settings.code_begin_tag,
        code_end=settings.code_end_tag,
        step_annotation=settings.step_annotation,
        conclusion_step_zh=settings.conclusion_step_zh,
        conclusion_step_en=settings.conclusion_step_en,
    )


def code_analyst(settings: ReactSettings) -> Callable[[Run], Agent]:
    """Return what chooses the agent of a run: the code analyst takes every one."""
    rules = LoopRules(
        mode=settings.mode,
        max_step_retry=settings.max_step_retry,
        max_total_retry=settings.max_total_retry,
        step_timeout_s=settings.step_timeout,
        tags=code_tags(settings),
    )
    agent = CodeAnalyst(rules)

    def choose(_run: Run) -> Agent:
        return agent

    return choose
