"""The policy: who takes a question."""

from __future__ import annotations

from tablewright.domain.run import Mode
from tablewright.routing.route import Route
from tablewright.routing.small_talk import small_talk


def choose(question: str, mode: Mode = "auto") -> Route:
    """Return who takes `question`. Pure: the same question always goes the same way, also when its run goes on.

    In `auto` and `chat`, small talk is answered as such; whatever else is said goes to the code analyst, which may well
    answer without code. `analyze` always goes there. Modes that do not exist yet say so."""
    if mode in {"edit", "plan", "workflow"}:
        return Route(agent="unavailable", reason=mode)
    if mode == "analyze":
        return Route(agent="code_analyst", reason="mode")
    talk = small_talk(question)
    return Route(agent="code_analyst", reason="tables") if talk is None else Route(agent="chat", reason=talk)
