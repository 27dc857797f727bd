"""The agents that take runs."""

from __future__ import annotations

from collections.abc import Callable

from tablewright.agent.base import Agent
from tablewright.bootstrap.loading import CODE_ANALYST, load
from tablewright.domain.run import Run
from tablewright.settings.tree import ReactSettings


def code_analyst(settings: ReactSettings) -> Callable[[Run], Agent]:
    """Return what chooses the agent of a run: the code analyst takes every one."""
    agent: Agent = load(CODE_ANALYST)()

    def choose(_run: Run) -> Agent:
        return agent

    return choose
