"""The policy: who takes a question."""

from __future__ import annotations

from tablewright.domain.run import Mode
from tablewright.routing.operating import changes_workbook
from tablewright.routing.route import Route
from tablewright.routing.small_talk import small_talk


def choose(question: str, mode: Mode = "auto", *, workbook: bool = False) -> Route:
    """Return who takes `question`; `workbook` when the run has one. Pure: the same question always goes the same way, also
    when its run goes on.

    In `auto` and `chat`, small talk is answered as such. In `auto`, what plainly asks for a change of the workbook goes to
    who changes workbooks; whatever else is said goes to the code analyst, which may well answer without code. `analyze`
    and `edit` always go to theirs, save that without a workbook small talk is small talk. Modes that do not exist yet say
    so."""
    if mode in {"plan", "workflow"}:
        return Route(agent="unavailable", reason=mode)
    if mode == "analyze":
        return Route(agent="code_analyst", reason="mode")
    if mode == "edit" and workbook:
        return Route(agent="rounds", reason="edit")
    if (talk := small_talk(question)) is not None:
        return Route(agent="chat", reason=talk)
    if mode == "edit":
        return Route(agent="rounds", reason="edit")
    if mode == "auto" and workbook and changes_workbook(question):
        return Route(agent="rounds", reason="operation")
    return Route(agent="code_analyst", reason="tables")
